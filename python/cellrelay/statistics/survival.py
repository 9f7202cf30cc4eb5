"""Kaplan and Meier's curve: the share of times that are longer, where some are only ages.

Kaplan and Meier, "Nonparametric Estimation from Incomplete Observations", Journal of the American
Statistical Association 53(282), 1958; its variance is Greenwood's, "The Errors of Sampling of the
Survivorship Tables", Reports on Public Health and Statistical Subjects 33, 1926.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


ROUNDING = 1e-9
"""A share that is above another one by less than this part of it equals it."""


@dataclass(frozen=True, repr=False)
class SurvivalCurve:
    """The share of times beyond each time at which some ended."""

    times: NDArray[np.float64]
    """The times at which some ended, ascending."""
    beyond: NDArray[np.float64]
    """The estimated share of all times that are longer."""
    at_risk: NDArray[np.float64]
    """Number of times and ages that are at least as long."""
    hazards: NDArray[np.float64]
    """Greenwood's sum of d / (n (n - d)) up to each time."""
    observed: NDArray[np.float64]
    """All different times and ages, ascending."""
    followed: NDArray[np.float64]
    """Number of times and ages that are at least as long as each of `observed`."""

    @classmethod
    def of(
        cls, times: ArrayLike, counts: ArrayLike, ages: ArrayLike = (), open_: ArrayLike = ()
    ) -> SurvivalCurve:
        """The curve of times that ended and of ages of what had not, each with its count.

        What ended at a time counts before what was that old.

        >>> curve = SurvivalCurve.of([1.0, 2.0], [1, 1], [1.5, 3.0], [1, 1])
        >>> curve.beyond.tolist(), curve.at_risk.tolist()
        ([0.75, 0.375], [4.0, 2.0])
        """
        import numpy as np

        ended, of_ended = _summed(times, counts)
        old, of_old = _summed(ages, open_)
        observed, places = np.unique(np.concatenate([ended, old]), return_inverse=True)
        leaving = np.zeros(len(observed))
        np.add.at(leaving, places, np.concatenate([of_ended, of_old]))
        followed = np.cumsum(leaving[::-1])[::-1]
        at_risk = followed[np.searchsorted(observed, ended)]
        left = at_risk - of_ended
        with np.errstate(divide="ignore"):
            hazards = np.cumsum(of_ended / (at_risk * left))
        beyond = np.cumprod(left / at_risk, dtype=np.float64)
        return cls(ended, beyond, at_risk, hazards, observed, followed)

    def beyond_at(self, times: ArrayLike) -> NDArray[np.float64]:
        """The share of times that are longer than each of these."""
        return _steps(self.times, self.beyond, 1.0, times)

    def variance_at(self, times: ArrayLike) -> NDArray[np.float64]:
        """Greenwood's variance of that share; zero where the share is zero."""
        import numpy as np

        beyond = self.beyond_at(times)
        hazards = _steps(self.times, self.hazards, 0.0, times)
        return np.where(beyond > 0.0, beyond**2 * np.where(beyond > 0.0, hazards, 0.0), 0.0)

    def risk_at(self, time: float) -> float:
        """Number of times and ages that are at least this long."""
        import numpy as np

        place = int(np.searchsorted(self.observed, time))
        return float(self.followed[place]) if place < len(self.followed) else 0.0

    def longest_with(self, least: int) -> float:
        """The longest time or age that at least so many reach; zero if there is none."""
        reached = self.observed[self.followed >= least]
        return float(reached[-1]) if len(reached) else 0.0

    def quantile(self, share: Fraction) -> float:
        """The first time that this share of all times does not exceed; infinite if the curve does
        not come that far. It is never between two times.

        >>> curve = SurvivalCurve.of([1.0, 2.0, 3.0, 4.0], [1, 1, 1, 1])
        >>> [curve.quantile(Fraction(share)) for share in ("0.5", "0.75", "0.99")]
        [2.0, 3.0, 4.0]
        """
        import numpy as np

        reached = np.flatnonzero(self.beyond <= float(1 - share) * (1.0 + ROUNDING))
        return float(self.times[reached[0]]) if len(reached) else math.inf


def _summed(times: ArrayLike, counts: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The different times, ascending, each with its count, and without those of count zero."""
    import numpy as np

    numbers, weights = np.asarray(times, dtype=float), np.asarray(counts, dtype=float)
    found, places = np.unique(numbers[weights > 0], return_inverse=True)
    sums = np.zeros(len(found))
    np.add.at(sums, places, weights[weights > 0])
    return found, sums


def _steps(
    times: NDArray[np.float64], values: NDArray[np.float64], before: float, at: ArrayLike
) -> NDArray[np.float64]:
    """The values of a function that keeps each value from its time on."""
    import numpy as np

    places = np.searchsorted(times, np.asarray(at, dtype=float), side="right")
    return np.concatenate([[before], values])[places]
