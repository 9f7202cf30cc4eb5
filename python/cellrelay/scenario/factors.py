"""Factors: parameters of a scenario that an analysis varies, over a range or among alternatives.

An analysis places its samples in the unit cube, with one coordinate for each factor. A factor turns
its coordinate, a number from 0 to 1, into settings of the scenario.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cellrelay.errors import ScenarioError
from cellrelay.scenario import toml
from cellrelay.text import quantity

Settings = Mapping[str, Any]
"""Values by path, as in one row of a named axis of a sweep."""

FORMS = '`100 cells .. 2000 cells`, `log 10 ms .. 1 s`, or `["512 B", "9180 B"]`'
"""Examples of factors."""

_RANGE = re.compile(r"(?P<log>log\s+)?(?P<low>\S.*?)\s*\.\.\s*(?P<high>\S.*?)\s*")
COUNTED = ("B", "bit/s", "cells", "packets")
"""Base units of which the core accepts whole numbers only."""


@dataclass(frozen=True)
class FactorRange:
    """A number between two ends, both included."""

    name: str
    """Path of the parameter."""
    text: str
    """The range as it is written."""
    low: float
    high: float
    unit: str
    """Unit of both ends, and of every value."""
    is_logarithmic: bool
    """True if equal ratios are equally likely, instead of equal differences."""
    is_whole: bool
    """True if values are rounded to whole numbers."""

    def settings(self, place: float) -> Settings:
        """The settings at a coordinate from 0 to 1."""
        if self.is_logarithmic:
            value = self.low * (self.high / self.low) ** place
        else:
            value = self.low + (self.high - self.low) * place
        return self.at(value)

    def at(self, value: float) -> Settings:
        """The settings at a value, rounded to a whole number or to six digits."""
        number = round(value) if self.is_whole else float(f"{value:.6g}")
        return {self.name: f"{number} {self.unit}" if self.unit else number}

    def label(self, place: float) -> str:
        """The value at a coordinate from 0 to 1, as text with its unit."""
        return str(self.settings(place)[self.name])

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Alternatives:
    """Several settings, each as likely as any other."""

    name: str
    """Path of the parameter, or a name if the alternatives set several parameters."""
    labels: tuple[str, ...]
    choices: tuple[Settings, ...]

    def settings(self, place: float) -> Settings:
        """The settings at a coordinate from 0 to 1."""
        return self.choices[self._number(place)]

    def label(self, place: float) -> str:
        """The alternative at a coordinate from 0 to 1, in words."""
        return self.labels[self._number(place)]

    def _number(self, place: float) -> int:
        return min(int(place * len(self.choices)), len(self.choices) - 1)

    def __str__(self) -> str:
        return ", ".join(self.labels)


Factor = FactorRange | Alternatives


def factor(name: str, value: Any) -> Factor:
    """The factor that a value describes.

    A text such as `10 cells .. 90 cells` is a range; with `log` before it, all ratios are equally
    likely. A list has the alternatives of one parameter. A table has named alternatives, each a
    table of values by path.

    Raises:
        ScenarioError: if the value has another form.
    """
    if isinstance(value, str):
        return _range(name, value)
    if isinstance(value, Mapping):
        return _named(name, value)
    if isinstance(value, Sequence):
        return _listed(name, value)
    raise _malformed(name, value)


def parse(name: str, text: str) -> Factor:
    """The factor of `--vary NAME=TEXT`.

    >>> str(parse("seed", "1 .. 9")), str(parse("duration", '["1 s", "2 s"]'))
    ('1 .. 9', '1 s, 2 s')
    """
    if text.startswith(("[", "{")):
        try:
            value = toml.read(f"value = {text}", name)["value"]
        except ScenarioError as error:
            problem = str(error).partition("\n")[0]
            raise ScenarioError(f"{problem}\n  hint: write for example {FORMS}") from error
        return factor(name, value)
    return factor(name, text)


def _range(name: str, text: str) -> FactorRange:
    match = _RANGE.fullmatch(text)
    low, high = (quantity.parse(match[end]) if match else None for end in ("low", "high"))
    if match is None or low is None or high is None:
        raise _malformed(name, text)
    units = [match[end].lstrip("+-.0123456789e ") for end in ("low", "high")]
    if low.unit != high.unit or ("%" in units and len(set(units)) > 1):
        raise ScenarioError(
            f"{name}: the ends of `{text}` have different units"
            f"\n  hint: write both in `{units[1] or units[0]}`"
        )
    if not low.value < high.value:
        raise ScenarioError(
            f"{name}: `{text}` ends before it begins\n  hint: write the smaller value first"
        )
    is_logarithmic = match["log"] is not None
    if is_logarithmic and low.value <= 0:
        hint = "begin above zero, or leave out `log`"
        raise ScenarioError(
            f"{name}: `{text}` begins at or below zero, where `log` is undefined\n  hint: {hint}"
        )
    if low.unit in COUNTED:
        return FactorRange(name, text, low.value, high.value, low.unit, is_logarithmic, True)
    unit = quantity.parse(f"1 {units[0]}") if units[0] else None
    first, last = (end.value / (unit.value if unit else 1.0) for end in (low, high))
    is_whole = not units[0] and all("." not in match[end] for end in ("low", "high"))
    return FactorRange(name, text, first, last, units[0], is_logarithmic, is_whole)


def _listed(name: str, values: Sequence[Any]) -> Alternatives:
    if len(values) < 2:
        raise _malformed(name, values)
    labels = tuple(_label(value, name) for value in values)
    return Alternatives(name, labels, tuple({name: value} for value in values))


def _label(value: Any, path: str) -> str:
    """A value as text; a policy without parameters is given by its name."""
    if isinstance(value, Mapping) and list(value.values()) == [{}]:
        return str(next(iter(value)))
    return value if isinstance(value, str) else toml.inline(value, path)


def _named(name: str, table: Mapping[str, Any]) -> Alternatives:
    if len(table) < 2 or not all(isinstance(choice, Mapping) for choice in table.values()):
        raise _malformed(name, table)
    return Alternatives(name, tuple(table), tuple(table.values()))


def _malformed(name: str, value: Any) -> ScenarioError:
    return ScenarioError(
        f"{name}: `{value}` is neither a range nor two alternatives"
        f"\n  hint: write for example {FORMS}"
    )


def read(table: Mapping[str, Any]) -> tuple[Factor, ...]:
    """The factors of a table: a value by name, in the forms that `factor` reads."""
    return tuple(factor(name, value) for name, value in table.items())


def combined(factors: Sequence[Factor], place: Sequence[float]) -> dict[str, Any]:
    """The settings of all factors at a point of the unit cube."""
    settings: dict[str, Any] = {}
    for one, coordinate in zip(factors, place, strict=True):
        if not 0.0 <= coordinate <= 1.0 or math.isnan(coordinate):
            raise ValueError(f"{one.name}: {coordinate} is outside the unit cube")
        settings |= one.settings(coordinate)
    return settings
