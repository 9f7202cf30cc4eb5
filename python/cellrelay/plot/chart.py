"""The content of figures as plain data: curves, dots, bars, strips over time, tiles, networks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cellrelay.statistics import Estimate

AxisRange = tuple[float | None, float | None]
"""Ends of an axis; `None` for an end that follows from the data."""


@dataclass(frozen=True)
class Curve:
    """A mean line with its interval band."""

    label: str
    x: tuple[float, ...]
    y: tuple[Estimate, ...]
    is_reference: bool = False
    """True for a curve from theory or from a paper, with which measured curves are compared."""
    is_marked: bool = False
    """True if its values are drawn as marks without a line, as for values that a paper prints."""


@dataclass(frozen=True)
class Panel:
    """One pair of axes."""

    curves: tuple[Curve, ...]
    title: str = ""


@dataclass(frozen=True)
class Chart:
    """Panels side by side that share both axes."""

    panels: tuple[Panel, ...]
    x_label: str
    y_label: str
    legend: str = ""
    """Title of the legend: the property in which the curves differ."""
    y_range: AxisRange = (None, None)
    levels: Mapping[str, float] = field(default_factory=dict)
    """Horizontal reference lines: their heights by their labels."""
    is_logarithmic: bool = False
    """True if the horizontal axis is logarithmic."""
    x_ticks: tuple[float, ...] = ()
    """Places of marks on the horizontal axis; if empty, matplotlib chooses them."""
    x_words: tuple[str, ...] = ()
    """Labels at 0, 1, 2, … of a horizontal axis without numbers."""
    possible: AxisRange = (None, None)
    """Least and largest value of the quantity, at which intervals are cut."""
    has_marks: bool = True
    """True if each point of a curve has a mark."""


@dataclass(frozen=True)
class Dot:
    """A dot at two quantities, perhaps shaded by a third."""

    label: str
    x: float
    y: float
    shade: float = math.nan
    group: str = ""
    """Dots of a group have the same shape; a line may join them in this order."""
    is_hollow: bool = False
    """True if the dot is drawn as an outline, for example for a run that has not reached its steady
    state."""


@dataclass(frozen=True)
class Scatter:
    """A scatter plot: two quantities give the position of a dot, a third its shade."""

    dots: tuple[Dot, ...]
    x_label: str
    y_label: str
    shade_label: str = ""
    """Label of the third quantity; empty if there is none, and groups have colours instead."""
    x_range: AxisRange = (None, None)
    y_range: AxisRange = (None, None)
    shade_range: AxisRange = (None, None)
    is_logarithmic: bool = False
    """True if the horizontal axis is logarithmic."""
    legend: str = ""
    """Title of the legend: the property in which the groups differ."""
    is_joined: bool = True
    """True if a line leads from each dot of a group to the next."""


@dataclass(frozen=True, eq=False)
class DrawnSeries:
    """A series as it is drawn."""

    label: str
    times: NDArray[np.float64]
    values: NDArray[np.float64]
    look: Look = "line"
    rank: int = 0
    """Number of its colour."""
    dash: int = 0
    """Number of its dash pattern; zero for a solid line."""


Look = Literal["line", "steps", "marks", "rug"]
"""A line through the values, steps that hold each until the next, a mark at each, or a mark above
the axes at each instant."""


@dataclass(frozen=True, eq=False)
class Strip:
    """A pair of axes over time."""

    traces: tuple[DrawnSeries, ...]
    y_label: str
    unit: str = ""
    title: str = ""
    y_words: tuple[str, ...] = ()
    """Labels at 0, 1, 2, … of a vertical axis without numbers, from the top down."""


@dataclass(frozen=True, eq=False)
class Timeline:
    """Strips in columns: the strips of a column share the time axis, and the strips of a row have
    one height."""

    columns: tuple[tuple[Strip, ...], ...]
    x_label: str
    x_range: AxisRange = (None, None)
    titles: tuple[str, ...] = ()
    """Titles of the columns, if there are several."""
    legend: str = ""
    """Title of the legend, if the curves differ in the value of an axis."""


@dataclass(frozen=True)
class Bar:
    """One bar: its name and the parts stacked in it."""

    label: str
    parts: Mapping[str, float]
    group: str = ""
    """Neighbouring bars of the same group are drawn together, above its name."""


@dataclass(frozen=True)
class Bars:
    """Stacked bars, which divide a whole into parts."""

    bars: tuple[Bar, ...]
    y_label: str
    y_range: AxisRange = (0.0, None)
    unused: str = ""
    """The part that is idle or unknown, which is drawn without colour."""


@dataclass(frozen=True)
class Ranking:
    """A ranking: items from the largest to the smallest, each with the same numbers."""

    items: Mapping[str, Mapping[str, Estimate]]
    """Numbers by the name of the item, then by the name of the number."""
    x_label: str


Tint = Literal["good", "mixed", "bad", "none"]
"""The meaning of the colour of a tile, which its words repeat."""


@dataclass(frozen=True)
class Tile:
    """A tile: a coloured cell of a table."""

    word: str
    detail: str
    """A second line in smaller letters."""
    tint: Tint
    is_framed: bool = False
    """True if the tile differs from the first tile of its row."""


@dataclass(frozen=True)
class Tiles:
    """A table of coloured cells, with frames around those that differ."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    tiles: tuple[tuple[Tile, ...], ...]
    """The tiles of each row."""


@dataclass(frozen=True)
class Box:
    """A node of a network and its place in units of about the width of a box."""

    name: str
    x: float
    y: float


@dataclass(frozen=True)
class Diagram:
    """A network: boxes and the links between them."""

    boxes: tuple[Box, ...]
    links: tuple[tuple[str, str, str], ...]
    """Names of two boxes, and the label of their link."""
    dots: tuple[tuple[float, float], ...] = ()
    """Where vertical dots stand for further nodes of the same kind."""
