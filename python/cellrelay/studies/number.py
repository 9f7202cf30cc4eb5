"""Numbers of a study: measurements over whole experiments that correspond to printed numbers.

A calibration fits these numbers. A metric of a single point needs no such number: a target names
the metric.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from cellrelay.results import NotMeasured
from cellrelay.statistics import Estimate, estimate
from cellrelay.studies.given import Measured, hand, needed


@dataclass(frozen=True)
class Number:
    """A number that is computed from results, such as the lowest throughput of a grid."""

    id: str
    unit: str
    """SI unit of the number; "1" for a plain number."""
    measure: Callable[..., Estimate | float]
    """The function that computes the number from results; its parameters name experiments."""

    @property
    def experiments(self) -> tuple[str, ...]:
        """The experiments over which the number is measured."""
        return needed(self.measure)

    def measured(self, measured: Measured) -> Estimate:
        """The number in these results; `nan` if points are missing."""
        try:
            known = hand(self.measure, measured)
        except NotMeasured:
            return Estimate(math.nan, math.nan, 0)
        return known if isinstance(known, Estimate) else estimate([known])


def number(id: str, unit: str = "1") -> Callable[[Callable[..., Estimate | float]], Number]:
    """Make a number from the function that computes it; the parameters of the function name
    experiments."""
    return lambda measure: Number(id, unit, measure)
