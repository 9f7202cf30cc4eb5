"""The rule that stops replications once a mean is precise enough."""

from __future__ import annotations

from collections.abc import Sequence

from cellrelay.statistics.interval import LEVEL, each_of, half_width, mean
from cellrelay.statistics.unseen import most_often

SUCCESSIVE = 10
"""Number of successive samples at which the interval must be narrow before the plan stops.

An interval that is tested after each sample tends to be narrow first when the samples so far happen
to be close together, and it then covers the mean less often than its level states: Law and Kelton,
"Confidence Intervals for Steady-State Simulations", Operations Research 32(6), 1984; Singham and
Schruben, "Finite-Sample Performance of Absolute Precision Stopping Rules", INFORMS Journal on
Computing 24(4), 2012. In an M/D/1 queue at load 0.9, with runs of eight seconds and a half-width of
10 %, nominal 95 % intervals cover the mean in 87 % of cases at the first narrow test, in 92.9 % if
seven successive tests must be narrow, and in 93.3 % if ten must. The number of runs that ten need,
fixed in advance, covers it in 93.8 %, since means of such runs are skewed.
"""


def is_precise(samples: Sequence[float], relative: float, level: float = LEVEL) -> bool:
    """True if the half-width is at most the share `relative` of the mean of the samples.

    Equal samples do not make the mean exact: other values may occur with a frequency up to the
    bound of `most_often`, and this bound must be at most `relative`. A mean of zero is never
    precise, since no half-width is a share of zero.

    >>> is_precise([9.0, 10.0, 11.0], relative=0.25), is_precise([9.0, 10.0, 11.0], relative=0.2)
    (True, False)
    >>> is_precise([1.0] * 5, relative=0.05), is_precise([1.0] * 60, relative=0.05)
    (False, True)
    """
    centre = abs(mean(samples))
    if not centre > 0.0:
        return False
    width = half_width(samples, level)
    # A half-width in the last digits of a double comes from rounding: the samples are equal.
    if width <= 1e-12 * centre:
        return most_often(len(samples), level) <= relative
    return width <= relative * centre


def are_precise(metrics: Sequence[Sequence[float]], relative: float, level: float = LEVEL) -> bool:
    """True if each metric is precise to the share `relative` of its mean, all together at `level`.

    `metrics` holds the samples of each metric; their numbers of samples may differ.
    """
    of_each = each_of(len(metrics), level)
    return all(is_precise(samples, relative, of_each) for samples in metrics)
