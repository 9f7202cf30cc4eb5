"""Shares of long and short connections under the four schemes of the paper, by buffer."""

from __future__ import annotations

import math

from cellrelay.plot import Box, Chart, Diagram
from cellrelay.results import PointResult, Results
from cellrelay.studies import (
    Check,
    Outcome,
    Table,
    Verdict,
    above,
    average,
    claim,
    exhibit,
    gain,
    judge,
    known,
    within,
)

from .charts import over_buffers, panel
from .measures import (
    IN_CELLS,
    IN_PACKETS,
    ByPlace,
    by_buffer,
    carried,
    fairness,
    filled,
    long,
    long_delay,
    ratio,
    refused,
    resent,
    series,
    short,
    with_credits,
)
from .networks import BOXES, EACH, SWITCHES, TRUNKS
from .schemes import CREDITS, DATAGRAM, EPD, HALF, LATER, PLAIN, promised
from .variants import AMPLE, BUFFERED, LARGEST, MIDDLE, SMALLEST, schemes, sized, varied

INVERSE_SQUARE_ROOT = 1 / (3 * math.sqrt(3))
"""Goodput of a long connection divided by that of a short one, by MSS / (RTT sqrt(2 p / 3)): three
times the round trip, and three times the chance to lose a packet."""
UNFAIR = 0.5
"""Ratio of long to short below which sharing counts as significantly unfair."""
CLOSE = 0.1
"""Largest difference between two schemes, in shares or in Jain's index, that counts as close."""
FULL = 0.001
"""How far shares of links may be apart that are full: credits take a 1920th of a link, one cell
back for ten acknowledgments, each of which answers 192 cells."""
UNACCEPTABLE = 0.75
"""Share of the throughput with credits below which a scheme counts as unacceptable."""
STARVED = 0.1
"""Ratio of long to short below which a scheme counts as unacceptable."""

buffers = varied(
    "Plain ATM, early packet discard and gateways, by buffer",
    {"scheme": schemes(BUFFERED), "buffer": sized()},
    replications=None,
)
credits = varied("Credits", {"scheme": schemes([CREDITS])}, replications=None)


@exhibit(
    "network",
    "The network.",
    "Three connections cross all links between switches, and each link carries three more"
    " connections; every link has a rate of 149.76 Mbit/s. A long connection has three times the"
    " round trip of a short one, and crosses three queues. The network is ours: that of the paper"
    " is not known.",
)
def network() -> Diagram:
    links = [("3 long", "s1", ""), ("s4", "receivers", "")]
    for place in range(len(TRUNKS)):
        here, there = SWITCHES[place], SWITCHES[place + 1]
        links += [
            (here, there, "1 ms"),
            (f"3 short, {place + 1}", here, ""),
            (there, f"receivers, {place + 1}", ""),
        ]
    boxes = tuple(Box(name, *where) for name, where in BOXES.items())
    return Diagram(boxes=boxes, links=tuple(links))


HEADER = (
    "scheme",
    "memory",
    "long (Mbit/s)",
    "short (Mbit/s)",
    "long/short",
    "Jain",
    "over a link",
    "of what it can (%)",
    "resent (%)",
    "long, delay (ms)",
)


def row(name: str, memory: str, point: PointResult) -> list[str]:
    """The row of a scheme in the table."""
    return [
        name,
        memory,
        str(known(long, point)),
        str(known(short, point)),
        f"{average(ratio, point):.3f}",
        f"{average(fairness, point):.3f}",
        str(known(carried, point)),
        f"{100 * average(filled, point):.1f}",
        f"{100 * average(resent, point):.2f}",
        f"{average(long_delay, point):.1f}",
    ]


def fair_row(name: str, link: float) -> list[str]:
    """The row of the max-min fair shares in the table."""
    each = f"{link / 2 / EACH:.2f}"
    return [name, "", each, each, "1.000", "1.000", f"{link:.2f}", "100.0", "", ""]


@exhibit(
    "atm-or-packets",
    "ATM or packets.",
    "Goodputs, and their cost. The memory is that of an output; with credits it is the largest"
    " total of credits at any output. Selective drop and fair buffer allocation are policies of"
    " switches, and fair queueing is one of gateways; the paper has none of them.",
    is_printed=True,
)
def atm_or_packets(buffers: Results, credits: Results, later: Results) -> Table:
    rows = []
    for memory in (SMALLEST, MIDDLE, LARGEST):
        for name in BUFFERED:
            rows.append(row(name, memory, by_buffer(buffers, name)[memory]))
        for name in LATER:
            rows.append(row(name, memory, by_buffer(later, name)[memory]))
    rows.append(row(CREDITS, f"{promised()} cells", with_credits(credits)))
    rows.append(fair_row("max-min, in cells", IN_CELLS))
    rows.append(fair_row("max-min, in packets", IN_PACKETS))
    return Table(HEADER, rows)


@exhibit(
    "throughput",
    "Goodput of long and short connections, by buffer.",
    "Mbit/s of user data per connection. The max-min fair share is a sixth of a link:"
    f" {IN_CELLS / 2 / EACH:.1f} Mbit/s in cells and {IN_PACKETS / 2 / EACH:.1f} in packets. The"
    f" memory of credits is fixed by the credits, {promised()} cells at most: their"
    " result is a horizontal line.",
)
def throughputs(buffers: Results, credits: Results) -> Chart:
    return over_buffers(
        panel("long", buffers, credits, long),
        panel("short", buffers, credits, short),
        y_label="throughput (Mbit/s)",
        levels={"max-min": IN_CELLS / 2 / EACH},
    )


@exhibit(
    "fairness",
    "Goodput of a long connection relative to a short one, by buffer.",
    "By the inverse square root law, three round trips and three lossy queues give a ratio of"
    f" {INVERSE_SQUARE_ROOT:.2f}.",
)
def shares(buffers: Results, credits: Results) -> Chart:
    return over_buffers(
        panel("", buffers, credits, ratio),
        y_label="long over short",
        y_range=(0.0, 1.05),
        levels={"inverse square root": INVERSE_SQUARE_ROOT},
    )


def behind(point: PointResult) -> list[float]:
    """`UNFAIR` minus the ratio of long to short."""
    return [UNFAIR - share for share in ratio(point)]


@claim(
    "004-1",
    "Without control at the ATM layer, long connections may get significantly less than short ones"
    " in a large network.",
    where="abstract",
    of_paper='long connections get less: "significant unfairness in the amount of bandwidth'
    ' allocated to connections may result"',
    ours=f"significant is less than {UNFAIR:.0%} of what a short connection gets, and at every one"
    " of our buffers, since the abstract names none",
    rule=f"plain ATM, at each buffer: long over short is below {UNFAIR}",
    expect=Verdict.REPRODUCED,
)
def plain_is_unfair(buffers: Results) -> Outcome:
    points = by_buffer(buffers, PLAIN)
    checks = [above(buffer, known(behind, point)) for buffer, point in points.items()]
    return judge(f"long over short at {', '.join(points)}: {series(ratio, points)}", checks)


@claim(
    "004-2",
    "Early packet discard removes some of the unfairness, and performs nearly as well as a"
    " datagram network, unless buffers are small.",
    where="abstract",
    of_paper='fairer than plain ATM: "able to remove some of the unfairness"; like the gateways:'
    ' "performance close to that of a datagram network"; not where "the buffer sizes in the'
    ' switches are small"',
    ours=f"small is less than {MIDDLE}, five packets; close is within {CLOSE}, of Jain's index and"
    " of the share that is used of what a link can hold, in cells or in packets",
    rule=f"for each buffer from {MIDDLE} on: long over short is larger with EPD than with plain"
    f" ATM; Jain's index, and the share of what a link can hold, are at most {CLOSE} from those of"
    " gateways",
    expect=Verdict.REPRODUCED,
    # The shorter runs of a quick look leave one check of nine on the other side.
    expect_quick=Verdict.IN_PART,
)
def early_is_fairer(buffers: Results, thresholds: Results) -> Outcome:
    curves = {name: by_buffer(buffers, name) for name in BUFFERED}
    at_half = between(buffers, by_buffer(thresholds, HALF))
    lines = (
        f"{what}: {'; '.join(f'{name} {series(measure, curves[name])}' for name in BUFFERED)}"
        for what, measure in (
            (f"long over short at {', '.join(curves[EPD])}", ratio),
            ("Jain's index", fairness),
            ("share of what a link can hold", filled),
        )
    )
    return judge(
        "\n".join(lines),
        between(buffers, curves[EPD]),
        f"the threshold is a packet below the buffer; with {HALF}"
        f" {sum(check.holds for check in at_half)} of {len(at_half)} checks hold",
    )


def between(buffers: Results, early: ByPlace) -> list[Check]:
    """Checks of the statement of the abstract about EPD with buffers that are not small."""
    plain, whole = (by_buffer(buffers, name) for name in (PLAIN, DATAGRAM))
    ample = [buffer for buffer in early if buffer in AMPLE]
    checks = [
        above(f"fairer than plain ATM, {at}", gain(ratio, early[at], plain[at])) for at in ample
    ]
    for what, measure in (("Jain's index", fairness), ("use of links", filled)):
        checks += [
            within(f"{what} like the gateways', {at}", gain(measure, whole[at], early[at]), CLOSE)
            for at in ample
        ]
    return checks


@claim(
    "004-3",
    "With small buffers early packet discard may still be unacceptable.",
    where="abstract",
    of_paper='with small buffers: "can still provide unacceptable performance if the buffer sizes'
    ' in the switches are small"',
    ours=f"small is {SMALLEST}, little more than a packet; unacceptable is less than"
    f" {UNACCEPTABLE:.0%} of the user data that credits carry, and less than {STARVED:.0%} of a"
    " short connection's throughput for a long one",
    rule=f"EPD with {SMALLEST}: a link carries less than {UNACCEPTABLE:.0%} of the user data that"
    f" it carries with credits, and a long connection gets less than {STARVED:.0%} of a short one",
    expect=Verdict.REPRODUCED,
)
def small_buffers_are_unacceptable(buffers: Results, credits: Results) -> Outcome:
    points = by_buffer(buffers, EPD)
    worst, best = points[SMALLEST], points[LARGEST]
    share = average(carried, worst) / average(carried, with_credits(credits))
    checks = [
        Check("what is carried", share < UNACCEPTABLE),
        above("who gets it", known(starved, worst)),
    ]
    return judge(
        f"{known(carried, worst)} Mbit/s over a link, {share:.0%} of those with credits"
        f" ({known(carried, best)} with {LARGEST}); {known(long, worst)} Mbit/s for a long"
        f" connection, {known(short, worst)} for a short one",
        checks,
    )


def starved(point: PointResult) -> list[float]:
    """`STARVED` minus the ratio of long to short."""
    return [STARVED - share for share in ratio(point)]


@claim(
    "004-4",
    "Flow control by credits performs best of all, and loses nothing.",
    where="abstract; section 2",
    of_paper='best in throughput and fairness: "provided the best performance among the schemes'
    ' studied"; no loss: "can completely eliminate packet losses due to congestion"',
    ours="throughput counts as the share of what a link can hold, in cells or in packets, since the"
    f" schemes do not change the headers of cells; shares within {FULL} are equal, because credits"
    " themselves take a 1920th of a link",
    rule="with credits no output drops anything and nothing is resent; Jain's index is larger, and"
    f" the share of what a link can hold is at most {FULL} smaller, than with any other scheme at"
    " any buffer",
    expect=Verdict.REPRODUCED,
)
def credits_are_best(buffers: Results, credits: Results) -> Outcome:
    best = with_credits(credits)
    checks = [
        Check("loss", max(refused(best)) == 0.0),
        Check("retransmissions", max(resent(best)) == 0.0),
    ]
    for name in BUFFERED:
        for buffer, point in by_buffer(buffers, name).items():
            checks.append(above(f"fairness, {name} at {buffer}", gain(fairness, best, point)))
            more = gain(filled, best, point)
            checks.append(above(f"use of links, {name} at {buffer}", more, -FULL))
    most = by_buffer(buffers, DATAGRAM)[LARGEST]
    return judge(
        f"Jain's index {known(fairness, best)}, long over short {known(ratio, best)}, share of what"
        f" a link can hold {known(filled, best)}, nothing dropped and nothing resent; gateways with"
        f" {LARGEST}: {known(fairness, most)}, {known(ratio, most)}, {known(filled, most)}",
        checks,
    )
