"""Distributions of delays and completion times, merged over runs for their quantiles."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING

from cellrelay.statistics.unfinished import Bins, Followed, curve_of

if TYPE_CHECKING:
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
    messages: Followed | None = None
    """The unfinished messages, if the times are those of messages."""

    def __repr__(self) -> str:
        open_ = f" and {self.unfinished} unfinished" if self.unfinished else ""
        return (
            f"Distribution({self.count} times from {self.least:.4g} s to {self.most:.4g} s{open_})"
        )

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

    @property
    def unfinished(self) -> int:
        """Number of messages that had not ended, which `counts` does not have."""
        return self.messages.unfinished if self.messages else 0

    def quantile(self, share: Fraction) -> float:
        """The time, in seconds, that this share of all times does not exceed.

        `share` is between 0 and 1. The result is the middle of a bin, but never outside the
        shortest and the longest time. With unfinished messages it is the estimate of Kaplan and
        Meier, and infinite if too many are unfinished to know. Raises `IndexError` for a histogram
        without times.

        >>> waits = Distribution(1.0, 9.0, array("d", [1.0, 2.0, 9.0]), array("Q", [50, 40, 10]))
        >>> [waits.quantile(Fraction(share)) for share in ("0.5", "0.9", "0.99")]
        [1.0, 2.0, 9.0]
        """
        if self.unfinished:
            found = curve_of(self).quantile(share)
            return found if math.isinf(found) else min(max(found, self.least), self.most)
        rank = math.ceil(share * self.count)
        place = bisect_left(list(accumulate(self.counts)), rank)
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
        times that do not exceed it. With unfinished messages it is estimated, and ends below one.

        >>> waits = Distribution(1.0, 9.0, array("d", [1.0, 2.0, 9.0]), array("Q", [50, 40, 10]))
        >>> [values.tolist() for values in waits.cdf()]
        [[1.0, 2.0, 9.0], [0.5, 0.9, 1.0]]
        """
        import numpy as np

        if self.unfinished:
            curve = curve_of(self)
            return curve.times, 1.0 - curve.beyond
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
    import numpy as np

    times, places = np.unique(np.concatenate([part.times for part in parts]), return_inverse=True)
    counts = np.zeros(len(times), dtype=np.uint64)
    np.add.at(counts, places, np.concatenate([part.counts for part in parts]))
    ended = [part for part in parts if part.counts] or parts
    return Distribution(
        min(part.least for part in ended),
        max(part.most for part in ended),
        array("d", times),
        array("Q", counts.tolist()),
        _followed(parts, places, len(times)),
    )


def _followed(
    parts: Sequence[Distribution], places: NDArray[np.intp], bins: int
) -> Followed | None:
    """The unfinished messages of all parts, whose bins have these places among those of all."""
    import numpy as np

    known = [part.messages for part in parts if part.messages]
    if len(known) < len(parts):
        return None
    late = np.zeros(bins, dtype=np.uint64)
    np.add.at(late, places, np.concatenate([np.array(one.late, dtype=np.uint64) for one in known]))
    return Followed(
        late.tolist(),
        sum(one.flows for one in known),
        _joined([one.early_ages for one in known]),
        _joined([one.late_ages for one in known]),
        _joined([one.starved for one in known]),
    )


def _joined(parts: Sequence[Bins]) -> Bins:
    """One list of bins with the counts of several."""
    sums: dict[float, int] = {}
    for part in parts:
        for time, count in zip(*part, strict=True):
            sums[time] = sums.get(time, 0) + count
    return Bins(sorted(sums), [sums[time] for time in sorted(sums)])
