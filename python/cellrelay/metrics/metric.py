"""Properties of each metric that are known before a run: its range, and its ratio."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from cellrelay import _core
from cellrelay.metrics.scope import Scope
from cellrelay.statistics import PossibleRange

_RANGES = {
    "share": (0.0, 1.0),
    "chance": (0.0, 1.0),
    "difference": (-math.inf, math.inf),
}
"""Ranges of metrics, by kind; metrics of other kinds are not negative."""


class Metric(NamedTuple):
    """A metric, as described by the table of the models."""

    name: str
    scope: str
    """Kind of the scope of the metric, such as `flow`."""
    unit: str
    kind: str
    of: str | None
    """Numerator, a metric of this scope; if `None`, the product of the ratio and `over`."""
    over: str | None
    """Denominator, a metric of this scope, if the metric is a ratio."""
    times: str | None
    """The times of the quantile, `delay` or `completion_time`, if the metric is a quantile."""
    thousandths: int | None
    """The level of the quantile in thousandths, such as 950, if the metric is a quantile."""
    help: str
    formerly: list[str]
    """Names of the metric in earlier versions."""

    @property
    def possible(self) -> PossibleRange:
        """Range of the values of the metric."""
        return _RANGES.get(self.kind, (0.0, math.inf))

    @property
    def quantile(self) -> Fraction | None:
        """The level of the quantile, such as 0.95, if the metric is a quantile."""
        return None if self.thousandths is None else Fraction(self.thousandths, 1000)

    @property
    def is_event(self) -> bool:
        """True if the metric counts events that may not have happened yet."""
        return self.kind in ("events", "chance", "frequency")

    @property
    def adds_up(self) -> bool:
        """True if the metric counts, so that the number of a group is the total of its members."""
        return self.kind in ("count", "events")

    @property
    def is_mean(self) -> bool:
        """True if the metric is a mean, and neither a count of rare events nor an extreme."""
        return self.kind in ("amount", "share") and self.quantile is None


def metric_of(scope: Scope, name: str) -> Metric | None:
    """The metric with this name at a scope, `None` if there is none."""
    return _by_name().get((scope.kind, name))


def renamed(name: str) -> str | None:
    """The present name of a metric that had this name in an earlier version.

    >>> renamed("held_by_cwnd")
    'limited_by_congestion_window'
    """
    known = (metric.name for metric in every_metric() if name in metric.formerly)
    return next(known, None)


@cache
def every_metric() -> tuple[Metric, ...]:
    """All metrics, in the order of a report."""
    return tuple(Metric(**described) for described in json.loads(_core.metrics()))


@cache
def quantiles_of(times: str) -> tuple[tuple[str, Fraction], ...]:
    """The quantiles of times such as `delay`: the name of each, and its level.

    >>> quantiles_of("delay")[1]
    ('p95_delay', Fraction(19, 20))
    """
    known = (metric for metric in every_metric() if metric.times == times)
    return tuple((one.name, one.quantile) for one in known if one.quantile is not None)


@cache
def units() -> dict[str, dict[str, str]]:
    """Units of all metrics, by kind of scope and by name.

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
