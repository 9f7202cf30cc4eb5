"""Distributions of delays and completion times, merged over runs for their quantiles."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        return f"Distribution({self.count} times from {self.least:.4g} s to {self.most:.4g} s)"

    def _repr_html_(self) -> str:
        percents = (50, 90, 95, 99, 99.9)
        head = "".join(f"<th>{percent} %</th>" for percent in percents)
        times = "".join(f"<td>{time:.4g} s</td>" for time in self.percentiles(percents).values())
        table = f"<table><tr>{head}</tr><tr>{times}</tr></table>"
        return f"<div><b>{self.count} times</b>{table}</div>"

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

    def percentiles(self, percents: Sequence[float] = (50, 90, 95, 99)) -> dict[float, float]:
        """Times in seconds that these percents of all times do not exceed.

        Raises `ValueError` for a percent that is not between 0 and 100.

        >>> waits = Distribution(1.0, 9.0, array("d", [1.0, 2.0, 9.0]), array("Q", [50, 40, 10]))
        >>> waits.percentiles([50, 99.5])
        {50: 1.0, 99.5: 9.0}
        """
        for percent in percents:
            if not 0 <= percent <= 100:
                raise ValueError(f"`{percent}` is not a percentile\n  hint: write 0 to 100")
        return {percent: self.quantile(Fraction(str(percent)) / 100) for percent in percents}

    def cdf(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The cumulative distribution: times in seconds, ascending, and for each the share of all
        times that do not exceed it.

        >>> waits = Distribution(1.0, 9.0, array("d", [1.0, 2.0, 9.0]), array("Q", [50, 40, 10]))
        >>> [values.tolist() for values in waits.cdf()]
        [[1.0, 2.0, 9.0], [0.5, 0.9, 1.0]]
        """
        return np.array(self.times), np.cumsum(self.counts) / self.count


def merged(parts: Sequence[Distribution]) -> Distribution:
    """One histogram of the times of several, which have the same bins.

    Raises `ValueError` if there are none.

    >>> one = Distribution(1.0, 2.0, array("d", [1.0, 2.0]), array("Q", [3, 1]))
    >>> two = Distribution(2.0, 5.0, array("d", [2.0, 5.0]), array("Q", [1, 1]))
    >>> merged([one, two]).counts
    array('Q', [3, 2, 1])
    """
    if len(parts) == 1:
        # Most points of a sweep have one run, and merging takes longer than such a run.
        return parts[0]
    times, places = np.unique(np.concatenate([part.times for part in parts]), return_inverse=True)
    counts = np.zeros(len(times), dtype=np.uint64)
    np.add.at(counts, places, np.concatenate([part.counts for part in parts]))
    return Distribution(
        min(part.least for part in parts),
        max(part.most for part in parts),
        array("d", times),
        array("Q", counts.tolist()),
    )
