"""Selection of points of a sweep, by the values of its axes."""

from __future__ import annotations

from collections.abc import Mapping

from cellrelay.results.select import Value, chosen, spellings
from cellrelay.scenario import Scenario


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
