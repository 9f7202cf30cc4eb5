"""Drawing series over time, in strips above one another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cellrelay.plot.chart import DrawnSeries, Strip, Timeline
from cellrelay.plot.style import ALONE, COLOURS, HEIGHT, PANEL_WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE = 1.45
"""Width of the only column of a figure, in widths of a panel."""
LOW = 0.6
"""Height of one of several strips, as a share of the height of a panel."""
DASHES = ("-", (0, (4, 1.5)), (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5)))
FREE, APART = 4.0, 7.0
"""Distance in points from the axes to the first row of marks, and between rows."""


def draw_timeline(chart: Timeline) -> Figure:
    """The figure of a timeline."""
    from matplotlib.figure import Figure

    count, rows = len(chart.columns), len(chart.columns[0])
    width = ALONE * WIDE if count == 1 else PANEL_WIDTH * count
    figure = Figure(figsize=(width + 1.2, HEIGHT * (LOW * rows + 0.4)), layout="constrained")
    grid = figure.subplots(rows, count, sharex=True, sharey="row", squeeze=False)
    for column, strips in enumerate(chart.columns):
        titles = [strip.title for strip in strips]
        if chart.titles:
            titles = [chart.titles[column], *[""] * (rows - 1)]
        for axes, strip, title in zip(grid[:, column], strips, titles, strict=True):
            _draw_strip(figure, axes, strip, title)
        grid[-1, column].set_xlabel(chart.x_label)
    for axes, strip in zip(grid[:, 0], chart.columns[0], strict=True):
        # All strips of a row have one height, which is known after all columns are drawn.
        _set_heights(axes, strip)
        # Columns have titles of their own.
        parts = [strip.title if chart.titles else "", strip.y_label]
        axes.set_ylabel("\n".join(filter(None, parts)))
    for axes in grid[:, -1]:
        _add_legend(axes, chart.legend)
    start, end = chart.x_range
    if start is not None:
        grid[0, 0].set_xlim(left=start)
    if end is not None:
        grid[0, 0].set_xlim(right=end)
    return figure


def _draw_strip(figure: Figure, axes: Axes, strip: Strip, title: str) -> None:
    axes.margins(x=0)
    rugs = [trace for trace in strip.traces if trace.look == "rug"]
    for trace in strip.traces:
        if trace.look == "rug":
            _draw_rug(figure, axes, trace, rugs.index(trace))
        elif trace.look == "marks":
            axes.plot(trace.times, trace.values, "|", markersize=6, **_named(trace))
        else:
            _draw_curve(axes, trace)
    # A title, even an empty one, reserves space for the marks above the axes.
    axes.set_title(title or (" " if rugs else ""), pad=FREE + APART * len(rugs))


def _set_heights(axes: Axes, strip: Strip) -> None:
    if strip.y_words:
        axes.set_yticks(range(len(strip.y_words)), strip.y_words)
        axes.set_ylim(len(strip.y_words) - 0.5, -0.5)
    else:
        axes.set_ylim(bottom=0)


def _draw_rug(figure: Figure, axes: Axes, trace: DrawnSeries, row: int) -> None:
    from matplotlib.transforms import ScaledTranslation

    inches = (FREE + APART * row) / 72
    above = axes.get_xaxis_transform() + ScaledTranslation(0, inches, figure.dpi_scale_trans)
    tops = np.ones(len(trace.times))
    axes.plot(trace.times, tops, "|", markersize=5, transform=above, clip_on=False, **_named(trace))


def _draw_curve(axes: Axes, trace: DrawnSeries) -> None:
    axes.plot(
        trace.times,
        trace.values,
        linestyle=DASHES[trace.dash % len(DASHES)],
        drawstyle="steps-post" if trace.look == "steps" else "default",
        linewidth=1.2,
        **_named(trace),
    )


def _named(trace: DrawnSeries) -> dict[str, Any]:
    return {"color": COLOURS[trace.rank % len(COLOURS)], "label": trace.label or None}


def _add_legend(axes: Axes, title: str) -> None:
    if axes.get_legend_handles_labels()[1]:
        axes.legend(
            title=title,
            alignment="left",
            loc="upper left",
            bbox_to_anchor=(1.01, 1.0),
            borderaxespad=0.0,
        )
