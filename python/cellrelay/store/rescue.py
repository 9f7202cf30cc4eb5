"""What to do with a damaged store: put it aside, and take what can be read of it into a new one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

from cellrelay.store.rows import Row, readable_rows


class Rescue(NamedTuple):
    """A store that was damaged, and what became of it."""

    aside: Path
    """Where the damaged file is now."""
    runs: int
    """How many of its runs could be read."""


def is_aside(path: Path) -> bool:
    """Whether a file is a damaged store that was put aside."""
    return ".damaged-" in path.name


def put_aside(path: Path) -> Path:
    """Give a damaged store, with what belongs to it, a name that no other file has."""
    for number in count(1):
        aside = path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
        if not aside.exists():
            break
    for part in _parts(path):
        part.rename(f"{aside}{part.name.removeprefix(path.name)}")
    return aside


def _parts(path: Path) -> list[Path]:
    """The file of a store and what belongs to it."""
    # Its log goes first: without it a new store would take it for its own.
    parts = (Path(f"{path}{ending}") for ending in ("-wal", "-shm", "-journal", ""))
    return [part for part in parts if part.exists()]


def salvaged(aside: Path) -> Iterator[Row]:
    """The rows of a damaged store that are what was written; the file stays as it is."""
    # Read only: the log would be written into the file otherwise, as after every crash.
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"{aside.resolve().as_uri()}?mode=ro", uri=True, timeout=0)) as old,
    ):
        # Else a file that is shorter than its head says would not be read at all.
        old.execute("PRAGMA writable_schema = ON")
        # An error, if there is no hope.
        old.execute("SELECT count(*) FROM sqlite_master")
        octets = sum(part.stat().st_size for part in _parts(aside))
        yield from readable_rows(old.execute, octets)
