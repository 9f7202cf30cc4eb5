"""Drawing networks: boxes and links."""

from __future__ import annotations

from math import copysign
from typing import TYPE_CHECKING

from cellrelay.plot.chart import Box, Diagram
from cellrelay.plot.style import COLOURS, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 0.84, 0.34
"""Width and height of a box, in units."""
SCALE = 1.1
"""Inches per unit."""


def draw_diagram(diagram: Diagram) -> Figure:
    """The figure of a network."""
    from matplotlib.figure import Figure

    across = [box.x for box in diagram.boxes]
    upwards = [box.y for box in diagram.boxes]
    left, right = min(across) - WIDTH, max(across) + WIDTH
    low, high = min(upwards) - HEIGHT, max(upwards) + HEIGHT
    figure = Figure(figsize=(SCALE * (right - left), SCALE * (high - low)))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(left, right), ylim=(low, high))
    axes.set_axis_off()
    boxes = {box.name: box for box in diagram.boxes}
    for first, second, text in diagram.links:
        _draw_link(axes, boxes[first], boxes[second], text)
    for box in diagram.boxes:
        _draw_box(axes, box)
    for x, y in diagram.dots:
        axes.plot([x] * 3, [y - 0.08, y, y + 0.08], ".", color=INK, markersize=2.5)
    return figure


def _draw_link(axes: Axes, first: Box, second: Box, text: str) -> None:
    ends = _border(first, second), _border(second, first)
    axes.plot(*zip(*ends, strict=True), color=INK, linewidth=1.0)
    middle = (first.x + second.x) / 2, (first.y + second.y) / 2 + 0.05
    axes.text(*middle, text, ha="center", va="bottom", fontsize=8)


def _border(box: Box, other: Box) -> tuple[float, float]:
    """The point at which a link to the other box leaves this one, in the middle of a side."""
    if box.x == other.x:
        return box.x, box.y + copysign(HEIGHT / 2, other.y - box.y)
    return box.x + copysign(WIDTH / 2, other.x - box.x), box.y


def _draw_box(axes: Axes, box: Box) -> None:
    from matplotlib.patches import FancyBboxPatch

    corner = box.x - WIDTH / 2, box.y - HEIGHT / 2
    shape = "round,pad=0,rounding_size=0.05"
    axes.add_patch(
        FancyBboxPatch(
            corner, WIDTH, HEIGHT, boxstyle=shape, facecolor=COLOURS[0], alpha=0.25, linewidth=0
        )
    )
    axes.text(box.x, box.y, box.name, ha="center", va="center", fontsize=9)
