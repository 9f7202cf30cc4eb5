"""Where shaping matters: changes that cancel its gain."""

from __future__ import annotations

from cellrelay.results import Results
from cellrelay.studies import Table, average, exhibit, known

from .loads import BRIEF, LONG, XTP_FILES, bottleneck
from .measures import by_load, efficiency, goodput, third, xtp_by_load
from .transports import (
    BEARER,
    LARGE,
    RETRANSMISSIONS,
    SHAPED,
    SIZES,
    THIRD,
    TRIPLE,
    UNSHAPED,
    WINDOWS,
    tcp,
    xtp,
)

BUFFER = "topology.bottleneck.switch.buffer.per_output"
ROOM = {BUFFER: "1384 cells"}
"""A buffer larger by two bursts of 192 cells."""
KNEE = ("40 Mbit/s", "50 Mbit/s")
"""Background loads near those at which loss begins."""
ABOVE = {BEARER: '{ ubr = { peak = "51 Mbit/s", cdvt = "0 s" } }'}
"""Shaped to a little more than a third of the link."""

room_tcp = bottleneck(
    "TCP unshaped, room for two segments more",
    {},
    {**LONG, **tcp(LARGE, WINDOWS[THIRD][LARGE]), **ROOM},
    KNEE,
)
room_xtp = bottleneck(
    "XTP unshaped, room for two frames more",
    {"resent": RETRANSMISSIONS},
    {**BRIEF, **xtp(LARGE), **ROOM},
    KNEE,
    file=XTP_FILES[0],
)
above_third = bottleneck(
    f"TCP with a window for {TRIPLE}, shaped to a little more than a third of the link",
    {"size": {size: tcp(size, count) for size, count in WINDOWS[TRIPLE].items()}},
    {**BRIEF, **ABOVE},
    ("0 Mbit/s",),
)


@exhibit(
    "bursts",
    "Next to the knee, shaping is worth two bursts of buffer.",
    f"Goodput in Mbit/s, and efficiency, with segments or frames of {LARGE}: unshaped, shaped, and"
    " unshaped with 1384 cells of buffer instead of 1000. A segment is a burst of 192 cells at the"
    " rate of the link.",
)
def of_bursts(tcp_third: Results, xtp_9140: Results, room_tcp: Results, room_xtp: Results) -> Table:
    cases = {
        "TCP": (third(tcp_third, LARGE), third(tcp_third, LARGE, SHAPED), by_load(room_tcp)),
        **{
            f"XTP, {resent}": (
                xtp_by_load(xtp_9140, resent),
                xtp_by_load(xtp_9140, resent, SHAPED),
                by_load(room_xtp, resent=resent),
            )
            for resent in RETRANSMISSIONS
        },
    }
    rows = [
        [
            name,
            load,
            *(f"{known(goodput, one[load])}, {average(efficiency, one[load]):.2f}" for one in of),
        ]
        for name, of in cases.items()
        for load in KNEE
        if all(load in one for one in of)
    ]
    return Table(["transport", "load", "unshaped", "shaped", "unshaped, 1384 cells"], rows)


@exhibit(
    "thirds",
    "Shaped to exactly a third of the link, nothing is lost.",
    "Goodput in Mbit/s, and efficiency, with three times the window and no background traffic:"
    " unshaped, shaped to 50 Mbit/s, of which three fill the link, and shaped to 51 Mbit/s.",
)
def of_thirds(tcp_triple: Results, above_third: Results) -> Table:
    rows = []
    for size in SIZES:
        points = [
            *(by_load(tcp_triple, size=size, shaping=one) for one in (UNSHAPED, SHAPED)),
            by_load(above_third, size=size),
        ]
        alone = [one["0 Mbit/s"] for one in points]
        rows.append(
            [size, *(f"{known(goodput, one)}, {average(efficiency, one):.2f}" for one in alone)]
        )
    return Table(["segments", "unshaped", "shaped, 50 Mbit/s", "shaped, 51 Mbit/s"], rows)
