"""How often an event may happen that was never seen."""

from __future__ import annotations

import math

from cellrelay.statistics.interval import LEVEL, Estimate, Range


def most_often(looked_at: float, level: float = LEVEL) -> float:
    """The largest frequency at which nothing is seen with probability `1 - level`.

    So many units were looked at. Rare events that do not know of one another are a Poisson process,
    and where they come in clumps those are (Aldous, "Probability Approximations via the Poisson
    Clumping Heuristic", 1989, chapter A): so this is a bound on how often a clump begins. At 95 %
    it is the rule of three (Hanley and Lippman-Hand, "If Nothing Goes Wrong, Is Everything All
    Right?", JAMA 249(13), 1983).

    >>> round(most_often(1_000_000), 9)
    2.996e-06
    """
    return -math.log1p(-level) / looked_at if looked_at > 0 else math.nan


def unseen(looked_at: float, n: int, level: float, possible: Range) -> Estimate:
    """The estimate of an event that was seen in none of `n` samples."""
    bound = min(most_often(looked_at, level), possible[1])
    return Estimate(0.0, bound, n, level, possible, is_unseen=True)
