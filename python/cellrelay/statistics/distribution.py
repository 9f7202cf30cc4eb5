"""Distributions of delays and completion times, merged over runs for their quantiles."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np


@dataclass(frozen=True)
class Distribution:
    """A histogram of times in seconds, with bins so narrow that each is given by its middle."""

    least: float
    """The shortest time, in seconds."""
    most: float
    """The longest time, in seconds."""
    times: array[float]
    """Middles of the bins that are not empty, in seconds, ascending."""
    counts: array[int]
    """Number of times in each of these bins."""

    @property
    def count(self) -> int:
        """Number of times in all bins."""
        return sum(self.counts)

    def quantile(self, share: Fraction) -> float:
        """The time, in seconds, that this share of all times does not exceed.

        `share` is between 0 and 1. The result is the middle of a bin, but never outside the
        shortest and the longest time. Raises `IndexError` for a histogram without times.

        >>> waits = Distribution(1.0, 9.0, array("d", [1.0, 2.0, 9.0]), array("Q", [50, 40, 10]))
        >>> [waits.quantile(Fraction(share)) for share in ("0.5", "0.9", "0.99")]
        [1.0, 2.0, 9.0]
        """
        rank = math.ceil(share * self.count)
        place = int(np.searchsorted(np.cumsum(self.counts), rank))
        return min(max(self.times[place], self.least), self.most)


def merged(parts: Sequence[Distribution]) -> Distribution:
    """One histogram of the times of several, which have the same bins.

    Raises `ValueError` if there are none.

    >>> one = Distribution(1.0, 2.0, array("d", [1.0, 2.0]), array("Q", [3, 1]))
    >>> two = Distribution(2.0, 5.0, array("d", [2.0, 5.0]), array("Q", [1, 1]))
    >>> merged([one, two]).counts
    array('Q', [3, 2, 1])
    """
    times, places = np.unique(np.concatenate([part.times for part in parts]), return_inverse=True)
    counts = np.zeros(len(times), dtype=np.uint64)
    np.add.at(counts, places, np.concatenate([part.counts for part in parts]))
    return Distribution(
        min(part.least for part in parts),
        max(part.most for part in parts),
        array("d", times),
        array("Q", counts.tolist()),
    )
