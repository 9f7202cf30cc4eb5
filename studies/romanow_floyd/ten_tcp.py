"""What is varied in `ten-tcp.toml`, and how.

The store knows points by what they are: those that experiments have in common are run once."""

from __future__ import annotations

from collections.abc import Mapping

from cellrelay.scenario import Replications
from cellrelay.studies import Experiment, Sweep, experiment

CELLS = {"512 B": 11, "1500 B": 32, "4352 B": 91, "9180 B": 192}
"""Cells that AAL5 makes of a packet of each size."""
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
"""For what is looked at from a distance: orders and floors, not single points."""
WHERE_IT_IS_LOW: Sweep = {PACKET: SIZES[1:], BUFFER: tuple(BUFFERS)[:2]}
FEW_BUFFERS: Sweep = {BUFFER: ("256 cells", "1000 cells", "8000 cells")}


def ten_tcp(
    title: str,
    sweep: Sweep,
    settings: Mapping[str, str],
    replications: Replications | None = None,
    quick_sweep: Sweep | None = None,
) -> Experiment:
    """The scenario, varied; in a quick look it is shorter and made three times."""
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
