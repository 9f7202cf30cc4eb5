"""A test whether a queue still grows: the trend over independent replications.

The statistic is Kendall's tau of the batch means of a run against time, as in H. B. Mann,
"Nonparametric Tests Against Trend", Econometrica 13(3), 1945. Its distribution there is that of
independent observations; batches of a run depend on one another, and a slow wave would pass for a
trend. So each replication gives one tau, and Student's t over replications, which are independent
whatever happens within a run, tells whether their mean is above zero: the method of replications
of Law, "Simulation Modeling and Analysis", 5th edition, 2015, section 9.5.
"""

from __future__ import annotations

import numpy as np

from cellrelay.results import PointResult
from cellrelay.statistics import Estimate, estimate, mean

from .measures import TRUNK, longest

SPAN = 20
"""Seconds of the runs of `settings.lasting` that are measured."""


def _runs(point: PointResult) -> list[list[float]]:
    """The mean queue of each batch, for each replication."""
    queues = point.by_sample("mean_queue", f"port {TRUNK}")
    size = point.batches
    return [queues[first : first + size] for first in range(0, len(queues), size)]


def trend(point: PointResult) -> Estimate:
    """Kendall's tau of the mean queue against time: 1 if each batch is above the previous one."""
    return estimate([_tau(run) for run in _runs(point)], possible=(-1.0, 1.0))


def _tau(values: list[float]) -> float:
    signs = np.sign(np.subtract.outer(values, values))
    later = np.tril(np.ones_like(signs), -1)
    return float((signs * later).sum() / later.sum())


def growth(point: PointResult) -> float:
    """Cells by which the mean queue grows in 20 s, by the least-squares slope over batches."""
    middles = (np.arange(point.batches) + 0.5) / point.batches
    return mean([float(np.polyfit(middles, run, 1)[0]) for run in _runs(point)])


def is_growing(point: PointResult) -> bool:
    """True if the trend is above zero and the queue grows by more than a cell."""
    return trend(point).low > 0 and growth(point) > 1.0


def said(point: PointResult) -> str:
    """Growth and trend in words."""
    return f"{growth(point):+.0f} (trend {trend(point)})"


def longest_of_all(point: PointResult) -> float:
    """The longest queue of all replications and batches, in cells."""
    return max(longest(point))
