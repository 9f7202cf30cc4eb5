"""Who gets how much: the four schemes of the paper by buffer."""

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
    by_buffer,
    carried,
    fairness,
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
from .schemes import CREDITS, DATAGRAM, EPD, LATER, PLAIN, promised
from .variants import BUFFERED, LARGEST, MIDDLE, SMALLEST, schemes, sized, varied

INVERSE_SQUARE_ROOT = 1 / (3 * math.sqrt(3))
"""Long over short, where TCP gets MSS / (RTT sqrt(2 p / 3)): three times the round trip, and three
times the chance to lose a packet."""
CLOSE = 0.1
"""How far two ratios of throughput may be apart to be close."""
ALIKE = 0.05
"""How far from one long over short may be where all get as much."""
UNACCEPTABLE = 0.75
"""Share of what credits carry, below which a scheme is not acceptable,"""
STARVED = 0.1
"""and long over short, below which it is not."""

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
    "resent (%)",
    "long, delay (ms)",
)


def row(name: str, memory: str, point: PointResult) -> list[str]:
    """A scheme in the table."""
    return [
        name,
        memory,
        str(known(long, point)),
        str(known(short, point)),
        f"{average(ratio, point):.3f}",
        f"{average(fairness, point):.3f}",
        str(known(carried, point)),
        f"{100 * average(resent, point):.2f}",
        f"{average(long_delay, point):.1f}",
    ]


def fair_row(name: str, link: float) -> list[str]:
    """What max-min fairness would give."""
    each = f"{link / 2 / EACH:.2f}"
    return [name, "", each, each, "1.000", "1.000", f"{link:.2f}", "", ""]


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
    """By how much of what a short connection gets a long one has less than half of that."""
    return [0.5 - share for share in ratio(point)]


@claim(
    "004-1",
    "Plain ATM is significantly unfair between long and short connections.",
    rule="at each buffer a short connection gets more than twice what a long one gets",
    expect=Verdict.REPRODUCED,
)
def plain_is_unfair(buffers: Results) -> Outcome:
    points = by_buffer(buffers, PLAIN)
    checks = [above(buffer, known(behind, point)) for buffer, point in points.items()]
    return judge(f"long over short at {', '.join(points)}: {series(ratio, points)}", checks)


@claim(
    "004-2",
    "Early packet discard takes some of the unfairness away, and comes close to the datagram"
    " network.",
    rule="at each buffer long over short is larger with EPD than with plain ATM, and with gateways"
    f" at most {CLOSE} from what it is with EPD",
    expect=Verdict.IN_PART,
)
def early_is_fairer(buffers: Results) -> Outcome:
    curves = {name: by_buffer(buffers, name) for name in BUFFERED}
    checks = []
    for buffer, early in curves[EPD].items():
        checks.append(above(f"EPD at {buffer}", gain(ratio, early, curves[PLAIN][buffer])))
    for buffer, early in curves[EPD].items():
        apart = gain(ratio, curves[DATAGRAM][buffer], early)
        checks.append(within(f"gateways at {buffer}", apart, CLOSE))
    words = (f"{name} {series(ratio, points)}" for name, points in curves.items())
    return judge(
        f"long over short at {', '.join(curves[EPD])}: {'; '.join(words)}",
        checks,
        "gateways of 4000 cells lose nothing, so that shares go by round trips alone; with five"
        " packets of memory or fewer they starve long connections nearly as plain ATM does, and EPD"
        " does not",
    )


@claim(
    "004-3",
    "With small buffers early packet discard may still be unacceptable.",
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
        Check("who gets it", average(ratio, worst) < STARVED),
    ]
    return judge(
        f"{known(carried, worst)} Mbit/s over a link, {share:.0%} of those with credits"
        f" ({known(carried, best)} with {LARGEST}); {known(long, worst)} Mbit/s for a long"
        f" connection, {known(short, worst)} for a short one",
        checks,
    )


@claim(
    "004-4",
    "Flow control by credits is best of all: in throughput, in fairness, and nothing is lost.",
    rule="with credits no output refuses anything and nothing is sent again; long over short is at"
    f" most {ALIKE} from one; Jain's index is larger, and a link carries more user data, than with"
    " any other scheme at any buffer",
    expect=Verdict.IN_PART,
)
def credits_are_best(buffers: Results, credits: Results) -> Outcome:
    best = with_credits(credits)
    checks = [
        Check("loss", max(refused(best)) == 0.0),
        Check("repetitions", max(resent(best)) == 0.0),
        Check("long over short", abs(average(ratio, best) - 1.0) <= ALIKE),
    ]
    for name in BUFFERED:
        for buffer, point in by_buffer(buffers, name).items():
            checks.append(above(f"fairness, {name} at {buffer}", gain(fairness, best, point)))
            checks.append(above(f"user data, {name} at {buffer}", gain(carried, best, point)))
    most = by_buffer(buffers, DATAGRAM)[LARGEST]
    return judge(
        f"long over short {known(ratio, best)}, {known(carried, best)} Mbit/s over a link, nothing"
        f" refused and nothing sent again; gateways with {LARGEST} {known(carried, most)} Mbit/s",
        checks,
        "cells cost 10 % of the link, which gateways with enough memory do not pay; of what cells"
        " can carry, credits carry all",
    )
