"""Numbers of an experiment, checked before anything runs: Python refuses what a scenario file
refuses, in the same words."""

from __future__ import annotations

import math
from numbers import Real
from operator import index
from typing import Any

from cellrelay.errors import ScenarioError

LARGEST_SEED = 2**63 - 1
LARGEST_COUNT = 1_000_000
"""Limit of replications of a point, and of whatever else is counted."""


def whole(name: str, value: Any, low: int = 1, high: int = LARGEST_COUNT) -> int:
    """A whole number between two bounds.

    Raises:
        ScenarioError: if it is another number, or none.
    """
    try:
        number = index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise ScenarioError(
            f"{name}: `{value!r:.40}` is not a whole number"
            f"\n  hint: write for example `{max(low, 2)}`"
        )
    if not low <= number <= high:
        shown = f"{number}" if abs(number) < 10**30 else f"{'-' * (number < 0)}10^30 and beyond"
        raise ScenarioError(
            f"{name}: `{shown}` is out of range"
            f"\n  hint: write a whole number from `{low}` to `{high}`"
        )
    return number


def seed(value: Any) -> int:
    """A seed, from 0 to 9223372036854775807."""
    return whole("seed", value, 0, LARGEST_SEED)


def share(name: str, value: Any, low: float, high: float) -> float:
    """A fraction between two bounds, such as `0.05`.

    Raises:
        ScenarioError: if it is another number, or none.
    """
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or math.isnan(value) or not low <= value <= high:
        raise ScenarioError(
            f"{name}: `{value!r:.40}` is out of range"
            f"\n  hint: `{name}` is from `{low:g}` to `{high:g}`"
        )
    return float(value)
