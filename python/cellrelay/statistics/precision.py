"""When a mean is known well enough to stop."""

from __future__ import annotations

from collections.abc import Sequence

from cellrelay.statistics.interval import LEVEL, each_of, half_width, mean
from cellrelay.statistics.unseen import most_often

SUCCESSIVE = 10
"""Samples through which a precision must last before the plan stops.

An interval that is tested after each sample is first narrow enough when the samples happen to be
alike, and then covers the mean less often than its level states: Law and Kelton, "Confidence
Intervals for Steady-State Simulations", Operations Research 32(6), 1984; Singham and Schruben,
"Finite-Sample Performance of Absolute Precision Stopping Rules", INFORMS Journal on Computing
24(4), 2012. In an M/D/1 queue at load 0.9, with runs of eight seconds and a half-width of 10 %,
nominal 95 % intervals cover the mean in 87 % of cases at the first narrow test, in 92.9 % if seven
successive tests must be narrow, and in 93.3 % if ten must. The number of runs that ten need, fixed
in advance, covers it in 93.8 %, since means of such runs are skewed.
"""


def is_precise(samples: Sequence[float], relative: float, level: float = LEVEL) -> bool:
    """Whether the half-width is at most the share `relative` of the mean.

    Samples that do not vary are not known exactly: at that level no more than a share of samples
    such as `most_often` says would be others, and it is that share which must be small. Zero is
    never known to a share of itself.

    >>> is_precise([9.0, 10.0, 11.0], relative=0.25), is_precise([9.0, 10.0, 11.0], relative=0.2)
    (True, False)
    >>> is_precise([1.0] * 5, relative=0.05), is_precise([1.0] * 60, relative=0.05)
    (False, True)
    """
    centre = abs(mean(samples))
    if not centre > 0.0:
        return False
    width = half_width(samples, level)
    # What is left in the last digits is rounding.
    if width <= 1e-12 * centre:
        return most_often(len(samples), level) <= relative
    return width <= relative * centre


def are_precise(metrics: Sequence[Sequence[float]], relative: float, level: float = LEVEL) -> bool:
    """Whether each metric is known to the share `relative` of its mean, all together at `level`."""
    of_each = each_of(len(metrics), level)
    return all(is_precise(samples, relative, of_each) for samples in metrics)
