"""Quantiles of Student's t."""

from __future__ import annotations

import math
from functools import lru_cache


@lru_cache(maxsize=4096)
def student_t(level: float, freedom: int) -> float:
    """The t for which a Student variable is between -t and t with probability `level`.

    `freedom` is the number of degrees of freedom. Raises `ValueError` for a level that is not
    between 0 and 1, and for fewer than one degree of freedom.

    >>> round(student_t(0.95, 4), 3)
    2.776
    """
    if not 0.0 < level < 1.0 or freedom < 1:
        raise ValueError(f"no Student quantile for level {level} and {freedom} degrees of freedom")
    # Bisection on the angle arctan(t / sqrt(freedom)), which is bounded for any degrees of freedom.
    low, high = 0.0, math.pi / 2
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return math.sqrt(freedom) * math.tan(middle)
        if _within(middle, freedom) < level:
            low = middle
        else:
            high = middle


def _within(angle: float, freedom: int) -> float:
    """P(|T| <= sqrt(freedom) tan(angle)), exactly.

    The finite series of Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964,
    26.7.3 (odd) and 26.7.4 (even).
    """
    import numpy as np

    sine, cosine = math.sin(angle), math.cos(angle)
    if freedom % 2:
        k = np.arange(1, (freedom - 1) // 2)
        terms = np.cumprod(2 * k / (2 * k + 1) * cosine**2)
        series = sine * cosine * (1 + math.fsum(terms)) if freedom > 1 else 0.0
        return 2 / math.pi * (angle + series)
    k = np.arange(1, freedom // 2)
    return sine * (1 + math.fsum(np.cumprod((2 * k - 1) / (2 * k) * cosine**2)))
