"""Measures of figures and claims.

A place in the grid of the paper is a packet size and a buffer."""

from __future__ import annotations

from cellrelay.metrics.names import PortMetric
from cellrelay.metrics.scope import Scope
from cellrelay.results import PointResult, Results
from cellrelay.statistics import mean
from cellrelay.studies import Grid, GridPlace, Measure, average, of_network, of_port
from cellrelay.studies import grid as points_of

from .ten_tcp import BUFFERS, CELLS, CONNECTIONS

SEGREGATED = 0.6
"""Fairness index of ten connections of which four have no goodput and the others equal ones;
below it a place counts as segregated. The number is our choice."""
LEFT_OUT = ("9180 B", "256 cells")
"""The place that Figure 2 leaves out, for all windows and numbers of connections."""
EQUAL = 0.01
"""Largest difference of effective throughput that counts as equal."""
FABRIC = "two a slot, round robin"
"""The fabric of the scenario."""

EXIT = "s1->receiver"
"""The congested output."""


def of_exit(metric: PortMetric) -> Measure:
    """A metric of the congested output."""
    return of_port(metric, EXIT)


throughput = of_network("effective_throughput")
fairness = of_network("fairness_index")
idle = of_exit("idle_share")
dead = of_exit("dead_cell_share")
resent = of_exit("duplicate_share")
cell_loss = of_exit("cell_loss_ratio")


def resent_packets(point: PointResult) -> list[float]:
    """Retransmissions divided by distinct packets sent, over all bulk connections."""
    return point.sampled("retransmission_ratio", *_connections(point)).known


def timeouts(point: PointResult) -> list[float]:
    """Retransmission timeouts of all bulk connections."""
    counts = [point.samples("timeouts", connection) for connection in _connections(point)]
    return [sum(count) for count in zip(*counts, strict=True)]


def awaiting_timer(point: PointResult) -> list[float]:
    """The share of the time in which a bulk connection waits for its timer, on average."""
    shares = [point.samples("limited_by_timeout", one) for one in _connections(point)]
    return [mean(share) for share in zip(*shares, strict=True)]


def _connections(point: PointResult) -> list[Scope]:
    scopes = dict.fromkeys(label.scope for label in point.labels)
    return [scope for scope in scopes if Scope.flow("bulk").covers(scope)]


def is_segregated(point: PointResult) -> bool:
    """True if several connections have shut out the others; the paper leaves such places out.

    Appendix A: "one or more connections can be starved out (prevented from attaining any bandwidth
    by the other connections)".
    """
    return average(fairness, point) < SEGREGATED


def grid(results: Results, **where: str) -> Grid:
    """Points by packet size and buffer, segregated ones included."""
    return points_of(results, "packet", "per_output", **where)


def plain_atm(plain: Results) -> Grid:
    """Plain ATM with ten connections and windows of 64 kB."""
    return grid(plain, window="64 KiB")


def shown(plain: Grid) -> Grid:
    """The places of plain ATM that Figure 2 shows.

    Footnote 5: "For the case of a 256-cell buffer and packet size of 9180 bytes, the data point is
    not shown because results were segregated."
    """
    return {place: point for place, point in plain.items() if place != LEFT_OUT}


def by_backoff(floor: Results, rule: str, fabric: str = FABRIC) -> Grid:
    """The places of Figure 2 with a backoff rule and a fabric."""
    return shown(grid(floor, backoff=rule, fabric=fabric))


def shared(*grids: Grid) -> list[GridPlace]:
    """Places that all grids have, and that are segregated in none."""
    return [
        place
        for place in grids[0]
        if all(place in grid and not is_segregated(grid[place]) for grid in grids)
    ]


def spread(measure: Measure, points: Grid) -> tuple[GridPlace, GridPlace]:
    """The places at which a measure is lowest and highest, without segregated points."""
    ranked = sorted(shared(points), key=lambda place: average(measure, points[place]))
    return ranked[0], ranked[-1]


def lowest(points: Grid) -> GridPlace:
    """The place at which effective throughput is lowest, without segregated points."""
    return spread(throughput, points)[0]


def holds_a_packet_each(place: GridPlace) -> bool:
    """True if the buffer holds a packet of each connection; otherwise it counts as very small."""
    size, buffer = place
    return BUFFERS[buffer] >= CONNECTIONS * CELLS[size]
