"""Comparisons on common random numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cellrelay.statistics.interval import LEVEL, Estimate, each_of, estimate


def paired_difference(
    first: Sequence[float], second: Sequence[float], level: float = LEVEL
) -> Estimate:
    """Mean of `first - second`, replication by replication, with its interval.

    Both hold one value per replication, in the same order and unit. On common random numbers the
    interval is much narrower than that of a difference of two independent means: Law, "Simulation
    Modeling and Analysis", 5th ed., 2015, chapter 11. Raises `ValueError` for sequences of
    different lengths.

    >>> print(paired_difference([0.95, 0.90, 0.97], [0.85, 0.81, 0.86]))
    0.100 ± 0.025
    """
    differences = [a - b for a, b in zip(first, second, strict=True)]
    return estimate(differences, level)


def differences(
    base: Sequence[float], others: Sequence[Sequence[float]], level: float = LEVEL
) -> list[Estimate]:
    """Mean of `other - base` for each of several policies; all intervals hold together at `level`.

    `base` and each of `others` hold one value per replication, in the same unit. Samples at the
    same index are a pair; pairs that contain `nan`, and samples without a partner, are left out.
    """
    of_each = each_of(max(1, len(others)), level)
    return [_difference(other, base, of_each) for other in others]


def _difference(first: Sequence[float], second: Sequence[float], level: float) -> Estimate:
    pairs = zip(first, second, strict=False)
    known = [pair for pair in pairs if not any(map(math.isnan, pair))]
    return paired_difference([a for a, _ in known], [b for _, b in known], level)
