"""The rows when sources begin a little apart: what is of the network, and what is of chance."""

from __future__ import annotations

from cellrelay.results import PointResult
from cellrelay.studies import Table, average, exhibit
from cellrelay.studies.claim import Measured

from .measures import longest, throughput
from .rows import ROWS

START = "flow.bulk.source.greedy.start"
STARTS = {f"within {span}": {START: {"uniform": ["0 s", span]}} for span in ("0.1 ms", "1 ms")}
SPREAD = tuple(row.name for row in ROWS.values() if row.printed)
"""Rows with printed numbers."""
QUICK_SPREAD = ("d3", "e1", "f2")


def _range(samples: list[float], form: str) -> str:
    return f"{min(samples):{form}} to {max(samples):{form}}"


@exhibit(
    "spread",
    "The printed rows, with sources that do not begin at one instant.",
    "The longest queue in cells and throughput in Mbit/s: in print, with all sources beginning at"
    " once, and the least and the most of several runs in which they begin at random within 0.1 or"
    " 1 ms. Throughput stays; queues move by factors where few bursts make them.",
)
def rows(measured: Measured) -> Table:
    found = measured["spread"]
    starts = found.values("start")
    header = ["row", "queue, printed", "at once", *starts, "Mbit/s, printed", "at once", *starts]
    lines = []
    for name in found.values("row"):
        printed = ROWS[name].printed
        assert printed, f"{name} has nothing in print"
        once: PointResult = measured["rows"].point(row=name)
        points = [found.point(row=name, start=start) for start in starts]
        lines.append(
            [
                name,
                f"{printed.queue:.0f}",
                f"{average(longest, once):.0f}",
                *(_range(longest(point), ".0f") for point in points),
                f"{printed.throughput:.2f}",
                f"{average(throughput, once):.2f}",
                *(_range(throughput(point), ".2f") for point in points),
            ]
        )
    return Table(header, lines)
