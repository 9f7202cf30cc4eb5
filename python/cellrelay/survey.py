"""What a store holds of a sweep, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cellrelay.scenario import Replications, Scenario
from cellrelay.simulate import Task
from cellrelay.store import Store


class PointSurvey(NamedTuple):
    """How far a point is."""

    point: Mapping[str, str]
    """Value of each axis."""
    done: int
    missing: int
    """Runs to be made; at least so many, if a rule decides when it is enough."""
    failed: int
    """1 if the point ended with a failure, else 0."""
    seconds: float | None
    """That the missing runs take one processor; None if nothing is known."""


def survey(scenario: Scenario, rule: Replications, store: Store) -> list[PointSurvey]:
    """Every point of a sweep.

    A run is expected to take as long as those of its point did, or as all points on average.
    """
    points = map(scenario.point, range(len(scenario.points)))
    known = [store.known(Task(point, point.seed, 0), rule.at_most) for point in points]
    measured = [one.seconds for one in known if one.seconds is not None]
    average = sum(measured) / len(measured) if measured else None
    surveyed = []
    for values, one in zip(scenario.points, known, strict=True):
        missing = 0 if one.failures else max(0, rule.at_least - one.runs)
        each = one.seconds if one.seconds is not None else average
        seconds = None if each is None else missing * each
        surveyed.append(PointSurvey(values, one.runs, missing, min(1, one.failures), seconds))
    return surveyed


def total(points: list[PointSurvey]) -> PointSurvey:
    """All points in one."""
    seconds = [point.seconds for point in points if point.seconds is not None]
    return PointSurvey(
        {},
        sum(point.done for point in points),
        sum(point.missing for point in points),
        sum(point.failed for point in points),
        sum(seconds) if seconds else None,
    )
