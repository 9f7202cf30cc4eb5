"""Synchronised reads: their settings, and the measures of figures and claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cellrelay.metrics.names import FlowMetric
from cellrelay.plot import Chart, Panel
from cellrelay.results import PointResult, Results
from cellrelay.statistics import Estimate, mean
from cellrelay.studies import Check, Ranged, along, curve, known, of_flow, of_port

COUNT = "host.server.count"
BUFFER = "router.switch.buffer.per_output"
TCP = "flow.part.transport.tcp"
CAPACITY = 1000.0
"""Rate of the links in Mbit/s."""
PACKET = 1040
"""Octets of a packet on a link; 1000 of them are user data."""
FEW, MANY = 4, 64
"""Numbers of servers with which claims compare."""
HALF = CAPACITY / 2
"""Goodput in Mbit/s from which a read counts as high throughput."""
COLLAPSED = CAPACITY / 5
"""Goodput in Mbit/s below which a read counts as collapsed."""

idle = of_port("idle_share", "switch->client")


def room(packets: int) -> str:
    """The buffer of a port that holds so many packets, the one being sent included."""
    return f"{(packets - 1) * PACKET} B"


def timers(shortest: str, tick: str = "10 us") -> dict[str, Any]:
    """Timers with this shortest timeout, also before the first round-trip time is known."""
    return {f"{TCP}.timers": {"ns": {"tick": tick, "min": shortest, "initial": shortest}}}


def parts(size: str) -> dict[str, Any]:
    """Parts of this size."""
    return {"flow.request.source.steps.each": size, "flow.part.source.steps.write": size}


def servers(counts: Iterable[int]) -> dict[str, tuple[int, ...]]:
    """The axis of the number of servers."""
    return {COUNT: tuple(counts)}


def _counted(point: PointResult) -> int:
    return int(point.values[COUNT])


def _sums(metric: FlowMetric, point: PointResult) -> list[float]:
    """A metric of the parts, added up over servers, for each replication."""
    flows = (of_flow(metric, f"part[{server}]")(point) for server in range(_counted(point)))
    return [sum(of_each) for of_each in zip(*flows, strict=True)]


goodput = Ranged(
    lambda point: [octets * 1e-6 for octets in _sums("goodput", point)], (0.0, CAPACITY)
)
"""User data that the client reads, in Mbit/s."""


def _share_retransmitted(point: PointResult) -> list[float]:
    sent = (_sums(metric, point) for metric in ("packets_retransmitted", "packets_sent"))
    return [retransmitted / all_sent for retransmitted, all_sent in zip(*sent, strict=True)]


retransmitted = Ranged(_share_retransmitted, (0.0, 1.0))
"""Share of retransmissions among the packets that the servers send."""


def by_servers(results: Results, **where: str) -> Mapping[float, PointResult]:
    """The points by the number of servers."""
    return {float(count): point for count, point in along(results, COUNT, **where).items()}


def drawn(results: Results, axis: str, legend: str, ticks: Iterable[int]) -> Chart:
    """The goodput over the number of servers, a curve for each value of `axis`."""
    curves = tuple(
        curve(name, by_servers(results, **{axis: name}), goodput) for name in results.values(axis)
    )
    return Chart(
        (Panel(curves),),
        "servers",
        "goodput (Mbit/s)",
        legend=legend,
        y_range=(0.0, CAPACITY),
        is_logarithmic=True,
        x_ticks=tuple(map(float, ticks)),
        possible=(0.0, CAPACITY),
    )


def read(results: Results, **where: str) -> dict[int, Estimate]:
    """The goodput by the number of servers."""
    points = by_servers(results, **where)
    return {int(count): known(goodput, point) for count, point in points.items()}


def below(what: str, rate: Estimate, bound: float) -> Check:
    """The check that an estimate is below a bound."""
    return Check(what, rate.mean < bound, rate.high < bound or rate.low > bound)


def onset(results: Results, **where: str) -> int:
    """The largest number of servers up to which all reads have high throughput; 0 if none has."""
    reached = 0
    for count, point in sorted(by_servers(results, **where).items()):
        if mean(goodput(point)) < HALF:
            break
        reached = int(count)
    return reached
