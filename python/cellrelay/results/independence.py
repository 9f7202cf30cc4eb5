"""A test of the batches of a point for independence."""

from __future__ import annotations

import math

from cellrelay.metrics.metric import metric_of
from cellrelay.metrics.scope import NETWORK, ScopeLike
from cellrelay.results.point import PointResult
from cellrelay.simulation.labels import Label
from cellrelay.statistics import FEWEST_BATCHES, Independence, independence

CHANCE = 0.01
"""Probability of a warning about a point with independent batches, over all its numbers."""


def dependence_warning(point: PointResult) -> str | None:
    """A warning that successive batches are correlated, with the metric of the highest score.

    `None` if the tests of all metrics together are consistent with independence. Metrics that do
    not vary cannot be tested, and counts and quantiles are not tested, since means of the same data
    are. With fewer than eight batches the warning says that they are too few to test.
    """
    if point.batches < FEWEST_BATCHES:
        return (
            f"{point.batches} batches are too few to tell whether they are independent, and"
            f" intervals may be too narrow: divide runs into {FEWEST_BATCHES} or more"
        )
    tests = [
        (test, label)
        for label in point.labels
        if _is_tested(label)
        for test in of_runs(point, label.metric, label.scope)
        if not math.isnan(test.lag1)
    ]
    worst, label = max(tests, key=lambda known: known[0].score, default=(None, None))
    if worst is None or label is None or worst.probability * len(tests) >= CHANCE:
        return None
    what = f"{label.metric} of {_said(label)}"
    return (
        f"batches are not independent ({what}: correlation {worst.lag1:.2f}), "
        "and intervals too narrow: make them longer"
    )


def of_runs(point: PointResult, metric: str, scope: ScopeLike = NETWORK) -> list[Independence]:
    """A test of the batches of each run in which at least eight batches measured the metric."""
    values = point.by_sample(metric, scope)
    size = point.batches or 1
    runs = [values[start : start + size] for start in range(0, len(values), size)]
    known = ([value for value in run if not math.isnan(value)] for run in runs)
    return [independence(run) for run in known if len(run) >= FEWEST_BATCHES]


def _is_tested(label: Label) -> bool:
    known = metric_of(label.scope, label.metric)
    return known is None or (known.kind != "count" and known.quantile is None)


def _said(label: Label) -> str:
    return "the network" if label.scope == NETWORK else str(label.scope)
