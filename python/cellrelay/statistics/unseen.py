"""An upper bound on the frequency of an event that never occurred."""

from __future__ import annotations

import math

from cellrelay.statistics.interval import LEVEL, Estimate, PossibleRange


def most_often(looked_at: float, level: float = LEVEL) -> float:
    """The frequency at which `looked_at` units have no event with probability `1 - level`.

    Rare independent events are a Poisson process. Events in bursts are not, but the bursts
    ("clumps") are (Aldous, "Probability Approximations via the Poisson Clumping Heuristic", 1989,
    chapter A), so the bound applies to the frequency of bursts. The result is in events per unit;
    `nan` if no unit was observed. At 95 % it is the rule of three (Hanley and Lippman-Hand, "If
    Nothing Goes Wrong, Is Everything All Right?", JAMA 249(13), 1983).

    >>> round(most_often(1_000_000), 9)
    2.996e-06
    """
    return -math.log1p(-level) / looked_at if looked_at > 0 else math.nan


def unseen(looked_at: float, n: int, level: float, possible: PossibleRange) -> Estimate:
    """The frequency of an event that occurred in none of `n` samples, which have `looked_at` units
    together.

    The mean of the estimate is zero, and its half-width is the bound of `most_often`, at most the
    upper end of `possible`.
    """
    bound = min(most_often(looked_at, level), possible[1])
    return Estimate(0.0, bound, n, level, possible, is_unseen=True)
