"""Figures: the measurements of an experiment as curves with their confidence intervals.

matplotlib is imported when a figure is drawn, not before.
"""

from cellrelay.plot.chart import (
    Bar,
    Bars,
    Box,
    Chart,
    Curve,
    Diagram,
    Dot,
    DrawnSeries,
    Panel,
    Ranking,
    Scatter,
    Strip,
    Tile,
    Tiles,
    Timeline,
    Tint,
)
from cellrelay.plot.cumulative import cumulative, without_times
from cellrelay.plot.draw import draw, require_matplotlib
from cellrelay.plot.network import draw_topology
from cellrelay.plot.save import FORMATS, save, to_svg
from cellrelay.plot.select import chart, curve
from cellrelay.plot.timeline import Selection, timeline

__all__ = [
    "FORMATS",
    "Bar",
    "Bars",
    "Box",
    "Chart",
    "Curve",
    "Diagram",
    "Dot",
    "DrawnSeries",
    "Panel",
    "Ranking",
    "Scatter",
    "Selection",
    "Strip",
    "Tile",
    "Tiles",
    "Timeline",
    "Tint",
    "chart",
    "cumulative",
    "curve",
    "draw",
    "draw_topology",
    "require_matplotlib",
    "save",
    "timeline",
    "to_svg",
    "without_times",
]
