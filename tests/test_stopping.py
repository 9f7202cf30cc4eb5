"""Stopping at a half-width: how often the interval at which a rule stops covers the true mean."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

import cellrelay
from cellrelay.experiment.plan import SweepPlan
from cellrelay.metrics.scope import NETWORK
from cellrelay.scenario import Replications, Until
from cellrelay.simulation.labels import Label
from cellrelay.simulation.run import Run
from cellrelay.statistics import estimate

from .queues import mean_wait, waits
from .test_batches import QUEUE

WAIT = (Label(NETWORK, "mean_wait", "s"),)
MOST = 150
"""Samples within which every experiment here stops."""


def stopped(samples: Iterator[float], rule: Replications) -> list[float]:
    """The samples that the rule asks for."""
    plan, taken = SweepPlan(1, rule), list[float]()
    while not plan.is_settled:
        plan.next(speculate=True)
        taken.append(next(samples))
        plan.record(0, len(taken) - 1, Run(WAIT, array("d", taken[-1:]), digest=""))
    assert plan.points[0].is_precise
    return taken


def holds(samples: list[float], truth: float) -> bool:
    known = estimate(samples)
    return known.low <= truth <= known.high


def at_first_sight(samples: list[float], half_width: float, at_least: int) -> list[float]:
    """The samples up to the first look at which the interval is narrow enough."""
    for n in range(at_least, len(samples)):
        known = estimate(samples[:n])
        if known.half_width <= half_width * known.mean:
            return samples[:n]
    return samples


@pytest.mark.parametrize(
    ("variation", "half_width", "at_least"), [(0.1, 0.05, 2), (0.12, 0.05, 5), (0.05, 0.02, 5)]
)
def test_an_interval_at_which_a_point_stops_covers_the_mean(
    variation: float, half_width: float, at_least: int
) -> None:
    """Means of waits in M/D/1 are near a gamma distribution: these vary as they do in the runs."""
    experiments, shape = 1000, variation**-2
    drawn = np.random.default_rng(20).gamma(shape, 1 / shape, (experiments, MOST)).tolist()
    rule = Replications(at_least, MOST, Until("mean_wait", half_width, 0.95))
    samples = [stopped(iter(values), rule) for values in drawn]
    held = sum(holds(values, 1.0) for values in samples) / experiments
    early = [at_first_sight(values, half_width, at_least) for values in samples]
    assert held >= 0.93
    assert sum(holds(values, 1.0) for values in early) / experiments < held


ORDERS = 5
"""Orders in which the runs of a queue are taken."""


def covered(
    means: Sequence[float], truth: float, rule: Replications, orders: int
) -> tuple[float, int]:
    """The share of experiments whose interval covers the truth, and their number in each order.

    Every order takes each run once at most.
    """
    drawn, outcomes = np.random.default_rng(21), list[bool]()
    for _ in range(orders):
        runs, left = iter(drawn.permutation(means).tolist()), len(means)
        while left > MOST:
            samples = stopped(runs, rule)
            left -= len(samples)
            outcomes.append(holds(samples, truth))
    return sum(outcomes) / len(outcomes), len(outcomes) // orders


def by_chance(number: int) -> float:
    """Two standard deviations of the share of independent experiments: orders share their runs."""
    return 2 * math.sqrt(0.93 * 0.07 / number)


@pytest.fixture(scope="module")
def busy() -> list[float]:
    """Mean delays of 60,000 runs of an M/D/1 queue at load 0.9, each of 7200 customers.

    That is eight seconds at a service of a millisecond; 1800 customers before are left out.
    """
    means = list[float]()
    for seed in range(30):
        waiting = waits(seed, 2000, 9000, 0.9, is_exponential=False)
        means += (1.0 + waiting[1800:].mean(axis=0)).tolist()
    return means


@pytest.mark.slow
@pytest.mark.parametrize(("at_least", "half_width"), [(2, 0.05), (5, 0.05), (2, 0.1)])
def test_coverage_at_high_load_in_thousands_of_experiments(
    busy: list[float], at_least: int, half_width: float
) -> None:
    rule = Replications(at_least, MOST, Until("mean_wait", half_width, 0.95))
    share, number = covered(busy, 1.0 + mean_wait(0.9, False), rule, ORDERS)
    print(f"{half_width:.0%}, {at_least} at least: {share:.2%} of {number}, in {ORDERS} orders")
    assert number > 1000
    assert share >= 0.93 - by_chance(number)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("load", "seconds", "half_width", "at_least"),
    [(0.5, 1, 0.05, 2), (0.5, 5, 0.02, 5), (0.9, 8, 0.05, 5), (0.9, 20, 0.05, 2)],
)
def test_coverage_in_simulated_queues(
    load: float, seconds: int, half_width: float, at_least: int
) -> None:
    settings = {
        "duration": f"{seconds + 2} s",
        "warm_up": "2 s",
        "flow.probe.source.telnet.gap.exponential.mean": f"{1 / load} ms",
    }
    text = QUEUE.read_text(encoding="utf-8").replace("batches = 20\n", "")
    scenario = cellrelay.parse(text, QUEUE.name, settings)
    results = cellrelay.run(scenario, replications=Replications.exactly(10_000))
    means = results.point().by_replication("mean_delay", "flow probe")
    # A service of a millisecond, and the wait of Pollaczek and Khinchine.
    truth = 1e-3 * (1 + mean_wait(load, False))
    rule = Replications(at_least, MOST, Until("mean_wait", half_width, 0.95))
    share, number = covered(means, truth, rule, ORDERS)
    print(f"load {load}, {half_width:.0%}, {at_least} at least: {share:.1%} of {number}")
    assert share >= 0.93 - by_chance(number)
