"""Runs as rows, in which they are copied from an intact or a damaged store into another.

Each row has a checksum over everything that affects a table of results. The checksum of a run
covers the scenario, the model, the seed and the replication by which the run is found, its labels
and its numbers; it reveals rows that were changed or exchanged, or that refer to missing rows.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import lru_cache
from typing import Any, NamedTuple
from zlib import crc32


def text_sum(*texts: str) -> int:
    """The checksum of a text that many runs share."""
    return crc32("\0".join(texts).encode())


class Sealed(NamedTuple):
    """A run, or its failure, with the checksum of its labels in place of the labels."""

    key: str
    model: str
    seed: str
    replication: int
    labels_sum: int | None
    scalars: bytes | None
    digest: str | None
    warnings: str | None
    seconds: float | None
    error: str | None

    @property
    def checksum(self) -> int:
        """The checksum over every column, with its type."""
        numbers = crc32(self.scalars) if isinstance(self.scalars, bytes) else self.scalars
        return crc32(repr((*self._replace(scalars=None), numbers)).encode())


class Row(NamedTuple):
    """A run, or its failure, with all texts to which it refers."""

    key: str
    resolved: str
    model: str
    seed: str
    replication: int
    labels: str | None
    scalars: bytes | None
    digest: str | None
    warnings: str | None
    seconds: float | None
    error: str | None

    def sealed(self, labels_sum: int | None) -> Sealed:
        """The same row with a checksum in place of the labels."""
        known = self._asdict()
        return Sealed(labels_sum=labels_sum, **{name: known[name] for name in _KEPT})


_KEPT = [name for name in Sealed._fields if name != "labels_sum"]

Execute = Callable[..., sqlite3.Cursor]

SEALED = """
SELECT run.scenario, run.labels, run.checksum, key, model.model, seed, replication,
    labels.checksum, scalars, digest, warnings, seconds, error
FROM run LEFT JOIN scenario ON scenario.id = run.scenario LEFT JOIN model ON model.id = run.model
    LEFT JOIN labels ON labels.id = run.labels
"""
"""The query for runs: the numbers of scenario and labels, the checksum, and the columns that the
checksum covers."""

_SHARED = {
    "scenario": "SELECT key, resolved, checksum FROM scenario",
    "model": "SELECT model, checksum FROM model",
    "labels": "SELECT labels, checksum FROM labels",
}

LOST = 20_000
"""Number of successive unreadable rows that count as the end of a damaged table."""

SMALLEST = 32
"""Lower bound of the octets of a row and its index entries; the digest of a run alone takes more.
"""


def are_whole(execute: Execute) -> bool:
    """True if all rows have correct checksums; an unreadable row raises an error of SQLite."""
    questions = [(question, _is_whole_text) for question in _SHARED.values()]
    for question, is_right in [*questions, (f"{SEALED} ORDER BY run.id", is_whole)]:
        # A query that is not read to its end would keep the file from being closed.
        with closing(execute(question)) as answers:
            if not all(map(is_right, answers)):
                return False
    return True


def is_whole(row: tuple[Any, ...]) -> bool:
    """True if the checksum of a row that `SEALED` selects is correct."""
    _, _, checksum, *sealed = row
    return bool(checksum == Sealed(*sealed).checksum)


def _is_whole_text(row: tuple[Any, ...]) -> bool:
    *texts, checksum = row
    return all(isinstance(text, str) for text in texts) and text_sum(*texts) == checksum


def rows(execute: Execute) -> Iterator[Row]:
    """All rows of a whole store, in the order in which runs ended."""
    labels_of = _labels_of(execute)
    for (number,) in execute("SELECT id FROM run ORDER BY id").fetchall():
        row = _row(execute, number, labels_of)
        assert row is not None, "rows of a store that is open stay as they were"
        yield row


def readable_rows(execute: Execute, octets: int) -> Iterator[Row]:
    """The rows with correct checksums of a damaged store, whose file has `octets` octets."""
    labels_of = _labels_of(execute)
    lost = min(LOST, octets // SMALLEST)
    number = last = 0
    while number < last + lost:
        number += 1
        try:
            row = _row(execute, number, labels_of)
        except (sqlite3.Error, ValueError):
            continue
        if row is not None:
            last = number
            yield row


LabelsOf = Callable[[int], str]


def _labels_of(execute: Execute) -> LabelsOf:
    """A function that reads the labels with a number; it raises `ValueError` for damaged labels."""

    # Thousands of runs share their labels, which may be long.
    @lru_cache(maxsize=16)
    def labels_of(number: int) -> str:
        row = execute(f"{_SHARED['labels']} WHERE id = ?", (number,)).fetchone()
        if row is None or not _is_whole_text(row):
            raise ValueError(f"no labels {number}")
        return str(row[0])

    return labels_of


def _row(execute: Execute, number: int, labels_of: LabelsOf) -> Row | None:
    """A row and the texts to which it refers; `None` if a text is missing or damaged."""
    row = execute(f"{SEALED} WHERE run.id = ?", (number,)).fetchone()
    if row is None or not is_whole(row):
        return None
    scenario, labels, _, *sealed = row
    run = Sealed(*sealed)
    shared = execute(f"{_SHARED['scenario']} WHERE id = ?", (scenario,)).fetchone()
    if shared is None or not _is_whole_text(shared):
        return None
    return Row(
        run.key,
        shared[1],
        run.model,
        run.seed,
        run.replication,
        None if labels is None else labels_of(labels),
        *sealed[5:],
    )
