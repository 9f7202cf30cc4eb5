"""The style of figures: colours that are distinct in print and for the colour-blind, and a style
file."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

INK = "#24292f"
"""Text and axes; a page that embeds a figure may replace it by its own colour of text."""

GRID = "#d8dee4"

QUIET = "#7d8590"
"""Reference lines and curves."""

PAPER = "#ffffff"
"""The background; a page that embeds a figure may replace it by its own."""

ON_COLOUR = "#1b1f24"
"""Text on a coloured background, the same on every page."""

COLOURS = (
    "#3778c2",
    "#d9822b",
    "#2f9e77",
    "#c4497b",
    "#8a6cc9",
    "#5aa9c9",
    "#a0892c",
    "#7d8590",
)
"""Colours of curves, which also differ in lightness and are legible on white and on black."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")

PANEL_WIDTH, HEIGHT = 3.3, 2.7
"""Width and height of a panel, in inches."""

ALONE = 4.4
"""Width of the only panel of a figure, in inches."""

WIDEST = 3
"""Largest number of panels in one row."""


def style() -> AbstractContextManager[None]:
    """Our style file over matplotlib's defaults, whatever the user has configured."""
    from matplotlib import rc_context

    return rc_context(fname=Path(__file__).with_name("cellrelay.mplstyle"))
