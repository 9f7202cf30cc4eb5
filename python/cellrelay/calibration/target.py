"""Targets of a calibration: printed numbers and bounds, each with its tolerance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cellrelay.errors import ScenarioError
from cellrelay.scenario import Goal
from cellrelay.text import quantity
from cellrelay.text.suggest import meant_or

PRINTED = ("value", "at_least", "at_most")
"""Kinds of printed values: a number, a lower bound or an upper bound."""
KEYS: Mapping[str, type] = {
    "metric": str,
    "where": dict,
    "experiment": str,
    "number": str,
    **dict.fromkeys(PRINTED, object),
    "tolerance": object,
    "held_back": bool,
    "source": str,
}
"""Keys of a target, with the type of each value."""
_WORDS = {str: "a text", dict: "a table", list: "a list", bool: "`true` or `false`"}


@dataclass(frozen=True)
class PrintedTarget:
    """A printed number, or a printed bound."""

    name: str
    value: float
    """In SI units."""
    tolerance: float
    """Largest difference at which the number counts as met, in SI units."""
    goal: Goal | None = None
    """The metric that was printed; None for a number of a study."""
    where: Mapping[str, str] = field(default_factory=dict)
    """Value of each axis of the sweep at the point of the metric."""
    experiment: str = ""
    """The experiment of the study that measures the metric."""
    number: str = ""
    """Id of a number of the study."""
    printed: str = "value"
    """The kind of `value`, one of `PRINTED`."""
    is_held_back: bool = False
    """True if the number is not fitted: it tests how well the best settings predict."""
    source: str = ""
    """The section, figure or table of the paper that prints the number."""

    def distance(self, found: float) -> float:
        """Distance of a number from the printed number, in tolerances; zero on the right side of a
        bound, and infinite for `nan`."""
        if math.isnan(found):
            return math.inf
        apart = (found - self.value) / self.tolerance
        if self.printed == "at_least":
            return min(apart, 0.0)
        return max(apart, 0.0) if self.printed == "at_most" else apart


def read_target(name: str, data: Any) -> PrintedTarget:
    """The target of a table `[targets.NAME]`.

    Raises:
        ScenarioError: with the place and a hint, if something is wrong or missing.
    """
    place = f"targets.{name}"
    require(data, dict, place)
    known(data, KEYS, f"{place}.")
    printed = _one_of(data, PRINTED, place)
    measured = _one_of(data, ("metric", "number"), place)
    if "tolerance" not in data:
        raise ScenarioError(f"{place}.tolerance: missing\n  hint: every target needs one")
    value = _number(data[printed], f"{place}.{printed}")
    tolerance = _number(data["tolerance"], f"{place}.tolerance")
    if isinstance(data["tolerance"], str) and "%" in data["tolerance"]:
        tolerance *= abs(value)
    if not tolerance > 0:
        raise ScenarioError(
            f"{place}.tolerance: `{data['tolerance']}` is not above zero"
            "\n  hint: write the precision with which the number is printed"
        )
    return PrintedTarget(
        name,
        value,
        tolerance,
        goal=Goal.read(data["metric"]) if measured == "metric" else None,
        where={axis: str(label) for axis, label in data.get("where", {}).items()},
        experiment=data.get("experiment", ""),
        number=data.get("number", ""),
        printed=printed,
        is_held_back=data.get("held_back", False),
        source=data.get("source", ""),
    )


def known(data: Mapping[str, Any], keys: Mapping[str, type], place: str) -> None:
    """Refuse unknown keys, and values of another type."""
    for key, value in data.items():
        if key not in keys:
            hint = meant_or(key, keys, f"expected one of {', '.join(keys)}")
            raise ScenarioError(f"{place}{key}: unknown key\n  hint: {hint}")
        require(value, keys[key], f"{place}{key}")


def require(value: Any, kind: type, place: str) -> None:
    """Refuse a value of another type."""
    if not isinstance(value, kind):
        raise ScenarioError(f"{place}: `{value}` has the wrong type\n  hint: write {_WORDS[kind]}")


def _one_of(data: Mapping[str, Any], keys: tuple[str, ...], place: str) -> str:
    """The only one of several keys that a target has."""
    given = [key for key in keys if key in data]
    if not given:
        raise ScenarioError(f"{place}.{keys[0]}: missing\n  hint: every target needs one")
    if len(given) > 1:
        raise ScenarioError(f"{place}.{given[1]}: there is a `{given[0]}` too\n  hint: choose one")
    return given[0]


def _number(value: Any, place: str) -> float:
    """A number in SI units, from a number or a text with a unit."""
    known = quantity.parse(value) if isinstance(value, str) else None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        number = float(value)
    else:
        number = known.value if known else math.nan
    if not math.isfinite(number):
        hint = 'write a number in SI units, or a text such as "5.2 ms"'
        raise ScenarioError(f"{place}: `{value}` is not a number\n  hint: {hint}")
    return number
