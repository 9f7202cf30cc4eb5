"""Lines and senders of the study, and the measures of figures and claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cellrelay.results import PointResult
from cellrelay.statistics import Estimate, mean
from cellrelay.studies import Check, Ranged, between, of_flow, of_port
from cellrelay.text.quantity import number

TRIP, RATE, SENDERS = 25, 40, 2
"""Round-trip time in ms and rate in Mbit/s of `line.toml`, and its senders of each kind."""
CLASSIC, SCALABLE = "classic", "scalable"
PACKET_BITS = 12_000
NO_LIMIT = float("inf")
FACTOR = 2.0
"""Factor within which rates count as roughly the same."""
carried = of_port("utilization", "gate->receiver")


def rates(numbers: Iterable[int]) -> dict[str, Mapping[str, Any]]:
    """Lines of these rates in Mbit/s."""
    return {f"{rate} Mbit/s": {"link.line.rate": f"{rate} Mbit/s"} for rate in numbers}


def trips(numbers: Iterable[int]) -> dict[str, Mapping[str, Any]]:
    """Paths of these round-trip times in ms."""
    return {f"{trip} ms": {"link.line.delay": f"{trip / 2:g} ms"} for trip in numbers}


def crowds(numbers: Iterable[tuple[int, int]]) -> dict[str, Mapping[str, Any]]:
    """Numbers of classic and of scalable senders."""
    return {
        f"{classic} and {scalable}": {
            "host.classic.count": classic,
            "host.scalable.count": scalable,
        }
        for classic, scalable in numbers
    }


def milliseconds(trip: str) -> int:
    """The number of milliseconds of a round-trip time."""
    return round(number(trip, "ms"))


def _members(kind: str, point: PointResult) -> int:
    scopes = {label.scope for label in point.runs[0].labels if label.scope.kind == "flow"}
    return sum(scope.name is not None and scope.name.group == kind for scope in scopes)


def _means(metric: Any, kind: str, point: PointResult) -> list[float]:
    """The mean of a metric over the senders of a kind, for each replication.

    Delays lack senders that deliver nothing in some replication, as on an overloaded line.
    """
    flows = [of_flow(metric, f"{kind}[{i}]")(point) for i in range(_members(kind, point))]
    known = [one for one in flows if len(one) == len(point.runs)]
    return [mean(of_each) for of_each in zip(*known, strict=True)]


def _ratio(point: PointResult) -> list[float]:
    pair = (_means("goodput", kind, point) for kind in (SCALABLE, CLASSIC))
    return [scalable / classic for scalable, classic in zip(*pair, strict=True)]


ratio = Ranged(_ratio, (0.0, NO_LIMIT))
"""Mean goodput of a scalable sender over that of a classic one."""


def packet_time(point: PointResult) -> float:
    """Milliseconds that the line takes to send a packet."""
    return PACKET_BITS / number(point.values.get("rate", f"{RATE} Mbit/s"), "Mbit/s") / 1e3


def _wait(metric: Any, kind: str, point: PointResult) -> list[float]:
    trip = milliseconds(point.values.get("trip", f"{TRIP} ms"))
    undelayed = trip / 2 + packet_time(point) + PACKET_BITS / 1e6
    return [1e3 * delay - undelayed for delay in _means(metric, kind, point)]


def waits(metric: Any, kind: str = SCALABLE) -> Ranged:
    """A metric of the delay of a kind's packets, less that of an idle path, in milliseconds."""
    return Ranged(lambda point: _wait(metric, kind, point), (0.0, NO_LIMIT))


def dropped(point: PointResult) -> list[float]:
    """Loss events of all scalable senders, for each replication."""
    count = _members(SCALABLE, point)
    return [count * mean_of for mean_of in _means("loss_events", SCALABLE, point)]


def below(what: str, known: Estimate, bound: float) -> Check:
    """The check that an estimate is at most a bound."""
    return between(what, known, -NO_LIMIT, bound)


def within_factor(what: str, known: Estimate, factor: float, around: float = 1.0) -> Check:
    """The check that an estimate is within a factor of a value."""
    return between(what, known, around / factor, around * factor)
