"""Possible improvements of senders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cellrelay.plot import Chart, Panel
from cellrelay.results import Results
from cellrelay.studies import (
    Grid,
    Outcome,
    Standing,
    Verdict,
    above,
    claim,
    exhibit,
    gain,
    judge,
    known,
    named,
)

from .charts import line, over_buffers, panel
from .measures import along, by_sender, grid, share, throughput
from .one_tcp import (
    BUFFER,
    CELL_DISCARDS,
    COARSE,
    CONGESTION,
    DISCARD,
    FIVE_TIMES,
    FOUR_BUFFERS,
    LARGEST,
    PACKET,
    PAPER_BUFFER,
    PLAIN,
    SIZES,
    TCP,
    TEN_BUFFERS,
    one_tcp,
)

EIGHTH = {"growth": {"linear": "plus_eighth"}}
SENDERS: Mapping[str, Mapping[str, Any]] = {
    "NewReno": {"new_reno": EIGHTH},
    "SACK": {"sack": EIGHTH},
}
"""Congestion controls that recover several losses, otherwise like the host of the paper."""
CLOCKS: Mapping[str, Any] = {
    "BSD, 500 ms": {"bsd": {"tick": "500 ms"}},
    "BSD, 100 ms": {"bsd": {"tick": "100 ms"}},
    "BSD, 10 ms": {"bsd": {"tick": "10 ms"}},
    "RFC 6298, 1 s": {"rfc6298": {"min": "1 s"}},
    "RFC 6298, 0.2 s": {"rfc6298": {"min": "200 ms"}},
}
"""Retransmission timers: the host's, finer clocks, the standard, and a lower minimum."""
PAPER_CLOCK, *_ = CLOCKS
LOWER = ("BSD, 100 ms", "BSD, 10 ms", "RFC 6298, 0.2 s")
"""Timers with a lower minimum than a second."""

senders = one_tcp(
    "Senders that repair several losses",
    {
        "sender": named(CONGESTION, SENDERS),
        "policy": named(DISCARD, CELL_DISCARDS),
        **COARSE,
    },
    replications=FIVE_TIMES,
    quick_buffers=FOUR_BUFFERS,
    # With SACK and 4352 bytes every run loses a retransmission after some 9,270 packets, and hardly
    # any afterwards: that one timeout would take a tenth of 15 s.
    quick_duration="30 s",
)
clocks = one_tcp(
    "Plain ATM, other retransmission timers",
    {"timers": named(f"{TCP}.timers", CLOCKS), PACKET: (LARGEST,), BUFFER: TEN_BUFFERS},
    PLAIN,
    replications=FIVE_TIMES,
    quick_buffers=FOUR_BUFFERS,
)


@exhibit(
    "senders-plain",
    "Plain ATM with NewReno and SACK.",
    "The same host and switch. Both senders repair several losses without a timeout, so small"
    " packets perform well at any buffer. Large packets still time out if the last cell of a"
    " packet is dropped: with plain ATM the next packet, which is the retransmission, is then"
    " joined to the damaged one, and is lost too.",
)
def senders_plain(plain: Results, senders: Results) -> Chart:
    return _senders(plain, senders, "plain ATM")


@exhibit(
    "senders-partial",
    "Partial packet discard with NewReno and SACK.",
    "The switch does not drop the last cell of a damaged packet, so the retransmission arrives.",
)
def senders_partial(partial: Results, senders: Results) -> Chart:
    return _senders(partial, senders, "partial packet discard")


def _senders(reno: Results, senders: Results, policy: str) -> Chart:
    others = [panel(sender, by_sender(senders, sender, policy)) for sender in SENDERS]
    return over_buffers(panel("Reno", grid(reno)), *others)


@exhibit(
    "clocks",
    "Plain ATM with other retransmission timers.",
    f"Packets of {LARGEST}. The paper suggests a minimum below a second. Pauses become shorter"
    " with the clock, and more bursts carry more data.",
)
def by_timer(clocks: Results) -> Chart:
    curves = [line(clock, along(by_clock(clocks, clock), LARGEST)) for clock in CLOCKS]
    return over_buffers(Panel(tuple(curves)), legend="timers")


@claim(
    "002-7",
    "A lower minimum of the timeout, or a better recovery from several losses, might help.",
    rule=f"plain ATM, {PAPER_BUFFER}: with NewReno and with SACK, each packet size, and with BSD"
    f" clocks of 100 and 10 ms and an RFC 6298 floor of 0.2 s, {LARGEST}, the share of the link"
    " is larger; undecided where the interval of the paired difference includes zero",
    where="introduction and conclusion",
    of_paper='TCP "might work better" if it recovered from several losses, and a minimum "below one'
    ' second might" help',
    ours="the senders and clocks that are tried",
    standing=Standing.CONJECTURE,
    expect=Verdict.REPRODUCED,
)
def senders_could_do_better(plain: Results, senders: Results, clocks: Results) -> Outcome:
    checks, words = [], []
    reno = grid(plain)
    for sender in SENDERS:
        points = by_sender(senders, sender, "plain ATM")
        for size in SIZES:
            place = size, PAPER_BUFFER
            gained = gain(share, points[place], reno[place])
            checks.append(above(f"{sender} with {size}", gained))
        words.append(f"{sender} {known(throughput, points[LARGEST, PAPER_BUFFER])} MB/s")
    timed = {clock: by_clock(clocks, clock)[LARGEST, PAPER_BUFFER] for clock in CLOCKS}
    for clock in LOWER:
        checks.append(above(clock, gain(share, timed[clock], timed[PAPER_CLOCK])))
        words.append(f"{clock} {known(throughput, timed[clock])}")
    here = known(throughput, reno[LARGEST, PAPER_BUFFER])
    return judge(
        f"{LARGEST}: {here} MB/s; {', '.join(words)}",
        checks,
        "plain ATM loses last cells too, and the rest of such a packet is glued to the packet that"
        " follows; partial packet discard accepts last cells",
    )


def by_clock(clocks: Results, clock: str) -> Grid:
    """Points by packet size and buffer, with another retransmission timer."""
    return grid(clocks, timers=clock)
