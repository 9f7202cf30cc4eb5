"""One value of the parameter that is sized, judged by its runs.

The requirements must be met at every point of the axes across which one value has to suffice; the
worst point counts. A metric of a group of flows is the mean of its flows, and a count their total,
as in every table.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from cellrelay.errors import ScenarioError
from cellrelay.experiment.points import measured_at
from cellrelay.metrics.metric import metric_of
from cellrelay.results import PointResult, Results
from cellrelay.scenario import Goal
from cellrelay.sizing.question import SizingQuestion
from cellrelay.statistics import Estimate, mean, most_failures


@dataclass(frozen=True)
class Trial:
    """One value of the parameter, and the metrics of its runs."""

    value: float
    """In the unit of the range."""
    label: str
    """The value with its unit."""
    found: Mapping[str, Estimate]
    """Metrics by the text of the requirement, at the worst point for each."""
    is_met: bool
    """True if all requirements are met at all points."""
    runs: int
    """Number of runs at each point, the largest if they differ."""
    failed: int
    """Number of runs at the worst point that break a requirement; a run that does not measure a
    metric counts too."""
    risk: float
    """Upper bound on the share of runs that break a requirement, at the worst point; `nan` if the
    runs are one sample, or nothing is left to chance."""
    failing: tuple[Mapping[str, str], ...] = ()
    """Points at which the requirements are known not to be met, by the values of the axes across
    which one value has to suffice; empty without such axes."""


def trial(
    value: float, label: str, results: Results, question: SizingQuestion, level: float
) -> Trial:
    """The trial of a value, from the results of its points, at a confidence level.

    Raises:
        ScenarioError: if a point did not measure a metric.
    """
    points = [_Judged.of(point, question, level) for point in results.points]
    for point in points:
        for one in question.requirements:
            if math.isnan(point.found[one.text].mean):
                raise ScenarioError(
                    f"`{one.goal}` was not measured at {label}"
                    "\n  hint: choose a range in which every run measures the metric"
                )
    worst = {
        one.text: max((point.found[one.text] for point in points), key=one.nearness)
        for one in question.requirements
    }
    risks = [point.risk for point in points if not math.isnan(point.risk)]
    fails = [point.values for point in points if point.fails]
    failing = tuple({axis: values[axis] for axis in question.across} for values in fails)
    return Trial(
        value,
        label,
        worst,
        all(point.is_met for point in points),
        max(point.runs for point in points),
        max(point.failed for point in points),
        max(risks, default=math.nan),
        failing if question.across else (),
    )


@dataclass(frozen=True)
class _Judged:
    """The runs of a value at one point."""

    values: Mapping[str, str]
    found: Mapping[str, Estimate]
    runs: int
    failed: int
    risk: float
    is_met: bool
    fails: bool
    """True if the requirements are not met, and further runs cannot change that."""

    @classmethod
    def of(cls, point: PointResult, question: SizingQuestion, level: float) -> _Judged:
        requirements = question.requirements
        found = {one.text: measured_at(point, one.goal, level) for one in requirements}
        by_run = [_by_run(point, one.goal) for one in requirements]
        kept = [
            all(one.is_kept_by(value) for one, value in zip(requirements, values, strict=True))
            for values in zip(*by_run, strict=True)
        ]
        failed, runs = kept.count(False), len(kept)
        is_one_sample = runs < 2 or point.is_repetition
        risk = math.nan if is_one_sample else most_failures(failed, runs, level)
        if question.risk is None:
            is_met = all(one.is_met(found[one.text]) for one in requirements)
            return cls(point.values, found, runs, failed, risk, is_met, not is_met)
        if is_one_sample:
            return cls(point.values, found, runs, failed, risk, failed == 0, failed > 0)
        most = max(runs, question.runs(level) or runs)
        fails = most_failures(failed, most, level) > question.risk
        return cls(point.values, found, runs, failed, risk, risk <= question.risk, fails)


def _by_run(point: PointResult, goal: Goal) -> list[float]:
    """The metric in each run; for a group, the mean over its members that measured it, or the total
    of a count."""
    columns = [
        point.by_replication(goal.metric, scope) for scope in point.measured.covered(goal)
    ] or [[math.nan] * len(point.runs)]
    metric = metric_of(goal.scope, goal.metric)
    joint = math.fsum if metric is not None and metric.adds_up else mean
    found = [
        [value for value in values if not math.isnan(value)]
        for values in zip(*columns, strict=True)
    ]
    return [joint(values) if values else math.nan for values in found]
