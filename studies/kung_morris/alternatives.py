"""What other senders would have done, and what the results hinge on: not in the paper."""

from __future__ import annotations

from cellrelay.plot import Chart, Panel
from cellrelay.studies import Table, exhibit, known
from cellrelay.studies.claim import Measured

from .experiments import CHOICES, CLOCKS, GROWTHS, LARGEST, LATE, PAPER_BUFFER, ROOMS, SENDERS
from .figures import line, over_buffers, panel
from .measures import along, by_buffer, edge, grid, pause, throughput
from .remedies import by_clock, by_sender


@exhibit(
    "senders-plain",
    "Plain ATM: what NewReno and SACK would have done.",
    "The same host and switch. Both repair several losses without a timeout, so that small packets"
    " do well at any buffer. Where large ones still time out, the last cell of a packet was lost:"
    " plain ATM then glues the next packet to it, and that is the one sent again.",
)
def senders_plain(measured: Measured) -> Chart:
    return _senders(measured, "plain", "plain ATM")


@exhibit(
    "senders-partial",
    "Partial packet discard: what NewReno and SACK would have done.",
    "The switch spares the last cell of a damaged packet, and what is sent again arrives.",
)
def senders_partial(measured: Measured) -> Chart:
    return _senders(measured, "partial", "partial packet discard")


def _senders(measured: Measured, experiment: str, policy: str) -> Chart:
    reno = panel("Reno", grid(measured[experiment]))
    others = [panel(sender, by_sender(measured, sender, policy)) for sender in SENDERS]
    return over_buffers(reno, *others)


@exhibit(
    "clocks",
    "Plain ATM with other retransmission timers.",
    f"Packets of {LARGEST}. The paper suggests a minimum below a second. Pauses grow shorter with"
    " the clock, and the more bursts there are the more is sent.",
)
def clocks(measured: Measured) -> Chart:
    curves = [line(clock, along(by_clock(measured, clock), LARGEST)) for clock in CLOCKS]
    return over_buffers(Panel(tuple(curves)), legend="timers")


@exhibit(
    "growth",
    "Early packet discard, with and without the S/8 of 4.3BSD-Reno.",
    "Beyond ssthresh that release adds an eighth of a segment for each acknowledgment to the one"
    " segment a window. Windows of many small packets then grow by several packets at a time, all"
    " of which are lost; those of large ones at times by a second packet before the loss of the"
    " first is known.",
)
def growth(measured: Measured) -> Chart:
    return over_buffers(*(panel(name, grid(measured["growth"], growth=name)) for name in GROWTHS))


@exhibit(
    "room",
    "Early packet discard, by the room that a packet must find.",
    f"Packets of {LARGEST}. While a packet comes in a third of it leaves, so that it needs room for"
    " two thirds of it. The paper asks for roughly one packet.",
)
def room(measured: Measured) -> Chart:
    curves = [line(name, by_buffer(measured["room"], "room", name)) for name in ROOMS]
    return over_buffers(Panel(tuple(curves)), legend="room")


@exhibit(
    "orbits",
    "Partial packet discard, with a host that is exact and one that is not.",
    "Where each packet leaves its host up to 0.1 ms late, at random, no connection keeps to a"
    " periodic orbit for long, and good points by themselves are gone.",
)
def orbits(measured: Measured) -> Chart:
    return over_buffers(
        panel("on time", grid(measured["partial"])), panel(LATE, grid(measured["late"]))
    )


@exhibit(
    "choices",
    "Other choices that the paper leaves open, one changed at a time.",
    f"Plain ATM: the least buffer from which on throughput is good, and throughput and pauses with"
    f" packets of {LARGEST} and {PAPER_BUFFER}.",
)
def choices(measured: Measured) -> Table:
    rows = []
    for choice in CHOICES:
        points = grid(measured["choices"], choice=choice)
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
