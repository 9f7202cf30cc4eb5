"""An opened scenario: the points of its sweep, and its stored runs if it has any."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from cellrelay import _core
from cellrelay.errors import ScenarioError
from cellrelay.live.limits import Rejected
from cellrelay.live.session import RunRequest
from cellrelay.results import short_names
from cellrelay.results.files.folder import DOCUMENT, SCENARIO
from cellrelay.results.select import match_point, one_of, resolve_axis
from cellrelay.scenario import Scenario, load

MOST_REPLICATIONS = _core.MOST_REPLICATIONS
"""Number of replications to choose from, for a scenario without stored runs."""


@dataclass(frozen=True)
class Stored:
    """The seeds and digests of stored runs, with which repeated runs are compared."""

    folder: Path
    seeds: Sequence[int]
    """Seed of each point."""
    digests: Sequence[Sequence[str]]
    """Digests of the runs of each point, by replication."""


@dataclass(frozen=True)
class OpenedScenario:
    """A scenario that viewers can watch."""

    scenario: Scenario
    text: str
    """Text in the editor."""
    folder: Path = field(default_factory=Path)
    """Folder of the files that the scenario names."""
    stored: Stored | None = None

    @cached_property
    def points(self) -> list[str]:
        """The values of each point of the sweep, as text; empty without a sweep."""
        return _core.point_texts(self.scenario._core)

    def replications(self, point: int) -> int:
        """Number of replications of a point that can be watched."""
        return len(self.stored.digests[point]) if self.stored else MOST_REPLICATIONS

    def request(self, point: int, replication: int) -> RunRequest:
        """The request for one run.

        Raises:
            Rejected: if the point or the replication does not exist, or was not stored.
        """
        if not 0 <= point < len(self.scenario.points):
            raise Rejected("there is no such point")
        if not 0 <= replication < self.replications(point):
            raise Rejected("there is no such replication of this point")
        scenario = self.scenario.point(point)
        if self.stored is None:
            return RunRequest(scenario, scenario.seed, replication)
        digest = self.stored.digests[point][replication]
        return RunRequest(scenario, self.stored.seeds[point], replication, digest)

    def find(self, where: Mapping[str, str]) -> int:
        """Number of the first point with these values and with a run to watch.

        Raises:
            LookupError: if there is no such point.
        """
        axes = self.scenario.axes
        wanted = {resolve_axis(axes, axis): value for axis, value in where.items()}
        for number, values in enumerate(self.scenario.points):
            if match_point(values, wanted) and self.replications(number):
                return number
        raise LookupError(f"no run has these values\n  hint: {self._values_of(wanted)}")

    def _values_of(self, axes: Iterable[str]) -> str:
        """The values of axes at which there are runs, for a hint."""
        names = short_names(self.scenario.axes)
        points = [
            values
            for number, values in enumerate(self.scenario.points)
            if self.replications(number)
        ]
        known = {axis: list(dict.fromkeys(values[axis] for values in points)) for axis in axes}
        return "; ".join(f"`{names[axis]}` is {one_of(values)}" for axis, values in known.items())


def read_stored(folder: Path) -> OpenedScenario:
    """Open the runs in a folder that `cellrelay run` wrote.

    Raises:
        ScenarioError: if the folder has no runs, or runs of another model.
    """
    try:
        document = json.loads((folder / DOCUMENT).read_text(encoding="utf-8"))
        _check_model(folder, document)
        points = document["points"]
        scenario = load(folder / SCENARIO)
        values = [point["point"] for point in points]
        stored = Stored(
            folder,
            [_seed(point["seed"]) for point in points],
            [_digests(point["digests"]) for point in points],
        )
    except FileNotFoundError:
        hint = "name a folder that `cellrelay run` wrote"
        raise ScenarioError(f"{folder}: no results\n  hint: {hint}") from None
    except (ValueError, LookupError, TypeError, OverflowError, RecursionError) as error:
        if isinstance(error, ScenarioError):
            raise
        raise _useless(folder, "is damaged") from None
    if values != scenario.points:
        raise _useless(folder, f"does not belong to {SCENARIO}")
    if not any(stored.digests):
        raise ScenarioError(f"{folder}: no run has finished\n  hint: repeat `cellrelay run`")
    text = (folder / SCENARIO).read_text(encoding="utf-8")
    return OpenedScenario(scenario, text, folder, stored=stored)


def _seed(number: Any) -> int:
    """A stored seed; raises `OverflowError` if it is out of range."""
    seed = int(number)
    seed.to_bytes(8, "big")
    return seed


def _digests(stored: Any) -> list[str]:
    """The stored digests of a point; raises `TypeError` if they are not a list."""
    if not isinstance(stored, list):
        raise TypeError
    return [str(digest) for digest in stored]


def _check_model(folder: Path, document: Mapping[str, Any]) -> None:
    if (model := document["model"]) != _core.MODEL:
        made = f" (commit {document['commit']})" if document.get("commit") else ""
        raise ScenarioError(
            f"{folder}: run by the model `{model}`, and this is `{_core.MODEL}`"
            f"\n  hint: install cellrelay {document['version']}{made}, which made the runs, or"
            f" watch {folder / SCENARIO} with the present model"
        )


def _useless(folder: Path, reason: str) -> ScenarioError:
    hint = "repeat `cellrelay run`, which makes no run twice"
    return ScenarioError(f"{folder / DOCUMENT}: {reason}\n  hint: {hint}")
