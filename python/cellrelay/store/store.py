"""The store: every finished run, once, in one SQLite file.

A run is found by the key of its resolved scenario, its seed, its replication and the model that
computed it. Each is recorded in a transaction of its own, so a driver that is killed loses at
most the runs in flight. The file belongs to one driver at a time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from cellrelay.simulate import MODEL, Label, Run, Task
from cellrelay.store.database import Damaged, Database
from cellrelay.store.packing import packed, unpacked
from cellrelay.store.rescue import Rescue, put_aside, salvaged
from cellrelay.store.rows import Row, rows

_COLUMNS = "labels, scalars, checksum, digest, warnings, seconds, error"
_OF_POINT = "WHERE scenario = ? AND model = ? AND seed = ?"


class Contents(NamedTuple):
    """How much a store holds."""

    runs: int
    failures: int
    scenarios: int


class Known(NamedTuple):
    """What a store knows of a point."""

    runs: int
    failures: int
    seconds: float | None
    """That a run took on average, if there was one."""


class Store:
    """Finished runs in a file, or in memory without a path.

    A file that is damaged is put aside, never deleted, and what can be read of it is kept.

    >>> with Store() as store:
    ...     store.contents()
    Contents(runs=0, failures=0, scenarios=0)
    """

    def __init__(self, path: str | Path | None = None, model: str = MODEL) -> None:
        self.path = Path(path) if path is not None else None
        self.rescue: Rescue | None = None
        """What happened to the file, if it was damaged."""
        self._forget_numbers()
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._database = Database(self.path)
        except Damaged:
            assert self.path is not None
            self._database = self._rescued(self.path)
        self._execute = self._database.execute
        self._labels: dict[int, tuple[Label, ...]] = {}
        with self._database.explained(), self._database.transaction():
            self._model = self._number("model", "model", model)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        with self._database.explained():
            self._database.close()

    def find(self, task: Task) -> Run | None:
        """The run, if it was ever finished."""
        with self._database.explained():
            found = self._execute(
                f"SELECT id, {_COLUMNS} FROM run {_OF_POINT} AND replication = ?",
                self._identity(task),
            ).fetchone()
            if found is None or found[-1] is not None:
                return None
            number, *row = found
            if crc32(row[1]) != row[2]:
                # The disk gave back something else than was written: the run is made again.
                self._execute("DELETE FROM run WHERE id = ?", (number,))
                return None
            return self._run(*row)

    def runs(self, point: Task, count: int) -> list[Run]:
        """The first `count` replications of a point, which were found or recorded before."""
        with self._database.explained():
            known = self._execute(
                f"SELECT {_COLUMNS} FROM run {_OF_POINT} AND replication < ? ORDER BY replication",
                (*self._identity(point)[:-1], count),
            )
            return [self._run(*row) for row in known]

    def holds(self, task: Task) -> bool:
        """Whether the outcome of the run is known, good or bad."""
        with self._database.explained():
            row = self._execute(
                f"SELECT EXISTS (SELECT 1 FROM run {_OF_POINT} AND replication = ?)",
                self._identity(task),
            ).fetchone()
        return bool(row[0])

    def find_failure(self, task: Task) -> str | None:
        """How the run broke the model, if it ever did: it would do so again."""
        with self._database.explained():
            row = self._execute(
                f"SELECT error FROM run {_OF_POINT} AND replication = ?", self._identity(task)
            ).fetchone()
        return row[0] if row else None

    def record(self, task: Task, run: Run) -> None:
        """Keep a finished run, for good."""
        with self._database.explained(), self._transaction():
            self._record(task, run)

    def record_failure(self, task: Task, error: str) -> None:
        """Keep what broke, and with which scenario and seed."""
        with self._database.explained(), self._transaction():
            self._insert(task, None, None, None, None, None, None, error)

    def take(self, others: Iterable[Row]) -> int:
        """Take in runs of another store; how many there are that were not known."""
        before = self._count()
        with self._database.explained(), self._transaction():
            for row in others:
                self._execute(
                    _INSERT,
                    (
                        self._number("scenario", "key", row.key, row.resolved),
                        self._number("model", "model", row.model),
                        row.seed,
                        row.replication,
                        self._number("labels", "labels", row.labels) if row.labels else None,
                        *row[6:],
                    ),
                )
        return self._count() - before

    def rows(self) -> Iterable[Row]:
        """All that is kept, for another store to take in."""
        return rows(self._execute)

    def forget(self, points: Iterable[Task]) -> None:
        """Forget all replications of points, and how they failed."""
        with self._database.explained(), self._transaction():
            for point in points:
                self._execute(f"DELETE FROM run {_OF_POINT}", self._identity(point)[:-1])

    def contents(self) -> Contents:
        """Count what there is."""
        with self._database.explained():
            row = self._execute(
                "SELECT count(*) - count(error), count(error),"
                " (SELECT count(*) FROM scenario) FROM run"
            ).fetchone()
        return Contents(*row)

    def known(self, point: Task, most: int) -> Known:
        """What is known of the first `most` replications of a point."""
        with self._database.explained():
            row = self._execute(
                "SELECT count(*) - count(error), count(error), avg(seconds)"
                f" FROM run {_OF_POINT} AND replication < ?",
                (*self._identity(point)[:-1], most),
            ).fetchone()
        return Known(*row)

    def seconds(self, key: str) -> float | None:
        """Mean time that the computer took for a run of this scenario, if there was one."""
        with self._database.explained():
            row = self._execute(
                "SELECT avg(seconds) FROM run JOIN scenario ON scenario.id = run.scenario"
                " WHERE key = ? AND model = ?",
                (key, self._model),
            ).fetchone()
        return None if row[0] is None else float(row[0])

    def _rescued(self, path: Path) -> Database:
        """A new store with what can be read of a damaged one."""
        aside = put_aside(path)
        self._database = Database(path)
        self._execute = self._database.execute
        self.rescue = Rescue(aside, self.take(salvaged(aside)))
        return self._database

    def _count(self) -> int:
        return int(self._execute("SELECT count(*) FROM run").fetchone()[0])

    def _transaction(self) -> Any:
        return self._database.transaction(self._forget_numbers)

    def _forget_numbers(self) -> None:
        """What was inserted may be gone again."""
        self._numbers: dict[tuple[str, str], int] = {}
        self._labels_numbers: dict[tuple[Label, ...], int] = {}

    def _record(self, task: Task, run: Run) -> None:
        scalars = packed(run)
        numbers = (self._labels_number(run.labels), scalars, crc32(scalars))
        warnings = json.dumps(run.warnings) if run.warnings else ""
        self._insert(task, *numbers, run.digest, warnings, run.seconds, None)

    def _insert(self, task: Task, *columns: Any) -> None:
        scenario = self._number("scenario", "key", task.point.key, task.point.resolved)
        identity = (scenario, self._model, str(task.seed), task.replication)
        self._execute(_INSERT, (*identity, *columns))

    def _identity(self, task: Task) -> tuple[int | None, int, str, int]:
        # A seed may be larger than the integers of SQLite.
        return self._known_scenario(task), self._model, str(task.seed), task.replication

    def _known_scenario(self, task: Task) -> int | None:
        """Number of the scenario; None, which equals nothing, if no run of it is kept."""
        key = task.point.key
        known = self._numbers.get(("scenario", key))
        if known is None:
            row = self._execute("SELECT id FROM scenario WHERE key = ?", (key,)).fetchone()
            if row is not None:
                known = self._numbers["scenario", key] = row[0]
        return known

    def _number(self, table: str, column: str, text: str, *more: str) -> int:
        """Number under which a text, which many runs share, is kept once."""
        if (table, text) not in self._numbers:
            places = ", ".join("?" for _ in (text, *more))
            self._execute(f"INSERT OR IGNORE INTO {table} VALUES (NULL, {places})", (text, *more))
            row = self._execute(f"SELECT id FROM {table} WHERE {column} = ?", (text,)).fetchone()
            self._numbers[table, text] = row[0]
        return self._numbers[table, text]

    def _labels_number(self, labels: tuple[Label, ...]) -> int:
        if labels not in self._labels_numbers:
            text = json.dumps(labels, ensure_ascii=False, separators=(",", ":"))
            self._labels_numbers[labels] = self._number("labels", "labels", text)
        return self._labels_numbers[labels]

    def _labels_of(self, number: int) -> tuple[Label, ...]:
        if number not in self._labels:
            row = self._execute("SELECT labels FROM labels WHERE id = ?", (number,))
            self._labels[number] = tuple(Label(*one) for one in json.loads(row.fetchone()[0]))
        return self._labels[number]

    def _run(
        self,
        labels_number: int,
        scalars: bytes,
        _checksum: int,
        digest: str,
        warnings: str,
        seconds: float,
        _error: None,
    ) -> Run:
        labels = self._labels_of(labels_number)
        numbers = unpacked(scalars)
        return Run(
            labels=labels,
            values=numbers.values,
            digest=digest,
            warnings=tuple(json.loads(warnings)) if warnings else (),
            seconds=seconds,
            batches=numbers.batches,
            distributions=numbers.distributions,
        )


_INSERT = (
    "INSERT OR IGNORE INTO run (scenario, model, seed, replication, "
    f"{_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
