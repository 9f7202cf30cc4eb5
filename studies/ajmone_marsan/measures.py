"""Measures for figures and claims: goodput and efficiency of each connection."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import pairwise

from cellrelay.metric_names import FlowMetric
from cellrelay.results import PointResult, Results
from cellrelay.samples import Samples
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
"""In the parking lot in the order in which they enter."""
PAYLOAD = 48 / 53
"""Share of a cell's bits that a packet and its trailer may have."""
NOT_MUCH = 0.15
"""Share by which one curve lies beside another from which it does not differ significantly."""
LOSSLESS = 0.995
"""Efficiency from which on nothing is lost: a batch may differ from one by what is under way."""
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
        # A connection that waited for its timer throughout has no efficiency at all.
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
"""That over the user data sent, of the run: a ratio of sums, in the mean of the connections."""


def of_runs(point: PointResult) -> list[float]:
    """The efficiency of each run, in the mean of the connections."""
    columns = [point.by_replication("efficiency", f"flow {flow}") for flow in CONNECTIONS]
    return [mean(values) for values in zip(*columns, strict=True)]


def clean_runs(point: PointResult) -> int:
    """Runs in which nothing is lost."""
    return sum(value >= LOSSLESS for value in of_runs(point))


def from_mean(point: PointResult, place: int) -> Estimate:
    """How far the goodput of a connection is from the mean of the three, as a share of that."""
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
    """The points with no more load than that, in Mbit/s."""
    return {load: point for load, point in points.items() if LOADS[load] <= most}


def beyond(points: ByLoad, least: float) -> ByLoad:
    """The points with that load or more."""
    return {load: point for load, point in points.items() if LOADS[load] >= least}


def knee(points: ByLoad, least: float = LOSSLESS) -> tuple[float, float]:
    """The last load before the efficiency first falls below `least`, and the first at which it has.

    The second is infinite if it never does, the first negative if it does at once.
    """
    before = -math.inf
    for load, point in points.items():
        if average(efficiency, point) < least:
            return before, LOADS[load]
        before = LOADS[load]
    return before, math.inf


def said_knee(points: ByLoad) -> str:
    """Where a curve begins to lose, in words."""
    before, after = knee(points)
    if after == math.inf:
        return "nowhere"
    return f"between {before:g} and {after:g}" if before > -math.inf else "at no load"


def series(measure: Measure, points: ByLoad, form: str = ".1f") -> str:
    """The means along a curve, in words."""
    return " ".join(f"{average(measure, point):{form}}" for point in points.values())


def largest_fall(measure: Measure, points: ByLoad) -> float:
    """The most that a curve falls from one load to the next."""
    values = [average(measure, point) for point in points.values()]
    return max(before - after for before, after in pairwise(values))


def apart(
    first: ByLoad, second: ByLoad, measure: Measure, scale: Callable[[float, float], float]
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
    """How much more goodput there is at a point, as a share of that at another."""
    of_base = average(goodput, base)
    return gain(scaled(goodput, 1 / of_base), point, base)


def largest(values: dict[str, float]) -> tuple[str, float]:
    """The value that is furthest from zero, and where it is."""
    place = max(values, key=lambda name: abs(values[name]), default="")
    return place, values.get(place, math.nan)


LOSSY, LOADED = 40, 120
"""Mbit/s between which connections lose and still get something."""


def lossy(points: ByLoad) -> ByLoad:
    """The points at which connections compete for buffers."""
    return up_to(beyond(points, LOSSY), LOADED)


def over_loads(metric: FlowMetric, points: ByLoad) -> list[float]:
    """A metric of each connection, in the mean over loads."""
    known = [each(metric, point) for point in points.values()]
    return [mean(values) for values in zip(*known, strict=True)]


def one_link(parking_tcp: Results, tcp_like_parked: Results) -> tuple[ByLoad, ByLoad]:
    """Shaped TCP in the parking lot, and as much of it in the bottleneck."""
    parked, single = (by_load(one, shaping=SHAPED) for one in (parking_tcp, tcp_like_parked))
    return up_to(parked, 100), up_to(single, 100)
