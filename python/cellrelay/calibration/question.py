"""The question of a calibration: a scenario, parameters left open, and printed numbers.

A question is a TOML file:

    scenario = "ten-tcp.toml"

    [parameters]                                # ranges and alternatives, as for `sensitivity`
    "flow.bulk.transport.tcp.timers.bsd.deviations" = [2, 4]

    [targets."plain ATM, smallest buffer"]
    metric = "effective_throughput"
    where = { packet = "512 B", buffer = "256 cells" }
    value = 0.34
    tolerance = 0.02
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellrelay import factors, quantity
from cellrelay.errors import ScenarioError
from cellrelay.factors import Factor
from cellrelay.files import naming
from cellrelay.points import narrowed
from cellrelay.scenario import Goal, Scenario, load
from cellrelay.suggest import meant_or

KEYS = {"scenario": str, "settings": dict, "parameters": dict, "targets": dict}
"""Keys of a question, with the type of each value."""
TARGET_KEYS = {
    "metric": str,
    "where": dict,
    "value": object,
    "tolerance": object,
    "held_back": bool,
    "source": str,
}
"""Keys of a target, with the type of each value."""
_WORDS = {str: "a text", dict: "a table", bool: "`true` or `false`"}


@dataclass(frozen=True)
class Target:
    """A printed number."""

    name: str
    goal: Goal
    where: Mapping[str, str]
    """Value of each axis of the scenario's sweep at the point of the number."""
    value: float
    """In SI units."""
    tolerance: float
    """Largest difference at which the number counts as met, in SI units."""
    is_held_back: bool = False
    """True if the number is not fitted: it tests how well the best settings predict."""
    source: str = ""
    """Where the number is printed."""


@dataclass(frozen=True)
class Question:
    """A scenario, its open parameters, and the numbers that they have to explain."""

    scenario: Path
    settings: Mapping[str, Any]
    """Values that replace those of the scenario in every run."""
    factors: tuple[Factor, ...]
    targets: tuple[Target, ...]

    def load(self, more: Mapping[str, Any]) -> Scenario:
        """The scenario with the settings of the question, and more settings."""
        return load(self.scenario, [*self.settings.items(), *more.items()])

    @property
    def fitted(self) -> tuple[Target, ...]:
        """The targets that are not held back."""
        return tuple(target for target in self.targets if not target.is_held_back)

    def check(self) -> None:
        """Refuse targets that the scenario cannot have, before anything runs.

        Raises:
            ScenarioError: if a target is at no point or at several, or its metric does not exist.
        """
        scenario = self.load({})
        for target in self.targets:
            try:
                chosen = narrowed(scenario, target.where)
                chosen.require(str(target.goal))
            except (LookupError, ScenarioError) as error:
                raise ScenarioError(f"targets.{target.name}: {error.args[0]}") from error
            if len(chosen.points) > 1:
                raise ScenarioError(
                    f"targets.{target.name}: {len(chosen.points)} points have these values"
                    "\n  hint: give every axis of the sweep a value in `where`"
                )


def read(path: str | Path) -> Question:
    """The question in a file; paths in it are relative to its folder.

    Raises:
        ScenarioError: with the place and a hint, if something is wrong or missing.
    """
    with naming(path):
        content = Path(path).read_bytes()
    try:
        return _question(tomllib.loads(content.decode("utf-8")), Path(path).parent)
    except UnicodeDecodeError as error:
        raise ScenarioError(f"{path}: not UTF-8\n  hint: save it as UTF-8") from error
    except (tomllib.TOMLDecodeError, ScenarioError) as error:
        raise ScenarioError(f"{path}: {error}") from error


def _question(data: Mapping[str, Any], folder: Path) -> Question:
    _known(data, KEYS, "")
    for key in ("scenario", "parameters", "targets"):
        if not data.get(key):
            raise ScenarioError(f"{key}: missing\n  hint: see `cellrelay calibrate --help`")
    for name, one in data["targets"].items():
        _require(one, dict, f"targets.{name}")
    targets = tuple(_target(name, one) for name, one in data["targets"].items())
    if all(target.is_held_back for target in targets):
        raise ScenarioError("targets: all are held back\n  hint: leave one to be fitted")
    return Question(
        folder / data["scenario"],
        data.get("settings", {}),
        factors.read(data["parameters"]),
        targets,
    )


def _target(name: str, data: Mapping[str, Any]) -> Target:
    place = f"targets.{name}"
    _known(data, TARGET_KEYS, f"{place}.")
    for key in ("metric", "value", "tolerance"):
        if key not in data:
            raise ScenarioError(f"{place}.{key}: missing\n  hint: every target needs one")
    value = _number(data["value"], f"{place}.value")
    tolerance = _number(data["tolerance"], f"{place}.tolerance")
    if isinstance(data["tolerance"], str) and "%" in data["tolerance"]:
        tolerance *= abs(value)
    if not tolerance > 0:
        raise ScenarioError(
            f"{place}.tolerance: `{data['tolerance']}` is not above zero"
            "\n  hint: write the precision with which the number is printed"
        )
    where = {axis: str(label) for axis, label in data.get("where", {}).items()}
    held_back, source = data.get("held_back", False), data.get("source", "")
    return Target(name, Goal.read(data["metric"]), where, value, tolerance, held_back, source)


def _known(data: Mapping[str, Any], keys: Mapping[str, type], place: str) -> None:
    """Refuse unknown keys, and values of another type."""
    for key, value in data.items():
        if key not in keys:
            hint = meant_or(key, keys, f"expected one of {', '.join(keys)}")
            raise ScenarioError(f"{place}{key}: unknown key\n  hint: {hint}")
        _require(value, keys[key], f"{place}{key}")


def _require(value: Any, kind: type, place: str) -> None:
    if not isinstance(value, kind):
        raise ScenarioError(f"{place}: `{value}` has the wrong type\n  hint: write {_WORDS[kind]}")


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
