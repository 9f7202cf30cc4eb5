"""Figures over the buffers of the paper.

Buffers are in kilobytes of 1024 octets of payload, throughput is in MB/s of user data.
"""

from __future__ import annotations

from collections.abc import Mapping

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import PointResult
from cellrelay.studies import Grid, Measure, curve

from .measures import along, throughput
from .one_tcp import BUFFERS, SIZES

LINK = {"5.7 MB/s": 5.7}
"""What the authors say that the slow link carries."""
MOST = 6.0
"""MB/s: a little more than the slow link carries."""
CARRIED = (0.0, 51.04 / 8 * 48 / 53)
"""MB/s that the slow link can carry: cell payloads."""


def panel(title: str, points: Grid, measure: Measure = throughput) -> Panel:
    """A curve over the buffers for each packet size; what never happened is left out."""
    sizes = [size for size in SIZES if any(place[0] == size for place in points)]
    return Panel(tuple(line(size, along(points, size), measure) for size in sizes), title)


def line(
    label: str,
    points: Mapping[str, PointResult],
    measure: Measure = throughput,
    kilobytes: Mapping[str, float] = BUFFERS,
) -> Curve:
    """A measure over the buffers; what never happened is left out."""
    return curve(label, {kilobytes[buffer]: point for buffer, point in points.items()}, measure)


def over_buffers(
    *panels: Panel,
    y_label: str = "throughput (MB/s)",
    y_range: tuple[float | None, float | None] = (0.0, MOST),
    legend: str = "packet",
    printed: Mapping[str, float] | None = None,
    possible: tuple[float | None, float | None] = CARRIED,
) -> Chart:
    """Panels over the buffers of the paper, with the heights that it prints."""
    ticks = (16.0, 32.0, 48.0, 64.0, 80.0)
    return Chart(
        panels,
        "buffer (KB)",
        y_label,
        legend,
        y_range,
        levels=printed or {},
        x_ticks=ticks,
        possible=possible,
    )
