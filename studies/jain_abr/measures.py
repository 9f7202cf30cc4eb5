"""Measures of figures and claims."""

from __future__ import annotations

from cellrelay.results import PointResult, Results
from cellrelay.simulation.series import Series
from cellrelay.studies import Measure, of_network, of_port, scaled

from .printed import CELLS_PER_MS, Row

TRUNK = "s1->s2"
"""The congested output."""
throughput = scaled(of_network("greedy_goodput"), 1e-6)
"""Throughput of all connections together, in Mbit/s."""
fairness = of_network("fairness_index")
longest = of_port("max_queue", TRUNK)
"""Longest queue at the bottleneck, in cells."""
mean_queue = of_port("mean_queue", TRUNK)
utilization = of_port("utilization", TRUNK)


MBIT_PER_CELL = 424e-6
"""Mbit in a cell."""
WITHOUT, WITH = 3.0, 4.0
"""Buffers in round trips that suffice according to the slides, without and with VBR traffic."""
RTT = 30.0
"""Round-trip time of the wide-area network, in ms."""


def in_round_trips(rtt: float) -> Measure:
    """The longest queue divided by the cells of a round trip; `rtt` is in ms."""
    return scaled(longest, 1 / (rtt * CELLS_PER_MS))


def efficiency(row: Row) -> Measure:
    """Throughput as a percentage of the largest possible throughput."""
    return scaled(throughput, 100 / row.peak)


def of_row(rows: Results, row: Row) -> PointResult:
    """The run of a row."""
    return rows.point(row=row.name)


def queue(point: PointResult) -> Series:
    """The queue of the bottleneck in cells."""
    return point.runs[0].series[f"port {TRUNK}", "queue"]
