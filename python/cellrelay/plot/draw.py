"""Drawing charts with matplotlib, without its global state."""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from cellrelay.plot.chart import (
    AxisRange,
    Bars,
    Chart,
    Curve,
    Diagram,
    Ranking,
    Scatter,
    Tiles,
    Timeline,
)
from cellrelay.plot.diagram import draw_diagram
from cellrelay.plot.dots import draw_scatter
from cellrelay.plot.legible import legible
from cellrelay.plot.network import draw_topology
from cellrelay.plot.ranking import draw_ranking
from cellrelay.plot.strips import draw_timeline
from cellrelay.plot.style import (
    ALONE,
    COLOURS,
    GRID,
    HEIGHT,
    INK,
    MARKERS,
    PANEL_WIDTH,
    QUIET,
    WIDEST,
    style,
)
from cellrelay.plot.tiles import draw_tiles
from cellrelay.scenario.topology import Topology

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Figure
    from numpy.typing import NDArray


LETTER = 0.07
"""Approximate width of a letter below a bar, in inches."""


def require_matplotlib() -> None:
    """Raise `ModuleNotFoundError` without matplotlib, before runs are made for a figure."""
    import matplotlib.figure  # noqa: F401


def draw(
    chart: Chart | Bars | Diagram | Ranking | Scatter | Tiles | Timeline | Topology,
) -> Figure:
    """The figure of a chart, or of a network."""
    chart = legible(chart)
    if isinstance(chart, Topology):
        return draw_topology(chart)
    with style():
        if isinstance(chart, Timeline):
            return draw_timeline(chart)
        if isinstance(chart, Diagram):
            return draw_diagram(chart)
        if isinstance(chart, Ranking):
            return draw_ranking(chart)
        if isinstance(chart, Scatter):
            return draw_scatter(chart)
        if isinstance(chart, Tiles):
            return draw_tiles(chart)
        return _draw_bars(chart) if isinstance(chart, Bars) else _draw_panels(chart)


def _draw_panels(chart: Chart) -> Figure:
    from matplotlib.figure import Figure

    curves = [curve for panel in chart.panels for curve in panel.curves]
    labels = list(dict.fromkeys(curve.label for curve in curves))
    ranks = list(dict.fromkeys(curve.label for curve in curves if not curve.is_reference))
    columns = min(len(chart.panels), WIDEST)
    rows = -(-len(chart.panels) // columns)
    width = max(PANEL_WIDTH * columns, ALONE) + (1.4 if any(labels) else 0.4)
    figure = Figure(figsize=(width, HEIGHT * rows), layout="constrained")
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for axes in grid.flat[len(chart.panels) :]:
        axes.remove()
    for axes, panel in zip(grid.flat, chart.panels, strict=False):
        for curve in panel.curves:
            if curve.is_reference:
                _draw_reference(axes, curve)
            else:
                _draw_curve(axes, curve, ranks.index(curve.label), chart)
        axes.set_title(panel.title)
        _set_axes(axes, chart)
    _label_outside(grid, chart)
    grid[0, 0].set_ylim(*chart.y_range)
    for text, height in chart.levels.items():
        beside = ("axes fraction", "data")
        grid[0, -1].annotate(text, (1.02, height), xycoords=beside, va="center", fontsize=8)
    if any(labels):
        _add_legend(figure, dict(zip(*_legend_of(figure.axes), strict=True)), chart.legend)
    return figure


def _label_outside(grid: NDArray[np.object_], chart: Chart) -> None:
    """Label the axes below the lowest panel of each column, and left of the first panels."""
    for column in grid.T:
        lowest = [axes for axes in column if axes.figure is not None][-1]
        lowest.set_xlabel(chart.x_label)
        lowest.tick_params(labelbottom=True)
    for axes in grid[:, 0]:
        axes.set_ylabel(chart.y_label)


def _set_axes(axes: Axes, chart: Chart) -> None:
    for height in chart.levels.values():
        axes.axhline(height, color=INK, linewidth=0.7, linestyle=(0, (4, 3)))
    if chart.is_logarithmic:
        axes.set_xscale("log")
    if chart.x_ticks:
        axes.set_xticks(chart.x_ticks, [f"{place:g}" for place in chart.x_ticks])
        axes.minorticks_off()
    if chart.x_words:
        axes.set_xticks(range(len(chart.x_words)), chart.x_words)
        axes.margins(x=0.15)


def _legend_of(panels: list[Axes]) -> tuple[list[str], list[Artist]]:
    """Labels of the legend with their marks, of all panels."""
    pairs = [axes.get_legend_handles_labels() for axes in panels]
    return [label for _, names in pairs for label in names], [
        handle for handles, _ in pairs for handle in handles
    ]


def _add_legend(figure: Figure, entries: dict[str, Artist], title: str = "") -> None:
    figure.legend(
        list(entries.values()),
        list(entries),
        title=title,
        alignment="left",
        loc="outside right upper",
    )


def _draw_reference(axes: Axes, curve: Curve) -> None:
    mean = [estimate.mean for estimate in curve.y]
    label = curve.label or None
    if curve.is_marked:
        axes.plot(curve.x, mean, "x", color=INK, markersize=8, zorder=3, label=label)
    else:
        axes.plot(curve.x, mean, color=QUIET, linestyle="dashdot", marker="", label=label)


def _draw_curve(axes: Axes, curve: Curve, rank: int, chart: Chart) -> None:
    colour = COLOURS[rank % len(COLOURS)]
    # If runs fall into two kinds, the runs are drawn instead of the mean.
    mean = np.array([math.nan if estimate.kinds else estimate.mean for estimate in curve.y])
    ends = np.array([(estimate.low, estimate.high) for estimate in curve.y])
    # One sample has no interval, and its point is on the line.
    ends = np.where(np.isnan(ends) | np.isnan(mean)[:, np.newaxis], mean[:, np.newaxis], ends)
    low, high = (_up_to(ends[:, end], chart.possible) for end in (0, 1))
    axes.fill_between(curve.x, low, high, color=colour, alpha=0.22, linewidth=0)
    mark = MARKERS[rank % len(MARKERS)] if chart.has_marks else ""
    axes.plot(curve.x, mean, color=colour, marker=mark, label=curve.label or None)
    pairs = zip(curve.x, curve.y, strict=True)
    runs = [(x, value) for x, known in pairs for kind in known.kinds for value in kind]
    if runs:
        axes.plot(*zip(*runs, strict=True), ".", color=colour, markersize=4)


def _up_to(values: NDArray[np.float64], possible: AxisRange) -> NDArray[np.float64]:
    least, most = possible
    return np.clip(values, -np.inf if least is None else least, np.inf if most is None else most)


def _draw_bars(chart: Bars) -> Figure:
    from matplotlib.figure import Figure

    places, groups = _places(chart)
    width = 0.62 if len(chart.bars) < 10 else 0.42
    longest = LETTER * max(len(bar.label) for bar in chart.bars)
    is_upright = longest > 1.4 * width
    height = HEIGHT + longest * is_upright
    # One or two bars would be thinner than their legend.
    room = 2.0 if len(places) < 3 else 0.0
    across = 1.8 + width * (places[-1] + 1 + room)
    figure = Figure(figsize=(across, height), layout="constrained")
    axes = figure.subplots()
    base = np.zeros(len(chart.bars))
    for rank, part in enumerate(dict.fromkeys(name for bar in chart.bars for name in bar.parts)):
        heights = np.array([bar.parts.get(part, 0.0) for bar in chart.bars])
        colour = GRID if part == chart.unused else COLOURS[rank % len(COLOURS)]
        axes.bar(places, heights, 0.68, bottom=base, color=colour, label=part)
        base += heights
    axes.set_xticks(places, [bar.label for bar in chart.bars], rotation=90 * is_upright)
    if any(groups.values()):
        below = axes.secondary_xaxis(location=0)
        below.set_xticks(list(groups), list(groups.values()))
        below.tick_params(length=0, pad=8 + 72 * longest if is_upright else 16)
    if room:
        axes.set_xlim(places[0] - room, places[-1] + room)
    axes.set_ylabel(chart.y_label)
    axes.set_ylim(*chart.y_range)
    # The legend, read downwards, has the order of the stack.
    entries = dict(zip(*_legend_of([axes]), strict=True))
    _add_legend(figure, dict(reversed(entries.items())))
    return figure


def _places(chart: Bars) -> tuple[list[float], dict[float, str]]:
    """Places of the bars, and the middle of each group with its name."""
    places: list[float] = []
    middles: dict[float, str] = {}
    for name, bars in groupby(chart.bars, key=lambda bar: bar.group):
        start = places[-1] + 1.6 if places else 0.0
        places += [start + k for k in range(len(list(bars)))]
        middles[(start + places[-1]) / 2] = name
    return places, middles
