"""How evenly something is shared."""

from __future__ import annotations

import math
from collections.abc import Sequence


def jain_index(shares: Sequence[float]) -> float:
    """Fairness of an allocation: 1 when all are equal, 1/n when one has everything.

    Jain, Chiu and Hawe, "A quantitative measure of fairness", DEC TR-301, 1984.

    >>> jain_index([1.0, 1.0, 1.0, 1.0]), jain_index([1.0, 0.0, 0.0, 0.0])
    (1.0, 0.25)
    """
    largest = max(shares, default=0.0)
    if not largest:
        return math.nan
    # Relative to the largest, squares neither overflow nor vanish.
    relative = [share / largest for share in shares]
    return math.fsum(relative) ** 2 / (len(shares) * math.fsum(r * r for r in relative))
