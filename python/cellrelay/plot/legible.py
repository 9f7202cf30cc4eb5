"""Texts of figures: titles and labels are drawn as written, without effect as markup."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from cellrelay.text.printable import shortened

LONGEST = 80
"""Largest number of characters of a line in a figure."""

Shown = TypeVar("Shown")


def legible(shown: Shown) -> Shown:
    r"""The content of a figure, with every text escaped for drawing.

    XML cannot hold control characters, and matplotlib reads text between two dollar signs as a
    formula.

    >>> legible(("one\ntwo", "\x1b[31m", "$x"))
    ('one\ntwo', '\\u001b[31m', '\\$x')
    """
    return cast("Shown", _legible(shown))


def _legible(shown: Any) -> Any:
    if isinstance(shown, str):
        lines = (shortened(line, LONGEST) for line in shown.split("\n"))
        return "\n".join(lines).replace("$", r"\$")
    if isinstance(shown, (tuple, list)):
        parts = map(_legible, shown)
        return shown._make(parts) if hasattr(shown, "_make") else type(shown)(parts)
    if isinstance(shown, Mapping):
        return {_legible(key): _legible(value) for key, value in shown.items()}
    if is_dataclass(shown) and not isinstance(shown, type):
        return replace(
            shown, **{one.name: _legible(getattr(shown, one.name)) for one in fields(shown)}
        )
    return shown
