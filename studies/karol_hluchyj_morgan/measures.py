"""Measures of figures and claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cellrelay.results import PointResult, Results
from cellrelay.statistics import Estimate, estimate, mean
from cellrelay.studies import Ranged, along, of_flow, of_port

from .ports import CASES, SLOT

UNDELAYED = 3
"""Slots from the arrival of a cell at its host to its delivery, if it waits nowhere: one on each
link, and one until the end of the slot in which the switch has it whole."""


def throughput(ports: int) -> Ranged:
    """Mean share of the slots in which an output sends a cell."""
    outputs = [of_port("utilization", f"crossbar->output[{output}]") for output in range(ports)]
    return Ranged(lambda point: _means([output(point) for output in outputs]), (0.0, 1.0))


def wait(ports: int) -> Ranged:
    """Mean wait in slots, of the cells of all inputs for the first four outputs.

    All outputs are alike, so these cells wait as all do.
    """
    some = [(output, input) for output in range(min(ports, 4)) for input in range(ports)]
    flows = [of_flow("mean_delay", f"to{output}[{input}]") for output, input in some]

    def samples(point: PointResult) -> list[float]:
        delays = _means([flow(point) for flow in flows])
        return [delay / SLOT - UNDELAYED for delay in delays]

    return Ranged(samples, (0.0, float("inf")))


def lost(ports: int) -> Ranged:
    """Mean over the outputs of the share of the cells for them that are lost.

    The buffers hold all cells that come to them, so the others are lost in the fabric.
    """
    outputs = [of_port("cell_loss_ratio", f"crossbar->output[{output}]") for output in range(ports)]
    return Ranged(lambda point: _means([output(point) for output in outputs]), (0.0, 1.0))


def cells(ports: int, point: PointResult) -> tuple[int, int]:
    """The cells that are lost, and those that come, at all outputs and in all replications."""
    fallen, offered = 0.0, 0.0
    for output in range(ports):
        port = f"crossbar->output[{output}]"
        ratios, counts = (
            of_port(name, port)(point) for name in ("cell_loss_ratio", "cells_offered")
        )
        fallen += sum(ratio * count for ratio, count in zip(ratios, counts, strict=True))
        offered += sum(counts)
    return round(fallen), round(offered)


def crossing(
    ports: int,
    loads: Sequence[float],
    dropped: Mapping[tuple[int, float], PointResult],
    queued: PointResult,
) -> list[float]:
    """The load from which on a switch that drops carries as much as one with queues at its inputs.

    For each replication, along the line through the throughputs at two loads; all inputs of
    `queued` are saturated.
    """
    low, high = loads
    at_low, at_high = (throughput(ports)(dropped[ports, load]) for load in loads)
    most = throughput(ports)(queued)
    samples = zip(at_low, at_high, most, strict=True)
    return [low + (high - low) * (most - one) / (other - one) for one, other, most in samples]


def _means(samples: Sequence[Sequence[float]]) -> list[float]:
    """The mean of several measures, for each replication."""
    return [mean(of_each) for of_each in zip(*samples, strict=True)]


def switches(results: Results, **where: str) -> dict[tuple[int, float], PointResult]:
    """The points by the number of inputs and the load, where other axes have these values."""
    return {CASES[name]: point for name, point in along(results, "ports", **where).items()}


def beyond(samples: dict[int, list[float]]) -> Estimate:
    """The limit of a measure for infinitely many inputs.

    For each replication the line through the values over 1/N, by least squares; `samples` are
    those of each N.
    """
    over = 1 / np.array(list(samples), dtype=float)
    replications = zip(*samples.values(), strict=True)
    return estimate([float(np.polyfit(over, of_each, 1)[1]) for of_each in replications])
