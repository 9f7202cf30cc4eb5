"""Quantiles of times of which some had not ended, with intervals, or else bounds.

The times of all replications make one curve of Kaplan and Meier. Its interval is that of Brookmeyer
and Crowley, "A Confidence Interval for the Median Survival Time", Biometrics 38(1), 1982, on the
scale log(-log S) of Kalbfleisch and Prentice, "The Statistical Analysis of Failure Time Data",
1980, with the variance between replications where it is larger than Greenwood's: messages of one
replication share their circumstances.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from cellrelay.statistics.interval import LEVEL
from cellrelay.statistics.student import student_t
from cellrelay.statistics.survival import SurvivalCurve

if TYPE_CHECKING:
    from cellrelay.statistics.distribution import Distribution

FEWEST_AT_RISK = 10
"""With fewer times that long, there is no estimate of a quantile."""

FEWEST_THAT_REACH = 0.8
"""Share of the replications whose own curves must reach a quantile."""

SLOWER = 3.0
"""Standard errors by which messages that began late may be slower than those that began early.

Where they are slower by more, a queue grows or flows starve, and the ages of unfinished messages
say nothing about how long they will take.
"""


class Bins(NamedTuple):
    """Times in seconds, ascending, and the count of each."""

    times: Sequence[float]
    counts: Sequence[int]


@dataclass(frozen=True, repr=False)
class Followed:
    """What is known of messages beside the times of those that ended."""

    late: Sequence[int]
    """Of the times in each bin, those of messages that began in the second half of the measured
    time."""
    flows: int
    """Number of flows in which a message began."""
    early_ages: Bins
    """Ages of unfinished messages that began in the first half."""
    late_ages: Bins
    """Ages of unfinished messages that began in the second half."""
    starved: Bins
    """The age of the oldest message of each flow of which no message ended."""

    @property
    def unfinished(self) -> int:
        """Number of messages that had not ended."""
        return sum(self.early_ages.counts) + sum(self.late_ages.counts)

    @property
    def ages(self) -> tuple[list[float], list[int]]:
        """Ages of all unfinished messages, and the count of each."""
        early, late = self.early_ages, self.late_ages
        return [*early.times, *late.times], [*early.counts, *late.counts]


class QuantileEstimate(NamedTuple):
    """A quantile with its interval, or a bound that is below it."""

    value: float
    low: float
    high: float
    """Infinite for a bound, which is its own lower end."""
    is_bound: bool


def curve_of(known: Distribution) -> SurvivalCurve:
    """The curve of the messages of one or of several replications."""
    ages = known.messages.ages if known.messages else ((), ())
    return SurvivalCurve.of(known.times, known.counts, *ages)


def quantile_of(
    whole: Distribution, parts: Sequence[Distribution], share: Fraction, level: float = LEVEL
) -> QuantileEstimate:
    """The quantile of the times of `whole`, which are those of `parts`, one for each replication.

    It is a bound if fewer than `FEWEST_AT_RISK` times are as long, if too few replications reach
    it, if its interval is open, or if messages were slower the later they began, or flows starved.
    """
    pooled, own = curve_of(whole), [curve_of(part) for part in parts]
    low, high = interval(pooled, own, share, level)
    value = pooled.quantile(share)
    reached = sum(math.isfinite(curve.quantile(share)) for curve in own)
    is_estimate = (
        math.isfinite(high)
        and pooled.risk_at(value) >= FEWEST_AT_RISK
        and reached >= FEWEST_THAT_REACH * len(own)
        and not _is_starved(whole, value)
        and slowing(whole, parts) <= SLOWER
    )
    if is_estimate:
        return QuantileEstimate(value, low, high, is_bound=False)
    if math.isfinite(low):
        return QuantileEstimate(low, low, math.inf, is_bound=True)
    bound = min(pooled.longest_with(needed_at_risk(share)), value)
    return QuantileEstimate(bound, bound, math.inf, is_bound=True)


def interval(
    pooled: SurvivalCurve, own: Sequence[SurvivalCurve], share: Fraction, level: float = LEVEL
) -> tuple[float, float]:
    """The ends of the interval of a quantile; infinite where an end is not known.

    The interval holds the times at which the share of longer times is not known to differ from that
    of the quantile. With a single replication its variance is Greenwood's alone.
    """
    import numpy as np

    times, left = pooled.times, float(1 - share)
    if not len(times):
        return math.inf, math.inf
    beyond = pooled.beyond
    variance = pooled.variance_at(times)
    if len(own) > 1:
        of_each = np.array([curve.beyond_at(times) for curve in own])
        variance = np.maximum(variance, of_each.var(axis=0, ddof=1) / len(own))
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = beyond * np.abs(np.log(beyond)) / np.sqrt(variance)
        z = (np.log(-np.log(beyond)) - math.log(-math.log(left))) * scale
    # Nothing is longer than the last of all times, so it is beyond every quantile.
    z = np.where(beyond <= 0.0, math.inf, z)
    most = student_t(level, len(own) - 1) if len(own) > 1 else NormalDist().inv_cdf((1 + level) / 2)
    within, after = np.flatnonzero(z >= -most), np.flatnonzero(z > most)
    low = float(times[within[0]]) if len(within) else math.inf
    return low, float(times[after[0]]) if len(after) else math.inf


def needed_at_risk(share: Fraction) -> int:
    """Number of times, all longer than a time, that show it to be below a quantile at 95 %.

    Were it not below, each would be longer with at most the probability `1 - share`.

    >>> [needed_at_risk(Fraction(percent, 100)) for percent in (50, 75, 90, 95, 99)]
    [5, 3, 2, 2, 1]
    """
    return math.floor(round(math.log(0.05) / math.log(1 - share), 9)) + 1


def slowing(whole: Distribution, parts: Sequence[Distribution]) -> float:
    """Standard errors by which messages that began in the second half are slower than the others.

    They are compared at the median of all, or earlier where one half has only `FEWEST_AT_RISK`
    times that long; zero if there are fewer. Large numbers of unfinished messages among the late
    ones are no sign, since they always have less time.
    """
    import numpy as np

    early, late = _halves(whole)
    ends = [curve.longest_with(FEWEST_AT_RISK) for curve in (early, late)]
    at = min(curve_of(whole).quantile(Fraction(1, 2)), *ends)
    if not 0.0 < at < math.inf:
        return 0.0
    error = math.sqrt(sum(float(curve.variance_at(at)) for curve in (early, late)))
    if len(parts) > 1:
        pairs = (_halves(part) for part in parts)
        own = [float(after.beyond_at(at) - before.beyond_at(at)) for before, after in pairs]
        error = max(error, float(np.std(own, ddof=1)) / math.sqrt(len(own)))
    gain = float(late.beyond_at(at) - early.beyond_at(at))
    return gain / error if error > 0.0 else 0.0


def _halves(known: Distribution) -> tuple[SurvivalCurve, SurvivalCurve]:
    """The curves of the messages that began in the first half, and in the second."""
    import numpy as np

    assert known.messages is not None
    late = np.asarray(known.messages.late, dtype=np.int64)
    early = np.asarray(known.counts, dtype=np.int64) - late
    return (
        SurvivalCurve.of(known.times, early, *known.messages.early_ages),
        SurvivalCurve.of(known.times, late, *known.messages.late_ages),
    )


def _is_starved(known: Distribution, value: float) -> bool:
    """True if a flow finished nothing, while a message of it was older than the quantile."""
    return known.messages is not None and max(known.messages.starved.times, default=0.0) >= value


def mean_bound(known: Distribution) -> float:
    """The mean of all times and ages, below which the mean of the times would not be."""
    ages, open_ = known.messages.ages if known.messages else ((), ())
    times, counts = [*known.times, *ages], [*known.counts, *open_]
    products = (time * count for time, count in zip(times, counts, strict=True))
    return math.fsum(products) / float(sum(counts))


def max_bound(known: Distribution) -> float:
    """The longest of all times and ages."""
    ages = known.messages.ages[0] if known.messages else ()
    return max(known.most if known.count else 0.0, max(ages, default=0.0))


def pseudo_values(
    whole: SurvivalCurve, others: Sequence[SurvivalCurve], share: Fraction
) -> list[float]:
    """A contribution of each replication to the quantile of all: what the jackknife computes from
    the quantile without it, which `others` has; `nan` where that is not known.

    Miller, "The Jackknife: A Review", Biometrika 61(1), 1974.
    """
    count, value = len(others), whole.quantile(share)
    without = [curve.quantile(share) for curve in others]
    found = [count * value - (count - 1) * one for one in without]
    return [one if math.isfinite(one) else math.nan for one in found]
