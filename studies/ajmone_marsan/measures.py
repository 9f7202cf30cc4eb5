"""What figures and claims ask of the results: goodput and efficiency of each connection."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from cellrelay.results import NotMeasured, PointResult, Results
from cellrelay.statistics import mean
from cellrelay.studies import Measure, average, of_port

from .experiments import LINK, LOADS

CONNECTIONS = tuple(f"file[{member}]" for member in range(3))
"""In the parking lot in the order in which they enter."""
PAYLOAD = 48 / 53
"""Share of a cell's bits that a packet and its trailer may have."""
LOSSLESS = 0.995
"""Efficiency from which on nothing is lost: a batch may differ from one by what is under way."""

Curve = Mapping[str, PointResult]
"""Points by load."""


def of_connection(metric: str, connection: str, unit: float = 1.0) -> Measure:
    """A metric of one connection."""
    return lambda point: [value / unit for value in point.samples(metric, f"flow {connection}")]


def of_all(metric: str, unit: float = 1.0) -> Measure:
    """The mean of a metric over the three connections, sample by sample."""

    def measure(point: PointResult) -> list[float]:
        columns = [point.sampled(metric, f"flow {flow}").values for flow in CONNECTIONS]
        known = ([v for v in sample if not math.isnan(v)] for sample in zip(*columns, strict=True))
        return [mean(values) / unit for values in known if values]

    return measure


MBIT = 1e6
goodput = of_all("goodput", MBIT)
"""Mbit/s of user data that arrived for the first time, of a connection."""
efficiency = of_all("efficiency")
"""That over the user data sent."""


def without_loss(measure: Measure) -> Measure:
    """The same of those runs, or batches, in which nothing is lost."""

    def chosen(point: PointResult) -> list[float]:
        columns = [point.by_sample("efficiency", f"flow {flow}") for flow in CONNECTIONS]
        shares = [mean(values) for values in zip(*columns, strict=True)]
        pairs = zip(measure(point), shares, strict=True)
        return [value for value, share in pairs if share >= LOSSLESS]

    return chosen


refused = of_port("packet_loss_ratio", "s1->s2")
"""Share of the packets of which the bottleneck refused any part."""


def each(metric: str, point: PointResult, unit: float = 1.0) -> list[float]:
    """The mean of a metric of each connection."""
    return [average(of_connection(metric, flow, unit), point) for flow in CONNECTIONS]


def curve(results: Results, **where: str) -> dict[str, PointResult]:
    """The points that have the values of `where`, by load."""
    points = {point.values["load"]: point for point in results.select(**where).points}
    if empty := sum(not point.runs for point in points.values()):
        raise NotMeasured(f"{empty} of {len(points)} points were not run")
    return points


def up_to(points: Curve, most: float) -> Curve:
    """The points with no more load than that, in Mbit/s."""
    return {load: point for load, point in points.items() if LOADS[load] <= most}


def beyond(points: Curve, least: float) -> Curve:
    """The points with that load or more."""
    return {load: point for load, point in points.items() if LOADS[load] >= least}


def knee(points: Curve, least: float = LOSSLESS) -> tuple[float, float]:
    """The last load before the efficiency first falls below `least`, and the first at which it has.

    The second is infinite if it never does, the first negative if it does at once.
    """
    before = -math.inf
    for load, point in points.items():
        if average(efficiency, point) < least:
            return before, LOADS[load]
        before = LOADS[load]
    return before, math.inf


def said_knee(points: Curve) -> str:
    """Where a curve begins to lose, in words."""
    before, after = knee(points)
    if after == math.inf:
        return "nowhere"
    return f"between {before:g} and {after:g}" if before > -math.inf else "at no load"


def series(measure: Measure, points: Curve, form: str = ".1f") -> str:
    """The means along a curve, in words."""
    return " ".join(f"{average(measure, point):{form}}" for point in points.values())


def apart(
    first: Curve, second: Curve, measure: Measure, scale: Callable[[float, float], float]
) -> dict[str, float]:
    """How far two curves are apart at each load that both have, as `scale` puts it."""
    return {
        load: scale(average(measure, first[load]), average(measure, second[load]))
        for load in first
        if load in second
    }


def relative(first: float, second: float) -> float:
    """A difference as a share of the second."""
    return (first - second) / second if second else math.inf


def free(load: float, share: float) -> float:
    """User data, in Mbit/s, of a third of what a load leaves, with such a share of each cell."""
    return (LINK - load) / 3 * share
