"""Measures of figures and claims."""

from __future__ import annotations

from collections.abc import Sequence

from cellrelay.results import PointResult
from cellrelay.statistics import mean
from cellrelay.studies import Ranged, of_flow, of_port

from .ports import PORTS, SLOT

UNDELAYED = 3
"""Slots from the arrival of a cell at its host to its delivery, if it waits nowhere: one on each
link, and one until the end of the slot in which the switch has it whole."""


def throughput(ports: int) -> Ranged:
    """Mean share of the slots in which an output sends a cell."""
    outputs = [of_port("utilization", f"crossbar->output[{output}]") for output in range(ports)]
    return Ranged(lambda point: _means([output(point) for output in outputs]), (0.0, 1.0))


def _wait(point: PointResult) -> list[float]:
    delays = _means([of_flow("mean_delay", flow)(point) for flow in FLOWS])
    return [delay / SLOT - UNDELAYED for delay in delays]


def _served(point: PointResult) -> list[float]:
    rates = [of_flow("goodput", flow)(point) for flow in ("both0", "both1")]
    return [sum(of_each) * SLOT / CELL for of_each in zip(*rates, strict=True)]


FLOWS = [f"to{output}[{input}]" for output in range(PORTS) for input in range(PORTS)]
"""The flows of `switch.toml`."""
CELL = 320.0
"""Bits of data in a cell."""
wait = Ranged(_wait, (0.0, float("inf")))
"""Mean wait of a cell in slots, at the inputs and outputs of `switch.toml`."""
served = Ranged(_served, (0.0, 1.0))
"""Share of the slots in which input 0 of `three.toml` sends a cell."""


def _means(samples: Sequence[Sequence[float]]) -> list[float]:
    """The mean of several measures, for each replication."""
    return [mean(of_each) for of_each in zip(*samples, strict=True)]
