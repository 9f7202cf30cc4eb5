"""Points of a sweep: selected by the values of its axes, and read by goals."""

from __future__ import annotations

import math
from collections.abc import Mapping

from cellrelay.results import PointResult, Results
from cellrelay.results.select import Value, chosen, spellings
from cellrelay.scenario import Goal, Scenario
from cellrelay.statistics import Estimate


def narrowed(scenario: Scenario, where: Mapping[str, Value]) -> Scenario:
    """The scenario with only the points at which the axes have these values.

    The selected points keep their runs, so a store finds them.

    Raises:
        LookupError: if there is no such axis, value or point.
    """
    axes, points = scenario.axes, scenario.points
    if where:
        chosen(axes, points, where)
    for axis, kept in spellings(axes, points, where).items():
        scenario = scenario.narrowed(axis, kept)
    return scenario


def measured(results: Results, goal: Goal) -> Estimate:
    """The metric of a goal at the only point of the results; its mean is `nan` if no run measured
    it.
    """
    (point,) = results.points
    return measured_at(point, goal, results.level)


def measured_at(point: PointResult, goal: Goal, level: float) -> Estimate:
    """The metric of a goal at a point, with its interval at a confidence level; its mean is `nan`
    if no run measured it.
    """
    scopes = point.measured.covered(goal)
    if not scopes:
        return Estimate(math.nan, math.nan, 0)
    return point.estimate(goal.metric, *scopes, level=level)
