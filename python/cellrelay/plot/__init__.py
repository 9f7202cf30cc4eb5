"""Figures: what an experiment measured, as lines with their intervals.

matplotlib is imported when a figure is drawn, not before.
"""

from cellrelay.plot.chart import Bar, Bars, Box, Chart, Curve, Diagram, Panel
from cellrelay.plot.draw import draw
from cellrelay.plot.save import FORMATS, save, to_svg
from cellrelay.plot.select import chart, curve

__all__ = [
    "FORMATS",
    "Bar",
    "Bars",
    "Box",
    "Chart",
    "Curve",
    "Diagram",
    "Panel",
    "chart",
    "curve",
    "draw",
    "save",
    "to_svg",
]
