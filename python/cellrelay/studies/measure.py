"""Measures of a point for figures and claims, each with a sample for each replication.

A measure can be estimated with an interval, compared on common random numbers, and drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from cellrelay.metrics.metric import every_metric, renamed, units
from cellrelay.metrics.names import FlowMetric, NetworkMetric, PortMetric
from cellrelay.metrics.scope import Scope
from cellrelay.plot import Curve
from cellrelay.results import NotMeasured, PointResult, Results, Unknown
from cellrelay.results.select import meant, resolve_axis
from cellrelay.statistics import (
    ANYTHING,
    Estimate,
    PossibleRange,
    estimate,
    mean,
    paired_difference,
    two_kinds,
)

Measure = Callable[[PointResult], list[float]]
GridPlace = tuple[str, str]
"""A place in a grid: its value on each of the two axes."""
Grid = dict[GridPlace, PointResult]
Key = TypeVar("Key")


@dataclass(frozen=True)
class Ranged:
    """A measure whose values have a known range, such as 0 to 1 for a share."""

    samples: Measure
    possible: PossibleRange

    def __call__(self, point: PointResult) -> list[float]:
        """The samples of the measure at a point."""
        return self.samples(point)


def of_network(metric: NetworkMetric) -> Ranged:
    """A metric of the network."""
    return Ranged(lambda point: point.samples(metric), _range(metric, "network"))


def of_flow(metric: FlowMetric, flow: str) -> Ranged:
    """A metric of the flow with this name."""
    possible = _range(metric, "flow")
    scope = Scope.named("flow", flow)
    return Ranged(lambda point: point.samples(metric, scope), possible)


def of_port(metric: PortMetric, port: str) -> Ranged:
    """A metric of an output, such as `s1->receiver`."""
    possible = _range(metric, "port")
    scope = Scope.named("port", port)
    return Ranged(lambda point: point.samples(metric, scope), possible)


def _range(metric: str, kind: str) -> PossibleRange:
    """The range of a metric; a metric that does not exist is refused before any run."""
    if metric not in (known := units()[kind]):
        now = renamed(metric)
        hint = f"it is called `{now}` now" if now in known else meant(metric, list(known))
        raise Unknown(f"`{metric}` is not a metric of a `{kind}`\n  hint: {hint}")
    return next(one.possible for one in every_metric() if (one.scope, one.name) == (kind, metric))


def scaled(measure: Measure, factor: float) -> Ranged:
    """A measure in another unit: its samples times `factor`, which is positive."""
    least, most = range_of(measure)
    samples: Measure = lambda point: [factor * sample for sample in measure(point)]  # noqa: E731
    return Ranged(samples, (factor * least, factor * most))


def range_of(measure: Measure) -> PossibleRange:
    """The range of a measure, if it is known."""
    return measure.possible if isinstance(measure, Ranged) else ANYTHING


def average(measure: Measure, point: PointResult) -> float:
    """The mean of a measure."""
    return mean(measure(point))


def known(measure: Measure, point: PointResult) -> Estimate:
    """The mean of a measure with its interval, within the range of the measure.

    If the replications fall into two kinds, the estimate holds both kinds, and its mean describes
    neither.
    """
    samples = measure(point)
    found = estimate(samples, possible=range_of(measure))
    # An event that some runs lack is rare; the runs that have it do not count as a kind.
    is_of_runs = not point.batches and all(samples)
    return replace(found, kinds=two_kinds(samples)) if is_of_runs else found


def percent(share: Estimate) -> str:
    """A share as a percentage, with its interval."""
    return f"{share.scaled(0.01)} %"


def gain(measure: Measure, first: PointResult, second: PointResult) -> Estimate:
    """The difference of a measure between two points, on common random numbers.

    If one point stopped after fewer replications, those that both have are compared, and
    `unpaired` counts the others. Raises `NotMeasured` if the numbers of samples differ and some
    replications have none: then the pairs are unknown.
    """
    here, there = measure(first), measure(second)
    pairs = min(len(here), len(there))
    unpaired = len(here) + len(there) - 2 * pairs
    if unpaired and [len(here), len(there)] != [len(first.runs), len(second.runs)]:
        problem = f"{len(here)} samples have no known partners among {len(there)}"
        raise NotMeasured(f"{problem}\n  hint: measure something that every replication has")
    return replace(paired_difference(here[:pairs], there[:pairs]), unpaired=unpaired)


def grid(results: Results, first: str, second: str, **where: str) -> Grid:
    """The points of two axes, where the others have the values of `where`."""
    chosen = results.select(**where) if where else results
    axes = [resolve_axis(chosen.axes, name) for name in (first, second)]
    return _run({(point.values[axes[0]], point.values[axes[1]]): point for point in chosen.points})


def _run(points: dict[Key, PointResult]) -> dict[Key, PointResult]:
    if empty := sum(not point.runs for point in points.values()):
        raise NotMeasured(f"{empty} of {len(points)} points were not run")
    return points


def along(results: Results, axis: str, **where: str) -> dict[str, PointResult]:
    """The points with the values of `where`, by their values on another axis."""
    chosen = results.select(**where)
    name = resolve_axis(chosen.axes, axis)
    return _run({point.values[name]: point for point in chosen.points})


def curve(label: str, points: Mapping[float, PointResult], measure: Measure) -> Curve:
    """A measure over the values of an axis, without points that have no sample."""
    estimates = {x: known(measure, point) for x, point in points.items()}
    shown = {x: estimate for x, estimate in estimates.items() if estimate.n}
    return Curve(label, tuple(shown), tuple(shown.values()))


def said(place: GridPlace) -> str:
    """The values of axes at a point, in words."""
    return " at ".join(place)


def stated(measure: Measure, points: Grid, place: GridPlace) -> str:
    """A measure at a point, with its interval, in words."""
    return f"{known(measure, points[place])} ({said(place)})"
