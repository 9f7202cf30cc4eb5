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
"""Throughput of the slow link according to the authors, in MB/s."""
MOST = 6.0
"""Upper end of the throughput axis in MB/s, a little above the capacity of the slow link."""
CARRIED = (0.0, 51.04 / 8 * 48 / 53)
"""Capacity of the slow link for cell payloads, in MB/s."""


def panel(title: str, points: Grid, measure: Measure = throughput) -> Panel:
    """A curve over the buffers for each packet size; points without samples are left out."""
    sizes = [size for size in SIZES if any(place[0] == size for place in points)]
    return Panel(tuple(line(size, along(points, size), measure) for size in sizes), title)


def line(
    label: str,
    points: Mapping[str, PointResult],
    measure: Measure = throughput,
    kilobytes: Mapping[str, float] = BUFFERS,
) -> Curve:
    """A curve of a measure over the buffers; points without samples are left out."""
    return curve(label, {kilobytes[buffer]: point for buffer, point in points.items()}, measure)


def over_buffers(
    *panels: Panel,
    y_label: str = "throughput (MB/s)",
    y_range: tuple[float | None, float | None] = (0.0, MOST),
    legend: str = "packet",
    printed: Mapping[str, float] | None = None,
    possible: tuple[float | None, float | None] = CARRIED,
) -> Chart:
    """Panels over the buffers of the paper, with its printed values as horizontal lines."""
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
