"""Figures over the buffers of the paper."""

from __future__ import annotations

import math
from collections.abc import Mapping

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import PointResult, Results
from cellrelay.statistics import Estimate
from cellrelay.studies import Measure, curve, known

from .measures import ByPlace, by_buffer, with_credits
from .schemes import CREDITS
from .variants import BUFFERED, BUFFERS

TICKS = (256.0, 1000.0, 4000.0)


def line(label: str, points: ByPlace, measure: Measure) -> Curve:
    """A curve of a measure over the buffers; points without samples are left out."""
    return curve(
        label, {float(BUFFERS[buffer]): point for buffer, point in points.items()}, measure
    )


def level(label: str, point: PointResult, measure: Measure) -> Curve:
    """A horizontal line for a measure that does not depend on the buffer."""
    ends = float(min(BUFFERS.values())), float(max(BUFFERS.values()))
    here = known(measure, point)
    return Curve(label, ends, (here, here) if here.n else (Estimate(math.nan, math.nan, 0),) * 2)


def panel(title: str, buffers: Results, credits: Results, measure: Measure) -> Panel:
    """The four schemes of the paper."""
    lines = [line(name, by_buffer(buffers, name), measure) for name in BUFFERED]
    return Panel((*lines, level(CREDITS, with_credits(credits), measure)), title)


def over_buffers(
    *panels: Panel,
    y_label: str,
    y_range: tuple[float | None, float | None] = (0.0, None),
    levels: Mapping[str, float] | None = None,
) -> Chart:
    """Panels over the buffers of an output."""
    return Chart(
        panels,
        "buffer (cells)",
        y_label,
        "scheme",
        y_range,
        levels or {},
        is_logarithmic=True,
        x_ticks=TICKS,
    )
