"""One long run: where its warm-up ends, and whether parts of it are independent samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

GROUP = 5
"""Observations that are averaged before the rule is applied."""

FEWEST_GROUPS = 5
"""That must be left for a truncation to be judged: a few alike come together by chance."""

FEWEST_OBSERVATIONS = 2 * FEWEST_GROUPS * GROUP
"""That a warm-up can be found in."""

FEWEST_BATCHES = 8
"""Of which independence can be judged: the ratio of fewer is not near normal."""


@dataclass(frozen=True)
class WarmUp:
    """What to leave out at the beginning of a series of observations."""

    discarded: int
    """Observations to leave out."""
    n: int
    """Observations looked at."""
    mean: float
    """Mean of what is left."""

    @property
    def is_found(self) -> bool:
        """Whether the series is long enough to tell: what is left out is at most half of it."""
        return 2 * self.discarded <= self.n


def warm_up(observations: Sequence[float]) -> WarmUp:
    """Where the warm-up ends, by MSER-5.

    Observations are averaged in groups of five. The warm-up ends where the mean of the remaining
    groups has the smallest squared standard error, as if groups were independent: noise makes this
    error grow with every group left out, and a transient makes it fall. White, Cobb and Spratt, "A
    Comparison of Five Steady-State Truncation Heuristics for Simulation", Proc. Winter Simulation
    Conference, 2000. That the last groups are not asked, and that nothing is found in the second
    half, is from Hoad, Robinson and Davies, "Automating Warm-up Length Estimation", Journal of the
    Operational Research Society 61(9), 2010.

    Raises `ValueError` for fewer than ten groups.

    >>> warm_up([0.0] * 10 + [8.0, 9.0, 10.0, 11.0, 12.0] * 30)
    WarmUp(discarded=10, n=160, mean=10.0)
    """
    if len(observations) < FEWEST_OBSERVATIONS:
        problem = f"{len(observations)} observations show no warm-up"
        raise ValueError(f"{problem}: {FEWEST_OBSERVATIONS} are needed")
    count = len(observations) // GROUP
    used = np.asarray(observations[: count * GROUP], dtype=float)
    groups = used.reshape(count, GROUP).mean(axis=1)
    # About the mean, so that differences of sums lose no digits.
    centred = groups - groups.mean()
    left = np.arange(count, 0, -1)
    sums = np.cumsum(centred[::-1])[::-1]
    squares = np.cumsum((centred**2)[::-1])[::-1]
    error = (squares - sums**2 / left) / left**2
    discarded = int(np.argmin(error[: count - FEWEST_GROUPS])) * GROUP
    return WarmUp(discarded, count * GROUP, float(used[discarded:].mean()))


@dataclass(frozen=True)
class Independence:
    """Whether successive samples know of one another."""

    n: int
    lag1: float
    """Estimated correlation of a sample with the next; `nan` where nothing varies."""
    score: float
    """How far von Neumann's ratio is from that of independent samples, in standard deviations;
    positive if successive samples are alike."""

    @property
    def probability(self) -> float:
        """With which independent samples would be as much alike as these."""
        return 0.5 * math.erfc(self.score / math.sqrt(2))


def independence(samples: Sequence[float]) -> Independence:
    """Test successive samples, such as the means of batches, by von Neumann's ratio.

    The mean square of successive differences over the variance is near two for independent samples,
    and less if each is like the one before: von Neumann, "Distribution of the Ratio of the Mean
    Square Successive Difference to the Variance", Annals of Mathematical Statistics 12(4), 1941. As
    a test of batch means it is from Fishman, "Grouping Observations in Digital Simulation",
    Management Science 24(5), 1978.

    Raises `ValueError` for fewer than eight samples, for which the ratio is not near normal.

    >>> round(independence([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).score, 2)
    2.97
    """
    n = len(samples)
    if n < FEWEST_BATCHES:
        problem = f"{n} samples tell nothing of their independence"
        raise ValueError(f"{problem}: {FEWEST_BATCHES} are needed")
    centred = np.asarray(samples, dtype=float) - float(np.mean(samples))
    square = float(np.dot(centred, centred))
    if square <= (1e-12 * float(np.max(np.abs(samples)))) ** 2:
        return Independence(n, math.nan, 0.0)
    ratio = float(np.sum(np.diff(centred) ** 2)) / square
    # Half of the ratio is one less the correlation, but for the ends, which it counts but once.
    lag1 = float(np.dot(centred[:-1], centred[1:])) / square
    return Independence(n, lag1, (1 - ratio / 2) * math.sqrt((n * n - 1) / (n - 2)))
