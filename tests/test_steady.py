"""Warm-up, batches, precision and comparisons, on queues of which the mean is known."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np
import pytest

from cellrelay.statistics import (
    are_precise,
    differences,
    each_of,
    estimate,
    half_width,
    independence,
    warm_up,
)

from .queues import Samples, mean_wait, waits

Experiment = Callable[[int, bool], tuple[Samples, float]]
"""Samples of so many experiments, a column each, and the true mean."""


def share_held(samples: Samples, truth: float, level: float = 0.95) -> float:
    """The share of intervals, one for each column of samples, that hold the truth."""
    known = [estimate(column.tolist(), level) for column in samples.T]
    return sum(one.low <= truth <= one.high for one in known) / len(known)


def batch_means(waiting: Samples, batches: int) -> Samples:
    customers, queues = waiting.shape
    means: Samples = waiting.reshape(batches, customers // batches, queues).mean(axis=1)
    return means


def replicated(queues: int, is_exponential: bool) -> tuple[Samples, float]:
    """Means of ten runs of each of many experiments, without a warm-up of 500 customers."""
    waiting = waits(1, 10 * queues, 4000, 0.5, is_exponential=is_exponential)
    means = waiting[500:].mean(axis=0).reshape(10, queues)
    return means, mean_wait(0.5, is_exponential)


def batched(queues: int, is_exponential: bool) -> tuple[Samples, float]:
    """Means of twenty batches of 2000 customers, after 500, in one run of each experiment."""
    waiting = waits(2, queues, 500 + 20 * 2000, 0.5, is_exponential=is_exponential)
    return batch_means(waiting[500:], 20), mean_wait(0.5, is_exponential)


@pytest.mark.parametrize("experiment", [replicated, batched])
@pytest.mark.parametrize("is_exponential", [True, False], ids=["M/M/1", "M/D/1"])
def test_intervals_have_their_nominal_coverage(
    experiment: Experiment, is_exponential: bool
) -> None:
    samples, truth = experiment(200, is_exponential)
    # Three standard deviations of a binomial share of 200.
    assert share_held(samples, truth) == pytest.approx(0.95, abs=0.046)


@pytest.mark.slow
@pytest.mark.parametrize("experiment", [replicated, batched])
@pytest.mark.parametrize("is_exponential", [True, False], ids=["M/M/1", "M/D/1"])
def test_nominal_95_percent_are_93_to_97_over_a_thousand(
    experiment: Experiment, is_exponential: bool
) -> None:
    samples, truth = experiment(1000, is_exponential)
    assert 0.93 <= share_held(samples, truth) <= 0.97


def test_von_neumanns_ratio_detects_short_batches() -> None:
    """Their intervals hold too seldom, and von Neumann's ratio says why."""
    waiting = waits(3, 200, 20 * 20, 0.8, is_exponential=True, start=3.2)
    short = batch_means(waiting, 20)
    assert share_held(short, mean_wait(0.8, True)) < 0.75
    rejected = [independence(column.tolist()).probability < 0.01 for column in short.T]
    assert sum(rejected) > 0.3 * len(rejected)
    long = batched(200, True)[0]
    rejected = [independence(column.tolist()).probability < 0.01 for column in long.T]
    assert sum(rejected) <= 0.04 * len(rejected)


def test_samples_that_alternate_are_not_alike() -> None:
    assert independence([1.0, 2.0] * 10).score < -3
    assert independence([1.0, 2.0] * 10).lag1 == pytest.approx(-0.95)
    assert independence([5.0] * 10).probability == 0.5
    with pytest.raises(ValueError, match="8 are needed"):
        independence([1.0] * 7)


def test_the_probability_of_independence_is_uniform() -> None:
    draws = np.random.default_rng(5)
    chances = [independence(draws.normal(size=30).tolist()).probability for _ in range(2000)]
    for share in (0.05, 0.5, 0.95):
        assert np.mean(np.array(chances) < share) == pytest.approx(share, abs=0.033)


def test_the_warm_up_covers_a_queue_that_starts_full() -> None:
    """A hundred services are worked off at a fifth of a service per customer: 400 customers."""
    waiting = waits(4, 20, 4000, 0.8, is_exponential=False, start=100.0)
    found = warm_up(waiting.mean(axis=1).tolist())
    assert found.is_found
    assert 350 <= found.discarded <= 600
    assert found.mean == pytest.approx(mean_wait(0.8, False), rel=0.1)
    assert abs(float(waiting.mean()) - mean_wait(0.8, False)) > 2.0


def test_a_series_that_never_settles_has_no_warm_up() -> None:
    assert not warm_up([float(index) for index in range(400)]).is_found


def test_what_is_steady_from_the_start_keeps_nearly_all() -> None:
    draws = np.random.default_rng(6)
    shares = [warm_up(draws.normal(size=500).tolist()).discarded / 500 for _ in range(200)]
    assert np.median(shares) < 0.1
    assert warm_up([2.5] * 60).discarded == 0


def test_a_warm_up_needs_ten_groups() -> None:
    with pytest.raises(ValueError, match="50 are needed"):
        warm_up([1.0] * 49)


def test_where_a_warm_up_ends_depends_on_neither_origin_nor_unit() -> None:
    waiting = waits(4, 5, 2000, 0.8, is_exponential=False, start=50.0)
    for column in waiting.T:
        found = warm_up(column.tolist())
        moved = warm_up([1e6 + 1e-3 * wait for wait in column.tolist()])
        assert moved.discarded == found.discarded
        assert moved.mean == pytest.approx(1e6 + 1e-3 * found.mean)


def test_several_intervals_hold_together() -> None:
    """Five correlated metrics: each alone would miss the whole in more than a tenth of trials."""
    draws = np.random.default_rng(8)
    trials, held_each, held_all = 1000, 0, 0
    for _ in range(trials):
        common = draws.normal(size=6)
        metrics = [(common + draws.normal(size=6)).tolist() for _ in range(5)]
        for level in (0.95, each_of(5, 0.95)):
            known = [estimate(samples, level) for samples in metrics]
            holds = all(one.low <= 0.0 <= one.high for one in known)
            if level == 0.95:
                held_each += holds
            else:
                held_all += holds
    assert held_each < 0.9 * trials
    assert held_all >= 0.94 * trials


def test_several_metrics_are_precise_when_the_worst_is() -> None:
    good, bad = [9.9, 10.0, 10.1, 10.0], [9.0, 10.0, 11.0, 10.0]
    assert are_precise([good], 0.1)
    assert are_precise([good, good], 0.1)
    assert not are_precise([good, bad], 0.1)
    # Alone it would do at this width; beside another its interval must hold more often.
    width = half_width(good) / 10.0
    assert are_precise([good], width * 1.001)
    assert not are_precise([good, good], width * 1.001)


def test_policies_are_told_apart_by_what_they_do_not_share() -> None:
    stream = random.Random(9)
    noise = [stream.gauss(0.0, 1.0) for _ in range(12)]
    base = [10.0 + n for n in noise]
    better = [10.1 + n + 0.01 * stream.gauss(0.0, 1.0) for n in noise]
    same = [10.0 + n for n in noise]
    gain, nothing = differences(base, [better, same])
    assert gain.low > 0.0
    assert nothing.mean == pytest.approx(0.0, abs=1e-12)
    assert gain.level == pytest.approx(0.975)
    lacking = [math.nan, *better[1:]]
    assert differences(base, [lacking])[0].n == 11
