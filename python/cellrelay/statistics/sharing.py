"""Fairness of allocations."""

from __future__ import annotations

import math
from collections.abc import Sequence


def jain_index(shares: Sequence[float]) -> float:
    """Fairness index of n shares: 1 if all shares are equal, 1/n if all but one are zero.

    The shares may have any unit, and are not negative; the index is `nan` if all shares are zero,
    or without shares. Jain, Chiu and Hawe, "A quantitative measure of fairness", DEC TR-301, 1984.

    >>> jain_index([1.0, 1.0, 1.0, 1.0]), jain_index([1.0, 0.0, 0.0, 0.0])
    (1.0, 0.25)
    """
    largest = max(shares, default=0.0)
    if not largest:
        return math.nan
    # Squares of shares relative to the largest neither overflow nor underflow.
    relative = [share / largest for share in shares]
    return math.fsum(relative) ** 2 / (len(shares) * math.fsum(r * r for r in relative))
