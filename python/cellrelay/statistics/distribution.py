"""How long many things took, with quantiles of what several runs counted together."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np


@dataclass(frozen=True)
class Distribution:
    """Times by classes, so narrow that their middles stand for them."""

    least: float
    most: float
    times: array[float]
    """Middles of the classes in which there were times, in order."""
    counts: array[int]
    """How many there were."""

    @property
    def count(self) -> int:
        """How many there were in all."""
        return sum(self.counts)

    def quantile(self, share: Fraction) -> float:
        """The time that such a share of them took at most; the time itself, if all took the same.

        >>> waits = Distribution(1.0, 9.0, array("d", [1.0, 2.0, 9.0]), array("Q", [50, 40, 10]))
        >>> [waits.quantile(Fraction(share)) for share in ("0.5", "0.9", "0.99")]
        [1.0, 2.0, 9.0]
        """
        rank = math.ceil(share * self.count)
        place = int(np.searchsorted(np.cumsum(self.counts), rank))
        return min(max(self.times[place], self.least), self.most)


def merged(parts: Sequence[Distribution]) -> Distribution:
    """What several have counted, as if one had. The middles of a class are the same in all.

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
