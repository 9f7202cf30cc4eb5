"""The runs of a calibration: of the points of a scenario, or of experiments of a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from cellrelay.calibration.target import PrintedTarget
from cellrelay.errors import ScenarioError
from cellrelay.experiment.points import measured, narrowed
from cellrelay.metrics.metric import metric_of
from cellrelay.results import Results
from cellrelay.scenario import Goal, Replications, Scenario, load
from cellrelay.scenario.factors import Factor
from cellrelay.statistics import Estimate
from cellrelay.studies import Alternative, Experiment, Number, Study
from cellrelay.text.suggest import meant_or

AXIS = "trial"
"""Name of the sweep axis whose points are the proposed settings of a scenario."""

Settings = Mapping[str, Any]
"""Values of parameters, by path."""
Found = dict[str, dict[str, Estimate]]
"""The measured value of each target, by the name of the settings, then by that of the target."""


class RunScenario(Protocol):
    """Makes the runs of a scenario, by a rule for replications or else by that of the scenario."""

    def __call__(self, scenario: Scenario, rule: Replications | None = None, /) -> Results:
        """The results of all points."""


class Subject(Protocol):
    """A scenario or a study, which runs settings and measures targets."""

    @property
    def title(self) -> str:
        """Title in reports."""

    @property
    def name(self) -> str:
        """The file of the scenario, or the name of the study."""

    def check(self, targets: Sequence[PrintedTarget], factors: Sequence[Factor]) -> None:
        """Refuse targets and factors that do not exist, by a `ScenarioError`."""

    def measured(
        self, targets: Sequence[PrintedTarget], rows: Mapping[str, Settings], run: RunScenario
    ) -> Found:
        """The value of every target for every row of settings; `nan` if it was not measured."""

    def unit(self, target: PrintedTarget) -> str:
        """SI unit of a target."""


@dataclass(frozen=True)
class ScenarioFile:
    """A scenario, of which only the points with targets are run."""

    path: Path
    settings: Settings
    """Values that replace those of the scenario in every run."""

    @property
    def title(self) -> str:
        """The title of the scenario."""
        return self._load({}).title

    @property
    def name(self) -> str:
        """The file."""
        return str(self.path)

    def _load(self, more: Settings) -> Scenario:
        return load(self.path, [*self.settings.items(), *more.items()])

    def check(self, targets: Sequence[PrintedTarget], factors: Sequence[Factor]) -> None:
        """Refuse targets that match no point or several points, and metrics that do not exist."""
        scenario = self._load({})
        for target in targets:
            if target.number or target.experiment:
                key = "number" if target.number else "experiment"
                raise ScenarioError(
                    f"targets.{target.name}.{key}: a scenario has none"
                    "\n  hint: name a `study` instead of the scenario"
                )
            _check_point(scenario, target)

    def measured(
        self, targets: Sequence[PrintedTarget], rows: Mapping[str, Settings], run: RunScenario
    ) -> Found:
        """The value of every target for every row; the rows are points of one sweep."""
        scenario = self._load({f"sweep.{AXIS}": dict(rows)})
        by_place: dict[tuple[tuple[str, str], ...], list[PrintedTarget]] = {}
        for target in targets:
            by_place.setdefault(tuple(sorted(target.where.items())), []).append(target)
        found: Found = {row: {} for row in rows}
        for where, there in by_place.items():
            results = run(narrowed(scenario, dict(where)))
            for row in rows:
                for target in there:
                    found[row][target.name] = measured(results.select(**{AXIS: row}), _goal(target))
        return found

    def unit(self, target: PrintedTarget) -> str:
        """The unit of the metric."""
        return _unit(_goal(target))


@dataclass(frozen=True)
class StudyRuns:
    """Experiments of a study; settings replace values of the experiments, as alternatives do."""

    study: Study
    is_quick: bool
    settings: Settings
    """Values that replace those of the scenario files in every run."""
    files: Sequence[str] = ()
    """Scenario files that settings are laid over; empty for all."""

    @property
    def title(self) -> str:
        """The title of the study."""
        return self.study.title

    @property
    def name(self) -> str:
        """The name of the study."""
        return self.study.name

    def check(self, targets: Sequence[PrintedTarget], factors: Sequence[Factor]) -> None:
        """Refuse targets that the study does not measure, and factors that change no target."""
        for target in targets:
            place = f"targets.{target.name}"
            if target.number:
                _choose(target.number, {one.id: one for one in self.study.numbers}, place)
                continue
            experiments = {one.name: one for one in self.study.experiments}
            experiment = _choose(target.experiment, experiments, place)
            _check_point(self._scenario(experiment, {}), target)
        for factor in factors:
            if not any(self._changes(experiment, factor) for experiment in self._needed(targets)):
                raise ScenarioError(
                    f"parameters.{factor.name}: every experiment that the targets need already"
                    " sets or varies this parameter"
                    "\n  hint: name a path that they neither set nor vary"
                )

    def _needed(self, targets: Sequence[PrintedTarget]) -> list[Experiment]:
        names = {one.experiment for one in targets}
        for target in targets:
            if target.number:
                names |= set(self._number(target).experiments)
        return [one for one in self.study.experiments if one.name in names]

    def _changes(self, experiment: Experiment, factor: Factor) -> bool:
        one = Alternative(factor.name, factor.settings(0.5), self.files)
        return one.laid_over(experiment, self.study.folder, self.is_quick) is not None

    def measured(
        self, targets: Sequence[PrintedTarget], rows: Mapping[str, Settings], run: RunScenario
    ) -> Found:
        """The value of every target for every row; a number of the study needs a whole experiment,
        a metric a single point."""
        return {row: self._of_row(targets, settings, run) for row, settings in rows.items()}

    def _of_row(
        self, targets: Sequence[PrintedTarget], settings: Settings, run: RunScenario
    ) -> dict[str, Estimate]:
        whole: dict[str, Results] = {}
        for experiment in self._needed([one for one in targets if one.number]):
            scenario = self._scenario(experiment, settings)
            whole[experiment.name] = run(scenario, experiment.rule(self.is_quick))
        found = {}
        for target in targets:
            if target.number:
                found[target.name] = self._number(target).measured(whole)
            else:
                found[target.name] = measured(self._at_point(target, settings, run), _goal(target))
        return found

    def _at_point(self, target: PrintedTarget, settings: Settings, run: RunScenario) -> Results:
        experiment = self.study.experiment(target.experiment)
        scenario = narrowed(self._scenario(experiment, settings), target.where)
        return run(scenario, experiment.rule(self.is_quick))

    def _scenario(self, experiment: Experiment, settings: Settings) -> Scenario:
        laid = Alternative(AXIS, {**self.settings, **settings}, self.files)
        changed = laid.laid_over(experiment, self.study.folder, self.is_quick)
        return (changed or experiment).scenario(self.study.folder, self.is_quick)

    def _number(self, target: PrintedTarget) -> Number:
        return next(one for one in self.study.numbers if one.id == target.number)

    def unit(self, target: PrintedTarget) -> str:
        """The unit of the number or of the metric."""
        return self._number(target).unit if target.number else _unit(_goal(target))


def _choose(name: str, known: Mapping[str, Any], place: str) -> Any:
    if name in known:
        return known[name]
    hint = meant_or(name, known, f"the study has {', '.join(known) or 'none'}")
    raise ScenarioError(f"{place}: the study has no `{name}`\n  hint: {hint}")


def _check_point(scenario: Scenario, target: PrintedTarget) -> None:
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


def _goal(target: PrintedTarget) -> Goal:
    assert target.goal is not None, "a target without a metric is a number of a study"
    return target.goal


def _unit(goal: Goal) -> str:
    metric = metric_of(*goal)
    assert metric is not None, "a question is checked before it is run"
    return metric.unit
