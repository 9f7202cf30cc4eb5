"""Means and how well they are known."""

from cellrelay.statistics.comparison import differences, paired_difference
from cellrelay.statistics.interval import (
    LEVEL,
    Estimate,
    are_precise,
    each_of,
    estimate,
    half_width,
    is_precise,
    mean,
)
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

__all__ = [
    "FEWEST_BATCHES",
    "FEWEST_OBSERVATIONS",
    "LEVEL",
    "Estimate",
    "Independence",
    "WarmUp",
    "are_precise",
    "differences",
    "each_of",
    "estimate",
    "half_width",
    "independence",
    "is_precise",
    "jain_index",
    "mean",
    "paired_difference",
    "student_t",
    "warm_up",
]
