"""Drawing cases as dots between two quantities, shaded by a third."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cellrelay.plot.chart import Scatter
from cellrelay.plot.style import ALONE, GRID, HEIGHT, INK, MARKERS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHADES = "viridis"
"""Light for much, dark for little; told apart in grey and by the colour-blind."""
STEPS = 8
"""Shades that are told apart; few enough that the scale is drawn and not painted."""
SIZE = 42
"""Of a dot, in square points."""


def draw_scatter(chart: Scatter) -> Figure:
    """The figure of a scatter."""
    from matplotlib.colors import BoundaryNorm
    from matplotlib.figure import Figure
    from matplotlib.ticker import FormatStrFormatter

    figure = Figure(figsize=(ALONE * 1.7, HEIGHT * 1.5), layout="constrained")
    axes = figure.subplots()
    if chart.is_logarithmic:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FormatStrFormatter("%g"))
        axes.xaxis.set_minor_formatter(FormatStrFormatter("%g"))
    shades = BoundaryNorm(np.linspace(*_shades(chart), STEPS + 1), 256)
    groups = list(dict.fromkeys(dot.group for dot in chart.dots))
    for rank, group in enumerate(groups):
        dots = [dot for dot in chart.dots if dot.group == group]
        mark = MARKERS[rank % len(MARKERS)]
        x, y = [dot.x for dot in dots], [dot.y for dot in dots]
        axes.plot(x, y, color=GRID, linewidth=0.9, zorder=1)
        drawn = axes.scatter(
            x,
            y,
            c=[dot.shade for dot in dots],
            s=SIZE,
            cmap=SHADES,
            norm=shades,
            marker=mark,
            edgecolors=INK,
            linewidths=0.6,
            zorder=2,
        )
        if group:
            # The legend is about shapes: its marks have no shade.
            axes.scatter([], [], s=SIZE, marker=mark, color=GRID, edgecolors=INK, label=group)
        for dot in dots:
            place = dot.x, dot.y
            axes.annotate(dot.label, place, (6, 3), textcoords="offset points", fontsize=7)
    figure.colorbar(drawn, ax=axes, label=chart.shade_label, format=FormatStrFormatter("%.3g"))
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(chart.y_label)
    axes.set_xlim(*chart.x_range)
    axes.set_ylim(*chart.y_range)
    if any(groups):
        axes.legend(title=chart.legend, alignment="left", loc="best")
    return figure


def _shades(chart: Scatter) -> tuple[float, float]:
    """The ends of the scale; never the same."""
    shades = [dot.shade for dot in chart.dots]
    low, high = chart.shade_range
    least = min(shades) if low is None else low
    most = max(shades) if high is None else high
    return (least, most) if least < most else (least - 0.5, least + 0.5)
