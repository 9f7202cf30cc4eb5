"""An estimate of the time that a study takes, before it starts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from cellrelay.errors import ScenarioError, SimulationError
from cellrelay.scenario import Replications, Scenario, parse
from cellrelay.simulation.run import Task
from cellrelay.store import Store

CALIBRATION = (0.02, 0.25)
"""Durations of trial runs, as shares of the simulated time, in the order of trials: a larger share
is tried if the scenario does not allow so short a run."""

CALIBRATED = 5
"""Number of points of an experiment that are tried; several, because runs that mostly wait for
timers take little time."""


@dataclass(frozen=True)
class Forecast:
    """The remaining work, with one worker."""

    missing: int
    found: int
    seconds: float

    def __add__(self, other: Forecast) -> Forecast:
        return Forecast(
            self.missing + other.missing, self.found + other.found, self.seconds + other.seconds
        )


def forecast(
    scenario: Scenario, rule: Replications, store: Store, like: Scenario | None = None
) -> Forecast:
    """The runs that the store lacks, each with the time that similar runs took before.

    The time of a point without runs is estimated from a few points spread over the sweep, or over
    the sweep of a similar scenario `like`: from their stored runs, or else from short trial runs.
    """
    total = Forecast(0, 0, 0.0)
    unknown: list[int] = []
    for index in range(len(scenario.points)):
        point = scenario.point(index)
        tasks = [Task(point, point.seed, replication) for replication in range(rule.at_least)]
        missing = sum(not store.holds(task) for task in tasks)
        seconds = store.seconds(point.key) if missing else 0.0
        unknown += [index] * (missing if seconds is None else 0)
        total += Forecast(missing, len(tasks) - missing, missing * (seconds or 0.0))
    if unknown:
        tried = _spread(unknown)
        if like is not None:
            tried = _spread(range(len(like.points)))
        each = [_seconds((like or scenario).point(index), store) for index in tried]
        total += Forecast(0, 0, len(unknown) * sum(each) / len(each))
    return total


def _spread(points: Sequence[int]) -> Sequence[int]:
    step = -(-len(points) // CALIBRATED)
    return points[step // 2 :: step]


def _seconds(point: Scenario, store: Store) -> float:
    known = store.seconds(point.key)
    return _calibrate(point) if known is None else known


def _calibrate(point: Scenario) -> float:
    """Seconds that a run of this point takes, scaled up from a short run."""
    for share in CALIBRATION:
        settings = {"duration": f"{point.duration * share:.12f} s", "warm_up": "0 s"}
        try:
            short = parse(point.resolved, point.name, settings)
            started = time.perf_counter()
            short.run(point.seed, 0)
        except (ScenarioError, SimulationError):
            continue
        return (time.perf_counter() - started) / share
    return 0.0
