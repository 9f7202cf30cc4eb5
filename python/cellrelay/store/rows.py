"""Runs as rows: how they leave one store and enter another, whole or damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from zlib import crc32


class Row(NamedTuple):
    """A run, or how it failed, with all that it refers to."""

    key: str
    resolved: str
    model: str
    seed: str
    replication: int
    labels: str | None
    scalars: bytes | None
    checksum: int | None
    digest: str | None
    warnings: str | None
    seconds: float | None
    error: str | None

    @property
    def is_whole(self) -> bool:
        """Whether the numbers are those that were written."""
        return self.error is not None or (
            self.scalars is not None and crc32(self.scalars) == self.checksum
        )


_SELECT = """
SELECT key, resolved, model.model, seed, replication, labels.labels, scalars, checksum, digest,
    warnings, seconds, error
FROM run JOIN scenario ON scenario.id = run.scenario JOIN model ON model.id = run.model
    LEFT JOIN labels ON labels.id = run.labels
"""

Execute = Callable[..., sqlite3.Cursor]

LOST = 20_000
"""So many rows in succession that cannot be read are the end of a damaged table."""


def rows(execute: Execute) -> Iterator[Row]:
    """All rows of a store, in the order in which runs ended."""
    for row in execute(f"{_SELECT} ORDER BY run.id"):
        yield Row(*row)


def readable_rows(execute: Execute) -> Iterator[Row]:
    """Those rows of a damaged store that can still be read, and are what was written."""
    number = last = 0
    while number < last + LOST:
        number += 1
        try:
            found: tuple[Any, ...] | None = execute(
                f"{_SELECT} WHERE run.id = ?", (number,)
            ).fetchone()
        except sqlite3.Error:
            continue
        if found is None:
            continue
        row = Row(*found)
        last = number
        if row.is_whole:
            yield row
