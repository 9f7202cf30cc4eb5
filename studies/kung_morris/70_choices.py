"""Choices that the paper leaves open, and their effect on the results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cellrelay.plot import Chart, Panel
from cellrelay.results import Results
from cellrelay.studies import Table, alternative, exhibit, known, named

from .charts import line, over_buffers, panel
from .measures import by_buffer, edge, grid, pause, throughput
from .one_tcp import (
    BUFFER,
    CONGESTION,
    DISCARD,
    EARLY,
    FEW_BUFFERS,
    FILES,
    FIVE_TIMES,
    FOUR_BUFFERS,
    JITTER,
    LARGEST,
    LINEAR,
    ON_TIME,
    PACKET,
    PAPER_BUFFER,
    PLAIN,
    TCP,
    TEN_BUFFERS,
    one_tcp,
)

UNTIMED: Mapping[str, Any] = {"flow.bulk.over": {"ubr": {}}}
"""The receiver waits for the end of a PDU for ever."""
GROWTHS: Mapping[str, Any] = {"with S/8": "plus_eighth", LINEAR: "standard"}
CHOICES: Mapping[str, Mapping[str, Any]] = {
    "as chosen": {f"{TCP}.window_counts": "data"},
    "window counted in whole packets": {f"{TCP}.window_counts": "packets"},
    "round-trip time of 2 ms": {"link.fast.delay": "500 us", "link.slow.delay": "500 us"},
    "each packet acknowledged": {f"{TCP}.acknowledge": {"every": {}}},
    "LLC/SNAP header": {"flow.bulk.over.ubr.encapsulation": "8 B"},
    "window always deflated": {f"{CONGESTION}.reno.deflation": "clean"},
    LINEAR: {f"{CONGESTION}.reno.growth.linear": "standard"},
    "fast retransmissions guarded": {f"{TCP}.repeated_fast_retransmit": "guarded"},
    ON_TIME: {JITTER: "0 s"},
    "no reassembly timer": UNTIMED,
}
"""Other choices that the paper leaves open, one changed at a time."""
ROOMS: Mapping[str, Any] = {
    "two thirds of a packet": "128 cells",
    "one packet": "192 cells",
    "one and a half": "288 cells",
    "two packets": "384 cells",
}
"""Free buffer space that EPD requires before it accepts a packet of the largest size."""

exact = alternative(ON_TIME, {JITTER: "0 s"}, FILES)
untimed = alternative("no reassembly timer", {"flow.bulk.over": "{ ubr = {} }"}, FILES)
in_packets = alternative(
    "window counted in whole packets", {f"{TCP}.window_counts": "packets"}, FILES
)
longer = alternative(
    "round-trip time of 2 ms", {"link.fast.delay": "500 us", "link.slow.delay": "500 us"}, FILES
)
in_line = alternative(
    LINEAR,
    {CONGESTION: '{ reno = { deflation = "bsd", growth = { linear = "standard" } } }'},
    FILES,
)
each = alternative("each packet acknowledged", {f"{TCP}.acknowledge": "{ every = {} }"}, FILES)

growth = one_tcp(
    "Early packet discard, how windows grow",
    {
        "growth": named(f"{CONGESTION}.reno.growth.linear", GROWTHS),
        "packet": EARLY,
        BUFFER: TEN_BUFFERS,
    },
    replications=FIVE_TIMES,
    quick_buffers=FOUR_BUFFERS,
)
room = one_tcp(
    "Early packet discard, by the room that a packet must find",
    {"room": named(f"{DISCARD}.early_packet.headroom", ROOMS), BUFFER: TEN_BUFFERS[1:]},
    replications=FIVE_TIMES,
    quick_buffers=FEW_BUFFERS[1:6],
)
choices = one_tcp(
    "Plain ATM, one other choice changed at a time",
    {"choice": CHOICES, PACKET: ("512 B", LARGEST), BUFFER: TEN_BUFFERS[4:]},
    PLAIN,
    replications=FIVE_TIMES,
    quick_buffers=("48 KiB", "56 KiB", "64 KiB", "72 KiB"),
)


@exhibit(
    "growth",
    "Early packet discard, with and without the S/8 of 4.3BSD-Reno.",
    "Above ssthresh, that release adds an eighth of a segment per acknowledgment to the usual one"
    " segment per window. Windows of many small packets then grow by several packets at a time,"
    " all of which are dropped; windows of large packets sometimes grow by a second packet before"
    " the sender knows of the first loss.",
)
def by_growth(growth: Results) -> Chart:
    return over_buffers(*(panel(name, grid(growth, growth=name)) for name in GROWTHS))


@exhibit(
    "room",
    "Early packet discard, by the free space that a packet needs.",
    f"Packets of {LARGEST}. While a packet arrives, a third of it departs, so it needs free space"
    " for two thirds of its length. The paper asks for roughly one packet.",
)
def by_room(room: Results) -> Chart:
    curves = [line(name, by_buffer(room, "room", name)) for name in ROOMS]
    return over_buffers(Panel(tuple(curves)), legend="room")


@exhibit(
    "choices",
    "Other choices that the paper leaves open, one changed at a time.",
    "Plain ATM: the smallest buffer from which on throughput is high, and throughput and pauses"
    f" with packets of {LARGEST} and {PAPER_BUFFER}.",
)
def one_changed(choices: Results) -> Table:
    rows = []
    for choice in CHOICES:
        points = grid(choices, choice=choice)
        there = points[LARGEST, PAPER_BUFFER]
        rows.append(
            [
                choice,
                *(edge(points, size) for size in ("512 B", LARGEST)),
                str(known(throughput, there)),
                str(known(pause, there)) if pause(there) else "none",
            ]
        )
    header = ["choice", "good from: 512 B", LARGEST, "throughput (MB/s)", "mean pause (s)"]
    return Table(header, rows)
