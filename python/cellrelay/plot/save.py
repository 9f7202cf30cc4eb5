"""Figures as files: the same figure gives the same bytes."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellrelay.plot.style import GRID, INK, PAPER, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
"""Formats, with the fields of metadata to leave out: times and versions."""


_STROKES = "stroke-linejoin: round; stroke-linecap: butt"
"""The style sheet that matplotlib writes into its figures."""


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure in the format of the suffix of its name."""
    kind = Path(path).suffix.lstrip(".").lower()
    if kind not in FORMATS:
        known = ", ".join(f"`.{name}`" for name in FORMATS)
        raise ValueError(f"{path}: no format for figures\n  hint: let the name end in {known}")
    _write(figure, path, kind, background="white")


def to_svg(figure: Figure, name: str) -> str:
    """The figure as an `<svg>` element for a page: it takes the page's colours and font.

    `name` keeps its identifiers apart from those of other figures on the page.
    """
    buffer = io.StringIO()
    _write(figure, buffer, "svg", background="none")
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    # A style sheet in a figure would apply to the whole page.
    svg = re.sub(r"<style[^>]*>.*?</style>\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace("<svg ", f'<svg style="{_STROKES}" ', 1)
    for colour, of_page in ((INK, "currentColor"), (GRID, "var(--grid)"), (PAPER, "var(--paper)")):
        svg = svg.replace(colour, of_page)
    svg = re.sub(r"font-family: [^;\"]*", "font-family: inherit", svg)
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\1{name}-", svg)


def _write(figure: Figure, target: Any, kind: str, background: str) -> None:
    with style():
        figure.savefig(target, format=kind, metadata=FORMATS[kind], dpi=200, facecolor=background)
