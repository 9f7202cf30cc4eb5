"""Numbers of a study: what a paper prints, measured over whole experiments.

A calibration fits them. What is measured at one point needs none: a target names its metric.
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
    """A number that results have, such as the lowest throughput of a grid."""

    id: str
    unit: str
    """Its SI unit; "1" for a plain number."""
    measure: Callable[..., Estimate | float]
    """Takes results by the names of experiments."""

    @property
    def experiments(self) -> tuple[str, ...]:
        """The experiments that it is measured over."""
        return needed(self.measure)

    def measured(self, measured: Measured) -> Estimate:
        """The number in these results; `nan` if points are missing."""
        try:
            known = hand(self.measure, measured)
        except NotMeasured:
            return Estimate(math.nan, math.nan, 0)
        return known if isinstance(known, Estimate) else estimate([known])


def number(id: str, unit: str = "1") -> Callable[[Callable[..., Estimate | float]], Number]:
    """Make a number of the function that measures it; its parameters name experiments."""
    return lambda measure: Number(id, unit, measure)
