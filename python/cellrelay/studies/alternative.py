"""Alternatives: other answers to questions that a paper leaves open, as settings for the
experiments of its study.

An alternative does not change paths that an experiment varies in its sweep or sets by its own
settings.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cellrelay.studies.experiment import Experiment

AS_CHOSEN = "as chosen"
"""Name of the study's own choices, beside the names of its alternatives."""

_WITHOUT = "without"
"""The key of a sweep that leaves combinations out, and is no axis."""
_STEP = re.compile(r'"(?:[^"\\]|\\.)*"|[^."\[\]]+|\[\d+\]')

Steps = tuple[str, ...]


@dataclass(frozen=True)
class Alternative:
    """Settings of the experiments that are as plausible as the chosen ones."""

    name: str
    settings: Mapping[str, Any]
    """Values by path, as `--set` takes them."""
    files: Sequence[str] = ()
    """Scenario files to which the alternative applies; empty for all files."""

    def laid_over(self, experiment: Experiment, folder: Path, is_quick: bool) -> Experiment | None:
        """The experiment with these settings; `None` if they do not change it."""
        if self.files and experiment.file not in self.files:
            return None
        taken = list(_decided(experiment, folder, is_quick))
        settings = {
            path: value
            for path, value in self.settings.items()
            if not any(_overlap(_steps(path), steps) for steps in taken)
        }
        if not settings:
            return None
        return replace(experiment, settings={**settings, **experiment.settings})


def alternative(name: str, settings: Mapping[str, Any], files: Sequence[str] = ()) -> Alternative:
    """An alternative of a page; the map of verdicts has a column for it.

    `settings` are values by path, as `--set` takes them. They replace those of the scenario file in
    every experiment, or in those of the listed scenario `files`, except where the experiment sets
    or varies the path itself.
    """
    return Alternative(name, settings, tuple(files))


def _decided(experiment: Experiment, folder: Path, is_quick: bool) -> Iterator[Steps]:
    """The paths that an experiment sets or varies itself."""
    settings = {**experiment.settings, **(experiment.quick if is_quick else {})}
    for path in settings:
        yield _steps(path)
    sweep = experiment.axes(is_quick) or _sweep_of(folder / experiment.file)
    for name, values in sweep.items():
        if name == _WITHOUT:
            continue
        if isinstance(values, Mapping):
            for point in values.values():
                yield from map(_steps, point)
        else:
            yield _steps(name)


def _sweep_of(file: Path) -> Mapping[str, Any]:
    sweep: Mapping[str, Any] = tomllib.loads(file.read_text(encoding="utf-8")).get("sweep", {})
    return sweep


def _steps(path: str) -> Steps:
    """The keys and indexes of a path, without the quotes that some keys need.

    >>> _steps('flow."a.b".cell')
    ('flow', 'a.b', 'cell')
    """
    steps = _STEP.findall(path)
    return tuple(json.loads(step) if step.startswith('"') else step.strip() for step in steps)


def _overlap(one: Steps, other: Steps) -> bool:
    """True if the paths are equal, or one is the beginning of the other."""
    shared = min(len(one), len(other))
    return one[:shared] == other[:shared]
