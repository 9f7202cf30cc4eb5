"""An experiment: a scenario file of a study with a sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cellrelay.scenario import Replications, Scenario, load, toml

Sweep = Mapping[str, Sequence[Any] | Mapping[str, Mapping[str, Any]]]
"""Axes as a scenario file has them: values of a path, or points that each set several paths."""

Job = tuple[Scenario, Replications]
"""A scenario, and the number of replications of its points."""


@dataclass(frozen=True)
class Experiment:
    """A scenario file of the study, with a sweep, under a name that exhibits and claims use."""

    name: str
    file: str
    sweep: Sweep = field(default_factory=dict)
    """Axes that replace those of the file."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Values that replace those of the file, as with `--set`."""
    quick: Mapping[str, str] = field(default_factory=dict)
    """Further values for a quick look, such as a shorter duration."""
    quick_sweep: Sweep = field(default_factory=dict)
    """Axes that are shorter in a quick look."""
    replications: Replications | None = None
    """Number of replications; `None` for the number in the file."""
    quick_replications: Replications | None = None

    def scenario(self, folder: Path, is_quick: bool) -> Scenario:
        """Read the scenario from the folder of the study."""
        return load(folder / self.file, self.changes(is_quick))

    def changes(self, is_quick: bool) -> dict[str, Any]:
        """The settings with which the file is read, the sweep included."""
        settings = {**self.settings, **(self.quick if is_quick else {})}
        if axes := self.axes(is_quick):
            settings["sweep"] = toml.inline(axes)
        return settings

    def axes(self, is_quick: bool) -> Sweep:
        """The axes of the experiment; empty if the sweep is that of the file."""
        return {**self.sweep, **(self.quick_sweep if is_quick else {})}

    def job(self, folder: Path, is_quick: bool) -> Job:
        """The scenario, and the number of replications of its points."""
        scenario = self.scenario(folder, is_quick)
        return scenario, self.rule(is_quick) or scenario.replications

    def rule(self, is_quick: bool) -> Replications | None:
        """Number of replications; `None` for the number in the file."""
        return (is_quick and self.quick_replications) or self.replications


def named(path: str, values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Points of an axis with labels other than the values of the path that they set."""
    return {name: {path: value} for name, value in values.items()}


def experiment(
    file: str,
    title: str,
    sweep: Sweep | None = None,
    settings: Mapping[str, str] | None = None,
    *,
    quick: Mapping[str, str] | None = None,
    quick_sweep: Sweep | None = None,
    replications: Replications | None = None,
    quick_replications: Replications | None = None,
) -> Experiment:
    """An experiment of a page, with the name of its variable."""
    return Experiment(
        name="",
        file=file,
        sweep=sweep or {},
        settings={**(settings or {}), "title": title},
        quick=quick or {},
        quick_sweep=quick_sweep or {},
        replications=replications,
        quick_replications=quick_replications,
    )
