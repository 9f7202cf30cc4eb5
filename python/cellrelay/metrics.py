"""What is known of each metric before a run: what it can be, and what it is a ratio of."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from cellrelay import _core
from cellrelay.scope import Scope
from cellrelay.statistics import Range

_RANGES = {
    "share": (0.0, 1.0),
    "chance": (0.0, 1.0),
    "difference": (-math.inf, math.inf),
}
"""What metrics of a kind can be; others are not negative."""


QUANTILES = {
    "median": Fraction(1, 2),
    "p95": Fraction(95, 100),
    "p99": Fraction(99, 100),
    "p999": Fraction(999, 1000),
}
"""What the names of quantiles begin with."""

TIMES = ("delay", "completion_time")
"""What they are quantiles of."""


class Metric(NamedTuple):
    """A metric, as the table of the models describes it."""

    name: str
    scope: str
    """Kind of what it describes, such as `flow`."""
    unit: str
    kind: str
    of: str | None
    """Metric of the same scope that is its numerator; else the product of ratio and denominator."""
    over: str | None
    """Metric of the same scope that is its denominator, if it is a ratio of two."""
    help: str

    @property
    def possible(self) -> Range:
        """The values that it can have."""
        return _RANGES.get(self.kind, (0.0, math.inf))

    @property
    def quantile(self) -> tuple[str, Fraction] | None:
        """Which quantity it is a quantile of, and the share that is no larger, if it is one."""
        name, _, quantity = self.name.partition("_")
        if name in QUANTILES and quantity in TIMES:
            return quantity, QUANTILES[name]
        return None

    @property
    def is_event(self) -> bool:
        """Whether it counts what may not have been seen yet."""
        return self.kind in ("events", "chance", "frequency")

    @property
    def is_mean(self) -> bool:
        """Whether it is a mean, and neither a count of rare events nor an extreme."""
        return self.kind in ("amount", "share") and self.quantile is None


def metric_of(scope: Scope, name: str) -> Metric | None:
    """The metric of a scope, by its name; nothing if there is none."""
    return _by_name().get((scope.kind, name))


@cache
def every_metric() -> tuple[Metric, ...]:
    """All metrics, in the order of a report."""
    return tuple(Metric(**described) for described in json.loads(_core.metrics()))


@cache
def units() -> dict[str, dict[str, str]]:
    """Units of all metrics that there are, by the kind of thing that they are of.

    >>> units()["network"]["goodput"]
    'bit/s'
    """
    found: dict[str, dict[str, str]] = {}
    for metric in every_metric():
        found.setdefault(metric.scope, {})[metric.name] = metric.unit
    return found


@cache
def _by_name() -> dict[tuple[str, str], Metric]:
    return {(metric.scope, metric.name): metric for metric in every_metric()}
