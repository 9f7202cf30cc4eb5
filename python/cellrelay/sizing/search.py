"""The search for the smallest value of a parameter that meets requirements.

Bisection needs few runs, and finds the threshold if each value beyond it meets the requirements
too. Some values beyond it are therefore tried at the end. A metric of a group of flows is the mean
of its flows, as in every table. Replication k draws on the same random
streams at every value, so that values are compared under the same circumstances.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cellrelay.errors import ScenarioError
from cellrelay.experiment.points import measured
from cellrelay.results import Results
from cellrelay.scenario import Scenario
from cellrelay.scenario.factors import FactorRange
from cellrelay.sizing.requirement import Requirement
from cellrelay.statistics import Estimate

Load = Callable[[Mapping[str, Any]], Scenario]
"""Reads a scenario with settings in place of those of its file."""
Run = Callable[[Scenario], Results]
"""Makes the runs of a scenario."""


@dataclass(frozen=True)
class SizingQuestion:
    """The parameter that is sized, and the requirements."""

    range: FactorRange
    requirements: Sequence[Requirement]
    is_largest: bool = False
    """True if the largest value is wanted, such as the length of a cable."""
    resolution: float = 0.01
    """Largest relative error of values that are not whole numbers, and of values near zero the
    error relative to a thousandth of the range."""
    confirmations: int = 2
    """Number of values tried beyond the value found."""

    @property
    def ends(self) -> tuple[float, float]:
        """The end of the range that should fail, and the end that should suffice."""
        low, high = self.range.low, self.range.high
        return (high, low) if self.is_largest else (low, high)


@dataclass(frozen=True)
class Trial:
    """One value of the parameter, and the metrics of its runs."""

    value: float
    """In the unit of the range."""
    label: str
    """The value with its unit."""
    found: Mapping[str, Estimate]
    """Metrics by the text of the requirement."""
    is_met: bool
    """True if all requirements are met."""
    runs: int


@dataclass(frozen=True)
class Sized:
    """The answer for one point of the scenario's sweep."""

    point: Mapping[str, str]
    """Values of the axes."""
    answer: Trial | None
    """The trial of the value found; `None` if no value in the range meets the requirements."""
    trials: tuple[Trial, ...]
    """All trials, in the order of their values."""
    is_largest: bool
    """True if the largest value was wanted."""

    @property
    def exceptions(self) -> list[Trial]:
        """Trials beyond the value found that fail, and so contradict a single threshold."""
        if self.answer is None:
            return []
        sign = -1 if self.is_largest else 1
        beyond = (one for one in self.trials if sign * (one.value - self.answer.value) > 0)
        return [trial for trial in beyond if not trial.is_met]


def size(question: SizingQuestion, load: Load, run: Run) -> list[Sized]:
    """Find the value for each point of the scenario's sweep.

    If the sweep varies the parameter as well, this axis is left out.

    Raises:
        ScenarioError: if a metric does not exist, or either end of the range is refused; this is
            checked before anything runs.
    """
    is_axis = question.range.name in load({}).axes

    def at(value: float) -> Scenario:
        settings = question.range.at(value)
        if not is_axis:
            return load(settings)
        return load({f'sweep."{path}"': [to] for path, to in settings.items()})

    scenarios = [at(end) for end in (question.range.low, question.range.high)]
    for scenario in scenarios:
        for requirement in question.requirements:
            scenario.require(str(requirement.goal))
    points = [
        {axis: label for axis, label in point.items() if axis != question.range.name}
        for point in scenarios[0].points
    ]
    return [_Search(question, at, run, point).run() for point in points]


class _Search:
    """The search at one point of the sweep; `at` reads the scenario with a value."""

    def __init__(
        self,
        question: SizingQuestion,
        at: Callable[[float], Scenario],
        run: Run,
        point: Mapping[str, str],
    ) -> None:
        self._question = question
        self._at = at
        self._run = run
        self._point = point
        self._trials: dict[float, Trial] = {}

    def run(self) -> Sized:
        """Try values until the threshold is known."""
        bad, good = self._question.ends
        if self._is_met(good):
            if self._is_met(bad):
                good = bad
            while (middle := self._between(bad, good)) is not None:
                if self._is_met(middle):
                    good = middle
                else:
                    bad = middle
            self._confirm(good)
        answer = self._trials[good]
        return Sized(
            self._point,
            answer if answer.is_met else None,
            tuple(self._trials[value] for value in sorted(self._trials)),
            self._question.is_largest,
        )

    def _is_met(self, value: float) -> bool:
        if value not in self._trials:
            self._trials[value] = self._try(value)
        return self._trials[value].is_met

    def _try(self, value: float) -> Trial:
        scenario = self._at(value)
        for axis, label in self._point.items():
            scenario = scenario.narrowed(axis, [label])
        results = self._run(scenario)
        requirements = self._question.requirements
        found = {one.text: measured(results, one.goal) for one in requirements}
        for requirement in requirements:
            if math.isnan(found[requirement.text].mean):
                raise ScenarioError(
                    f"`{requirement.goal}` was not measured at {self._label(value)}"
                    "\n  hint: choose a range in which every run measures the metric"
                )
        is_met = all(one.is_met(found[one.text]) for one in requirements)
        (point,) = results.points
        return Trial(value, self._label(value), found, is_met, len(point.runs))

    def _label(self, value: float) -> str:
        return str(self._question.range.at(value)[self._question.range.name])

    def _between(self, bad: float, good: float) -> float | None:
        """A value between two others; `None` if they are as close as the resolution asks."""
        sized, (low, high) = self._question.range, sorted((bad, good))
        middle = math.sqrt(low * high) if sized.is_logarithmic else (low + high) / 2
        if sized.is_whole:
            return min(max(float(round(middle)), low + 1), high - 1) if high - low > 1 else None
        # Halving never comes relatively close to zero.
        size = max(abs(low), abs(high), (sized.high - sized.low) / 1000)
        is_close = high - low <= self._question.resolution * size
        return None if is_close else middle

    def _confirm(self, found: float) -> None:
        """Try values between the one found and the end that meets the requirements."""
        sized, count = self._question.range, self._question.confirmations
        _, end = self._question.ends
        for step in range(1, count + 1):
            value = found + (end - found) * step / (count + 1)
            self._is_met(float(round(value)) if sized.is_whole else value)
