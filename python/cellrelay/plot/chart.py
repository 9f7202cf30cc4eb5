"""What a figure shows, as plain data: curves, dots, bars, strips over time, tiles, networks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cellrelay.statistics import Estimate

Range = tuple[float | None, float | None]
"""Ends of an axis; None where the data decide."""


@dataclass(frozen=True)
class Curve:
    """A mean line with its interval band."""

    label: str
    x: tuple[float, ...]
    y: tuple[Estimate, ...]
    is_reference: bool = False
    """Whether it is what others are compared with, and was not measured."""


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
    """What tells the curves apart."""
    y_range: Range = (None, None)
    levels: Mapping[str, float] = field(default_factory=dict)
    """Heights to compare with, by what is written there."""
    is_logarithmic: bool = False
    """Whether the horizontal axis is."""
    x_ticks: tuple[float, ...] = ()
    """Where the horizontal axis has marks; empty: where they fit."""
    x_words: tuple[str, ...] = ()
    """What stands at 0, 1, 2, … of a horizontal axis of words."""
    possible: Range = (None, None)
    """What the quantity can be: an interval that reaches further is drawn up to there."""


@dataclass(frozen=True)
class Dot:
    """A case, where it stands between two quantities, and perhaps a third that shades it."""

    label: str
    x: float
    y: float
    shade: float = math.nan
    group: str = ""
    """Dots of a group look alike and are joined, in this order."""
    is_hollow: bool = False
    """Whether it is drawn as an outline, such as a case that has not settled."""


@dataclass(frozen=True)
class Scatter:
    """Cases as dots: two quantities by place, a third by shade."""

    dots: tuple[Dot, ...]
    x_label: str
    y_label: str
    shade_label: str = ""
    """Of the third quantity; empty: there is none, and groups have colours instead."""
    x_range: Range = (None, None)
    y_range: Range = (None, None)
    shade_range: Range = (None, None)
    is_logarithmic: bool = False
    """Whether the horizontal axis is."""
    legend: str = ""
    """What tells the groups apart."""
    is_joined: bool = True
    """Whether a line leads from each dot of a group to the next."""


@dataclass(frozen=True, eq=False)
class Trace:
    """A series as it is drawn."""

    label: str
    times: NDArray[np.float64]
    values: NDArray[np.float64]
    look: Look = "line"
    rank: int = 0
    """Of its colour."""
    dash: int = 0
    """Of its dashes; zero for a solid line."""


Look = Literal["line", "steps", "marks", "rug"]
"""A line through the values, steps that hold each until the next, a mark at each, or a mark above
the axes at each instant."""


@dataclass(frozen=True, eq=False)
class Strip:
    """A pair of axes over time."""

    traces: tuple[Trace, ...]
    y_label: str
    unit: str = ""
    title: str = ""
    y_words: tuple[str, ...] = ()
    """What stands at 0, 1, 2, … of a vertical axis of words, downwards."""


@dataclass(frozen=True, eq=False)
class Timeline:
    """Columns of strips: those of a column share their time, those of a row their height."""

    columns: tuple[tuple[Strip, ...], ...]
    x_label: str
    x_range: Range = (None, None)
    titles: tuple[str, ...] = ()
    """Of the columns, if there are several."""
    legend: str = ""
    """What tells the curves apart, if it is the value of an axis."""


@dataclass(frozen=True)
class Bar:
    """One bar: its name and the parts stacked in it."""

    label: str
    parts: Mapping[str, float]
    group: str = ""
    """Neighbours of the same group stand together, over its name."""


@dataclass(frozen=True)
class Bars:
    """Stacked bars: how a whole divides into its parts."""

    bars: tuple[Bar, ...]
    y_label: str
    y_range: Range = (0.0, None)
    unused: str = ""
    """The part that stands for nothing, which is drawn as such."""


@dataclass(frozen=True)
class Ranking:
    """Items from the largest to the smallest, each with the same numbers about it."""

    items: Mapping[str, Mapping[str, Estimate]]
    """By the name of the item, then by the name of the number."""
    x_label: str


Tint = Literal["good", "mixed", "bad", "none"]
"""How a tile is coloured; its words say the same."""


@dataclass(frozen=True)
class Tile:
    """A field of a table of tiles."""

    word: str
    detail: str
    """A second line in smaller letters."""
    tint: Tint
    is_framed: bool = False
    """True if it differs from the first tile of its row."""


@dataclass(frozen=True)
class Tiles:
    """A table of coloured fields, in which what differs is seen at once."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    tiles: tuple[tuple[Tile, ...], ...]
    """Row by row."""


@dataclass(frozen=True)
class Box:
    """A node of a network where it is drawn; one unit is about the width of a box."""

    name: str
    x: float
    y: float


@dataclass(frozen=True)
class Diagram:
    """A network: boxes and the links between them."""

    boxes: tuple[Box, ...]
    links: tuple[tuple[str, str, str], ...]
    """Names of two boxes, and what is written at the link."""
    dots: tuple[tuple[float, float], ...] = ()
    """Where vertical dots stand for more of the same."""
