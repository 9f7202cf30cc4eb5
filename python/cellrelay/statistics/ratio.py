"""The ratio of two counts, from samples of both."""

from __future__ import annotations

import math
from collections.abc import Sequence


def contributions(numerators: Sequence[float], denominators: Sequence[float]) -> list[float]:
    """A value for each sample, such that their mean is the ratio of the sums.

    A mean of the ratios of the samples would give a sample with few events the weight of one with
    many. The values are the pseudo-values of the jackknife, shifted to this mean: the pseudo-value
    of a sample compares the ratio of all samples with the ratio without it. As independent samples
    of a mean they give the interval of the jackknife, which covers the ratio more often than that
    of the delta method if denominators differ much. Miller, "The Jackknife: a Review", Biometrika
    61(1), 1974; Cochran, "Sampling Techniques", 3rd ed., 1977, chapter 6; for simulations Law,
    "Simulation Modeling and Analysis", 5th ed., 2015, chapter 9, on cycles of unequal length.

    Both sequences hold one count per sample. A pair that contains `nan`, or two zeros, gives `nan`.
    Raises `ValueError` for sequences of different lengths.

    >>> [round(value, 3) for value in contributions([90.0, 0.0, 5.0], [100.0, 0.0, 10.0])]
    [1.064, nan, 0.664]
    """
    pairs = list(zip(numerators, denominators, strict=True))
    places = [place for place, pair in enumerate(pairs) if _is_known(*pair)]
    n = len(places)
    whole = math.fsum(pairs[place][1] for place in places)
    values = [math.nan] * len(pairs)
    if whole == 0.0:
        return values
    ratio = math.fsum(pairs[place][0] for place in places) / whole
    apart = [_apart(*pairs[place], ratio, whole, n) for place in places]
    centre = math.fsum(apart) / n
    for place, value in zip(places, apart, strict=True):
        values[place] = ratio + (value - centre)
    return values


def _apart(numerator: float, denominator: float, ratio: float, whole: float, n: int) -> float:
    """Distance of a pseudo-value of the jackknife from the ratio of all `n` samples."""
    others = whole - denominator
    return (n - 1) * (numerator - ratio * denominator) / (others if others > 0.0 else whole)


def _is_known(numerator: float, denominator: float) -> bool:
    is_number = not (math.isnan(numerator) or math.isnan(denominator))
    return is_number and (numerator != 0.0 or denominator != 0.0)
