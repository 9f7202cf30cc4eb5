"""The store: every finished run, once, in one SQLite file."""

from cellrelay.store.reading import Latest, StoredRuns
from cellrelay.store.rescue import Rescue, is_aside
from cellrelay.store.store import Contents, Known, Store

__all__ = ["Contents", "Known", "Latest", "Rescue", "Store", "StoredRuns", "is_aside"]
