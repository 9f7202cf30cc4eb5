"""Stopping at a half-width: how often the interval at which a rule stops holds the true mean."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import numpy as np
import pytest

import cellrelay
from cellrelay.plan import Plan
from cellrelay.scenario import Replications, Until
from cellrelay.scope import NETWORK
from cellrelay.simulate import Label, Run
from cellrelay.statistics import estimate

from .test_batches import QUEUE

WAIT = (Label(NETWORK, "mean_wait", "s"),)
MOST = 150
"""Samples within which every experiment here stops."""


def stopped(samples: Iterator[float], rule: Replications) -> list[float]:
    """The samples that the rule asks for."""
    plan, taken = Plan(1, rule), list[float]()
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
def test_stopping_at_a_half_width_holds_nearly_as_often_as_it_says(
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("load", "seconds", "half_width", "at_least"),
    [(0.5, 1, 0.05, 2), (0.5, 5, 0.02, 5), (0.9, 8, 0.05, 5), (0.9, 20, 0.05, 2)],
)
def test_so_it_does_in_an_m_d_1_queue(
    load: float, seconds: int, half_width: float, at_least: int
) -> None:
    """Experiments take the runs of one long one in turn, so that none is seen twice."""
    settings = {
        "duration": f"{seconds + 2} s",
        "warm_up": "2 s",
        "flow.probe.source.telnet.gap.exponential.mean": f"{1 / load} ms",
    }
    text = QUEUE.read_text(encoding="utf-8").replace("batches = 20\n", "")
    scenario = cellrelay.parse(text, QUEUE.name, settings)
    results = cellrelay.run(scenario, replications=Replications.exactly(10_000))
    samples = results.point().by_replication("mean_delay", "flow probe")
    # A service of a millisecond, and the wait of Pollaczek and Khinchine.
    truth = 1e-3 * (1 + load / (2 * (1 - load)))
    rule = Replications(at_least, MOST, Until("mean_wait", half_width, 0.95))
    runs = iter(samples)
    held: list[tuple[int, bool]] = []
    while len(samples) - sum(n for n, _ in held) > MOST:
        taken = stopped(runs, rule)
        held.append((len(taken), holds(taken, truth)))
    share = sum(one for _, one in held) / len(held)
    # Two standard deviations of the share of so many.
    by_chance = 2 * (0.93 * 0.07 / len(held)) ** 0.5
    print(f"load {load}, {half_width:.0%}, {at_least} at least: {share:.1%} of {len(held)}")
    assert share >= 0.93 - by_chance
