"""The printed tables, row by row: the settings and the printed numbers of each row.

All rows have the network of `n-source.toml`. Rows without printed numbers are other points of the
same grids, without a value for comparison.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .settings import AVERAGED, connections, counted, links, queue_target, target, vbr

CELLS_PER_MS = 368
"""Cells that the link carries in a millisecond, as in the formulas of the slides."""
PEAK = 155.52 * 512 / 636
"""Mbit/s of user data that the link carries: 512 bytes in 12 cells."""
LEFT_BY_VBR = 0.6
"""Share of the link that VBR traffic leaves: it is on half of the time, with 80 % of the link."""
KM_PER_MS = 200


@dataclass(frozen=True)
class Printed:
    """The printed numbers of a row."""

    queue: float
    """Largest queue, in cells."""
    throughput: float
    """Throughput of all connections together, in Mbit/s."""
    efficiency: float
    """Throughput as a percentage of the largest possible throughput."""
    fairness: float


@dataclass(frozen=True)
class Row:
    """A row of the tables."""

    name: str
    sources: int
    links: tuple[float, float, float]
    """Lengths of access, trunk and exit links in km."""
    condition: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    interval: int = 100
    """Cells in an averaging interval."""
    has_vbr: bool = False
    printed: Printed | None = None
    diverges: bool = False
    """True if the queue diverges, in this row or in the printed row next to it."""

    @property
    def rtt(self) -> float:
        """Round-trip time in ms."""
        return 2 * sum(self.links) / KM_PER_MS

    @property
    def feedback(self) -> float:
        """Time from the bottleneck to a source and back, in ms."""
        return 2 * self.links[0] / KM_PER_MS

    @property
    def peak(self) -> float:
        """Largest possible throughput of user data, in Mbit/s."""
        return PEAK * (LEFT_BY_VBR if self.has_vbr else 1.0)

    @property
    def point(self) -> dict[str, Any]:
        """The settings that turn the scenario into this row."""
        return {**connections(self.sources), **links(*self.links), **self.settings}


def equal(length: float) -> tuple[float, float, float]:
    """All links of one length."""
    return length, length, length


def _local(name: str, length: float, cells: int, printed: Printed | None) -> Row:
    """A row of the table of averaging intervals."""
    return Row(
        name,
        15,
        equal(length),
        f"interval of {cells} cells",
        counted(cells),
        cells,
        printed=printed,
    )


def _video(name: str, half_period: int, **more: Any) -> Row:
    """A row of the table of VBR traffic."""
    return Row(
        name,
        15,
        equal(1000),
        f"VBR, {half_period} ms",
        vbr(half_period),
        has_vbr=True,
        **more,
    )


ROWS = {
    row.name: row
    for row in (
        Row("a1", 5, equal(1000), printed=Printed(10597, 104.89, 83.78, 1.0)),
        Row("a2", 10, equal(1000)),
        Row("a3", 15, equal(1000), printed=Printed(15073, 107.13, 85.57, 1.0)),
        Row("b1", 15, equal(500)),
        Row("b2", 15, equal(200), printed=Printed(6223, 109.99, 87.85, 0.9999)),
        Row("b3", 15, equal(50), printed=Printed(1596, 110.56, 88.31, 1.0)),
        _local("c1", 50, 500, Printed(2511, 109.46, 87.43, 1.0)),
        _local("c2", 50, 1000, None),
        _local("c3", 1, 500, Printed(2253, 109.34, 87.33, 1.0)),
        _local("c4", 1, 1000, Printed(3597, 109.81, 87.71, 0.99)),
        Row(
            "d1",
            15,
            (3000, 1, 1),
            "long access",
            printed=Printed(8701, 106.78, 85.29, 1.0),
        ),
        Row("d2", 15, (1, 3000, 1), "long trunk"),
        Row(
            "d3",
            15,
            (1000, 1, 1),
            "long access",
            printed=Printed(5259, 109.31, 87.31, 0.9999),
        ),
        Row("d4", 15, (1, 1000, 1), "long trunk"),
        _video("e-100", 100),
        _video("e1", 30, printed=Printed(12359, 69.60, 92.65, 0.9967)),
        _video("e3", 10, diverges=True),
        _video("e-1", 1, diverges=True),
        Row(
            "f1",
            15,
            equal(1000),
            "ERICA+, VBR 1 ms",
            {**vbr(1), **queue_target()},
            has_vbr=True,
            printed=Printed(5435, 69.22, 92.15, 0.9827),
        ),
        Row(
            "f2",
            15,
            equal(1000),
            "target 70 %, VBR 1 ms",
            {**vbr(1), **target(70), **AVERAGED},
            has_vbr=True,
            printed=Printed(12359, 50.52, 67.25, 0.9958),
        ),
    )
}

PRINTED = {name: row for name, row in ROWS.items() if row.printed}
"""Rows with printed numbers."""
