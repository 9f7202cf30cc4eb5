"""Whether a queue still grows: the trend of its mean over a run, tested over replications.

The batches of a run depend on one another, so that a test for trend on them alone, such as that of
Mann and Kendall, takes a slow wave for a trend. Slopes of independent replications are independent
samples, whatever happens within a run, and their expectation is zero where the mean does not
change: the method of replications of Law, "Simulation Modeling and Analysis", 5th edition, 2015,
section 9.5, applied to slopes.
"""

from __future__ import annotations

import numpy as np

from cellrelay.results import PointResult
from cellrelay.statistics import Estimate, estimate

from .measures import TRUNK, longest

SPAN = 20
"""Seconds of the runs of `settings.lasting` that are measured."""


def growth(point: PointResult) -> Estimate:
    """Cells by which the mean queue grows in 20 s: the least-squares slope over the batches of each
    run, with the interval of its mean over replications."""
    queues = point.by_sample("mean_queue", f"port {TRUNK}")
    runs = np.reshape(queues, (len(point.runs), point.batches))
    middles = (np.arange(point.batches) + 0.5) / point.batches
    return estimate([float(np.polyfit(middles, run, 1)[0]) for run in runs])


def is_growing(point: PointResult) -> bool:
    """True if the interval of the growth lies above one cell: less is no growth of a queue."""
    return growth(point).low > 1.0


def longest_of_all(point: PointResult) -> float:
    """The longest queue of all replications and batches, in cells."""
    return max(longest(point))
