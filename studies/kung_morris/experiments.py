"""What is run: one connection, two connections, and the authors' sketch, each varied.

Points that experiments have in common are run once: the store knows them by what they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cellrelay.scenario import Replications
from cellrelay.studies import Experiment
from cellrelay.studies.study import Sweep

CELLS = {"512 B": 11, "1500 B": 32, "4352 B": 91, "9180 B": 192}
"""Cells of a packet of each size; the paper, which calls sizes MTU, names only the last."""
SIZES = tuple(CELLS)
LARGEST = SIZES[-1]
KILOBYTES = (8, 16, 24, 32, 40, 48, 52, 56, 58, 60, 62, 64, 66, 68, 70, 72, 80)
BUFFERS = {f"{size} KiB": float(size) for size in KILOBYTES}
"""Buffers in kilobytes of 1024 octets, as the paper's axis has them."""
FEW_BUFFERS = tuple(f"{size} KiB" for size in (16, 32, 48, 56, 60, 64, 68, 72))
"""For a quick look."""
FOUR_BUFFERS = tuple(f"{size} KiB" for size in (16, 32, 48, 64))
TEN_BUFFERS = tuple(f"{size} KiB" for size in (16, 24, 32, 40, 48, 56, 60, 64, 68, 72))
AROUND_CLIFF = TEN_BUFFERS[4:]
PAPER_BUFFER = "48 KiB"
"""Of the paper's graph over time."""
SHARED_BUFFERS = {f"{size} KiB": float(size) for size in (16, 32, 48, 64, 80, 96, 112, 128, 144)}
"""For two connections."""

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
WHOLE = {
    **PLAIN,
    "flow.bulk.over": "{ packet = {} }",
    "switch.creditnet.scheduler": "{ fifo = {} }",
}
EARLY: Mapping[str, Mapping[str, Any]] = {
    size: {PACKET: size, DISCARD: {"early_packet": {"room": f"{cells} cells"}}}
    for size, cells in CELLS.items()
}
"""Packet sizes, each with room for one packet without which none is begun."""
CELL_DISCARDS: Mapping[str, Any] = {
    "plain ATM": {"tail_drop": {}},
    "partial packet discard": {"partial_packet": {}},
}
DISCARDS: Mapping[str, Any] = {
    **CELL_DISCARDS,
    "early packet discard": {"early_packet": {"room": f"{CELLS[LARGEST]} cells"}},
}
"""For packets of the largest size."""

EIGHTH = {"growth": {"linear": "plus_eighth"}}
SENDERS: Mapping[str, Mapping[str, Any]] = {
    "NewReno": {"new_reno": EIGHTH},
    "SACK": {"sack": EIGHTH},
}
"""What could repair several losses, all else as in the host of the paper."""
CLOCKS: Mapping[str, Any] = {
    "BSD, 500 ms": {"bsd": {"tick": "500 ms"}},
    "BSD, 100 ms": {"bsd": {"tick": "100 ms"}},
    "BSD, 10 ms": {"bsd": {"tick": "10 ms"}},
    "RFC 6298, 1 s": {"rfc6298": {"min": "1 s"}},
    "RFC 6298, 0.2 s": {"rfc6298": {"min": "200 ms"}},
}
"""Retransmission timers: the host's, finer ones of its kind, the standard, and a lower floor."""
LINEAR = "linear growth"
GROWTHS: Mapping[str, Any] = {"with S/8": "plus_eighth", LINEAR: "standard"}
LATE = "up to 0.1 ms late"
CHOICES: Mapping[str, Mapping[str, Any]] = {
    "as chosen": {f"{TCP}.window_counts": "data"},
    "window counted in whole packets": {f"{TCP}.window_counts": "packets"},
    "round-trip time of 2 ms": {"link.fast.delay": "500 us", "link.slow.delay": "500 us"},
    "each packet acknowledged": {f"{TCP}.acknowledge": {"every": {}}},
    "LLC/SNAP header": {"flow.bulk.over.ubr.encapsulation": "8 B"},
    "window always deflated": {f"{CONGESTION}.reno.deflation": "clean"},
    LINEAR: {f"{CONGESTION}.reno.growth.linear": "standard"},
    "fast retransmissions guarded": {f"{TCP}.repeated_fast_retransmit": "guarded"},
    f"packets {LATE}": {"flow.bulk.jitter.uniform.high": "100 us"},
}
"""Other choices that the paper leaves open, one changed at a time."""
ROOMS: Mapping[str, Any] = {
    "two thirds of a packet": "128 cells",
    "one packet": "192 cells",
    "one and a half": "288 cells",
    "two packets": "384 cells",
}
"""What EPD wants to find before it takes a packet of the largest size."""


def named(path: str, values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Points of an axis that are known by other names than their values."""
    return {name: {path: value} for name, value in values.items()}


def experiment(
    name: str,
    title: str,
    sweep: Sweep,
    settings: Mapping[str, str] | None = None,
    *,
    replications: Replications | None = None,
    quick_buffers: Sequence[str] = FEW_BUFFERS,
    file: str = "one-tcp.toml",
) -> Experiment:
    """One connection, varied; in a quick look it is shorter and made three times."""
    return Experiment(
        name=name,
        file=file,
        sweep=sweep,
        settings={**(settings or {}), "title": title},
        quick={"duration": "15 s", "warm_up": "3 s"},
        quick_sweep={BUFFER: quick_buffers},
        replications=replications,
        quick_replications=Replications.exactly(3),
    )


def recorded(
    name: str, title: str, sweep: Sweep, settings: Mapping[str, str], file: str = "one-tcp.toml"
) -> Experiment:
    """A single run of each point, recorded over time; the same in a quick look."""
    return Experiment(
        name=name,
        file=file,
        sweep=sweep,
        settings={**settings, "title": title},
        replications=Replications.exactly(1),
    )


FIVE_TIMES = Replications.exactly(5)
"""For what is looked at from a distance."""

EXPERIMENTS = [
    experiment("plain", "Plain ATM", GRID, PLAIN),
    experiment("partial", "Partial packet discard", GRID, PARTIAL),
    experiment("early", "Early packet discard", {"packet": EARLY, BUFFER: LARGER_BUFFERS}),
    experiment(
        "whole",
        "Whole packets, without ATM",
        {PACKET: (LARGEST,), BUFFER: LARGER_BUFFERS},
        WHOLE,
    ),
    recorded(
        "burst",
        "Throughput over time",
        {"policy": named(DISCARD, DISCARDS)},
        {"duration": "20 s", "record.every": "1 ms"},
    ),
    recorded(
        "overflow",
        "The buffer around an overflow",
        {},
        {
            **PLAIN,
            "duration": "8 s",
            "warm_up": "0 s",
            "record.every": "20 us",
            "link.fast.rate": "150 Mbit/s",
            "link.slow.rate": "50 Mbit/s",
            BUFFER: "32 KiB",
        },
    ),
    recorded(
        "sketch",
        "The sketch of the paper, with cells",
        {"policy": named(DISCARD, DISCARDS)},
        {},
        "sketch.toml",
    ),
    experiment(
        "two",
        "Two connections",
        {"policy": named(DISCARD, DISCARDS), BUFFER: tuple(SHARED_BUFFERS)},
        {},
        file="two-tcps.toml",
        quick_buffers=("32 KiB", "48 KiB", "64 KiB", "96 KiB", "128 KiB"),
    ),
    experiment(
        "senders",
        "Senders that repair several losses",
        {
            "sender": named(CONGESTION, SENDERS),
            "policy": named(DISCARD, CELL_DISCARDS),
            **COARSE,
        },
        replications=FIVE_TIMES,
        quick_buffers=FOUR_BUFFERS,
    ),
    experiment(
        "clocks",
        "Plain ATM, other retransmission timers",
        {"timers": named(f"{TCP}.timers", CLOCKS), PACKET: (LARGEST,), BUFFER: TEN_BUFFERS},
        PLAIN,
        replications=FIVE_TIMES,
        quick_buffers=FOUR_BUFFERS,
    ),
    experiment(
        "growth",
        "Early packet discard, how windows grow",
        {
            "growth": named(f"{CONGESTION}.reno.growth.linear", GROWTHS),
            "packet": EARLY,
            BUFFER: TEN_BUFFERS,
        },
        replications=FIVE_TIMES,
        quick_buffers=FOUR_BUFFERS,
    ),
    experiment(
        "room",
        "Early packet discard, by the room that a packet must find",
        {
            "room": named(f"{DISCARD}.early_packet.room", ROOMS),
            BUFFER: TEN_BUFFERS[1:],
        },
        replications=FIVE_TIMES,
        quick_buffers=FEW_BUFFERS[1:6],
    ),
    experiment(
        "late",
        f"Partial packet discard, packets {LATE}",
        COARSE,
        {**PARTIAL, "flow.bulk.jitter.uniform.high": "100 us"},
        replications=FIVE_TIMES,
        quick_buffers=FOUR_BUFFERS,
    ),
    experiment(
        "choices",
        "Plain ATM, one other choice changed at a time",
        {"choice": CHOICES, PACKET: ("512 B", LARGEST), BUFFER: AROUND_CLIFF},
        PLAIN,
        replications=FIVE_TIMES,
        quick_buffers=("48 KiB", "56 KiB", "64 KiB", "72 KiB"),
    ),
]
