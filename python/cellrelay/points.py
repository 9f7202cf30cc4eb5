"""Some of the points of a sweep, by the values of its axes."""

from __future__ import annotations

from collections.abc import Mapping

from cellrelay.quantity import same
from cellrelay.results.select import Value, chosen, resolve_axis, values_of, written
from cellrelay.scenario import Scenario


def narrowed(scenario: Scenario, where: Mapping[str, Value]) -> Scenario:
    """The scenario with only the points at which the axes have these values.

    What is left are the same runs: a store knows them, however a sweep is narrowed.

    Raises:
        LookupError: if there is no such axis, value or point.
    """
    if where:
        chosen(scenario.axes, scenario.points, where)
    for name, value in where.items():
        axis = resolve_axis(scenario.axes, name)
        values = values_of(scenario.points, axis)
        kept = [known for known in values if same(known, written(value))]
        scenario = scenario.narrowed(axis, kept)
    return scenario
