"""The store: every finished run, once, in one SQLite file."""

from cellrelay.store.database import is_store
from cellrelay.store.reading import PointReader, StoredRuns
from cellrelay.store.rescue import Rescue, is_aside
from cellrelay.store.store import Known, Store, StoreSize

__all__ = [
    "Known",
    "PointReader",
    "Rescue",
    "Store",
    "StoreSize",
    "StoredRuns",
    "is_aside",
    "is_store",
]
