"""Means with confidence intervals, from independent samples.

Sums are correctly rounded (`math.fsum`), so a mean does not depend on the order of its samples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cellrelay.statistics.kinds import Kinds
from cellrelay.statistics.student import student_t

LEVEL = 0.95
"""Confidence level where none is stated."""

PossibleRange = tuple[float, float]
"""The least and the largest value that a quantity can have."""

ANYTHING: PossibleRange = (-math.inf, math.inf)


@dataclass(frozen=True)
class Estimate:
    """A mean and its confidence interval; the interval is `nan` for fewer than two samples.

    The interval is cut at the limits of the quantity, such as 0 and 1 for a share. The true mean is
    within these limits, so the cut interval covers it as often as the whole one.

    >>> print(estimate([0.90, 0.92, 0.91]))
    0.910 ± 0.025
    >>> print(estimate([0.0, 0.02, 0.0], possible=(0.0, 1.0)))
    0.007 [0.000, 0.035]
    """

    mean: float
    half_width: float
    """Half of the interval before it is cut, in the unit of the mean."""
    n: int
    """Number of samples."""
    level: float = LEVEL
    possible: PossibleRange = ANYTHING
    is_unseen: bool = False
    """True for a frequency of an event that was never seen; `half_width` is then its upper
    bound."""
    kinds: Kinds = ()
    """The values of the runs of two kinds, if they fall into two; the mean then describes
    neither."""
    unpaired: int = 0
    """Samples that have no partner, and are left out of a paired difference."""
    ends: tuple[float, float] | None = None
    """The ends of an interval that is not symmetric; `half_width` is then its larger side."""
    is_bound: bool = False
    """True if the quantity is only known to be above `mean`, because too many messages were
    unfinished."""
    unfinished: int = 0
    """Messages that had not ended, of those whose times the estimate describes."""
    of: int = 0
    """Messages whose times the estimate describes, unfinished ones included."""
    few: str = ""
    """What was seen so few times that the estimate says little, such as `4 losses in 2 bursts`."""

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        if self.ends is not None:
            return self.ends[0]
        return cut(self.mean, self.half_width, self.possible)[0]

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        if self.ends is not None:
            return self.ends[1]
        return cut(self.mean, self.half_width, self.possible)[1]

    @property
    def is_cut(self) -> bool:
        """True if the interval would exceed a limit of the quantity without the cut."""
        if self.ends is not None:
            return False
        low, high = self.mean - self.half_width, self.mean + self.half_width
        return low < self.low or high > self.high

    def scaled(self, unit: float) -> Estimate:
        """The same estimate in a unit that is `unit` times the present one, such as 1e6 for
        Mbit/s."""
        if unit == 1.0:
            return self
        least, most = self.possible
        return replace(
            self,
            mean=self.mean / unit,
            half_width=self.half_width / unit,
            possible=(least / unit, most / unit),
            kinds=tuple(tuple(value / unit for value in kind) for kind in self.kinds),
            ends=self.ends and (self.ends[0] / unit, self.ends[1] / unit),
        )

    @property
    def note(self) -> str:
        """How many messages were unfinished, in brackets; empty if all ended."""
        if not self.unfinished:
            return ""
        one_run = ", one run" if self.ends is not None and self.n == 1 else ""
        return f"({self.unfinished:,} of {self.of:,} unfinished{one_run})"

    def __str__(self) -> str:
        return f"{self.text} {self.note}".rstrip()

    @property
    def text(self) -> str:
        """The number and its interval, or the bound, without the note."""
        if self.is_bound:
            return f"> {self.mean:.4g}"
        if self.unfinished and self.ends is not None:
            low, high = self.ends
            return f"{self.mean:.3g}   {low:.3g} to {high:.3g}"
        if self.kinds:
            parts = (f"{mean(kind):.4g} ({len(kind)} runs)" for kind in self.kinds)
            return " or ".join(parts)
        if math.isnan(self.half_width):
            return f"{self.mean:.4g}"
        if self.is_unseen:
            return f"< {self.half_width:.2g}"
        if self.ends is not None:
            few = f" few: {self.few}" if self.few else ""
            return f"{_short(self.mean, 3)} [{_short(self.low)}, {_short(self.high)}]{few}"
        decimals = _decimals(self.mean, self.half_width)
        form = ".1e" if decimals > MOST_DECIMALS else f".{decimals}f"
        if self.is_cut:
            return f"{self.mean:{form}} [{self.low:{form}}, {self.high:{form}}]"
        return f"{self.mean:{form}} ± {self.half_width:{form}}"


MOST_DECIMALS = 12
"""Numbers that need more decimals are written as powers of ten, since zeros are hard to count."""


def _short(number: float, digits: int = 2) -> str:
    """A number with so many digits, and as a power of ten where it has many zeros.

    >>> _short(0.0000244, 3), _short(0.31), _short(127.3)
    ('2.44e-05', '0.31', '127')
    """
    return f"{number:.0f}" if 10**digits <= number < 1e6 else f"{number:.{digits}g}"


def _decimals(mean: float, half_width: float) -> int:
    """Decimals that show two digits of the half-width, or four of a mean known exactly.

    A half-width in the last digits of a double comes from rounding, so the mean counts as exact.
    """
    is_exact = half_width <= 1e-12 * abs(mean)
    size = abs(mean) / 100 if is_exact else half_width
    return max(0, 1 - math.floor(math.log10(size))) if size else 0


def estimate(
    samples: Sequence[float], level: float = LEVEL, possible: PossibleRange = ANYTHING
) -> Estimate:
    """Mean of independent samples of one quantity, with its interval by Student's t.

    `possible` holds the least and the largest value of the quantity, in the unit of the samples.
    Without samples the mean is `nan`.
    """
    return Estimate(mean(samples), half_width(samples, level), len(samples), level, possible)


def cut(mean: float, half_width: float, possible: PossibleRange) -> tuple[float, float]:
    """The ends of an interval about a mean, cut at the least and the largest possible value.

    >>> cut(0.1, 0.3, (0.0, 1.0))
    (0.0, 0.4)
    """
    least, most = possible
    return max(mean - half_width, min(least, mean)), min(mean + half_width, max(most, mean))


def mean(samples: Sequence[float]) -> float:
    """Arithmetic mean; `nan` without samples."""
    return math.fsum(samples) / len(samples) if samples else math.nan


def half_width(samples: Sequence[float], level: float = LEVEL) -> float:
    """Half-width of the confidence interval of the mean of independent samples.

    Student's t, in the unit of the samples: Law, "Simulation Modeling and Analysis", 5th ed., 2015,
    section 4.5; `nan` for fewer than two samples. Raises `ValueError` for a level that is not
    between 0 and 1.

    >>> round(half_width([9.0, 10.0, 11.0]), 2)
    2.48
    """
    n = len(samples)
    if n < 2:
        return math.nan
    centre = mean(samples)
    variance = math.fsum((sample - centre) ** 2 for sample in samples) / (n - 1)
    return student_t(level, n - 1) * math.sqrt(variance / n)


def each_of(number: int, level: float = LEVEL) -> float:
    """The level of each of several intervals that all hold together with probability `level`.

    Bonferroni's inequality: the probability that one of them misses its mean is at most the sum of
    the probabilities of each, however the quantities depend on one another. Law, section 9.7.

    >>> round(each_of(5, 0.95), 9)
    0.99
    """
    return 1.0 - (1.0 - level) / number
