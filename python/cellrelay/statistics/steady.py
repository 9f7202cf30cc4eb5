"""The end of the warm-up of a run, and a test of its batches for independence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

GROUP = 5
"""Number of successive observations that are averaged to one group, the 5 of MSER-5."""

FEWEST_GROUPS = 5
"""Groups that must remain after the warm-up: a few groups may be close together by chance."""

FEWEST_OBSERVATIONS = 2 * FEWEST_GROUPS * GROUP
"""Fewest observations in which a warm-up can be found."""

FEWEST_BATCHES = 8
"""Fewest batches that are tested: von Neumann's ratio of fewer is not close to normal."""


@dataclass(frozen=True)
class WarmUp:
    """The warm-up at the beginning of a series of observations."""

    discarded: int
    """Number of observations in the warm-up."""
    n: int
    """Number of observations used, a multiple of five."""
    mean: float
    """Mean of the observations after the warm-up, in their unit."""

    @property
    def is_found(self) -> bool:
        """True if the warm-up is at most half of the series; otherwise the series is too short."""
        return 2 * self.discarded <= self.n


def warm_up(observations: Sequence[float]) -> WarmUp:
    """The warm-up of observations in order of time, found by MSER-5.

    Observations are averaged in groups of five. The warm-up ends where the mean of the remaining
    groups has the smallest squared standard error, computed as if groups were independent: leaving
    out a group of the steady state increases this error, and one of the transient decreases it.
    White, Cobb and Spratt, "A Comparison of Five Steady-State Truncation Heuristics for
    Simulation", Proc. Winter Simulation Conference, 2000. The warm-up cannot
    end within the last five groups, and a warm-up longer than half of the series counts as not
    found: Hoad, Robinson and Davies, "Automating Warm-up Length Estimation", Journal
    of the Operational Research Society 61(9), 2010.

    Raises `ValueError` for fewer than ten groups.

    >>> warm_up([0.0] * 10 + [8.0, 9.0, 10.0, 11.0, 12.0] * 30)
    WarmUp(discarded=10, n=160, mean=10.0)
    """
    import numpy as np

    if len(observations) < FEWEST_OBSERVATIONS:
        problem = f"{len(observations)} observations show no warm-up"
        raise ValueError(f"{problem}: {FEWEST_OBSERVATIONS} are needed")
    count = len(observations) // GROUP
    used = np.asarray(observations[: count * GROUP], dtype=float)
    groups = used.reshape(count, GROUP).mean(axis=1)
    # Differences from the mean, so that differences of sums lose no digits.
    centred = groups - groups.mean()
    left = np.arange(count, 0, -1)
    sums = np.cumsum(centred[::-1])[::-1]
    squares = np.cumsum((centred**2)[::-1])[::-1]
    error = (squares - sums**2 / left) / left**2
    discarded = int(np.argmin(error[: count - FEWEST_GROUPS])) * GROUP
    return WarmUp(discarded, count * GROUP, float(used[discarded:].mean()))


@dataclass(frozen=True)
class Independence:
    """A test of successive samples for independence."""

    n: int
    """Number of samples."""
    lag1: float
    """Estimated correlation of successive samples; `nan` if all samples are equal."""
    score: float
    """Distance of von Neumann's ratio from its mean for independent samples, in standard
    deviations; positive if successive samples are correlated."""

    @property
    def probability(self) -> float:
        """Probability of this score or a higher one if the samples are independent."""
        return 0.5 * math.erfc(self.score / math.sqrt(2))


def independence(samples: Sequence[float]) -> Independence:
    """Test successive samples, such as the means of batches, by von Neumann's ratio.

    The mean square of successive differences over the variance is near two for independent samples,
    and less if successive samples are positively correlated: von Neumann, "Distribution of the
    Ratio of the Mean Square Successive Difference to the Variance", Annals of Mathematical
    Statistics 12(4), 1941. As a test of batch means it is from Fishman, "Grouping Observations in
    Digital Simulation", Management Science 24(5), 1978.

    Raises `ValueError` for fewer than eight samples, for which the ratio is not near normal.

    >>> round(independence([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).score, 2)
    2.97
    """
    import numpy as np

    n = len(samples)
    if n < FEWEST_BATCHES:
        problem = f"{n} samples tell nothing of their independence"
        raise ValueError(f"{problem}: {FEWEST_BATCHES} are needed")
    centred = np.asarray(samples, dtype=float) - float(np.mean(samples))
    square = float(np.dot(centred, centred))
    if square <= (1e-12 * float(np.max(np.abs(samples)))) ** 2:
        return Independence(n, math.nan, 0.0)
    ratio = float(np.sum(np.diff(centred) ** 2)) / square
    # Half of the ratio is about 1 - lag1; they differ by the first and the last sample.
    lag1 = float(np.dot(centred[:-1], centred[1:])) / square
    return Independence(n, lag1, (1 - ratio / 2) * math.sqrt((n * n - 1) / (n - 2)))
