"""The record of a run: every input that determines its results, as plain data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cellrelay import _core
from cellrelay.errors import ScenarioError
from cellrelay.simulation.run import MODEL

_FORM = "write a record as `Simulation.record` returns it"


@dataclass(frozen=True)
class ControlChange:
    """A control that was set."""

    at: int
    """Instant, in picoseconds."""
    scope: str
    control: str
    value: float | str
    """Value as the program gave it: a number in the unit of the control, or a text with a unit."""

    @property
    def plain(self) -> dict[str, Any]:
        """The setting as plain data, with its instant as a text."""
        return {
            "at": _core.time_text(self.at),
            "scope": self.scope,
            "control": self.control,
            "value": self.value,
        }


@dataclass(frozen=True)
class RunRecord:
    """A scenario, a seed, a replication, and the controls that were set until an instant."""

    scenario: str
    """The scenario as TOML with every default filled in."""
    seed: int
    replication: int
    acts: tuple[ControlChange, ...]
    now: int
    """Instant of the record, in picoseconds."""
    model: str = MODEL
    """Identifier of the model that made the run."""

    @property
    def plain(self) -> dict[str, Any]:
        """The record as plain data for JSON."""
        return {
            "model": self.model,
            "scenario": self.scenario,
            "seed": self.seed,
            "replication": self.replication,
            "set": [act.plain for act in self.acts],
            "now": _core.time_text(self.now),
        }

    @classmethod
    def of(cls, plain: Mapping[str, Any] | str) -> RunRecord:
        """The record from its plain data, or from the JSON text of these data.

        Raises:
            ScenarioError: if the data are no record, or of a run of another model.
        """
        data = _decoded(plain) if isinstance(plain, str) else plain
        if not isinstance(data, Mapping):
            raise _refused(f"{type(data).__name__} is no record")
        model = _field(data, "model", str)
        if model != MODEL:
            raise ScenarioError(
                f"record: it is of the model `{model}`, and this is the model `{MODEL}`"
                "\n  hint: replay it with the version of cellrelay that wrote it"
            )
        return cls(
            scenario=_field(data, "scenario", str),
            seed=_field(data, "seed", int),
            replication=_field(data, "replication", int),
            acts=tuple(_act(number, act) for number, act in enumerate(_field(data, "set", list))),
            now=_core.picoseconds(_field(data, "now", str)),
        )


def _act(number: int, data: object) -> ControlChange:
    where = f"set[{number}]"
    if not isinstance(data, Mapping):
        raise _refused(f"{where}: {data!r} is nothing that was set")
    value = data.get("value")
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise _refused(f"{where}.value: {value!r} is neither a number nor a text")
    return ControlChange(
        at=_core.picoseconds(_field(data, "at", str, f"{where}.")),
        scope=_field(data, "scope", str, f"{where}."),
        control=_field(data, "control", str, f"{where}."),
        value=value,
    )


def _field(data: Mapping[str, Any], name: str, kind: type, where: str = "") -> Any:
    value = data.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise _refused(f"{where}{name}: {value!r} is not {_WORDS[kind]}")
    return value


_WORDS = {str: "a text", int: "a whole number", list: "a list", Sequence: "a list"}


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise _refused(f"not JSON: {error}") from None


def _refused(problem: str) -> ScenarioError:
    return ScenarioError(f"record: {problem}\n  hint: {_FORM}")
