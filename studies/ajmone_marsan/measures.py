"""Measures for figures and claims: goodput and efficiency of each connection."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import pairwise

from cellrelay.metrics.names import FlowMetric
from cellrelay.results import PointResult, Results
from cellrelay.results.samples import Samples
from cellrelay.statistics import Estimate, estimate, mean
from cellrelay.studies import (
    Measure,
    Ranged,
    along,
    average,
    gain,
    of_flow,
    of_port,
    range_of,
    scaled,
)

from .loads import LINK, LOADS
from .transports import SHAPED, SIZES, UNSHAPED

CONNECTIONS = tuple(f"file[{member}]" for member in range(3))
"""Names of the three connections; in the parking lot, in the order in which they enter."""
PAYLOAD = 48 / 53
"""Share of the bits of a cell that are payload."""
NOT_MUCH = 0.15
"""Largest relative difference between curves that do not differ significantly."""
LOSSLESS = 0.995
"""Smallest efficiency of a batch without losses: data in transit at its ends shift it from one."""
ByLoad = Mapping[str, PointResult]
"""Points by load."""


def of_connection(metric: FlowMetric, connection: str, unit: float = 1.0) -> Measure:
    """A metric of one connection."""
    whole = of_flow(metric, connection)
    samples: Measure = lambda point: [value / unit for value in whole(point)]  # noqa: E731
    return Ranged(samples, scaled(whole, 1 / unit).possible)


def of_all(metric: FlowMetric, unit: float = 1.0) -> Measure:
    """The mean of a metric over the three connections, sample by sample."""

    def measure(point: PointResult) -> list[float]:
        sampled = [point.sampled(metric, f"flow {flow}") for flow in CONNECTIONS]
        # A connection that waits for its timer throughout a batch has no efficiency in it.
        columns = [_filled(samples) for samples in sampled if samples.known]
        return [mean(values) / unit for values in zip(*columns, strict=True)]

    return Ranged(measure, range_of(of_connection(metric, CONNECTIONS[0], unit)))


def _filled(samples: Samples) -> list[float]:
    """The contribution of each sample; a batch in which nothing was sent changes no ratio."""
    known = mean(samples.known)
    return [known if math.isnan(value) else value for value in samples.values]


MBIT = 1e6
goodput = of_all("goodput", MBIT)
"""Mbit/s of user data that arrived for the first time, of a connection."""
efficiency = of_all("efficiency")
"""User data delivered over user data sent, as a ratio of sums; mean of the connections."""


def of_runs(point: PointResult) -> list[float]:
    """The efficiency of each run, in the mean of the connections."""
    columns = [point.by_replication("efficiency", f"flow {flow}") for flow in CONNECTIONS]
    return [mean(values) for values in zip(*columns, strict=True)]


def clean_runs(point: PointResult) -> int:
    """Runs in which nothing is lost."""
    return sum(value >= LOSSLESS for value in of_runs(point))


def from_mean(point: PointResult, place: int) -> Estimate:
    """Distance of a connection's goodput from the mean of the three, relative to the mean."""
    columns = [of_connection("goodput", flow)(point) for flow in CONNECTIONS]
    means = [mean(values) for values in zip(*columns, strict=True)]
    apart = zip(columns[place], means, strict=True)
    return estimate([(value - of_all) / mean(means) for value, of_all in apart])


refused = of_port("packet_loss_ratio", "s1->s2")
"""Share of the packets that lost a cell or more at the bottleneck."""


def each(metric: FlowMetric, point: PointResult, unit: float = 1.0) -> list[float]:
    """The mean of a metric of each connection."""
    return [average(of_connection(metric, flow, unit), point) for flow in CONNECTIONS]


def by_load(results: Results, **where: str) -> dict[str, PointResult]:
    """The points that have the values of `where`, by load."""
    return along(results, "load", **where)


def up_to(points: ByLoad, most: float) -> ByLoad:
    """The points with a load of at most `most` Mbit/s."""
    return {load: point for load, point in points.items() if LOADS[load] <= most}


def beyond(points: ByLoad, least: float) -> ByLoad:
    """The points with a load of at least `least` Mbit/s."""
    return {load: point for load, point in points.items() if LOADS[load] >= least}


def knee(points: ByLoad, least: float = LOSSLESS) -> tuple[float, float]:
    """The last load before the efficiency first falls below `least`, and the first at which it has.

    The second load is infinite if the efficiency never falls below `least`, and the first is
    minus infinity if it is below from the lowest load on.
    """
    before = -math.inf
    for load, point in points.items():
        if average(efficiency, point) < least:
            return before, LOADS[load]
        before = LOADS[load]
    return before, math.inf


def said_knee(points: ByLoad) -> str:
    """Text with the loads between which a curve begins to lose."""
    before, after = knee(points)
    if after == math.inf:
        return "nowhere"
    return f"between {before:g} and {after:g}" if before > -math.inf else "at no load"


def series(measure: Measure, points: ByLoad, form: str = ".1f") -> str:
    """Text with the means along a curve."""
    return " ".join(f"{average(measure, point):{form}}" for point in points.values())


def largest_fall(measure: Measure, points: ByLoad) -> float:
    """The largest fall of a curve from one load to the next."""
    values = [average(measure, point) for point in points.values()]
    return max(before - after for before, after in pairwise(values))


def apart(
    first: ByLoad, second: ByLoad, measure: Measure, scale: Callable[[float, float], float]
) -> dict[str, float]:
    """The difference between two curves at each common load, in the form that `scale` gives it."""
    return {
        load: scale(average(measure, first[load]), average(measure, second[load]))
        for load in first
        if load in second
    }


def relative(first: float, second: float) -> float:
    """The difference of two values relative to the second."""
    return (first - second) / second if second else math.inf


def gained_and_lost(changes: Mapping[str, float]) -> tuple[float, float]:
    """Means over loads of the gains and of the losses of one curve against another, so that a gain
    at one load does not cancel a loss at another."""
    gains = mean([max(change, 0.0) for change in changes.values()])
    losses = mean([max(-change, 0.0) for change in changes.values()])
    return gains, losses


def distance(changes: Mapping[str, float]) -> float:
    """Mean over loads of the relative distance between two curves."""
    return sum(gained_and_lost(changes))


def free(load: float, share: float) -> float:
    """User data in Mbit/s of a third of the free capacity, with this payload share of a cell."""
    return (LINK - load) / 3 * share


def third(tcp_third: Results, size: str, shaping: str = UNSHAPED) -> ByLoad:
    """TCP with a window for a third of the link."""
    return by_load(tcp_third, size=size, shaping=shaping)


def by_size(*results: Results) -> dict[str, Results]:
    """Experiments with each frame size, the largest first."""
    return dict(zip(SIZES, results, strict=True))


def xtp_by_load(results: Results, resent: str, shaping: str = UNSHAPED) -> ByLoad:
    """XTP over 1000 km, of one frame size."""
    return by_load(results, resent=resent, shaping=shaping)


def relative_gain(point: PointResult, base: PointResult) -> Estimate:
    """Relative difference of goodput between two points."""
    of_base = average(goodput, base)
    return gain(scaled(goodput, 1 / of_base), point, base)


def largest(values: dict[str, float]) -> tuple[str, float]:
    """The value furthest from zero, with its place."""
    place = max(values, key=lambda name: abs(values[name]), default="")
    return place, values.get(place, math.nan)


LOSSY, LOADED = 40, 120
"""Background loads in Mbit/s at which connections have losses but still some goodput."""


def lossy(points: ByLoad) -> ByLoad:
    """The points at which connections compete for buffers."""
    return up_to(beyond(points, LOSSY), LOADED)


def over_loads(metric: FlowMetric, points: ByLoad) -> list[float]:
    """A metric of each connection, averaged over loads."""
    known = [each(metric, point) for point in points.values()]
    return [mean(values) for values in zip(*known, strict=True)]


def one_link(parking_tcp: Results, tcp_like_parked: Results) -> tuple[ByLoad, ByLoad]:
    """Shaped TCP in the parking lot, and with the same windows in the bottleneck."""
    parked, single = (by_load(one, shaping=SHAPED) for one in (parking_tcp, tcp_like_parked))
    return up_to(parked, 100), up_to(single, 100)
