"""Claims 002-6 and 002-7: two connections, and what senders could do better."""

from __future__ import annotations

from cellrelay.studies import (
    Check,
    Grid,
    Outcome,
    above,
    average,
    claim,
    gain,
    judge,
    known,
    of_flow,
)
from cellrelay.studies.claim import Measured

from .experiments import CLOCKS, LARGEST, PAPER_BUFFER, SENDERS, SHARED_BUFFERS, SIZES
from .measures import grid, idle, share, throughput, two

PAPER_CLOCK, *_ = CLOCKS
LOWER = ("BSD, 100 ms", "BSD, 10 ms", "RFC 6298, 0.2 s")
"""Timers with a lower minimum than a second."""
EACH = tuple(of_flow("paused_share", f"bulk[{member}]") for member in (0, 1))
"""Time that each of the two spends in pauses."""


@claim(
    "002-6",
    "Two connections hardly compete: both spend most of their time in retransmission timeouts.",
    rule=f"plain ATM, {LARGEST}, buffers of at most 48 KB: pauses take at least 0.75 of the time of"
    " each connection, and the link is idle for at least 0.75 of the time",
)
def both_wait(measured: Measured) -> Outcome:
    points = two(measured, "plain ATM")
    checks = []
    for buffer, point in points.items():
        if SHARED_BUFFERS[buffer] <= 48:
            waiting = min(average(one, point) for one in EACH)
            checks.append(Check(f"pauses at {buffer}", waiting >= 0.75))
            checks.append(Check(f"idle at {buffer}", average(idle, point) >= 0.75))
    point = points[PAPER_BUFFER]
    shares = " and ".join(str(known(one, point)) for one in EACH)
    return judge(
        f"{PAPER_BUFFER}: {shares} of the time in pauses, the link idle for {known(idle, point)},"
        f" {known(throughput, point)} MB/s together",
        checks,
        "where the buffer holds a whole window, one connection can go on while the other pauses",
    )


@claim(
    "002-7",
    "A lower minimum of the timeout, or a better recovery from several losses, would help.",
    rule=f"plain ATM, {PAPER_BUFFER}: with NewReno and with SACK, each packet size, and with BSD"
    f" clocks of 100 and 10 ms and an RFC 6298 floor of 0.2 s, {LARGEST}, the share of the link"
    " grows by more than 0.1",
)
def senders_could_do_better(measured: Measured) -> Outcome:
    checks, words = [], []
    reno = grid(measured["plain"])
    for sender in SENDERS:
        points = by_sender(measured, sender, "plain ATM")
        for size in SIZES:
            place = size, PAPER_BUFFER
            checks.append(
                above(f"{sender} with {size}", gain(share, points[place], reno[place]), 0.1)
            )
        words.append(f"{sender} {known(throughput, points[LARGEST, PAPER_BUFFER])} MB/s")
    clocks = {clock: by_clock(measured, clock)[LARGEST, PAPER_BUFFER] for clock in CLOCKS}
    for clock in LOWER:
        checks.append(above(clock, gain(share, clocks[clock], clocks[PAPER_CLOCK]), 0.1))
        words.append(f"{clock} {known(throughput, clocks[clock])}")
    here = known(throughput, reno[LARGEST, PAPER_BUFFER])
    return judge(
        f"{LARGEST}: {here} MB/s; {', '.join(words)}",
        checks,
        "plain ATM loses last cells too, and glues the packet that is sent again to what is left;"
        " partial packet discard spares them",
    )


def by_sender(measured: Measured, sender: str, policy: str) -> Grid:
    """Points by packet size and buffer of a sender that repairs several losses."""
    return grid(measured["senders"], sender=sender, policy=policy)


def by_clock(measured: Measured, clock: str) -> Grid:
    """Points by packet size and buffer where timers are others."""
    return grid(measured["clocks"], timers=clock)
