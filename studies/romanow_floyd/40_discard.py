"""The throughput that partial and early packet discard recover."""

from __future__ import annotations

from cellrelay.plot import Chart
from cellrelay.results import Results
from cellrelay.studies import (
    Check,
    Outcome,
    Verdict,
    above,
    average,
    claim,
    exhibit,
    gain,
    judge,
    said,
    stated,
)

from .charts import AT_LEAST, over_buffers, panel
from .measures import grid, holds_a_packet_each, lowest, plain_atm, shared, throughput
from .ten_tcp import DISCARD, EARLY, GRID, ten_tcp

partial = ten_tcp("Partial packet discard", GRID, {DISCARD: "{ partial_packet = {} }"})
early = ten_tcp("Early packet discard, threshold of half the buffer", GRID, EARLY)


@exhibit(
    "figure-3-4-5",
    "Figures 3, 4 and 5. Whole packets, partial packet discard, early packet discard.",
    "The same ten connections with 64 kB windows as in the middle of Figure 2. Without cells,"
    " neither buffer nor packet size matters much (left). Dropping the remainder of a damaged"
    " packet recovers part of the loss of plain ATM (middle). Dropping whole packets above half"
    " the buffer equals a network of whole packets, except where the buffer holds only a few of"
    " them (right).",
    joins={"figure-3": "packet", "figure-4": "partial", "figure-5": "early"},
)
def packets_and_discard(packet: Results, partial: Results, early: Results) -> Chart:
    return over_buffers(
        panel("3. whole packets", grid(packet)),
        panel("4. partial packet discard", grid(partial)),
        panel("5. early packet discard", grid(early)),
        levels=AT_LEAST,
    )


@claim(
    "000-7",
    "Partial packet discard does better than plain ATM and worse than early packet discard.",
    rule="means of effective throughput in that order at every place; undecided where the interval"
    " of the paired difference includes zero",
    where="section 4, Figure 4; section 5, Figure 5",
    of_paper="the order: PPD improves on plain ATM, but only EPD reaches the largest throughput",
    ours="at every place, since both sentences are about whole figures",
    expect=Verdict.REPRODUCED,
)
def partial_between(plain: Results, partial: Results, early: Results) -> Outcome:
    cells, parts, whole = plain_atm(plain), grid(partial), grid(early)
    checks, gains = [], []
    for better, worse in ((parts, cells), (whole, parts)):
        gained = {
            place: gain(throughput, better[place], worse[place])
            for place in shared(cells, parts, whole)
        }
        least = min(gained, key=lambda place: gained[place].mean)
        gains.append(f"{gained[least]} ({said(least)})")
        name = "PPD" if better is parts else "EPD"
        checks += [above(f"{name}, {said(place)}", gained[place]) for place in gained]
    return judge(
        f"PPD gains at least {gains[0]} over plain ATM, EPD at least {gains[1]} over PPD", checks
    )


@claim(
    "000-8",
    "Early packet discard brings effective throughput close to the largest possible, except where"
    " the buffer holds only a few packets.",
    rule="mean at least 0.95 where the buffer holds a packet of each connection",
    where="section 5, Figure 5",
    ours="0.95 for high, half of what whole packets may lose; a packet of each connection for a"
    " buffer that is not very small",
    expect=Verdict.REPRODUCED,
)
def early_does_well(early: Results) -> Outcome:
    points = grid(early)
    large = {place: points[place] for place in points if holds_a_packet_each(place)}
    checks = [Check(said(place), average(throughput, large[place]) >= 0.95) for place in large]
    return judge(
        f"there from {stated(throughput, large, lowest(large))};"
        f" lowest of all {stated(throughput, points, lowest(points))}",
        checks,
    )
