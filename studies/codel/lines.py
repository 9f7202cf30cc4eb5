"""Lines and queues of the study, and the measures of figures and claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cellrelay.results import PointResult
from cellrelay.statistics import mean
from cellrelay.studies import Ranged, of_flow, of_port
from cellrelay.text.quantity import number

TARGET, TRIP, RATE, FLOWS = 5.0, 60, 10, 4
"""The target of CoDel and the round-trip time of `line.toml` in ms, its rate in Mbit/s, and its
number of connections."""
PACKET_BITS = 12_000
DISCARD = "router.gate.discard"
COUNT = "host.sender.count"
NO_LIMIT = float("inf")
TAIL, CODEL = "tail drop", "CoDel"
QUEUES: Mapping[str, Mapping[str, Any]] = {
    TAIL: {DISCARD: {"tail_drop": {}}},
    CODEL: {},
    "PIE": {DISCARD: {"pie": {}}},
    "FQ-CoDel": {DISCARD: {"fq_codel": {}}, "router.gate.scheduler": {"flow_queue": {}}},
}
carried = of_port("utilization", "gate->receiver")


def queues(*names: str) -> dict[str, Mapping[str, Any]]:
    """Queues by their names."""
    return {name: QUEUES[name] for name in names}


def rates(numbers: Iterable[int]) -> dict[str, Mapping[str, Any]]:
    """Lines of these rates in Mbit/s."""
    return {f"{rate} Mbit/s": {"link.line.rate": f"{rate} Mbit/s"} for rate in numbers}


def trips(numbers: Iterable[int]) -> dict[str, Mapping[str, Any]]:
    """Paths of these round-trip times in ms."""
    return {f"{trip} ms": {"link.line.delay": f"{trip / 2:g} ms"} for trip in numbers}


def milliseconds(trip: str) -> int:
    """The number of milliseconds of a round-trip time."""
    return round(number(trip, "ms"))


def _undelayed(point: PointResult) -> float:
    """Milliseconds of a packet from its sender to the receiver if it waits nowhere."""
    rate = number(point.values.get("rate", f"{RATE} Mbit/s"), "Mbit/s")
    trip = milliseconds(point.values.get("trip", f"{TRIP} ms"))
    return trip / 2 + PACKET_BITS / rate / 1e3 + PACKET_BITS / 1e6


def _wait(metric: Any, point: PointResult) -> list[float]:
    count = int(point.values.get(COUNT, FLOWS))
    flows = [of_flow(metric, f"bulk[{flow}]")(point) for flow in range(count)]
    # A connection that delivers nothing in a run has no delay there, and is left out of the point.
    whole = [waits for waits in flows if len(waits) == max(map(len, flows))]
    base = _undelayed(point)
    return [1e3 * mean(of_each) - base for of_each in zip(*whole, strict=True)]


median = Ranged(lambda point: _wait("median_delay", point), (0.0, NO_LIMIT))
"""Median wait of a packet in the queue in milliseconds: the mean over connections."""
most = Ranged(lambda point: _wait("p95_delay", point), (0.0, NO_LIMIT))
"""95th percentile of the wait in milliseconds: the mean over connections."""
