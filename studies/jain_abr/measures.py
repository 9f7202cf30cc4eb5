"""What figures and claims ask of the results."""

from __future__ import annotations

from cellrelay.results import PointResult
from cellrelay.studies import Measure, average, of_network, of_port, scaled

from .rows import CELLS_PER_MS, Row

TRUNK = "s1->s2"
"""The congested output."""

throughput = scaled(of_network("goodput"), 1e-6)
"""Of all connections together, in Mbit/s."""
fairness = of_network("fairness_index")
longest = of_port("max_queue", TRUNK)
"""Longest queue at the bottleneck, in cells."""
mean_queue = of_port("mean_queue", TRUNK)
utilization = of_port("utilization", TRUNK)


def in_round_trips(rtt: float) -> Measure:
    """The longest queue, in cells of a round trip of so many ms."""
    return scaled(longest, 1 / (rtt * CELLS_PER_MS))


def efficiency(row: Row) -> Measure:
    """Throughput as a percentage of what could be carried."""
    return scaled(throughput, 100 / row.peak)


def has_diverged(row: Row, point: PointResult) -> bool:
    """Whether the queue grew beyond any that settles: eight round trips and intervals."""
    return average(longest, point) > 8 * row.scale
