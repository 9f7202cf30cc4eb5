"""What figures and claims ask of the results."""

from __future__ import annotations

from cellrelay.results import PointResult, Results
from cellrelay.series import Series
from cellrelay.studies import Measure, of_network, of_port, scaled

from .printed import CELLS_PER_MS, Row

TRUNK = "s1->s2"
"""The congested output."""
throughput = scaled(of_network("goodput"), 1e-6)
"""Of all connections together, in Mbit/s."""
fairness = of_network("fairness_index")
longest = of_port("max_queue", TRUNK)
"""Longest queue at the bottleneck, in cells."""
mean_queue = of_port("mean_queue", TRUNK)
utilization = of_port("utilization", TRUNK)


MBIT_PER_CELL = 424e-6
"""From cells to Mbit."""
WITHOUT, WITH = 3.0, 4.0
"""Round trips of buffer that are said to suffice without VBR traffic, and with it."""
RTT = 30.0
"""Round-trip time in ms of the wide area."""


def in_round_trips(rtt: float) -> Measure:
    """The longest queue over the cells of a round trip; `rtt` is in ms."""
    return scaled(longest, 1 / (rtt * CELLS_PER_MS))


def efficiency(row: Row) -> Measure:
    """Throughput as a percentage of what could be carried."""
    return scaled(throughput, 100 / row.peak)


def of_row(rows: Results, row: Row) -> PointResult:
    """The run of a row."""
    return rows.point(row=row.name)


def queue(point: PointResult) -> Series:
    """The queue of the bottleneck in cells."""
    return point.runs[0].series[f"port {TRUNK}", "queue"]
