"""Quantiles of the chi-square distribution."""

from __future__ import annotations

import math
from functools import lru_cache

MOST_STEPS = 200
"""Largest number of steps; about ten are usual."""
SMALLEST = 1e-300
"""A number in place of a zero divisor."""


@lru_cache(maxsize=4096)
def chi_square(probability: float, freedom: float) -> float:
    """The value that a chi-square variable is below with this probability.

    `freedom` is the number of degrees of freedom, which need not be whole. Raises `ValueError` for
    a probability that is not between 0 and 1, and for degrees of freedom that are not positive.

    >>> round(chi_square(0.975, 4), 3), round(chi_square(0.025, 4), 4)
    (11.143, 0.4844)
    """
    if not 0.0 < probability < 1.0 or not freedom > 0.0:
        raise ValueError(f"no quantile at {probability} with {freedom} degrees of freedom")
    shape = freedom / 2
    # Newton's steps on the logarithm, since with few degrees of freedom quantiles are tiny; where a
    # step leaves the range that holds the quantile, the range is halved instead.
    low, high = -800.0, math.log(shape + 40.0 * math.sqrt(shape) + 800.0)
    place = math.log(shape) if shape > 1 else low / 2 + high / 2
    for _ in range(MOST_STEPS):
        below = _below(shape, math.exp(place))
        low, high = (place, high) if below < probability else (low, place)
        slope = math.exp(shape * place - math.exp(place) - math.lgamma(shape))
        step = (probability - below) / slope if slope > SMALLEST else math.inf
        if abs(step) < 1e-14 or low == high:
            break
        place = place + step if low < place + step < high else (low + high) / 2
    return 2 * math.exp(place)


def _below(shape: float, x: float) -> float:
    """The regularized incomplete gamma function P(shape, x).

    Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964: the series 6.5.29, and beyond
    the mean, where it converges slowly, the continued fraction 6.5.31 of the rest, evaluated from
    the front (Lentz, "Generating Bessel Functions in Mie Scattering Calculations Using Continued
    Fractions", Applied Optics 15(3), 1976).
    """
    if x <= 0.0:
        return 0.0
    scale = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        place = shape
        while abs(term) > 1e-17 * abs(total):
            place += 1
            term *= x / place
            total += term
        return scale * total
    b = x + 1 - shape
    d = 1 / b
    c, fraction, step = 1 / SMALLEST, d, 0
    while True:
        step += 1
        a = -step * (step - shape)
        b += 2
        d = 1 / (a * d + b or SMALLEST)
        c = b + a / c or SMALLEST
        change = d * c
        fraction *= change
        if abs(change - 1) < 1e-16 or step > 100_000:
            return 1 - scale * fraction
