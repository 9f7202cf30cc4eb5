"""The SQLite file of a store: opened by one driver at a time, with messages for users if that
fails."""

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

SCHEMA = 4

TABLES = (
    """CREATE TABLE scenario (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    resolved TEXT NOT NULL,
    checksum INTEGER NOT NULL
)""",
    """CREATE TABLE model (
    id INTEGER PRIMARY KEY, model TEXT NOT NULL UNIQUE, checksum INTEGER NOT NULL
)""",
    """CREATE TABLE labels (
    id INTEGER PRIMARY KEY, labels TEXT NOT NULL UNIQUE, checksum INTEGER NOT NULL
)""",
    f"""CREATE TABLE run ( -- of format {SCHEMA}
    id INTEGER PRIMARY KEY,
    scenario INTEGER NOT NULL REFERENCES scenario,
    model INTEGER NOT NULL REFERENCES model,
    seed TEXT NOT NULL,
    replication INTEGER NOT NULL,
    labels INTEGER REFERENCES labels,
    scalars BLOB,
    digest TEXT,
    warnings TEXT,
    seconds REAL,
    error TEXT,
    checksum INTEGER NOT NULL,
    UNIQUE (scenario, model, seed, replication)
)""",
)
"""A run has numbers, or the error that it ended with; for checksums see `rows`.

SQLite keeps these texts unchanged, so they also identify a store, and the version of its format.
"""

_MAGIC = b"SQLite format 3\0"
_PAGE = 4096
_WAL = 2
"""Version number, in the header of an SQLite file, of files that are written through a log."""

DAMAGED = (errno.EIO, "damaged", "start again: what can be read of it is kept")
_UNWRITABLE = (errno.EACCES, "cannot be written", "choose another --out")
_NO_STORE = (errno.EINVAL, "not a store of runs", "choose another --out")
_EXPLANATIONS = {
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: _NO_STORE,
    sqlite3.SQLITE_ERROR: _NO_STORE,
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
"""Errors of SQLite, each with the code of an `OSError`, a problem and a hint."""


class Database:
    """A connection to the file at `path`, or to memory; no other process can use the file until it
    is closed."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        with self.explained():
            # Autocommit, and transactions begun by hand: sqlite3 must not begin any on its own.
            # A worker pool collects in the thread that submits, but a watcher may ask from another.
            name = str(path) if path is not None else ":memory:"
            self._connection = sqlite3.connect(name, timeout=0.5, isolation_level=None)
            self.execute = self._connection.execute
            try:
                self._open()
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _open(self) -> None:
        # Exclusive: the first write locks the file until it is closed, and the log (WAL) needs no
        # shared memory. A commit survives the death of the process; with `normal` a commit does not
        # wait for the disk, so a power cut may lose the last few runs, but does not damage the
        # file.
        self.execute("PRAGMA locking_mode = EXCLUSIVE")
        application, schema = (
            self.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version")
        )
        tables = {sql for (sql,) in self.execute("SELECT sql FROM sqlite_master")}
        is_ours = tables.issuperset(TABLES)
        if tables and application != APPLICATION and not is_ours:
            self.refuse(errno.EINVAL, "an SQLite file of another program", "choose another --out")
        if tables and schema != SCHEMA and not is_ours:
            self.refuse(
                errno.EINVAL,
                f"a store of format `{schema}`, where this version reads `{SCHEMA}`",
                "choose another --out, or use the version of cellrelay that wrote it",
            )
        if tables and not (is_ours and (application, schema) == (APPLICATION, SCHEMA)):
            self.damaged()
        # Indices are compared with their tables, because a wrong index would return the wrong run.
        if self.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            self.damaged()
        self.execute("PRAGMA journal_mode = WAL")
        self.execute("PRAGMA synchronous = NORMAL")
        with self.transaction():
            if not tables:
                marks = (f"application_id = {APPLICATION}", f"user_version = {SCHEMA}")
                for statement in (*TABLES, *(f"PRAGMA {mark}" for mark in marks)):
                    self.execute(statement)

    @contextmanager
    def transaction(self, undone: Callable[[], None] = lambda: None) -> Iterator[None]:
        """A transaction; on an exception all its changes are undone, and `undone` is called."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            # After an error such as a full disk, SQLite may already have rolled the transaction
            # back.
            if self._connection.in_transaction:
                self.execute("ROLLBACK")
            undone()
            raise

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turn errors of SQLite into messages with a hint to the user."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:
            primary = _primary(error)
            if primary not in _EXPLANATIONS:
                raise
            if primary == sqlite3.SQLITE_IOERR and not _is_writable(self.path):
                primary = sqlite3.SQLITE_READONLY
            code, problem, hint = _EXPLANATIONS[primary]
            if self.path is not None and _is_broken(self.path, primary) and is_ours(self.path):
                self.damaged(error)
            self.refuse(code, problem, hint)

    def damaged(self, error: BaseException | None = None) -> NoReturn:
        """Raise `Damaged`: some rows of the store differ from what was written."""
        raise Damaged(*DAMAGED[:2], os.fspath(self.path or ":memory:")) from error

    def refuse(self, code: int, problem: str, hint: str) -> NoReturn:
        """Raise an error with a message for users."""
        raise OSError(code, f"{problem}\n  hint: {hint}", os.fspath(self.path or ":memory:"))


def _is_writable(path: Path | None) -> bool:
    """True if a file may be written, and others made beside it, as SQLite does."""
    if path is None:
        return True
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


def _primary(error: sqlite3.Error | UnicodeDecodeError) -> int:
    """The primary code of an error of SQLite, without the extended part."""
    # Errors about texts that are not UTF-8 come from Python, and have no code.
    is_undecodable = isinstance(error, (sqlite3.OperationalError, UnicodeDecodeError))
    unnamed = sqlite3.SQLITE_CORRUPT if is_undecodable else sqlite3.SQLITE_MISUSE
    return int(getattr(error, "sqlite_errorcode", unnamed)) & 0xFF


def _is_broken(path: Path, primary: int) -> bool:
    """True if the error of SQLite is due to the content of the file."""
    if primary == sqlite3.SQLITE_READONLY:
        # A file of a later format than SQLite knows may be read, but not be written.
        return max(_head(path)[18:19]) > _WAL
    # Our statements are correct, so an SQL error means that the file is damaged.
    return primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)


class Damaged(OSError):
    """A store of which some rows cannot be read."""

    def __init__(self, code: int, problem: str, filename: str) -> None:
        super().__init__(code, f"{problem}\n  hint: {DAMAGED[2]}", filename)


def is_store(path: Path) -> bool:
    """True if there is a file at `path` which belongs to a store, even a damaged one."""
    return path.is_file() and is_ours(path)


def is_ours(path: Path) -> bool:
    """True if the intact part of a file may belong to a store."""
    head, name = _head(path), APPLICATION.to_bytes(4, "big")
    if head[68:72] == name:
        return True
    if not _MAGIC.startswith(head[:16]):
        return False
    # The application id of a new store is in its log at first, and its only page is empty.
    is_new = len(head) <= _PAGE and not any(head[68:72])
    return is_new or name.startswith(head[68:72])


def _head(path: Path) -> bytes:
    """The first page, and the octet after it if the file is longer."""
    with path.open("rb") as file:
        return file.read(_PAGE + 1)
