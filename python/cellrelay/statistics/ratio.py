"""A ratio of two quantities that are sampled together."""

from __future__ import annotations

import math
from collections.abc import Sequence


def linearised(numerators: Sequence[float], denominators: Sequence[float]) -> list[float]:
    """A value for each sample, of which the mean is the ratio of the sums.

    The ratio is that of the whole, where the mean of the ratios would count a sample in which next
    to nothing happened like any other. What a sample adds to it is its numerator less the ratio
    times its denominator, over the mean denominator; treated as independent samples of a mean,
    these values give the interval of the delta method. Cochran, "Sampling Techniques", 3rd ed.,
    1977, section 2.11; Law, "Simulation Modeling and Analysis", 5th ed., 2015, section 9.5.3, uses
    it for cycles of unequal length.

    A pair of which one is `nan`, or both are zero, has nothing to say and gives `nan`.

    >>> linearised([90.0, 0.0, 5.0], [100.0, 0.0, 10.0])
    [0.8636..., nan, 0.8636...]
    """
    known = [
        (numerator, denominator)
        for numerator, denominator in zip(numerators, denominators, strict=True)
        if _is_known(numerator, denominator)
    ]
    whole = math.fsum(denominator for _, denominator in known)
    if whole == 0.0:
        return [math.nan] * len(numerators)
    ratio = math.fsum(numerator for numerator, _ in known) / whole
    mean = whole / len(known)
    return [
        ratio + (numerator - ratio * denominator) / mean
        if _is_known(numerator, denominator)
        else math.nan
        for numerator, denominator in zip(numerators, denominators, strict=True)
    ]


def _is_known(numerator: float, denominator: float) -> bool:
    known = not (math.isnan(numerator) or math.isnan(denominator))
    return known and (numerator != 0.0 or denominator != 0.0)
