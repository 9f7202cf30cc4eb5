"""Means and how well they are known, from independent replications.

Sums are correctly rounded (`math.fsum`), so a mean does not depend on the order of its samples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

LEVEL = 0.95
"""Confidence level where none is stated."""


@dataclass(frozen=True)
class Estimate:
    """A mean and its confidence interval; the interval is `nan` for fewer than two samples.

    >>> print(estimate([0.90, 0.92, 0.91]))
    0.910 ± 0.025
    """

    mean: float
    half_width: float
    n: int
    level: float = LEVEL

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return self.mean + self.half_width

    def __str__(self) -> str:
        if math.isnan(self.half_width):
            return f"{self.mean:.4g}"
        decimals = _decimals(self.mean, self.half_width)
        return f"{self.mean:.{decimals}f} ± {self.half_width:.{decimals}f}"


def _decimals(mean: float, half_width: float) -> int:
    """Decimals that show two digits of the half-width, or four of a mean known exactly.

    A half-width in the last digits of a double is that of rounding, and says nothing.
    """
    is_exact = half_width <= 1e-12 * abs(mean)
    size = abs(mean) / 100 if is_exact else half_width
    return min(12, max(0, 1 - math.floor(math.log10(size)))) if size else 0


def estimate(samples: Sequence[float], level: float = LEVEL) -> Estimate:
    """Mean of independent replications with its interval by Student's t."""
    return Estimate(mean(samples), half_width(samples, level), len(samples), level)


def mean(samples: Sequence[float]) -> float:
    """Arithmetic mean; `nan` of nothing."""
    return math.fsum(samples) / len(samples) if samples else math.nan


def half_width(samples: Sequence[float], level: float = LEVEL) -> float:
    """Half-width of the confidence interval of the mean of independent replications.

    Student's t; `nan` for fewer than two samples.

    >>> round(half_width([9.0, 10.0, 11.0]), 2)
    2.48
    """
    n = len(samples)
    if n < 2:
        return math.nan
    centre = mean(samples)
    variance = math.fsum((sample - centre) ** 2 for sample in samples) / (n - 1)
    return student_t(level, n - 1) * math.sqrt(variance / n)


def is_precise(samples: Sequence[float], relative: float, level: float = LEVEL) -> bool:
    """Whether the half-width is at most the share `relative` of the mean.

    >>> is_precise([9.0, 10.0, 11.0], relative=0.25), is_precise([9.0, 10.0, 11.0], relative=0.2)
    (True, False)
    """
    return half_width(samples, level) <= relative * abs(mean(samples))


def paired_difference(
    first: Sequence[float], second: Sequence[float], level: float = LEVEL
) -> Estimate:
    """Mean of `first - second`, replication by replication.

    On common random numbers this is much sharper than the difference of two intervals.

    >>> print(paired_difference([0.95, 0.90, 0.97], [0.85, 0.81, 0.86]))
    0.100 ± 0.025
    """
    differences = [a - b for a, b in zip(first, second, strict=True)]
    return estimate(differences, level)


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


@lru_cache(maxsize=4096)
def student_t(level: float, freedom: int) -> float:
    """The t that a Student variable stays within, on both sides, with probability `level`.

    >>> round(student_t(0.95, 4), 3)
    2.776
    """
    if not 0.0 < level < 1.0 or freedom < 1:
        raise ValueError(f"no Student quantile for level {level} and {freedom} degrees of freedom")
    # Bisection on the angle, where the distribution is well behaved for any degrees of freedom.
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
    sine, cosine = math.sin(angle), math.cos(angle)
    if freedom % 2:
        k = np.arange(1, (freedom - 1) // 2)
        terms = np.cumprod(2 * k / (2 * k + 1) * cosine**2)
        series = sine * cosine * (1 + math.fsum(terms)) if freedom > 1 else 0.0
        return 2 / math.pi * (angle + series)
    k = np.arange(1, freedom // 2)
    return sine * (1 + math.fsum(np.cumprod((2 * k - 1) / (2 * k) * cosine**2)))
