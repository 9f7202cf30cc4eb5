"""Figures over the five buffers of the paper.

Buffers are drawn on a logarithmic axis in cells: on the paper's linear axis in kilobytes, with 53
bytes to a cell, most changes are in the first tenth."""

from __future__ import annotations

from collections.abc import Mapping

from cellrelay.plot import Chart, Panel
from cellrelay.studies import Grid, Measure, curve, scaled

from .measures import shared, throughput
from .ten_tcp import BUFFERS, SIZES

THROUGHPUT = "effective throughput"
ALL_OF_IT = (0.0, 1.0)
"""Range of effective throughput, a share of the largest possible."""
TICKS = tuple(float(cells) for cells in BUFFERS.values() if cells != 5000)
"""Buffers with a number below them; that of 5000 cells would touch that of 8000."""
AT_LEAST = {"paper, whole packets: 0.90 or more": 0.90}
"""The printed bound of Figure 3."""


def panel(
    title: str, points: Grid, measure: Measure = throughput, *, shows_segregated: bool = False
) -> Panel:
    """One curve over the buffers for each packet size."""
    places = points if shows_segregated else shared(points)
    curves = []
    for size in SIZES:
        along = {
            float(cells): points[size, buffer]
            for buffer, cells in BUFFERS.items()
            if (size, buffer) in places
        }
        curves.append(curve(size, along, measure))
    return Panel(tuple(curves), title)


def over_buffers(
    *panels: Panel,
    y_label: str = THROUGHPUT,
    y_range: tuple[float | None, float | None] = ALL_OF_IT,
    levels: Mapping[str, float] | None = None,
) -> Chart:
    """Panels over the five buffers of the paper."""
    return Chart(
        panels=panels,
        x_label="buffer (cells)",
        y_label=y_label,
        legend="packet",
        levels=levels or {},
        y_range=y_range,
        is_logarithmic=True,
        x_ticks=TICKS,
    )


def percent(measure: Measure) -> Measure:
    """A share as a percentage."""
    return scaled(measure, 100)
