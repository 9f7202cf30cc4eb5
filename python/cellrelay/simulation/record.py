"""The record of a run: every input that determines its results, as plain data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cellrelay import _core
from cellrelay.errors import ScenarioError
from cellrelay.members import keys_of
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
    members: Mapping[str, str]
    """Digests of the sources of its members in Python: see `cellrelay.members.keys_of`."""
    model: str = MODEL
    """Identifier of the model that made the run."""

    @property
    def plain(self) -> dict[str, Any]:
        """The record as plain data for JSON."""
        return {
            "model": self.model,
            "scenario": self.scenario,
            "members": dict(self.members),
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
            members=_members(_field(data, "members", Mapping)),
        )

    def require_members(self) -> None:
        """Refuse the record unless its members are registered, with the same sources.

        Raises:
            ScenarioError: if one is missing, or its source is another.
        """
        present = keys_of(member.partition(" ")[2] for member in self.members)
        for member, key in self.members.items():
            family, _, name = member.partition(" ")
            if member not in present:
                raise ScenarioError(
                    f"record: the run has the member `{name}` of the family `{family}`, which is"
                    " not defined here"
                    '\n  hint: define its class, or write `cellrelay.members.load("FILE")` before'
                )
            if present[member] != key:
                raise ScenarioError(
                    f"record: the source of the member `{name}` is not that of the recorded run"
                    "\n  hint: load the file as it was; the whole file counts, comments too"
                )


def _members(data: Mapping[str, Any]) -> dict[str, str]:
    return {str(member): _field(data, member, str, "members.") for member in data}


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


_WORDS = {str: "a text", int: "a whole number", list: "a list", Mapping: "a table"}


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise _refused(f"not JSON: {error}") from None


def _refused(problem: str) -> ScenarioError:
    return ScenarioError(f"record: {problem}\n  hint: {_FORM}")
