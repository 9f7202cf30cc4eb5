"""The search for the smallest value of a parameter that meets requirements.

Bisection needs few runs, and finds the threshold if each value beyond it meets the requirements
too. Some values beyond it are therefore tried at the end: its neighbour, where a threshold that
depends on packet boundaries shows, and others far from it. Replication k draws on the same random
streams at every value, so that values are compared under the same circumstances.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from cellrelay.results import Results
from cellrelay.scenario import Replications, Scenario
from cellrelay.sizing.question import SizingQuestion
from cellrelay.sizing.trial import Trial, trial
from cellrelay.statistics import most_failures

Load = Callable[[Mapping[str, Any]], Scenario]
"""Reads a scenario with settings in place of those of its file."""


class MakeRuns(Protocol):
    """Makes the runs of a scenario, by a rule for replications or else by that of the scenario."""

    def __call__(self, scenario: Scenario, rule: Replications | None = None, /) -> Results:
        """The results of all points."""


@dataclass(frozen=True)
class Sized:
    """The answer for one point of the scenario's sweep."""

    point: Mapping[str, str]
    """Values of the axes, without those across which one value has to suffice."""
    answer: Trial | None
    """The trial of the value found; `None` if no value in the range meets the requirements."""
    trials: tuple[Trial, ...]
    """All trials, in the order of their values."""
    is_largest: bool
    """True if the largest value was wanted."""
    level: float
    """Confidence level of intervals and bounds."""

    @property
    def exceptions(self) -> list[Trial]:
        """Trials beyond the value found that fail, and so contradict a single threshold."""
        if self.answer is None:
            return []
        return [one for one in self._beyond(self.answer) if not one.is_met]

    @property
    def limits(self) -> tuple[Mapping[str, str], ...]:
        """Points at which the nearest value that does not suffice fails, by the values of the axes
        across which one value has to suffice; empty if every value suffices, or there is no such
        axis."""
        beyond = self._beyond(self.answer) if self.answer else []
        fails = [one for one in self.trials if not one.is_met and one not in beyond]
        nearest = fails[0 if self.is_largest else -1] if fails else None
        return nearest.failing if nearest else ()

    def _beyond(self, answer: Trial) -> list[Trial]:
        sign = -1 if self.is_largest else 1
        return [one for one in self.trials if sign * (one.value - answer.value) > 0]


def search(question: SizingQuestion, load: Load, run: MakeRuns) -> list[Sized]:
    """Find the value for each point of the scenario's sweep.

    If the sweep varies the parameter as well, this axis is left out.

    Raises:
        ScenarioError: if a metric or an axis does not exist, either end of the range is refused, or
            there are too few replications; this is checked before anything runs.
    """
    is_axis = question.range.name in load({}).axes

    def at(value: float) -> Scenario:
        settings = question.range.at(value)
        if not is_axis:
            return load(settings)
        return load({f'sweep."{path}"': [to] for path, to in settings.items()})

    scenarios = [at(end) for end in (question.range.low, question.range.high)]
    for scenario in scenarios:
        question.checked(scenario)
    level = question.level(scenarios[0])
    together = {question.range.name, *question.across}
    points = [
        {axis: label for axis, label in point.items() if axis not in together}
        for point in scenarios[0].points
    ]
    different = [point for place, point in enumerate(points) if point not in points[:place]]
    runs = question.runs(level)
    return [_Search(question, at, run, point, level, runs).run() for point in different]


@dataclass
class _Search:
    """The search at one point of the sweep; `at` reads the scenario with a value."""

    _question: SizingQuestion
    _at: Callable[[float], Scenario]
    _run: MakeRuns
    _point: Mapping[str, str]
    _level: float
    _runs: int | None

    def __post_init__(self) -> None:
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
            self._level,
        )

    def _is_met(self, value: float) -> bool:
        if value not in self._trials:
            self._trials[value] = self._try(value)
        return self._trials[value].is_met

    def _try(self, value: float) -> Trial:
        scenario = self._at(value)
        for axis, label in self._point.items():
            scenario = scenario.narrowed(axis, [label])
        for rule in self._rules():
            results = self._run(scenario, rule)
            found = trial(value, self._label(value), results, self._question, self._level)
            if self._is_decided(found):
                break
        return found

    def _rules(self) -> Iterator[Replications | None]:
        """Numbers of runs, ever more: a value that fails is known to fail after few runs."""
        if self._runs is None:
            yield None
            return
        if self._question.risk is not None:
            few = 2
            while few < self._runs:
                yield Replications.exactly(few)
                few *= 4
        yield Replications.exactly(self._runs)

    def _is_decided(self, found: Trial) -> bool:
        """True if further runs cannot change the verdict on a value."""
        risk, runs = self._question.risk, self._runs
        if risk is None or runs is None or (found.runs > 1 and math.isnan(found.risk)):
            return True
        return most_failures(min(found.failed, runs), runs, self._level) > risk

    def _label(self, value: float) -> str:
        return str(self._question.range.at(value)[self._question.range.name])

    def _between(self, bad: float, good: float) -> float | None:
        """A value between two others; `None` if they are as close as the resolution asks."""
        sized, (low, high) = self._question.range, sorted((bad, good))
        middle = math.sqrt(low * high) if sized.is_logarithmic else (low + high) / 2
        if sized.is_whole:
            return min(max(float(round(middle)), low + 1), high - 1) if high - low > 1 else None
        return None if high - low <= self._step(max(abs(low), abs(high))) else middle

    def _step(self, near: float) -> float:
        """The distance at which two values near this one count as one."""
        sized = self._question.range
        # Halving never comes relatively close to zero.
        return self._question.resolution * max(near, (sized.high - sized.low) / 1000)

    def _confirm(self, found: float) -> None:
        """Try the neighbour of the value found, and values far from it, up to the end that meets
        the requirements."""
        sized, count = self._question.range, self._question.confirmations
        _, end = self._question.ends
        if count == 0 or found == end:
            return
        step = 1.0 if sized.is_whole else self._step(abs(found))
        neighbour = found + math.copysign(min(step, abs(end - found)), end - found)
        far = [found + (end - found) * place / count for place in range(1, count)]
        for value in (neighbour, *far):
            self._is_met(float(round(value)) if sized.is_whole else value)
