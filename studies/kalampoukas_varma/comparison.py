"""Claims 004-1 to 004-4 and 004-6: who gets how much, and who sends how much again."""

from __future__ import annotations

from cellrelay.results import PointResult
from cellrelay.studies import Check, Outcome, above, average, claim, gain, judge, known, within
from cellrelay.studies.claim import Measured

from .experiments import BUFFERED, LARGEST, SMALLEST
from .measures import by_buffer, carried, fairness, long, ratio, refused, resent, series, short
from .schemes import CREDITS, DATAGRAM, EPD, PLAIN

CLOSE = 0.1
"""How far two ratios of throughput may be apart to be close."""
ALIKE = 0.05
"""How far from one long over short may be where all get as much."""
UNACCEPTABLE = 0.75
"""Share of what credits carry, below which a scheme is not acceptable,"""
STARVED = 0.1
"""and long over short, below which it is not."""


def credit(measured: Measured) -> PointResult:
    """The one point of credits, whose buffer holds what they promise."""
    return measured["credits"].point(scheme=CREDITS)


def behind(point: PointResult) -> list[float]:
    """By how much of what a short connection gets a long one has less than half of that."""
    return [0.5 - share for share in ratio(point)]


@claim(
    "004-1",
    "Plain ATM is significantly unfair between long and short connections.",
    rule="at each buffer a short connection gets more than twice what a long one gets",
)
def plain_is_unfair(measured: Measured) -> Outcome:
    points = by_buffer(measured["buffers"], PLAIN)
    checks = [above(buffer, known(behind, point)) for buffer, point in points.items()]
    return judge(f"long over short at {', '.join(points)}: {series(ratio, points)}", checks)


@claim(
    "004-2",
    "Early packet discard takes some of the unfairness away, and comes close to the datagram"
    " network.",
    rule="at each buffer long over short is larger with EPD than with plain ATM, and with gateways"
    f" at most {CLOSE} from what it is with EPD",
)
def early_is_fairer(measured: Measured) -> Outcome:
    curves = {name: by_buffer(measured["buffers"], name) for name in BUFFERED}
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
)
def small_buffers_are_unacceptable(measured: Measured) -> Outcome:
    points = by_buffer(measured["buffers"], EPD)
    worst, best = points[SMALLEST], points[LARGEST]
    share = average(carried, worst) / average(carried, credit(measured))
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
)
def credits_are_best(measured: Measured) -> Outcome:
    best = credit(measured)
    checks = [
        Check("loss", max(refused(best)) == 0.0),
        Check("repetitions", max(resent(best)) == 0.0),
        Check("long over short", abs(average(ratio, best) - 1.0) <= ALIKE),
    ]
    for name in BUFFERED:
        for buffer, point in by_buffer(measured["buffers"], name).items():
            checks.append(above(f"fairness, {name} at {buffer}", gain(fairness, best, point)))
            checks.append(above(f"user data, {name} at {buffer}", gain(carried, best, point)))
    most = by_buffer(measured["buffers"], DATAGRAM)[LARGEST]
    return judge(
        f"long over short {known(ratio, best)}, {known(carried, best)} Mbit/s over a link, nothing"
        f" refused and nothing sent again; gateways with {LARGEST} {known(carried, most)} Mbit/s",
        checks,
        "cells cost 10 % of the link, which gateways with enough memory do not pay; of what cells"
        " can carry, credits carry all",
    )


@claim(
    "004-6",
    "Since one lost cell has a whole segment sent again, plain ATM is worse than the datagram"
    " network.",
    rule="at each buffer plain ATM sends a larger share of its packets again than gateways do, and"
    " a link carries less user data",
)
def cells_waste_more(measured: Measured) -> Outcome:
    plain, whole = (by_buffer(measured["buffers"], name) for name in (PLAIN, DATAGRAM))
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
