"""Axes and settings of the experiments with one connection.

The store finds a point by its settings, so experiments with a common point share its runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cellrelay.scenario import Replications
from cellrelay.studies import Experiment, Sweep, experiment

CELLS = {"512 B": 11, "1500 B": 32, "4352 B": 91, "9180 B": 192}
"""Cells of a packet of each size; the paper, which calls sizes MTU, names only the last."""
SIZES = tuple(CELLS)
LARGEST = SIZES[-1]
KILOBYTES = (8, 16, 24, 32, 40, 48, 52, 56, 58, 60, 62, 64, 66, 68, 70, 72, 80)
BUFFERS = {f"{size} KiB": float(size) for size in KILOBYTES}
"""Buffers in kilobytes of 1024 octets, as the paper's axis has them."""
FEW_BUFFERS = tuple(f"{size} KiB" for size in (16, 32, 48, 56, 60, 64, 68, 70, 72))
"""Buffers of a quick look."""
FOUR_BUFFERS = tuple(f"{size} KiB" for size in (16, 32, 48, 64))
TEN_BUFFERS = tuple(f"{size} KiB" for size in (16, 24, 32, 40, 48, 56, 60, 64, 68, 72))
PAPER_BUFFER = "48 KiB"
"""Buffer of the paper's graph over time."""

FILES = ("one-tcp.toml", "two-tcps.toml")
TCP = "flow.bulk.transport.tcp"
PACKET = f"{TCP}.packet"
CONGESTION = f"{TCP}.congestion"
BUFFER = "switch.creditnet.buffer.shared.size"
DISCARD = "switch.creditnet.discard"
GRID: Sweep = {PACKET: SIZES, BUFFER: tuple(BUFFERS)}
COARSE: Sweep = {PACKET: SIZES, BUFFER: TEN_BUFFERS}
LARGER_BUFFERS = tuple(BUFFERS)[1:]
"""Buffers that hold a packet of any size."""

PLAIN = {DISCARD: "{ tail_drop = {} }"}
PARTIAL = {DISCARD: "{ partial_packet = {} }"}
EARLY: Mapping[str, Mapping[str, Any]] = {
    size: {PACKET: size, DISCARD: {"early_packet": {"headroom": f"{cells} cells"}}}
    for size, cells in CELLS.items()
}
"""Packet sizes, with a headroom of one packet for early packet discard."""
CELL_DISCARDS: Mapping[str, Any] = {
    "plain ATM": {"tail_drop": {}},
    "partial packet discard": {"partial_packet": {}},
}
DISCARDS: Mapping[str, Any] = {
    **CELL_DISCARDS,
    "early packet discard": {"early_packet": {"headroom": f"{CELLS[LARGEST]} cells"}},
}
"""Discard policies for packets of the largest size."""

LINEAR = "linear growth"
ON_TIME = "packets on time"
JITTER = "flow.bulk.jitter.uniform.high"
"""Largest time that a host adds to a packet."""
FIVE_TIMES = Replications.exactly(5)
"""Fewer replications, for experiments that need no precision."""


def one_tcp(
    title: str,
    sweep: Sweep,
    settings: Mapping[str, str] | None = None,
    *,
    replications: Replications | None = None,
    quick_buffers: Sequence[str] = FEW_BUFFERS,
    quick_duration: str = "15 s",
    file: str = "one-tcp.toml",
) -> Experiment:
    """An experiment with one connection; a quick look has three short runs of each point."""
    return experiment(
        file,
        title,
        sweep,
        settings,
        quick={"duration": quick_duration, "warm_up": "3 s"},
        quick_sweep={BUFFER: quick_buffers},
        replications=replications,
        quick_replications=Replications.exactly(3),
    )


def recorded(
    title: str, sweep: Sweep, settings: Mapping[str, str], file: str = "one-tcp.toml"
) -> Experiment:
    """A single run of each point, recorded over time; the same in a quick look."""
    return experiment(file, title, sweep, settings, replications=Replications.exactly(1))
