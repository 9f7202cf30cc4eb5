"""Figures as files: the same figure gives the same bytes."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellrelay.plot.style import GRID, INK, PAPER, style
from cellrelay.text.printable import printable

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


_FIELDS = {
    "svg": ("Title", "Description"),
    "pdf": ("Title", "Subject"),
    "png": ("Title", "Description"),
}
"""The fields of metadata for the title of a figure and for the origin of its numbers."""


def save(figure: Figure, path: str | Path, title: str = "", origin: str = "") -> None:
    """Write a figure in the format of the suffix of its name.

    The title and the origin of its numbers, the text of `cellrelay.results.origin`, become
    metadata of the file. Raises `ValueError` for a format that does not exist.
    """
    kind = Path(path).suffix.lstrip(".").lower()
    if kind not in FORMATS:
        known = ", ".join(f"`.{name}`" for name in FORMATS)
        raise ValueError(f"{path}: not a format for figures\n  hint: let the name end in {known}")
    texts = map(printable, (title, origin))
    told = {field: text for field, text in zip(_FIELDS[kind], texts, strict=True) if text}
    _write(figure, path, kind, "white", told)


def to_svg(figure: Figure, name: str, title: str = "", origin: str = "") -> str:
    """The figure as an `<svg>` element for a page: it takes the page's colours and font.

    `name` keeps its identifiers apart from those of other figures on the page. The title and the
    origin of its numbers, the text of `cellrelay.results.origin`, become `<title>` and `<desc>`.
    """
    buffer = io.StringIO()
    _write(figure, buffer, "svg", "none", {})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    # A style sheet in a figure would apply to the whole page.
    svg = re.sub(r"<style[^>]*>.*?</style>\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace("<svg ", f'<svg style="{_STROKES}" ', 1)
    for colour, of_page in ((INK, "currentColor"), (GRID, "var(--grid)"), (PAPER, "var(--paper)")):
        svg = svg.replace(colour, of_page)
    svg = re.sub(r"font-family: [^;\"]*", "font-family: inherit", svg)
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\1{name}-", svg)
    texts = {"title": title, "desc": origin}
    known = (f"<{tag}>{escape(printable(text))}</{tag}>" for tag, text in texts.items() if text)
    end = svg.index(">") + 1
    return f"{svg[:end]}{''.join(known)}{svg[end:]}"


def _write(
    figure: Figure, target: Any, kind: str, background: str, known: Mapping[str, str]
) -> None:
    fields = {**FORMATS[kind], **known}
    with style():
        figure.savefig(target, format=kind, metadata=fields, dpi=200, facecolor=background)
