"""The rank of a printed number among the runs with different start times of the sources."""

from __future__ import annotations

from dataclasses import dataclass

from cellrelay.results import PointResult, Results
from cellrelay.studies import Measure

from .settings import Settings, starts

BEGINNINGS: dict[str, Settings] = {f"within {span}": starts(span) for span in ("33 us", "0.1 ms")}
"""Ranges of start times: the time of a packet of 12 cells on a link, and three times that. Within
them sources begin together, but their cells and packets in any order."""
WIDEST = list(BEGINNINGS)[-1]


@dataclass(frozen=True)
class Spread:
    """The values of a measure in all runs of a row whose sources begin together."""

    values: tuple[float, ...]

    def holds(self, printed: float) -> bool:
        """True if the printed number is neither below nor above all values of the runs."""
        return min(self.values) <= printed <= max(self.values)

    def place(self, printed: float) -> str:
        """Text with the rank of the printed number."""
        below = sum(value < printed for value in self.values)
        if self.holds(printed):
            return f"inside, {below} of {len(self.values)} below"
        return f"{'above' if below else 'below'} all {len(self.values)}"

    def __str__(self) -> str:
        return f"{min(self.values):.0f} to {max(self.values):.0f}"


def spread_of(measure: Measure, rows: Results, spread: Results, row: str) -> Spread:
    """A measure of a row, from the run with simultaneous starts and the runs with random starts."""
    return Spread(tuple(one for point in points_of(rows, spread, row) for one in measure(point)))


def points_of(rows: Results, spread: Results, row: str) -> list[PointResult]:
    """All runs of a row, whose sources begin together."""
    return [rows.point(row=row), *(spread.point(row=row, start=start) for start in BEGINNINGS)]
