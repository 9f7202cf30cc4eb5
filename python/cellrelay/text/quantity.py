"""Numbers with units, as the core writes them in a resolved scenario.

The core checks what users write; this module turns normalised values into numbers for axes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from cellrelay import _core

_UNITS = {"": ("", Decimal(1))} | {
    symbol: (base, Decimal(steps) / Decimal(of_base))
    for symbol, base, steps, of_base in _core.units()
}
"""Base unit and factor of each unit, from the core."""

_PATTERN = re.compile(r"(?P<number>[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)\s*(?P<unit>\S*)")


class Quantity(NamedTuple):
    """A number in SI base units (or cells, or a plain share)."""

    value: float
    unit: str


@lru_cache(maxsize=4096)
def parse(text: str) -> Quantity | None:
    """The quantity in `text`, or None if it is a word.

    >>> parse("1000 cells"), parse("50 %"), parse("early_packet")
    (Quantity(value=1000.0, unit='cells'), Quantity(value=0.5, unit=''), None)
    """
    match = _PATTERN.fullmatch(text.strip())
    if not match or match["unit"] not in _UNITS:
        return None
    unit, factor = _UNITS[match["unit"]]
    # Decimal, so that 0.1 ms and 100 us are equal.
    return Quantity(float(Decimal(match["number"]) * factor), unit)


def number(text: str, unit: str) -> float:
    """The number of a quantity in a unit.

    Raises `ValueError` if the text is no quantity with such a unit.

    >>> number("0.3 s", "ms"), number("10 Mbit/s", "kbit/s")
    (300.0, 10000.0)
    """
    match = _PATTERN.fullmatch(text.strip())
    known, factor = _UNITS[unit]
    if not match or match["unit"] not in _UNITS or _UNITS[match["unit"]][0] != known:
        raise ValueError(f"`{text}` is no quantity in `{unit}`")
    return float(Decimal(match["number"]) * _UNITS[match["unit"]][1] / factor)


def parse_all(texts: Sequence[str]) -> tuple[list[float], str] | None:
    """The values of an axis as numbers with a common unit, or None if units differ in kind."""
    quantities = [parse(text) for text in texts]
    known = [quantity for quantity in quantities if quantity is not None]
    if len(known) != len(texts) or len({quantity.unit for quantity in known}) > 1:
        return None
    return [quantity.value for quantity in known], known[0].unit if known else ""


def finite(value: float) -> float | None:
    """The number, `None` if it is not finite: JSON has no other numbers."""
    return value if math.isfinite(value) else None


def same(first: str, second: str) -> bool:
    """True if two texts are one value, in any units.

    >>> same("1 s", "1000 ms"), same("1 KiB", "1 kB"), same("fifo", "fifo")
    (True, False, True)
    """
    a, b = parse(first), parse(second)
    return first == second if a is None or b is None else a == b


def scale(largest: float, unit: str, *, binary: bool = False) -> tuple[float, str]:
    """A divisor and the resulting unit with which numbers up to `largest` are easy to read.

    A plain number, whose unit is 1, is shown without a unit. Octets of memory and windows use
    `binary` multiples.

    >>> scale(141_333_000.0, "bit/s"), scale(0.004, "s"), scale(0.004, "cells")
    ((1000000.0, 'Mbit/s'), (0.001, 'ms'), (1.0, 'cells'))
    >>> scale(65_536.0, "B"), scale(65_536.0, "B", binary=True)
    ((1000.0, 'kB'), (1024.0, 'KiB'))
    """
    if unit not in ("bit/s", "B", "s") or largest == 0:
        return 1.0, "" if unit == "1" else unit
    if unit == "B" and binary:
        multiples = [(1.0, "B"), (1024.0, "KiB"), (1024.0**2, "MiB"), (1024.0**3, "GiB")]
        return [one for one in multiples if largest >= one[0]][-1] if largest >= 1 else (1.0, "B")
    steps = [(1e-9, "n"), (1e-6, "u"), (1e-3, "m")] if unit == "s" else []
    steps += [(1.0, "")]
    steps += [] if unit == "s" else [(1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")]
    fitting = [step for step in steps if abs(largest) >= step[0]] or steps[:1]
    factor, prefix = fitting[-1]
    return factor, prefix + unit
