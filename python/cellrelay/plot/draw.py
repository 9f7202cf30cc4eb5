"""Drawing charts with matplotlib, without its global state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cellrelay.plot.chart import Bars, Chart, Curve
from cellrelay.plot.style import COLOURS, HEIGHT, MARKERS, PANEL_WIDTH, style

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(chart: Chart | Bars) -> Figure:
    """The figure of a chart."""
    with style():
        return _draw_bars(chart) if isinstance(chart, Bars) else _draw_panels(chart)


def _draw_panels(chart: Chart) -> Figure:
    from matplotlib.figure import Figure

    count = len(chart.panels)
    has_legend = any(curve.label for panel in chart.panels for curve in panel.curves)
    width = PANEL_WIDTH * count + (1.4 if has_legend else 0.4)
    figure = Figure(figsize=(width, HEIGHT), layout="constrained")
    grid = figure.subplots(1, count, sharex=True, sharey=True, squeeze=False)
    labels = list(dict.fromkeys(curve.label for panel in chart.panels for curve in panel.curves))
    for axes, panel in zip(grid[0], chart.panels, strict=True):
        for curve in panel.curves:
            _draw_curve(axes, curve, labels.index(curve.label))
        axes.set_title(panel.title)
        axes.set_xlabel(chart.x_label)
        if chart.is_logarithmic:
            axes.set_xscale("log")
        if chart.x_words:
            axes.set_xticks(range(len(chart.x_words)), chart.x_words)
            axes.margins(x=0.15)
    grid[0][0].set_ylabel(chart.y_label)
    grid[0][0].set_ylim(*chart.y_range)
    if has_legend:
        handles = {label: line for axes in grid[0] for line, label in _handles(axes)}
        figure.legend(
            list(handles.values()), list(handles), title=chart.legend, loc="outside right upper"
        )
    return figure


def _handles(axes: Axes) -> list[tuple[Artist, str]]:
    handles, labels = axes.get_legend_handles_labels()
    return list(zip(handles, labels, strict=True))


def _draw_curve(axes: Axes, curve: Curve, rank: int) -> None:
    colour = COLOURS[rank % len(COLOURS)]
    mean = np.array([estimate.mean for estimate in curve.y])
    spread = np.nan_to_num(np.array([estimate.half_width for estimate in curve.y]))
    axes.fill_between(curve.x, mean - spread, mean + spread, color=colour, alpha=0.22, linewidth=0)
    axes.plot(
        curve.x, mean, color=colour, marker=MARKERS[rank % len(MARKERS)], label=curve.label or None
    )


def _draw_bars(chart: Bars) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1.8 + 0.62 * len(chart.bars), HEIGHT), layout="constrained")
    axes = figure.subplots()
    places = np.arange(len(chart.bars))
    base = np.zeros(len(chart.bars))
    for rank, part in enumerate(dict.fromkeys(name for bar in chart.bars for name in bar.parts)):
        heights = np.array([bar.parts.get(part, 0.0) for bar in chart.bars])
        colour = COLOURS[rank % len(COLOURS)]
        axes.bar(places, heights, 0.68, bottom=base, color=colour, label=part)
        base += heights
    axes.set_xticks(places, [bar.label for bar in chart.bars])
    axes.set_ylabel(chart.y_label)
    axes.set_ylim(*chart.y_range)
    # Read downwards, the legend has the order of the stack.
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles[::-1], labels[::-1], loc="outside right upper")
    return figure
