"""Means with confidence intervals, and tests of the samples behind them."""

from cellrelay.statistics.bursts import SETTLED, Bursts, interval_of_count, seen
from cellrelay.statistics.chi_square import chi_square
from cellrelay.statistics.comparison import differences, paired_difference
from cellrelay.statistics.distribution import Distribution, merged
from cellrelay.statistics.failures import most_failures, runs_needed
from cellrelay.statistics.interval import (
    ANYTHING,
    LEVEL,
    Estimate,
    PossibleRange,
    cut,
    each_of,
    estimate,
    half_width,
    mean,
)
from cellrelay.statistics.kinds import FEWEST_RUNS, Kinds, rows_of_two_kinds, two_kinds
from cellrelay.statistics.precision import SUCCESSIVE, are_precise, is_precise
from cellrelay.statistics.ratio import contributions
from cellrelay.statistics.sharing import jain_index
from cellrelay.statistics.steady import (
    FEWEST_BATCHES,
    FEWEST_OBSERVATIONS,
    Independence,
    WarmUp,
    independence,
    warm_up,
)
from cellrelay.statistics.student import student_t
from cellrelay.statistics.survival import SurvivalCurve
from cellrelay.statistics.unfinished import Bins, Followed
from cellrelay.statistics.unseen import most_often, unseen

__all__ = [
    "ANYTHING",
    "FEWEST_BATCHES",
    "FEWEST_OBSERVATIONS",
    "FEWEST_RUNS",
    "LEVEL",
    "SETTLED",
    "SUCCESSIVE",
    "Bins",
    "Bursts",
    "Distribution",
    "Estimate",
    "Followed",
    "Independence",
    "Kinds",
    "PossibleRange",
    "SurvivalCurve",
    "WarmUp",
    "are_precise",
    "chi_square",
    "contributions",
    "cut",
    "differences",
    "each_of",
    "estimate",
    "half_width",
    "independence",
    "interval_of_count",
    "is_precise",
    "jain_index",
    "mean",
    "merged",
    "most_failures",
    "most_often",
    "paired_difference",
    "rows_of_two_kinds",
    "runs_needed",
    "seen",
    "student_t",
    "two_kinds",
    "unseen",
    "warm_up",
]
