"""The store: every finished run, once, in one SQLite file.

A run is found by the key of its resolved scenario, its seed, its replication and the model that
computed it. Each is recorded in a transaction of its own, so a driver that is killed loses at
most the runs in flight. The file belongs to one driver at a time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from cellrelay.metrics.scope import Scope
from cellrelay.simulation.labels import Label, Labels, in_columns
from cellrelay.simulation.run import MODEL, Run, Task, Warned
from cellrelay.store.database import Damaged, Database
from cellrelay.store.labels import read_labels, write_labels
from cellrelay.store.packing import packed, unpacked
from cellrelay.store.rescue import Rescue, put_aside, salvaged
from cellrelay.store.rows import SEALED, Row, Sealed, are_whole, is_whole, rows, text_sum

_OF_POINT = "WHERE scenario = ? AND run.model = ? AND seed = ?"


class StoreSize(NamedTuple):
    """The size of a store: finished runs, failed runs and scenarios."""

    runs: int
    failures: int
    scenarios: int


class Known(NamedTuple):
    """The stored runs of a point: finished and failed ones."""

    runs: int
    failures: int
    seconds: float | None
    """Mean computing time of a run, in seconds; `None` without runs."""


class Store:
    """Finished runs in a file, or in memory without a path.

    A damaged file is put aside, never deleted, and its readable runs are kept.

    >>> with Store() as store:
    ...     store.contents()
    StoreSize(runs=0, failures=0, scenarios=0)
    """

    def __init__(self, path: str | Path | None = None, model: str = MODEL) -> None:
        self.path = Path(path) if path is not None else None
        self.rescue: Rescue | None = None
        """The repair of the file, if it was damaged."""
        self._forget_numbers()
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        self._model_name = model
        if not self._open(self.path):
            assert self.path is not None
            self._rescue(self.path)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._database.explained():
            self._database.close()

    def find(self, task: Task) -> Run | None:
        """The run, if it is stored."""
        with self._database.explained():
            found = self._execute(
                f"{SEALED} {_OF_POINT} AND replication = ?", self._identity(task)
            ).fetchone()
            return None if found is None or found[-1] is not None else self._run(found)

    def runs(self, key: str, seed: int, count: int) -> list[Run]:
        """The first `count` replications of a point, all of which are stored."""
        with self._database.explained():
            known = self._execute(
                f"{SEALED} {_OF_POINT} AND replication < ? ORDER BY replication",
                (self._known_scenario(key), self._model, str(seed), count),
            )
            return [self._run(row) for row in known]

    def holds(self, task: Task) -> bool:
        """True if the run is stored, or its failure is."""
        with self._database.explained():
            row = self._execute(
                f"SELECT EXISTS (SELECT 1 FROM run {_OF_POINT} AND replication = ?)",
                self._identity(task),
            ).fetchone()
        return bool(row[0])

    def find_failure(self, task: Task) -> str | None:
        """The stored failure of the run, `None` without one; the run would fail in the same way
        again."""
        with self._database.explained():
            row = self._execute(
                f"SELECT error FROM run {_OF_POINT} AND replication = ?", self._identity(task)
            ).fetchone()
        return row[0] if row else None

    def record(self, task: Task, run: Run) -> None:
        """Store a finished run."""
        with self._database.explained(), self._transaction():
            self._record(task, run)

    def record_failure(self, task: Task, error: str) -> None:
        """Store the failure of a run, with its scenario and seed."""
        with self._database.explained(), self._transaction():
            outcome = (None, None, None, None, None, error)
            self._insert(self._sealed(task, *outcome), task.point.resolved, None)

    def take(self, others: Iterable[Row]) -> int:
        """Add the runs of another store; returns the number of runs that were not known."""
        before = self._count()
        with self._database.explained(), self._transaction():
            for row in others:
                labels, labels_sum = self._text_number(row.labels)
                self._insert(row.sealed(labels_sum), row.resolved, labels)
        return self._count() - before

    def rows(self) -> Iterable[Row]:
        """All rows of the store, for `merge` into another store."""
        return rows(self._execute)

    def forget(self, points: Iterable[Task]) -> None:
        """Delete all replications of points, and their failures."""
        with self._database.explained(), self._transaction():
            for point in points:
                self._execute(f"DELETE FROM run {_OF_POINT}", self._identity(point)[:-1])

    def contents(self) -> StoreSize:
        """Count the runs, failures and scenarios."""
        with self._database.explained():
            row = self._execute(
                "SELECT count(*) - count(error), count(error),"
                " (SELECT count(*) FROM scenario) FROM run"
            ).fetchone()
        return StoreSize(*row)

    def known(self, point: Task, most: int) -> Known:
        """The stored runs among the first `most` replications of a point."""
        with self._database.explained():
            row = self._execute(
                "SELECT count(*) - count(error), count(error), avg(seconds)"
                f" FROM run {_OF_POINT} AND replication < ?",
                (*self._identity(point)[:-1], most),
            ).fetchone()
        return Known(*row)

    def seconds(self, key: str) -> float | None:
        """Mean computing time of the runs of a scenario, in seconds; `None` without runs."""
        with self._database.explained():
            row = self._execute(
                "SELECT avg(seconds) FROM run JOIN scenario ON scenario.id = run.scenario"
                " WHERE key = ? AND model = ?",
                (key, self._model),
            ).fetchone()
        return None if row[0] is None else float(row[0])

    def _open(self, path: Path | None) -> bool:
        """Open the file; true if the checksums of all its rows are right."""
        with suppress(Damaged):
            self._database = Database(path)
            try:
                self._begin()
            except BaseException:
                self._database.close()
                raise
            return True
        return False

    def _begin(self) -> None:
        self._execute = self._database.execute
        with self._database.explained(), self._transaction():
            if not are_whole(self._execute):
                self._database.damaged()
            self._model = self._number("model", "model", self._model_name)

    def _rescue(self, path: Path) -> None:
        """Begin a new store with the readable rows of a damaged store."""
        aside = put_aside(path)
        self._database = Database(path)
        self._begin()
        self.rescue = Rescue(aside, self.take(salvaged(aside)))

    def _count(self) -> int:
        return int(self._execute("SELECT count(*) FROM run").fetchone()[0])

    def _transaction(self) -> Any:
        return self._database.transaction(self._forget_numbers)

    def _forget_numbers(self) -> None:
        """Forget the numbers of inserted rows, which an undone transaction removes."""
        self._numbers: dict[tuple[str, str], int] = {}
        self._labels_numbers: dict[int, tuple[object, tuple[int | None, int | None]]] = {}
        self._labels: dict[int, Labels] = {}

    def _record(self, task: Task, run: Run) -> None:
        labels, labels_sum = self._labels_number(run.labels)
        scalars = packed(run)
        warnings = json.dumps(run.warnings) if run.warnings else ""
        outcome = (labels_sum, scalars, run.digest, warnings, run.seconds, None)
        self._insert(self._sealed(task, *outcome), task.point.resolved, labels)

    def _sealed(self, task: Task, *outcome: Any) -> Sealed:
        # A seed may be larger than the integers of SQLite.
        identity = (task.point.key, self._model_name, str(task.seed), task.replication)
        return Sealed(*identity, *outcome)

    def _insert(self, run: Sealed, resolved: str, labels: int | None) -> None:
        identity = (
            self._number("scenario", "key", run.key, resolved),
            self._number("model", "model", run.model),
            run.seed,
            run.replication,
        )
        self._execute(_INSERT, (*identity, labels, *run[5:], run.checksum))

    def _identity(self, task: Task) -> tuple[int | None, int, str, int]:
        scenario = self._known_scenario(task.point.key)
        return scenario, self._model, str(task.seed), task.replication

    def _known_scenario(self, key: str) -> int | None:
        """Number of the scenario; `None`, which no row matches, if the store has no run of the
        scenario."""
        known = self._numbers.get(("scenario", key))
        if known is None:
            row = self._execute("SELECT id FROM scenario WHERE key = ?", (key,)).fetchone()
            if row is not None:
                known = self._numbers["scenario", key] = row[0]
        return known

    def _number(self, table: str, column: str, *texts: str) -> int:
        """Number of the row that holds a text; many runs share the row."""
        if (table, texts[0]) not in self._numbers:
            values = (*texts, text_sum(*texts))
            places = ", ".join("?" for _ in values)
            self._execute(f"INSERT OR IGNORE INTO {table} VALUES (NULL, {places})", values)
            row = self._execute(f"SELECT id FROM {table} WHERE {column} = ?", texts[:1]).fetchone()
            self._numbers[table, texts[0]] = row[0]
        return self._numbers[table, texts[0]]

    def _text_number(self, labels: str | None) -> tuple[int | None, int | None]:
        """Number and checksum of labels."""
        if labels is None:
            return None, None
        return self._number("labels", "labels", labels), text_sum(labels)

    def _labels_number(self, labels: Sequence[Label]) -> tuple[int | None, int | None]:
        # By identity: runs share their labels, which are long and slow to compare.
        if id(labels) not in self._labels_numbers:
            number = self._text_number(write_labels(labels))
            self._labels_numbers[id(labels)] = labels, number
            if number[0] is not None:
                # Read back they would be the same, and there may be a hundred thousand scopes.
                self._labels.setdefault(number[0], in_columns(labels))
        return self._labels_numbers[id(labels)][1]

    def _labels_of(self, number: int) -> Labels:
        if number not in self._labels:
            (text,) = self._execute("SELECT labels FROM labels WHERE id = ?", (number,)).fetchone()
            self._labels[number] = read_labels(text)
        return self._labels[number]

    def _run(self, row: tuple[Any, ...]) -> Run:
        if not is_whole(row):
            self._database.damaged()
        _, number, _, *sealed = row
        run = Sealed(*sealed)
        numbers = unpacked(run.scalars or b"")
        return Run(
            labels=self._labels_of(number),
            values=numbers.values,
            digest=run.digest or "",
            warnings=_warnings(run.warnings),
            seconds=run.seconds or 0.0,
            batches=numbers.batches,
            distributions=numbers.distributions,
        )


@lru_cache(maxsize=64)
def _warnings(text: str | None) -> tuple[Warned, ...]:
    warnings = json.loads(text) if text else ()
    return tuple(Warned(code, Scope.of(scope), says) for code, scope, says in warnings)


_INSERT = (
    "INSERT OR IGNORE INTO run (scenario, model, seed, replication, labels, scalars, digest,"
    " warnings, seconds, error, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
