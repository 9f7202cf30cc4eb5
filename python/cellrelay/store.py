"""The store: every finished run, once, in one SQLite file.

A run is found by the key of its resolved scenario, its seed, its replication and the model that
computed it. Each is recorded in a transaction of its own, so a driver that is killed loses at
most the runs in flight. The file belongs to one driver at a time.
"""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import struct
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, NoReturn

from cellrelay.simulate import MODEL, Label, Run, Task

APPLICATION = 0x63656C6C
"""The application id in the header of a store ("cell")."""

SCHEMA = 1

_TABLES = f"""
CREATE TABLE scenario (key TEXT PRIMARY KEY, resolved TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE labels (id INTEGER PRIMARY KEY, labels TEXT NOT NULL UNIQUE);
CREATE TABLE run (
    key TEXT NOT NULL REFERENCES scenario,
    seed TEXT NOT NULL,
    replication INTEGER NOT NULL,
    model TEXT NOT NULL,
    labels INTEGER NOT NULL REFERENCES labels,
    scalars BLOB NOT NULL,
    digest TEXT NOT NULL,
    warnings TEXT NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (key, seed, replication, model)
) WITHOUT ROWID;
CREATE TABLE failure (
    key TEXT NOT NULL REFERENCES scenario,
    seed TEXT NOT NULL,
    replication INTEGER NOT NULL,
    model TEXT NOT NULL,
    error TEXT NOT NULL,
    PRIMARY KEY (key, seed, replication, model)
) WITHOUT ROWID;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {SCHEMA};
"""

_IDENTITY = "WHERE key = ? AND seed = ? AND replication = ? AND model = ?"

_DAMAGED = (
    errno.EIO,
    "damaged, and left as it is",
    "`sqlite3 FILE .recover` reads what it still holds; move it away to begin a new one",
)
_UNWRITABLE = (errno.EACCES, "cannot be written", "choose another --out")
_EXPLANATIONS = {
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
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
}
"""What SQLite reports, as the code of an `OSError`, a problem and a hint."""


class Contents(NamedTuple):
    """How much a store holds."""

    runs: int
    failures: int
    scenarios: int


class Store:
    """Finished runs in a file, or in memory without a path.

    >>> with Store() as store:
    ...     store.contents()
    Contents(runs=0, failures=0, scenarios=0)
    """

    def __init__(self, path: str | Path | None = None, model: str = MODEL) -> None:
        self.path = Path(path) if path is not None else None
        self._model = model
        self._ids: dict[tuple[Label, ...], int] = {}
        self._labels: dict[int, tuple[Label, ...]] = {}
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._explained():
            # Autocommit, and transactions begun by hand: sqlite3 must not begin any on its own.
            name = str(self.path) if self.path is not None else ":memory:"
            self._database = sqlite3.connect(name, timeout=0.5, isolation_level=None)
            try:
                self._open()
            except BaseException:
                self._database.close()
                raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def find(self, task: Task) -> Run | None:
        """The run, if it was ever finished."""
        with self._explained():
            row = self._database.execute(
                f"SELECT labels, scalars, digest, warnings, seconds FROM run {_IDENTITY}",
                self._identity(task),
            ).fetchone()
            if row is None:
                return None
            number, scalars, digest, warnings, seconds = row
            labels = self._labels_of(number)
            values, *batches = _unpacked(scalars, len(labels))
            return Run(
                labels=labels,
                values=values,
                digest=digest,
                warnings=tuple(json.loads(warnings)),
                seconds=seconds,
                batches=tuple(batches),
            )

    def holds(self, task: Task) -> bool:
        """Whether the outcome of the run is known, good or bad."""
        identity = self._identity(task)
        with self._explained():
            row = self._database.execute(
                f"SELECT EXISTS (SELECT 1 FROM run {_IDENTITY})"
                f" OR EXISTS (SELECT 1 FROM failure {_IDENTITY})",
                (*identity, *identity),
            ).fetchone()
        return bool(row[0])

    def find_failure(self, task: Task) -> str | None:
        """How the run broke the model, if it ever did: it would do so again."""
        with self._explained():
            row = self._database.execute(
                f"SELECT error FROM failure {_IDENTITY}", self._identity(task)
            ).fetchone()
        return str(row[0]) if row else None

    def record(self, task: Task, run: Run) -> None:
        """Keep a finished run, for good."""
        with self._explained(), self._transaction():
            self._record_scenario(task)
            self._database.execute(
                "INSERT OR IGNORE INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *self._identity(task),
                    self._labels_id(run.labels),
                    _packed(run.values, *run.batches),
                    run.digest,
                    json.dumps(run.warnings),
                    run.seconds,
                ),
            )

    def record_failure(self, task: Task, error: str) -> None:
        """Keep what broke, and with which scenario and seed."""
        with self._explained(), self._transaction():
            self._record_scenario(task)
            self._database.execute(
                "INSERT OR IGNORE INTO failure VALUES (?, ?, ?, ?, ?)",
                (*self._identity(task), error),
            )

    def contents(self) -> Contents:
        """Count what there is."""
        with self._explained():
            row = self._database.execute(
                "SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM failure),"
                " (SELECT count(*) FROM scenario)"
            ).fetchone()
        return Contents(*row)

    def seconds(self, key: str) -> float | None:
        """Mean time that the computer took for a run of this scenario, if there was one."""
        with self._explained():
            row = self._database.execute(
                "SELECT avg(seconds) FROM run WHERE key = ? AND model = ?", (key, self._model)
            ).fetchone()
        return None if row[0] is None else float(row[0])

    def _identity(self, task: Task) -> tuple[str, str, int, str]:
        # A seed may be larger than the integers of SQLite.
        return task.point.key, str(task.seed), task.replication, self._model

    def _record_scenario(self, task: Task) -> None:
        self._database.execute(
            "INSERT OR IGNORE INTO scenario VALUES (?, ?)", (task.point.key, task.point.resolved)
        )

    def _labels_id(self, labels: tuple[Label, ...]) -> int:
        """Number under which the labels, the same for all runs of a scenario, are kept once."""
        if labels not in self._ids:
            text = json.dumps(labels, ensure_ascii=False, separators=(",", ":"))
            self._database.execute("INSERT OR IGNORE INTO labels (labels) VALUES (?)", (text,))
            row = self._database.execute("SELECT id FROM labels WHERE labels = ?", (text,))
            self._ids[labels] = row.fetchone()[0]
        return self._ids[labels]

    def _labels_of(self, number: int) -> tuple[Label, ...]:
        if number not in self._labels:
            row = self._database.execute("SELECT labels FROM labels WHERE id = ?", (number,))
            labels = tuple(Label(*label) for label in json.loads(row.fetchone()[0]))
            self._labels[number] = labels
        return self._labels[number]

    def _open(self) -> None:
        # Exclusive: the first write takes the file until it is closed, and WAL needs no shared
        # memory. A commit survives the death of the process; `normal` spares waiting for the disk
        # on each, so that a power cut may cost the last few runs but never the file.
        self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
        application, schema, tables, pages = (
            self._database.execute(question).fetchone()[0]
            for question in (
                "PRAGMA application_id",
                "PRAGMA user_version",
                "SELECT count(*) FROM sqlite_master",
                "PRAGMA quick_check(1)",
            )
        )
        if pages != "ok":
            self._refuse(*_EXPLANATIONS[sqlite3.SQLITE_CORRUPT])
        if tables and application != APPLICATION:
            self._refuse(errno.EINVAL, "an SQLite file of another program", "choose another --out")
        if tables and schema != SCHEMA:
            self._refuse(
                errno.EINVAL,
                f"a store of format `{schema}`, where this version reads `{SCHEMA}`",
                "choose another --out, or use the version of cellrelay that wrote it",
            )
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = NORMAL")
        with self._transaction():
            if not tables:
                for statement in filter(str.strip, _TABLES.split(";")):
                    self._database.execute(statement)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            # A full disk may already have rolled back by itself.
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            # Labels that were inserted are gone again.
            self._ids.clear()
            raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Say what is wrong with the file, and what can be done about it."""
        try:
            yield
        except sqlite3.Error as error:
            # The extended codes of SQLite keep the primary one in their low byte.
            primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if primary not in _EXPLANATIONS:
                raise
            code, problem, hint = _EXPLANATIONS[primary]
            self._refuse(code, problem, hint)

    def _refuse(self, code: int, problem: str, hint: str) -> NoReturn:
        raise OSError(code, f"{problem}\n  hint: {hint}", os.fspath(self.path or ":memory:"))


def _packed(*rows: array[float]) -> bytes:
    """The values of a run, followed by those of its batches."""
    return b"".join(struct.pack(f"<{len(values)}d", *values) for values in rows)


def _unpacked(scalars: bytes, count: int) -> list[array[float]]:
    numbers = array("d", struct.unpack(f"<{len(scalars) // 8}d", scalars))
    starts = range(0, len(numbers), count) if count else [0]
    return [numbers[start : start + count] for start in starts]
