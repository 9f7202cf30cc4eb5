"""Drawing scatter plots: two quantities give the position of a dot, a third perhaps its shade."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cellrelay.plot.chart import Dot, Scatter
from cellrelay.plot.style import ALONE, COLOURS, GRID, HEIGHT, INK, MARKERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection
    from matplotlib.figure import Figure

SHADES = "viridis"
"""Shades, light for large values; they differ in grey and for the colour-blind."""
STEPS = 8
"""Number of shades; with few shades, the scale is drawn as areas and not as an image."""
SIZE = 42
"""Area of a dot, in square points."""
LETTERS = 7
"""Height of a label, in points."""
PLACES = (
    (6, 3, "left"),
    (6, -9, "left"),
    (-6, 3, "right"),
    (-6, -9, "right"),
    (0, 6, "center"),
    (0, -12, "center"),
)
"""Offsets of a label from its dot, in points, with its alignment; the best first."""

Box = tuple[float, float, float, float]
"""Left, lower, right and upper end, in points."""


def draw_scatter(chart: Scatter) -> Figure:
    """The figure of a scatter."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(ALONE * 1.7, HEIGHT * 1.5), layout="constrained")
    axes = figure.subplots()
    if chart.is_logarithmic:
        _by_factors(axes, chart.dots)
    groups = list(dict.fromkeys(dot.group for dot in chart.dots))
    for rank, group in enumerate(groups):
        dots = [dot for dot in chart.dots if dot.group == group]
        if chart.is_joined:
            x, y = [dot.x for dot in dots], [dot.y for dot in dots]
            axes.plot(x, y, color=GRID, linewidth=0.9, zorder=1)
        mark = MARKERS[rank % len(MARKERS)]
        if chart.shade_label:
            drawn = _shaded(axes, chart, dots, mark)
        else:
            _coloured(axes, dots, mark, COLOURS[rank % len(COLOURS)])
        if group:
            # The legend explains shapes: where dots have shades, its marks have none.
            colour = GRID if chart.shade_label else COLOURS[rank % len(COLOURS)]
            axes.scatter([], [], s=SIZE, marker=mark, color=colour, edgecolors=INK, label=group)
    if chart.shade_label:
        figure.colorbar(drawn, ax=axes, label=chart.shade_label, format="%.3g")
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(chart.y_label)
    axes.set_xlim(*chart.x_range)
    axes.set_ylim(*chart.y_range)
    if any(groups):
        axes.legend(title=chart.legend, alignment="left", loc="best")
    _label(figure, axes, chart.dots)
    return figure


def _shaded(axes: Axes, chart: Scatter, dots: Sequence[Dot], mark: str) -> PathCollection:
    """Draw dots with the shades of a third quantity; returns the marks from which the scale is
    made."""
    from matplotlib.colors import BoundaryNorm

    return axes.scatter(
        [dot.x for dot in dots],
        [dot.y for dot in dots],
        c=[dot.shade for dot in dots],
        s=SIZE,
        cmap=SHADES,
        norm=BoundaryNorm(np.linspace(*_shades(chart), STEPS + 1), 256),
        marker=mark,
        edgecolors=INK,
        linewidths=0.6,
        zorder=2,
    )


def _coloured(axes: Axes, dots: Sequence[Dot], mark: str, colour: str) -> None:
    """Draw dots in the colour of their group, and hollow dots as outlines."""
    for dot in dots:
        face, edge = ("none", colour) if dot.is_hollow else (colour, INK)
        width = 1.4 if dot.is_hollow else 0.6
        place = ([dot.x], [dot.y])
        axes.scatter(
            *place,
            s=SIZE,
            marker=mark,
            facecolors=face,
            edgecolors=edge,
            linewidths=width,
            zorder=2,
        )


def _by_factors(axes: Axes, dots: Sequence[Dot]) -> None:
    """Make the horizontal axis logarithmic, with as many marks as fit."""
    from matplotlib.ticker import FormatStrFormatter, LogLocator, NullFormatter

    axes.set_xscale("log")
    decades = np.log10(max(dot.x for dot in dots) / min(dot.x for dot in dots))
    steps = (1.0, 2.0, 5.0) if decades < 2 else (1.0,)
    axes.xaxis.set_major_locator(LogLocator(subs=steps))
    axes.xaxis.set_major_formatter(FormatStrFormatter("%g"))
    axes.xaxis.set_minor_formatter(NullFormatter())


def _label(figure: Figure, axes: Axes, dots: Sequence[Dot]) -> None:
    """Write the label of each dot where it overlaps least with other labels and dots."""
    figure.draw_without_rendering()
    to_points = 72 / figure.dpi
    places = axes.transData.transform([(dot.x, dot.y) for dot in dots]) * to_points
    half = SIZE**0.5 / 2
    taken: list[Box] = [(x - half, y - half, x + half, y + half) for x, y in places]
    for dot, (x, y) in zip(dots, places, strict=True):
        wide = 0.7 * LETTERS * len(dot.label)
        boxes = []
        for right, up, end in PLACES:
            left = x + right - {"left": 0.0, "center": 0.5, "right": 1.0}[end] * wide
            boxes.append((left, y + up - 1, left + wide, y + up + LETTERS + 1))
        best = min(range(len(PLACES)), key=lambda place: _covered(boxes[place], taken))
        right, up, end = PLACES[best]
        taken.append(boxes[best])
        axes.annotate(
            dot.label,
            (dot.x, dot.y),
            (right, up),
            textcoords="offset points",
            fontsize=LETTERS,
            horizontalalignment=end,
        )


def _covered(box: Box, others: Sequence[Box]) -> float:
    """Area in which a box overlaps other boxes, in square points."""
    left, lower, right, upper = box
    return sum(
        max(0.0, min(right, other[2]) - max(left, other[0]))
        * max(0.0, min(upper, other[3]) - max(lower, other[1]))
        for other in others
    )


def _shades(chart: Scatter) -> tuple[float, float]:
    """The ends of the scale, which always differ."""
    shades = [dot.shade for dot in chart.dots]
    low, high = chart.shade_range
    least = min(shades) if low is None else low
    most = max(shades) if high is None else high
    return (least, most) if least < most else (least - 0.5, least + 0.5)
