"""Intervals of events that come in bursts: quantiles of chi-square, and the rule of bursts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cellrelay.statistics import Bursts, chi_square, interval_of_count


@pytest.mark.parametrize(
    ("sizes", "low", "high"),
    [
        ([1], 0.025, 5.572),
        ([1, 1, 1, 1], 1.090, 10.242),
        ([4], 0.004, 37.39),
        ([1, 3], 0.101, 22.29),
        ([1, 2, 1, 5, 1], 1.662, 32.03),
        ([3] * 10, 9.741, 70.01),
        ([1] * 9 + [21], 3.633, 108.4),
        ([2] * 20, 19.18, 73.56),
    ],
)
def test_intervals_of_bursts_are_those_computed_apart(
    sizes: list[float], low: float, high: float
) -> None:
    found = interval_of_count(Bursts.of(sizes), 0.95)
    assert [float(f"{end:.3g}") for end in found] == pytest.approx([low, high], rel=0.006, abs=6e-4)


def test_chi_square_has_its_closed_forms() -> None:
    """With two degrees of freedom it is exponential, with one the square of a normal variable."""
    for probability in (1e-6, 0.025, 0.5, 0.975, 1 - 1e-9):
        assert chi_square(probability, 2) == pytest.approx(-2 * math.log1p(-probability), rel=1e-8)
        root = math.sqrt(chi_square(probability, 1) / 2)
        assert math.erf(root) == pytest.approx(probability, rel=1e-10)


def test_chi_square_is_that_of_the_tables() -> None:
    """Abramowitz and Stegun, table 26.8."""
    for probability, freedom, value in [
        (0.975, 1, 5.02389),
        (0.025, 10, 3.24697),
        (0.95, 30, 43.7729),
        (0.005, 100, 67.3276),
        (0.995, 100, 140.169),
    ]:
        assert chi_square(probability, freedom) == pytest.approx(value, rel=5e-6)


def test_chi_square_is_that_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for probability in (0.0005, 0.025, 0.3, 0.975, 0.9999):
        for freedom in (0.02, 0.4, 1.0, 2.4, 7.0, 33.3, 200.0, 5000.0):
            expected = float(stats.chi2.ppf(probability, freedom))
            assert chi_square(probability, freedom) == pytest.approx(expected, rel=1e-8, abs=1e-290)


@pytest.mark.parametrize(("mean", "events"), [(1.0, 4), (3.0, 10), (10.0, 30)])
def test_intervals_of_events_seen_a_few_times_cover(mean: float, events: float) -> None:
    """Geometric bursts; nominal 95 % intervals of Student's t cover 83 to 92 %."""
    random = np.random.default_rng(1)
    covered = seen = 0
    for _ in range(600):
        sizes = random.geometric(1 / mean, random.poisson(events / mean))
        if len(sizes):
            low, high = interval_of_count(Bursts.of(list(map(float, sizes))), 0.95)
            seen += 1
            covered += low <= events <= high
    assert covered / seen > 0.9


def _lossy_queue(load: float, room: int, steps: int, runs: int) -> list[Bursts]:
    """The drops of queues of M/M/1/K in so many runs, from their stationary state, by the rule of
    `Bursts` in crates/models/src/metrics/bursts.rs: a burst ends when as much has left the queue as
    waited at its last drop."""
    random = np.random.default_rng(2)
    weights = load ** np.arange(room + 1)
    queue = random.choice(room + 1, runs, p=weights / weights.sum())
    left, end = np.zeros(runs, int), np.zeros(runs, int)
    sizes = np.zeros(runs)
    events, number, squares = np.zeros(runs), np.zeros(runs), np.zeros(runs)
    for arrives in random.random((steps, runs)) < load / (1 + load):
        is_dropped = arrives & (queue == room)
        begins = is_dropped & ((left >= end) | (number == 0))
        squares += np.where(begins, sizes**2, 0)
        sizes = np.where(begins, 0, sizes) + is_dropped
        events += is_dropped
        number += begins
        end = np.where(is_dropped, left + queue, end)
        leaves = ~arrives & (queue > 0)
        queue = queue + (arrives & ~is_dropped) - leaves
        left += leaves
    squares += sizes**2
    return [Bursts(*map(float, row)) for row in zip(events, number, squares, strict=True)]


@pytest.mark.parametrize(
    ("load", "room", "steps"), [(0.7, 10, 1500), (0.9, 20, 3000), (1.0, 20, 1500), (1.1, 30, 2000)]
)
def test_bursts_of_a_queue_that_is_seldom_empty_cover(load: float, room: int, steps: int) -> None:
    """Five runs an experiment; at a load of 1.1 the queue is empty a few times at most."""
    experiments, replications = 300, 5
    runs = _lossy_queue(load, room, steps, experiments * replications)
    blocked = load**room / math.fsum(load**found for found in range(room + 1))
    offered = steps * load / (1 + load) * replications
    covered = seen = 0
    for first in range(0, len(runs), replications):
        bursts = Bursts.together(runs[first : first + replications])
        if bursts.number:
            low, high = interval_of_count(bursts, 0.95)
            seen += 1
            covered += low <= blocked * offered <= high
    assert seen > 200
    assert covered / seen > 0.92
