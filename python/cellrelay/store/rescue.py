"""The repair of a damaged store: the file is put aside, and its readable runs are copied into a new
store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

from cellrelay.store.rows import Row, readable_rows


class Rescue(NamedTuple):
    """The outcome of the repair of a damaged store."""

    aside: Path
    """New path of the damaged file."""
    runs: int
    """Number of runs of the damaged file that could be read."""


def is_aside(path: Path) -> bool:
    """True if a file is a damaged store that was put aside."""
    return ".damaged-" in path.name


def put_aside(path: Path) -> Path:
    """Rename a damaged store and its log files to a name that no other file has."""
    for number in count(1):
        aside = path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
        if not aside.exists():
            break
    for part in _parts(path):
        part.rename(f"{aside}{part.name.removeprefix(path.name)}")
    return aside


def _parts(path: Path) -> list[Path]:
    """The file of a store and its log files."""
    # The log is renamed first, since a new store would replay a log of its own name.
    parts = (Path(f"{path}{ending}") for ending in ("-wal", "-shm", "-journal", ""))
    return [part for part in parts if part.exists()]


def salvaged(aside: Path) -> Iterator[Row]:
    """The rows of a damaged store with correct checksums; the file is not changed."""
    # Read only, since SQLite would otherwise write the log into the file, as after every crash.
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"{aside.resolve().as_uri()}?mode=ro", uri=True, timeout=0)) as old,
    ):
        # Without this setting, SQLite refuses a file that is shorter than its header states.
        old.execute("PRAGMA writable_schema = ON")
        # This raises an error if the file cannot be read at all.
        old.execute("SELECT count(*) FROM sqlite_master")
        octets = sum(part.stat().st_size for part in _parts(aside))
        yield from readable_rows(old.execute, octets)
