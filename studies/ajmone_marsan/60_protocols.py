"""TCP compared with XTP."""

from __future__ import annotations

from cellrelay.results import Results
from cellrelay.studies import Check, Outcome, Verdict, claim, judge

from .measures import (
    apart,
    by_size,
    efficiency,
    goodput,
    largest,
    relative,
    third,
    up_to,
    xtp_by_load,
)
from .transports import SELECTIVE, SIZES

STRIKING = 0.25
"""Relative difference that counts as striking: a quarter is hard to overlook in a figure."""


@claim(
    "003-17",
    "On the whole the two protocols perform not strikingly differently.",
    rule="bottleneck, unshaped, each size, up to 100 Mbit/s: mean goodput of XTP with selective"
    " retransmission differs from that of TCP with a window for a third by at most"
    f" {STRIKING:.0%} of the latter",
    where="section 5",
    of_paper='"the performance differences between the two protocols are not striking"',
    ours=f"striking is {STRIKING:.0%}; performance is goodput, since of efficiency section 4.4 says"
    " that TCP is better",
    expect=Verdict.REPRODUCED,
)
def protocols_are_alike(
    tcp_third: Results, xtp_9140: Results, xtp_4570: Results, xtp_1142: Results
) -> Outcome:
    of_size = by_size(xtp_9140, xtp_4570, xtp_1142)
    checks, words = [], []
    for size in SIZES:
        of_xtp = up_to(xtp_by_load(of_size[size], SELECTIVE), 100)
        of_tcp = third(tcp_third, size)
        found = apart(of_xtp, of_tcp, goodput, relative)
        checks += [
            Check(f"{size}, {load}", abs(change) <= STRIKING) for load, change in found.items()
        ]
        place, change = largest(found)
        words.append(f"goodput with {size} up to {change:+.0%} ({place})")
        place, change = largest(apart(of_xtp, of_tcp, efficiency, relative))
        words.append(f"efficiency with {size} up to {change:+.0%} ({place})")
    return judge(
        "\n".join(["XTP against TCP", *words]),
        checks,
        "next to the knee TCP with short segments gets less than XTP, which sends no bursts",
    )
