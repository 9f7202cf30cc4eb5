"""How long a study will take, said before it starts."""

from __future__ import annotations

import time
from dataclasses import dataclass

from cellrelay.errors import ScenarioError, SimulationError
from cellrelay.scenario import Replications, Scenario, parse
from cellrelay.simulate import Task
from cellrelay.store import Store

CALIBRATION = (0.02, 0.25)
"""Shares of the simulated time that a calibration runs for: if a run may not be so short, more."""

CALIBRATED = 5
"""Points of an experiment that are tried: runs that wait for timers take next to no time."""


@dataclass(frozen=True)
class Forecast:
    """Work that lies ahead, with one worker."""

    missing: int
    found: int
    seconds: float

    def __add__(self, other: Forecast) -> Forecast:
        return Forecast(
            self.missing + other.missing, self.found + other.found, self.seconds + other.seconds
        )


def forecast(scenario: Scenario, rule: Replications, store: Store) -> Forecast:
    """The runs that the store does not hold, each as long as its like took before.

    A point that was never run is estimated from short runs of a few that are spread over the sweep.
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
        step = -(-len(unknown) // CALIBRATED)
        tried = [_calibrate(scenario.point(index)) for index in unknown[step // 2 :: step]]
        total += Forecast(0, 0, len(unknown) * sum(tried) / len(tried))
    return total


def _calibrate(point: Scenario) -> float:
    """Seconds that a run of this point takes, scaled up from a short one."""
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
