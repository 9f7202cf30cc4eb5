"""Axes and settings of the experiments over `ten-tcp.toml`.

The store finds a point by its settings, so experiments with a common point share its runs."""

from __future__ import annotations

from collections.abc import Mapping

from cellrelay.scenario import Replications
from cellrelay.studies import Experiment, Sweep, experiment

CELLS = {"512 B": 11, "1500 B": 32, "4352 B": 91, "9180 B": 192}
"""Number of AAL5 cells of a packet, by packet size."""
SIZES = tuple(CELLS)
BUFFERS = {f"{cells} cells": cells for cells in (256, 1000, 2000, 5000, 8000)}
CONNECTIONS = 10

TCP = "flow.bulk.transport.tcp"
PACKET = f"{TCP}.packet"
WINDOW = f"{TCP}.window"
BUFFER = "switch.s1.buffer.per_output"
DISCARD = "switch.s1.discard"
GRID: Sweep = {PACKET: SIZES, BUFFER: tuple(BUFFERS)}

NO_BACKOFF = "{ constant = {} }"
PLAIN = {DISCARD: "{ tail_drop = {} }"}
EARLY = {DISCARD: '{ early_packet = { threshold = "50 %", overflow = "tail_drop" } }'}

FIVE_TIMES = Replications.exactly(5)
"""Fewer replications, for experiments that compare ranks or look for a minimum."""
WHERE_IT_IS_LOW: Sweep = {PACKET: SIZES[1:], BUFFER: tuple(BUFFERS)[:2]}
FEW_BUFFERS: Sweep = {BUFFER: ("256 cells", "1000 cells", "8000 cells")}


def ten_tcp(
    title: str,
    sweep: Sweep,
    settings: Mapping[str, str],
    replications: Replications | None = None,
    quick_sweep: Sweep | None = None,
) -> Experiment:
    """An experiment over the scenario; a quick look has three short runs of each point."""
    return experiment(
        "ten-tcp.toml",
        title,
        sweep,
        settings,
        quick={"duration": "3 s"},
        quick_sweep=quick_sweep,
        replications=replications,
        quick_replications=Replications.exactly(3),
    )
