"""The store: every finished run, once, in one SQLite file."""

from cellrelay.store.rescue import Rescue
from cellrelay.store.store import Contents, Store

__all__ = ["Contents", "Rescue", "Store"]
