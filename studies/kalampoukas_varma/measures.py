"""Measures of figures and claims: the goodput of long and short connections.

A group of connections is a flow of the scenario with all its members.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from cellrelay.metrics.names import FlowMetric
from cellrelay.metrics.scope import Scope
from cellrelay.results import PointResult, Results
from cellrelay.statistics import jain_index, mean
from cellrelay.studies import Measure, along

from .networks import LONG, SHORT, SWITCHES, TRUNKS
from .schemes import CREDITS
from .variants import BUFFERS

MBIT, MILLI = 1e6, 1e-3
LINK = 149.76
"""Mbit/s of cells that each link carries."""
IN_CELLS = LINK * 9140 / (192 * 53)
"""Mbit/s of user data that a link carries in cells, with packets of 9180 bytes."""
IN_PACKETS = LINK * 9140 / 9180
ByPlace = Mapping[str, PointResult]
"""Points by buffer, links or connections."""


def members(point: PointResult, groups: Sequence[str]) -> list[Scope]:
    """Scopes of the connections of some groups."""
    scopes = dict.fromkeys(label.scope for label in point.labels)
    return [scope for scope in scopes if any(Scope.flow(group).covers(scope) for group in groups)]


def _over(
    metric: FlowMetric,
    groups: Sequence[str],
    made: Callable[[list[float]], float],
    unit: float = 1.0,
) -> Measure:
    """A function of a metric of all connections of some groups that have the metric."""

    def measure(point: PointResult) -> list[float]:
        columns = [point.by_sample(metric, scope) for scope in members(point, groups)]
        known = ([v for v in sample if not math.isnan(v)] for sample in zip(*columns, strict=True))
        return [made(values) / unit for values in known if values]

    return measure


def throughput(*groups: str) -> Measure:
    """Mean goodput of the connections of these groups, in Mbit/s."""
    return _over("goodput", groups, mean, MBIT)


def delay(*groups: str) -> Measure:
    """Time in ms from the transport's hand-over of a segment to its arrival."""
    return _over("mean_delay", groups, mean, MILLI)


def timeouts(*groups: str) -> Measure:
    """Retransmission timeouts of all connections of these groups."""
    return _over("timeouts", groups, sum)


long, short = throughput(LONG), throughput(*SHORT)
long_delay, short_delay = delay(LONG), delay(*SHORT)
fairness = _over("goodput", (LONG, *SHORT), jain_index)
"""Jain's index over all connections, whose max-min shares are equal."""


def ratio(point: PointResult, shared: Sequence[str] = SHORT) -> list[float]:
    """Goodput of long connections divided by that of the short ones that share a link with them."""
    pairs = zip(long(point), throughput(*shared)(point), strict=True)
    return [one / other if other else math.nan for one, other in pairs]


def carried(point: PointResult) -> list[float]:
    """Mbit/s of user data over a link between switches, the mean of the three."""
    each = len(members(point, (LONG,)))
    return [each * (one + other) for one, other in zip(long(point), short(point), strict=True)]


def filled(point: PointResult) -> list[float]:
    """Share of a link between switches spent on packets that arrived for the first time, with all
    their overhead: what is carried as a share of the most that cells, or packets, can carry."""
    shares = [
        point.by_sample(metric, f"port {here}->{there}")
        for here, there in pairwise(SWITCHES)
        for metric in ("useful_share", "padding_share")
    ]
    return [sum(sample) / len(TRUNKS) for sample in zip(*shares, strict=True)]


def resent(point: PointResult) -> list[float]:
    """Retransmissions divided by distinct packets sent, over all connections."""
    sent, again = _packets(point, "packets_sent"), _packets(point, "retransmission_ratio")
    shares = []
    for packets, ratios in zip(sent, again, strict=True):
        distinct = [
            count / (1 + share)
            for count, share in zip(packets, ratios, strict=True)
            if not math.isnan(share)
        ]
        shares.append((sum(packets) - sum(distinct)) / sum(distinct))
    return shares


def _packets(point: PointResult, metric: FlowMetric) -> list[tuple[float, ...]]:
    columns = [point.by_sample(metric, scope) for scope in members(point, (LONG, *SHORT))]
    return list(zip(*columns, strict=True))


def refused(point: PointResult) -> list[float]:
    """The largest share of packets dropped at any output."""
    ports = {label.scope for label in point.labels if label.metric == "packet_loss_ratio"}
    columns = [point.by_sample("packet_loss_ratio", port) for port in sorted(ports, key=str)]
    return [max(v for v in sample if not math.isnan(v)) for sample in zip(*columns, strict=True)]


def by_buffer(results: Results, scheme: str) -> dict[str, PointResult]:
    """The points of a scheme by buffer, smallest first."""
    points = along(results, "buffer", scheme=scheme)
    return {buffer: points[buffer] for buffer in BUFFERS if buffer in points}


def series(measure: Measure, points: ByPlace, form: str = ".2f") -> str:
    """Text with the means along a curve."""
    return " ".join(f"{mean(measure(point)):{form}}" for point in points.values())


def with_credits(credits: Results) -> PointResult:
    """The single point of the scheme with credits, whose buffer holds all credits."""
    return credits.point(scheme=CREDITS)
