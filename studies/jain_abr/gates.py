"""How close a row comes to what is printed."""

from __future__ import annotations

from collections.abc import Iterator

from cellrelay.results import PointResult
from cellrelay.studies import Measure, average

from .measures import has_diverged, longest, throughput
from .printed import ROWS, Gate, Row

ORDER = 10**0.5
"""A queue is of the printed order if it is no further off than by this factor."""
PRINTED = [row for row in ROWS.values() if row.is_compared]
"""Rows with something to compare."""


def misses(row: Row, found: PointResult) -> list[str]:
    """Conditions of its gate that a row fails; none if the row is inside its gate."""
    return [what for what, is_inside in gates(row, found) if not is_inside]


def gates(row: Row, found: PointResult) -> Iterator[tuple[str, bool]]:
    """Conditions of the gate of a row, each with True if the row meets it."""
    yield "stability", has_diverged(row, found) is row.diverges
    printed, gate = row.printed, row.gate
    if printed is None or gate is None:
        return
    yield "queue", _is_near(longest, found, printed.queue, gate)
    if gate.throughput is not None:
        off = average(throughput, found) / printed.throughput - 1
        yield "throughput", abs(off) <= gate.throughput


def _is_near(measure: Measure, found: PointResult, printed: float, gate: Gate) -> bool:
    ratio = average(measure, found) / printed
    if gate.queue is None:
        return 1 / ORDER <= ratio <= ORDER
    return abs(ratio - 1) <= gate.queue
