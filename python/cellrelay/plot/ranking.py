"""Drawing a ranking: a row for each item, with a mark and an interval for each of its numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cellrelay.plot.chart import Ranking
from cellrelay.plot.style import ALONE, COLOURS, GRID, MARKERS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW = 0.34
"""Height of a row, in inches."""
APART = 0.22
"""Distance between the marks of a row, in rows."""


def draw_ranking(chart: Ranking) -> Figure:
    """The figure of a ranking; the first item is on top."""
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(name for item in chart.items.values() for name in item))
    height = 1.1 + ROW * len(chart.items)
    figure = Figure(figsize=(ALONE + 2.4, height), layout="constrained")
    axes = figure.subplots()
    for rank, name in enumerate(names):
        known = [item[name] for item in chart.items.values()]
        shift = APART * (rank - (len(names) - 1) / 2)
        axes.errorbar(
            [one.mean for one in known],
            [row + shift for row in range(len(known))],
            xerr=[0.0 if math.isnan(one.half_width) else one.half_width for one in known],
            color=COLOURS[rank % len(COLOURS)],
            marker=MARKERS[rank % len(MARKERS)],
            linestyle="",
            capsize=2,
            label=name,
        )
    axes.axvline(0, color=GRID, linewidth=0.9, zorder=0)
    axes.set_yticks(range(len(chart.items)), list(chart.items))
    axes.set_ylim(len(chart.items) - 0.5, -0.5)
    axes.set_xlabel(chart.x_label)
    if len(names) > 1:
        axes.legend(loc="best")
    return figure
