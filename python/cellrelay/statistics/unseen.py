"""An upper bound on the frequency of an event that was never seen."""

from __future__ import annotations

import math

from cellrelay.statistics.interval import LEVEL, Estimate, Range


def most_often(looked_at: float, level: float = LEVEL) -> float:
    """The frequency at which no event is seen in `looked_at` units with probability `1 - level`.

    Rare independent events are a Poisson process. Events in clumps are not, but the clumps are
    (Aldous, "Probability Approximations via the Poisson Clumping Heuristic", 1989, chapter A), so
    this is a bound on the frequency of clumps. The result is events per unit, `nan` if no unit was
    looked at. At 95 % it is the rule of three (Hanley and Lippman-Hand, "If Nothing Goes Wrong, Is
    Everything All Right?", JAMA 249(13), 1983).

    >>> round(most_often(1_000_000), 9)
    2.996e-06
    """
    return -math.log1p(-level) / looked_at if looked_at > 0 else math.nan


def unseen(looked_at: float, n: int, level: float, possible: Range) -> Estimate:
    """The frequency of an event that none of `n` samples has seen, in `looked_at` units together.

    Its mean is zero and its half-width the bound of `most_often`, at most the end of `possible`.
    """
    bound = min(most_often(looked_at, level), possible[1])
    return Estimate(0.0, bound, n, level, possible, is_unseen=True)
