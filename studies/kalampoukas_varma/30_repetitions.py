"""Retransmissions and delays under each scheme."""

from __future__ import annotations

from cellrelay.plot import Chart
from cellrelay.results import Results
from cellrelay.studies import Outcome, Standing, Verdict, above, claim, exhibit, gain, judge

from .charts import over_buffers, panel
from .measures import by_buffer, filled, long_delay, resent, series, short_delay
from .schemes import DATAGRAM, PLAIN
from .variants import MIDDLE

WORSE = 0.2
"""Difference in the used share of a link that counts as considerable."""


@exhibit(
    "resent",
    "Packets sent again, by buffer.",
    "As a share of the packets sent for the first time, over all connections.",
)
def repetitions(buffers: Results, credits: Results) -> Chart:
    return over_buffers(panel("", buffers, credits, resent), y_label="sent again")


@exhibit(
    "delay",
    "Mean delay of a segment, by buffer.",
    "From the transmission by the transport to the arrival, for segments with new data. Credits"
    " keep the windows out of the switches: the segments wait in the hosts.",
)
def delays(buffers: Results, credits: Results) -> Chart:
    return over_buffers(
        panel("long", buffers, credits, long_delay),
        panel("short", buffers, credits, short_delay),
        y_label="delay (ms)",
    )


@claim(
    "004-6",
    "Since one lost cell has a whole segment resent, TCP over plain ATM can be considerably worse"
    " than over a datagram network.",
    where="section 2, of Romanow and Floyd (1994)",
    of_paper='worse than over gateways: "can be considerably worse ... in certain network'
    ' configurations"; why: "the loss of a single cell triggers the retransmission of an entire TCP'
    ' segment"',
    ours=f"considerably is a {WORSE:.0%} smaller share of what a link can hold; since one"
    f" configuration is enough, it is that of the scenario as it stands, with {MIDDLE}",
    rule=f"with {MIDDLE} plain ATM uses at least {WORSE} less of what a link can hold than gateways"
    " do, and sends a larger share of its packets again",
    standing=Standing.OF_OTHERS,
    expect=Verdict.REPRODUCED,
)
def cells_waste_more(buffers: Results) -> Outcome:
    plain, whole = (by_buffer(buffers, name) for name in (PLAIN, DATAGRAM))
    checks = [
        above("use of links", gain(filled, whole[MIDDLE], plain[MIDDLE]), WORSE),
        above("retransmissions", gain(resent, plain[MIDDLE], whole[MIDDLE])),
    ]
    return judge(
        f"resent at {', '.join(plain)}: plain ATM {series(resent, plain)}, gateways"
        f" {series(resent, whole)}; share of what a link can hold: {series(filled, plain)} and"
        f" {series(filled, whole)}",
        checks,
    )
