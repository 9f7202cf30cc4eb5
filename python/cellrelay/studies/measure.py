"""What figures and claims ask of a point: a measure gives a sample for each replication.

So whatever is measured can be estimated, compared on common random numbers, and drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from cellrelay.metric_names import FlowMetric, NetworkMetric, PortMetric
from cellrelay.metrics import renamed, units
from cellrelay.plot import Curve
from cellrelay.results import NotMeasured, PointResult, Results, Unknown
from cellrelay.results.select import meant, resolve_axis
from cellrelay.statistics import Estimate, estimate, mean, paired_difference

Measure = Callable[[PointResult], list[float]]
Place = tuple[str, str]
"""Values of two axes."""
Grid = dict[Place, PointResult]
Key = TypeVar("Key")


def of_network(metric: NetworkMetric) -> Measure:
    """A number that the network as a whole has."""
    _require(metric, "network")
    return lambda point: point.samples(metric)


def of_flow(metric: FlowMetric, flow: str) -> Measure:
    """A number of a flow, by the flow's name."""
    _require(metric, "flow")
    return lambda point: point.samples(metric, f"flow {flow}")


def of_port(metric: PortMetric, port: str) -> Measure:
    """A number of an output, such as `s1->receiver`."""
    _require(metric, "port")
    return lambda point: point.samples(metric, f"port {port}")


def _require(metric: str, kind: str) -> None:
    """Refuse a metric that does not exist when the study is read, before anything is run."""
    if metric not in (known := units()[kind]):
        now = renamed(metric)
        hint = f"it is called `{now}` now" if now in known else meant(metric, list(known))
        raise Unknown(f"`{metric}` is not a metric of a `{kind}`\n  hint: {hint}")


def scaled(measure: Measure, factor: float) -> Measure:
    """A measure in another unit: its samples times `factor`."""
    return lambda point: [factor * sample for sample in measure(point)]


def average(measure: Measure, point: PointResult) -> float:
    """The mean of a measure."""
    return mean(measure(point))


def known(measure: Measure, point: PointResult) -> Estimate:
    """The mean of a measure with its interval."""
    return estimate(measure(point))


def gain(measure: Measure, first: PointResult, second: PointResult) -> Estimate:
    """How much larger a measure is at the first point, on common random numbers."""
    samples = list(zip(measure(first), measure(second), strict=False))
    return paired_difference([a for a, _ in samples], [b for _, b in samples])


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
    """The points that have the values of `where`, by their value of another axis."""
    chosen = results.select(**where)
    name = resolve_axis(chosen.axes, axis)
    return _run({point.values[name]: point for point in chosen.points})


def curve(label: str, points: Mapping[float, PointResult], measure: Measure) -> Curve:
    """A measure over the numbers that are varied; what never happened is left out."""
    estimates = {x: known(measure, point) for x, point in points.items()}
    shown = {x: estimate for x, estimate in estimates.items() if estimate.n}
    return Curve(label, tuple(shown), tuple(shown.values()))


def said(place: Place) -> str:
    """A place in words."""
    return " at ".join(place)


def stated(measure: Measure, points: Grid, place: Place) -> str:
    """A measure at a place, with its interval, in words."""
    return f"{known(measure, points[place])} ({said(place)})"
