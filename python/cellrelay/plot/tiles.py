"""Drawing a table of tiles: a colour, a word, and a frame around tiles that differ."""

from __future__ import annotations

from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING

from cellrelay.plot.chart import Tile, Tiles, Tint
from cellrelay.plot.style import INK, ON_COLOUR

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 1.0, 0.36
"""Width and height of a tile, in inches."""
LETTER = 0.075
"""Approximate width of a letter beside a row, in inches."""
LINE = 0.16
"""Height of a line above a column, in inches."""
LETTERS = 14
"""Number of letters that fit above a column."""
GAP = 0.03
"""Gap between tiles, in widths of a tile."""

TINTS: dict[Tint, str] = {
    "good": "#6cbf94",
    "mixed": "#f0d68a",
    "bad": "#e9a48f",
    "none": "#c9ced4",
}
"""Backgrounds of tiles, light enough for dark letters, which also differ in lightness."""


def draw_tiles(chart: Tiles) -> Figure:
    """The figure of a table of tiles; the first row is on top."""
    from matplotlib.figure import Figure

    heads = [wrap(name, LETTERS) or [""] for name in chart.columns]
    left = 0.15 + LETTER * max((len(name) for name in chart.rows), default=0)
    above = 0.1 + LINE * max((len(lines) for lines in heads), default=0)
    across = left + WIDTH * len(chart.columns) + 0.05
    high = above + HEIGHT * len(chart.rows) + 0.05
    figure = Figure(figsize=(across, high))
    # The tile of a column and a row has their numbers as coordinates; rows go downwards.
    limits = (-left / WIDTH, (across - left) / WIDTH), ((high - above) / HEIGHT, -above / HEIGHT)
    axes = figure.add_axes((0, 0, 1, 1), xlim=limits[0], ylim=limits[1])
    axes.set_axis_off()
    for column, lines in enumerate(heads):
        text = "\n".join(lines)
        axes.text(column + 0.5, -0.12, text, ha="center", va="bottom", fontsize=8)
    for row, name in enumerate(chart.rows):
        axes.text(-0.08, row + 0.5, name, ha="right", va="center", fontsize=8)
        for column, tile in enumerate(chart.tiles[row]):
            _draw_tile(axes, row, column, tile)
    return figure


def _draw_tile(axes: Axes, row: int, column: int, tile: Tile) -> None:
    from matplotlib.patches import Rectangle

    corner = column + GAP, row + GAP * WIDTH / HEIGHT
    ground = Rectangle(corner, 1 - 2 * GAP, 1 - 2 * GAP * WIDTH / HEIGHT, linewidth=0)
    ground.set_facecolor(TINTS[tile.tint])
    if tile.is_framed:
        ground.set(edgecolor=INK, linewidth=1.6)
    axes.add_patch(ground)
    is_alone = not tile.detail
    write = partial(axes.text, column + 0.5, ha="center", color=ON_COLOUR)
    write(
        row + (0.5 if is_alone else 0.48),
        tile.word,
        va=("center" if is_alone else "bottom"),
        fontsize=8,
    )
    write(row + 0.54, tile.detail, va="top", fontsize=6.5)
