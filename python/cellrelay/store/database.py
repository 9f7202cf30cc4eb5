"""An SQLite file of ours: opened for one driver alone, and refused in words."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

APPLICATION = 0x63656C6C
"""The application id in the header of a store ("cell")."""

SCHEMA = 2

TABLES = f"""
CREATE TABLE scenario (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, resolved TEXT NOT NULL);
CREATE TABLE model (id INTEGER PRIMARY KEY, model TEXT NOT NULL UNIQUE);
CREATE TABLE labels (id INTEGER PRIMARY KEY, labels TEXT NOT NULL UNIQUE);
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    scenario INTEGER NOT NULL REFERENCES scenario,
    model INTEGER NOT NULL REFERENCES model,
    seed TEXT NOT NULL,
    replication INTEGER NOT NULL,
    labels INTEGER REFERENCES labels,
    scalars BLOB,
    checksum INTEGER,
    digest TEXT,
    warnings TEXT,
    seconds REAL,
    error TEXT,
    UNIQUE (scenario, model, seed, replication)
);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {SCHEMA};
"""
"""A run has numbers, or the error that it ended with."""

_MAGIC = b"SQLite format 3\0"
_PAGE = 4096

DAMAGED = (errno.EIO, "damaged", "start again: what can be read of it is kept")
_UNWRITABLE = (errno.EACCES, "cannot be written", "choose another --out")
_EXPLANATIONS = {
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: (errno.EINVAL, "no store", "choose another --out"),
    sqlite3.SQLITE_CANTOPEN: _UNWRITABLE,
    sqlite3.SQLITE_READONLY: _UNWRITABLE,
    sqlite3.SQLITE_PERM: _UNWRITABLE,
    sqlite3.SQLITE_BUSY: (
        errno.EBUSY,
        "in use by another cellrelay",
        "wait until it has finished, or choose another --out",
    ),
    sqlite3.SQLITE_FULL: (
        errno.ENOSPC,
        "no space left on the disk",
        "the finished runs are kept: free some space and start again",
    ),
    sqlite3.SQLITE_IOERR: (
        errno.EIO,
        "the disk could not be read or written",
        "the finished runs are kept: see to the disk and start again",
    ),
}
"""What SQLite reports, as the code of an `OSError`, a problem and a hint."""


class Database:
    """A connection to the file at `path`, or to memory; the file is ours until it is closed."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        with self.explained():
            # Autocommit, and transactions begun by hand: sqlite3 must not begin any on its own.
            # A crew collects in the thread that submits, but a watcher may ask from another.
            name = str(path) if path is not None else ":memory:"
            self._connection = sqlite3.connect(name, timeout=0.5, isolation_level=None)
            self.execute = self._connection.execute
            try:
                self._open()
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _open(self) -> None:
        # Exclusive: the first write takes the file until it is closed, and WAL needs no shared
        # memory. A commit survives the death of the process; `normal` spares waiting for the disk
        # on each, so that a power cut may cost the last few runs but never the file.
        self.execute("PRAGMA locking_mode = EXCLUSIVE")
        application, schema, tables = (
            self.execute(question).fetchone()[0]
            for question in (
                "PRAGMA application_id",
                "PRAGMA user_version",
                "SELECT count(*) FROM sqlite_master",
            )
        )
        if tables and application != APPLICATION:
            self.refuse(errno.EINVAL, "an SQLite file of another program", "choose another --out")
        if tables and schema != SCHEMA:
            self.refuse(
                errno.EINVAL,
                f"a store of format `{schema}`, where this version reads `{SCHEMA}`",
                "choose another --out, or use the version of cellrelay that wrote it",
            )
        if self.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise Damaged(*DAMAGED[:2], os.fspath(self.path or ":memory:"))
        self.execute("PRAGMA journal_mode = WAL")
        self.execute("PRAGMA synchronous = NORMAL")
        with self.transaction():
            if not tables:
                for statement in filter(str.strip, TABLES.split(";")):
                    self.execute(statement)

    @contextmanager
    def transaction(self, undone: Callable[[], None] = lambda: None) -> Iterator[None]:
        """All that happens within, or nothing of it: then `undone` is told."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            # A full disk may already have rolled back by itself.
            if self._connection.in_transaction:
                self.execute("ROLLBACK")
            undone()
            raise

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Say what is wrong with the file, and what can be done about it."""
        try:
            yield
        except sqlite3.Error as error:
            # The extended codes of SQLite keep the primary one in their low byte.
            primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if primary not in _EXPLANATIONS:
                raise
            code, problem, hint = _EXPLANATIONS[primary]
            if self.path is not None and primary in _BROKEN and is_ours(self.path):
                raise Damaged(*DAMAGED[:2], os.fspath(self.path)) from error
            self.refuse(code, problem, hint)

    def refuse(self, code: int, problem: str, hint: str) -> NoReturn:
        """Raise what a user can read."""
        raise OSError(code, f"{problem}\n  hint: {hint}", os.fspath(self.path or ":memory:"))


_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Damaged(OSError):
    """A store that can no longer be read whole."""

    def __init__(self, code: int, problem: str, filename: str) -> None:
        super().__init__(code, f"{problem}\n  hint: {DAMAGED[2]}", filename)


def is_ours(path: Path) -> bool:
    """Whether what is left of a file may be that of a store."""
    with path.open("rb") as file:
        head = file.read(_PAGE + 1)
    if not _MAGIC.startswith(head[:16]):
        return False
    # What a new store is called stands in its log at first, and its one page has nothing in it.
    is_new = len(head) <= _PAGE and not any(head[68:72])
    return is_new or APPLICATION.to_bytes(4, "big").startswith(head[68:72])
