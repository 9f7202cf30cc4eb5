"""Means with confidence intervals, from independent samples.

Sums are correctly rounded (`math.fsum`), so a mean does not depend on the order of its samples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cellrelay.statistics.student import student_t

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
        if decimals > MOST_DECIMALS:
            return f"{self.mean:.1e} ± {self.half_width:.1e}"
        return f"{self.mean:.{decimals}f} ± {self.half_width:.{decimals}f}"


MOST_DECIMALS = 12
"""More than these are written as a power of ten: nobody counts so many zeros."""


def _decimals(mean: float, half_width: float) -> int:
    """Decimals that show two digits of the half-width, or four of a mean known exactly.

    A half-width in the last digits of a double is that of rounding, and says nothing.
    """
    is_exact = half_width <= 1e-12 * abs(mean)
    size = abs(mean) / 100 if is_exact else half_width
    return max(0, 1 - math.floor(math.log10(size))) if size else 0


def estimate(samples: Sequence[float], level: float = LEVEL) -> Estimate:
    """Mean of independent samples with its interval by Student's t."""
    return Estimate(mean(samples), half_width(samples, level), len(samples), level)


def mean(samples: Sequence[float]) -> float:
    """Arithmetic mean; `nan` of nothing."""
    return math.fsum(samples) / len(samples) if samples else math.nan


def half_width(samples: Sequence[float], level: float = LEVEL) -> float:
    """Half-width of the confidence interval of the mean of independent samples.

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


def each_of(number: int, level: float = LEVEL) -> float:
    """The level of each of several intervals that all hold together with probability `level`.

    Bonferroni's inequality: what they miss adds up to no more than the whole may miss, however the
    quantities depend on one another.

    >>> round(each_of(5, 0.95), 9)
    0.99
    """
    return 1.0 - (1.0 - level) / number


def are_precise(metrics: Sequence[Sequence[float]], relative: float, level: float = LEVEL) -> bool:
    """Whether each metric is known to the share `relative` of its mean, all together at `level`."""
    of_each = each_of(len(metrics), level)
    return all(is_precise(samples, relative, of_each) for samples in metrics)
