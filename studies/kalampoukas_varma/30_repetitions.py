"""Who sends how much again, and how long it takes."""

from __future__ import annotations

from cellrelay.plot import Chart
from cellrelay.results import Results
from cellrelay.studies import Outcome, Verdict, above, claim, exhibit, gain, judge

from .charts import over_buffers, panel
from .measures import by_buffer, carried, long_delay, resent, series, short_delay
from .schemes import DATAGRAM, PLAIN


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
    "Since one lost cell has a whole segment sent again, plain ATM is worse than the datagram"
    " network.",
    rule="at each buffer plain ATM sends a larger share of its packets again than gateways do, and"
    " a link carries less user data",
    expect=Verdict.IN_PART,
)
def cells_waste_more(buffers: Results) -> Outcome:
    plain, whole = (by_buffer(buffers, name) for name in (PLAIN, DATAGRAM))
    checks = []
    for buffer, point in plain.items():
        checks.append(above(f"repetitions at {buffer}", gain(resent, point, whole[buffer])))
        checks.append(above(f"user data at {buffer}", gain(carried, whole[buffer], point)))
    return judge(
        f"sent again at {', '.join(plain)}: plain ATM {series(resent, plain)}, gateways"
        f" {series(resent, whole)}; Mbit/s over a link: {series(carried, plain, '.0f')} and"
        f" {series(carried, whole, '.0f')}",
        checks,
    )
