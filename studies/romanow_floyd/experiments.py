"""What is run: one scenario, `ten-tcp.toml`, varied.

Points that experiments have in common are run once: the store knows them by what they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cellrelay.scenario import Replications
from cellrelay.studies import Experiment
from cellrelay.studies.study import Sweep

CELLS = {"512 B": 11, "1500 B": 32, "4352 B": 91, "9180 B": 192}
"""Cells that AAL5 makes of a packet of each size."""
SIZES = tuple(CELLS)
BUFFERS = {f"{cells} cells": cells for cells in (256, 1000, 2000, 5000, 8000)}
WINDOWS = ("8 KiB", "16 KiB", "32 KiB", "64 KiB")
CONNECTIONS = 10
THRESHOLDS = (1000, 2000)
"""Of EPD where the buffer beyond is varied, in cells."""
EXCESS = range(6)
"""Packets of buffer beyond the threshold."""

TCP = "flow.bulk.transport.tcp"
PACKET = f"{TCP}.packet"
WINDOW = f"{TCP}.window"
TICK = f"{TCP}.timers.bsd.tick"
BUFFER = "switch.s1.buffer.per_output"
DISCARD = "switch.s1.discard"
GRID: Sweep = {PACKET: SIZES, BUFFER: tuple(BUFFERS)}

CAPPED = "{ capped = { factor = 2 } }"

PLAIN = {DISCARD: "{ tail_drop = {} }"}
PARTIAL = {DISCARD: "{ partial_packet = {} }"}
EARLY = {DISCARD: '{ early_packet = { threshold = "50 %" } }'}
WHOLE = {**PLAIN, "flow.bulk.over": "{ packet = {} }", "flow.telnet.over": "{ packet = {} }"}

BACKOFFS = {
    "full Karn": "karn",
    "reset": "reset_on_new_ack",
    "capped at 2": "capped",
    "none": "constant",
}
"""How the timeout grows when it expires again, by the names that figures use."""
FABRICS: Mapping[str, Mapping[str, Any]] = {
    "two a slot, round robin": {"slotted": {"speedup": 2, "order": "round_robin"}},
    "all a slot, random": {"slotted": {"order": "random"}},
    "immediate": {"immediate": {}},
}
TICKS = ("1 us", "0.1 ms", "300 ms")
"""Granularities of the senders' clock: finer than the paper's, the paper's, and BSD's."""
UNLOST_TICKS = ("1 us", "0.1 ms", "10 ms")
FABRIC = "two a slot, round robin"
"""The fabric of the scenario."""
GUARDS = {"guarded": "guarded", "not guarded": "allowed"}
CHOICES: Mapping[str, Mapping[str, Any]] = {
    "as chosen": {f"{TCP}.congestion": {"tahoe_gbn": {}}},
    "Tahoe of 4.3BSD": {f"{TCP}.congestion": {"tahoe_bsd": {}}},
    "timeout of four deviations": {f"{TCP}.timers.bsd.deviations": 4},
    "all start at once": {"flow.bulk.source.greedy.start": "0 s"},
    "no random delay": {"flow.bulk.jitter.packet_time.at_most": 0.0},
}
"""Other choices that the paper leaves open, one changed at a time."""


def packet_points() -> dict[str, dict[str, str]]:
    """Packet sizes, each with links on which a packet takes a whole number of microseconds."""
    microseconds = {"512 B": 29, "1500 B": 85, "4352 B": 246, "9180 B": 520}
    rates = {size: 8e6 * int(size.split()[0]) / time for size, time in microseconds.items()}
    links = ("access", "terminal", "exit")
    return {
        size: {PACKET: size} | {f"link.{link}.rate": f"{rate:.0f} bit/s" for link in links}
        for size, rate in rates.items()
    }


def excess_case(threshold: int, size: str, packets: int) -> str:
    """The name of a point with so many packets of buffer beyond the threshold of EPD."""
    return f"{threshold} cells and {packets} packets of {size}"


def excess_points(thresholds: Sequence[int], overflow: str) -> dict[str, dict[str, Any]]:
    """Buffers that exceed the threshold of EPD by some packets."""
    return {
        excess_case(threshold, size, packets): {
            PACKET: size,
            BUFFER: f"{threshold + packets * CELLS[size]} cells",
            DISCARD: {"early_packet": {"threshold": f"{threshold} cells", "overflow": overflow}},
        }
        for threshold in thresholds
        for size in SIZES
        for packets in EXCESS
    }


def named(path: str, values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Points of an axis that are known by other names than their values."""
    return {name: {path: value} for name, value in values.items()}


def experiment(
    name: str,
    title: str,
    sweep: Sweep,
    settings: Mapping[str, str],
    replications: Replications | None = None,
    quick_sweep: Sweep | None = None,
) -> Experiment:
    """The scenario, varied; in a quick look it is shorter and made three times."""
    return Experiment(
        name=name,
        file="ten-tcp.toml",
        sweep=sweep,
        settings={**settings, "title": title},
        quick={"duration": "3 s"},
        quick_sweep=quick_sweep or {},
        replications=replications,
        quick_replications=Replications.exactly(3),
    )


FIVE_TIMES = Replications.exactly(5)
"""For what is looked at from a distance: orders and floors, not single points."""
WHERE_IT_IS_LOW: Sweep = {PACKET: SIZES[1:], BUFFER: tuple(BUFFERS)[:2]}
FEW_BUFFERS: Sweep = {BUFFER: ("256 cells", "1000 cells", "8000 cells")}

EXPERIMENTS = [
    experiment(
        "plain",
        "Plain ATM, ten connections",
        {WINDOW: WINDOWS, **GRID},
        PLAIN,
        quick_sweep={WINDOW: (*WINDOWS[:2], WINDOWS[-1])},
    ),
    experiment(
        "plain-five",
        "Plain ATM, five connections",
        GRID,
        {**PLAIN, "host.sender.count": "5"},
    ),
    experiment("partial", "Partial packet discard", GRID, PARTIAL),
    experiment("early", "Early packet discard, threshold of half the buffer", GRID, EARLY),
    experiment(
        "packet",
        "Whole packets, without ATM",
        {"packet": packet_points(), BUFFER: tuple(BUFFERS)},
        WHOLE,
    ),
    experiment(
        "excess",
        "Early packet discard, buffer beyond a fixed threshold",
        {"case": excess_points(THRESHOLDS, "partial_packet")},
        {},
    ),
    experiment(
        "excess-unforgiving",
        "The same with tail drop beyond, all inputs at once and a backoff of two at most",
        {"case": excess_points(THRESHOLDS[:1], "tail_drop")},
        {"switch.s1.fabric": '{ slotted = { order = "random" } }', f"{TCP}.backoff": CAPPED},
        FIVE_TIMES,
    ),
    experiment(
        "floor",
        "Plain ATM under other backoff rules and fabrics",
        {
            "backoff": named(f"{TCP}.backoff", {k: {v: {}} for k, v in BACKOFFS.items()}),
            "fabric": named("switch.s1.fabric", FABRICS),
            **GRID,
        },
        PLAIN,
        FIVE_TIMES,
        WHERE_IT_IS_LOW,
    ),
    experiment(
        "guard",
        "Plain ATM with and without a guard of fast retransmits",
        {"guard": named(f"{TCP}.repeated_fast_retransmit", GUARDS), **GRID},
        PLAIN,
        FIVE_TIMES,
    ),
    experiment(
        "choices",
        "Plain ATM, one other choice changed at a time",
        {"choice": CHOICES, **GRID},
        PLAIN,
        FIVE_TIMES,
        WHERE_IT_IS_LOW,
    ),
    experiment(
        "clock",
        "Early packet discard under other clocks",
        {TICK: TICKS, **GRID},
        EARLY,
        FIVE_TIMES,
        FEW_BUFFERS,
    ),
    experiment(
        "unlost",
        "Clocks where no cell is lost",
        {TICK: UNLOST_TICKS, PACKET: SIZES},
        {**PLAIN, WINDOW: "8 KiB", BUFFER: "8000 cells"},
        FIVE_TIMES,
    ),
    experiment(
        "duplicates",
        "Early packet discard, duplicates for a fast retransmit",
        {f"{TCP}.duplicates": (3, 1), **GRID},
        EARLY,
        FIVE_TIMES,
        FEW_BUFFERS,
    ),
]
