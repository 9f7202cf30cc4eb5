"""Finished and missing runs of a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cellrelay.scenario import Replications, Scenario
from cellrelay.simulation.run import Task
from cellrelay.store import Store


class PointSurvey(NamedTuple):
    """Finished and missing runs of one point."""

    point: Mapping[str, str]
    """Value of each axis."""
    done: int
    missing: int
    """Number of runs to make; a lower bound if a stopping rule decides."""
    failed: int
    """1 if the point failed, else 0."""
    seconds: float | None
    """Expected time of the missing runs on one processor, in seconds; None if unknown."""


def survey(scenario: Scenario, rule: Replications, store: Store) -> list[PointSurvey]:
    """Survey every point of a sweep.

    The expected time of a run is the mean of its point, or the mean of all points.
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
    """Sum over all points."""
    seconds = [point.seconds for point in points if point.seconds is not None]
    return PointSurvey(
        {},
        sum(point.done for point in points),
        sum(point.missing for point in points),
        sum(point.failed for point in points),
        sum(seconds) if seconds else None,
    )
