"""What figures and claims ask of the results.

A measure gives a sample for each replication of a point, and so can be estimated, compared and
drawn. A place in the grid of the paper is a packet size and a buffer.
"""

from __future__ import annotations

from collections.abc import Callable

from cellrelay.results import NotMeasured, PointResult, Results
from cellrelay.results.select import resolve_axis
from cellrelay.statistics import Estimate, estimate, mean, paired_difference
from cellrelay.studies.claim import Measured

from .experiments import BUFFERS, CELLS, CONNECTIONS, FABRIC

Measure = Callable[[PointResult], list[float]]
Place = tuple[str, str]
Grid = dict[Place, PointResult]

SEGREGATED = 0.6
"""Index of fairness below which a few connections have shut out the others: it is what ten
connections have if four of them get nothing and six the same."""


def of_network(metric: str) -> Measure:
    """A number that the network as a whole has."""
    return lambda point: point.samples(metric)


def of_exit(metric: str) -> Measure:
    """A number of the congested output."""
    return lambda point: point.samples(metric, "port s1->receiver")


throughput = of_network("effective_throughput")
fairness = of_network("fairness_index")
idle = of_exit("idle_share")
dead = of_exit("dead_cell_share")
resent = of_exit("resent_share")
cell_loss = of_exit("cell_loss_ratio")


def resent_packets(point: PointResult) -> list[float]:
    """Packets sent again over distinct packets sent, by all bulk connections together."""
    again = distinct = [0.0] * len(point.runs)
    for connection in _connections(point):
        ratios = point.samples("retransmission_ratio", connection)
        sent = point.samples("packets_sent", connection)
        once = [all_sent / (1 + ratio) for all_sent, ratio in zip(sent, ratios, strict=True)]
        distinct = [a + b for a, b in zip(distinct, once, strict=True)]
        again = [a + b * r for a, b, r in zip(again, once, ratios, strict=True)]
    return [a / b for a, b in zip(again, distinct, strict=True)]


def timeouts(point: PointResult) -> list[float]:
    """Retransmission timeouts of all bulk connections together."""
    counts = [point.samples("timeouts", connection) for connection in _connections(point)]
    return [sum(count) for count in zip(*counts, strict=True)]


def _connections(point: PointResult) -> list[str]:
    scopes = dict.fromkeys(label.scope for label in point.labels)
    return [scope for scope in scopes if scope.startswith("flow bulk[")]


def average(measure: Measure, point: PointResult) -> float:
    """The mean of a measure."""
    return mean(measure(point))


def gain(measure: Measure, first: PointResult, second: PointResult) -> Estimate:
    """How much larger a measure is at the first point, on common random numbers."""
    samples = list(zip(measure(first), measure(second), strict=False))
    return paired_difference([a for a, _ in samples], [b for _, b in samples])


def is_segregated(point: PointResult) -> bool:
    """Whether a few connections have shut out the others; the paper leaves such points out."""
    return average(fairness, point) < SEGREGATED


def grid(results: Results, **where: str) -> Grid:
    """Points by packet size and buffer, segregated ones included."""
    chosen = results.select(**where) if where else results
    packet, buffer = (resolve_axis(chosen.axes, name) for name in ("packet", "per_output"))
    points = {(point.values[packet], point.values[buffer]): point for point in chosen.points}
    if empty := sum(not point.runs for point in points.values()):
        raise NotMeasured(f"{empty} of {len(points)} points were not run")
    return points


def plain_atm(measured: Measured) -> Grid:
    """Plain ATM with ten connections and windows of 64 kB."""
    return grid(measured["plain"], window="64 KiB")


def plain_by_backoff(measured: Measured, rule: str, fabric: str = FABRIC) -> Grid:
    """The same where timeouts back off by another rule, or cells move by another fabric."""
    return grid(measured["floor"], backoff=rule, fabric=fabric)


def shared(*grids: Grid) -> list[Place]:
    """Places that all grids have, and at which none is segregated."""
    return [
        place
        for place in grids[0]
        if all(place in grid and not is_segregated(grid[place]) for grid in grids)
    ]


def spread(measure: Measure, points: Grid) -> tuple[Place, Place]:
    """Where a measure is lowest and where it is highest, segregated points left out."""
    ranked = sorted(shared(points), key=lambda place: average(measure, points[place]))
    return ranked[0], ranked[-1]


def floor(points: Grid) -> Place:
    """Where effective throughput is lowest, segregated points left out."""
    return spread(throughput, points)[0]


def holds_a_packet_each(place: Place) -> bool:
    """Whether the buffer has room for a packet of each connection; if not it is very small."""
    size, buffer = place
    return BUFFERS[buffer] >= CONNECTIONS * CELLS[size]


def said(place: Place) -> str:
    """A place in words."""
    return " at ".join(place)


def stated(measure: Measure, points: Grid, place: Place) -> str:
    """A measure at a place, with its interval, in words."""
    return f"{known(measure, points[place])} ({said(place)})"


def known(measure: Measure, point: PointResult) -> Estimate:
    """The mean of a measure with its interval."""
    return estimate(measure(point))
