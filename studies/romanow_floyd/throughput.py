"""Claims 000-1 to 000-9: throughput, and where it is lost."""

from __future__ import annotations

from itertools import pairwise

from cellrelay.studies import (
    Check,
    Grid,
    Outcome,
    Place,
    above,
    average,
    claim,
    gain,
    judge,
    known,
    said,
    stated,
)
from cellrelay.studies.claim import Measured

from .experiments import BACKOFFS, BUFFERS, EXCESS, SIZES, THRESHOLDS, excess_case
from .measures import (
    dead,
    floor,
    grid,
    holds_a_packet_each,
    idle,
    plain_atm,
    plain_by_backoff,
    resent,
    shared,
    spread,
    throughput,
)

EQUAL = 0.01
"""Differences of effective throughput that orders may ignore."""


@claim(
    "000-1",
    "Without cells, effective throughput is at least 90 % of the largest possible.",
    rule="packet TCP: every mean is at least 0.90",
)
def packets_do_well(measured: Measured) -> Outcome:
    points = grid(measured["packet"])
    checks = [Check(said(place), average(throughput, points[place]) >= 0.90) for place in points]
    return judge(f"lowest {stated(throughput, points, spread(throughput, points)[0])}", checks)


@claim(
    "000-2",
    "With plain ATM, effective throughput can be as low as 34 %.",
    rule="lowest mean of the grid, segregated points left out: below 0.75 with full Karn backoff,"
    " at most 0.40 with backoff capped at 2, and at most 0.40 with full Karn backoff, which is"
    " what the base scenario has",
)
def plain_does_badly(measured: Measured) -> Outcome:
    lowest = {}
    for rule in BACKOFFS:
        points = plain_by_backoff(measured, rule)
        lowest[rule] = (points, floor(points))
    values = {rule: average(throughput, points[place]) for rule, (points, place) in lowest.items()}
    checks = [
        Check("0.75 with full Karn backoff", values["full Karn"] < 0.75),
        Check("0.40 with backoff capped at 2", values["capped at 2"] <= 0.40),
        Check("0.40 with full Karn backoff", values["full Karn"] <= 0.40),
    ]
    words = [f"{rule}: {stated(throughput, *where)}" for rule, where in lowest.items()]
    return judge(
        "; ".join(words),
        checks,
        "the floor is set by how fast the timeout backs off, which the paper does not state",
    )


@claim(
    "000-3",
    "With plain ATM, effective throughput falls with smaller buffers, larger packets, larger"
    " windows and more connections.",
    rule=f"means change in that direction, or by less than {EQUAL}, from each buffer, packet size"
    " and window to the next, and from 5 to 10 connections; undecided where the interval of the"
    f" paired difference includes {EQUAL}",
)
def plain_falls(measured: Measured) -> Outcome:
    ten = plain_atm(measured)
    five = grid(measured["plain-five"])
    buffers, sizes = list(BUFFERS), list(SIZES)
    smaller_buffers = [((s, b), (s, a)) for s in sizes for a, b in pairwise(buffers)]
    larger_packets = [((s, b), (t, b)) for s, t in pairwise(sizes) for b in buffers]
    checks = [_falls(ten, better, ten, worse) for better, worse in smaller_buffers + larger_packets]
    checks += [_falls(five, place, ten, place, "10 against 5 connections") for place in ten]
    for smaller, larger in pairwise(measured["plain"].values("window")):
        better, worse = (grid(measured["plain"], window=window) for window in (smaller, larger))
        change = f"{larger} against {smaller}"
        checks += [_falls(better, place, worse, place, change) for place in ten]
    lowest, highest = spread(throughput, ten)
    return judge(
        f"10 connections, 64 kB: from {stated(throughput, ten, highest)}"
        f" down to {stated(throughput, ten, lowest)}",
        [check for check in checks if check is not None],
        "a window of one packet can be worse than one of several: its timeouts are needless, as"
        " 000-12 shows",
    )


def _falls(better: Grid, high: Place, worse: Grid, low: Place, change: str = "") -> Check | None:
    """Whether throughput falls from one place to another; None if one of them is segregated."""
    if high not in shared(better) or low not in shared(worse):
        return None
    what = f"{said(low)}, {change}" if change else f"{said(low)} against {said(high)}"
    return above(what, gain(throughput, better[high], worse[low]), -EQUAL)


@claim(
    "000-4",
    "Without cells, effective throughput hardly depends on buffer or packet size.",
    rule="packet TCP: means differ by at most 0.10, and by less than half of what they differ by"
    " with plain ATM",
)
def packets_do_not_care(measured: Measured) -> Outcome:
    ranges, words = [], []
    for points in (grid(measured["packet"]), plain_atm(measured)):
        low, high = (points[place] for place in spread(throughput, points))
        ranges.append(average(throughput, high) - average(throughput, low))
        words.append(f"from {known(throughput, low)} to {known(throughput, high)}")
    whole, plain = ranges
    checks = [Check("0.10", whole <= 0.10), Check("half of plain ATM", whole < plain / 2)]
    return judge(f"{words[0]}; plain ATM {words[1]}", checks)


@claim(
    "000-5",
    "With plain ATM the congested link is hardly ever idle, except with very small buffers, where"
    " up to 20 % of its time is.",
    rule="mean idle share at most 0.05 where the buffer holds a packet of each connection, at most"
    " 0.22 elsewhere",
)
def hardly_idle(measured: Measured) -> Outcome:
    points = plain_atm(measured)
    limits = {place: 0.05 if holds_a_packet_each(place) else 0.22 for place in shared(points)}
    checks = [Check(said(p), average(idle, points[p]) <= limit) for p, limit in limits.items()]
    large = {place: points[place] for place in limits if holds_a_packet_each(place)}
    return judge(
        f"most {stated(idle, points, spread(idle, points)[1])};"
        f" where each has room for a packet {stated(idle, large, spread(idle, large)[1])}",
        checks,
    )


@claim(
    "000-6",
    "What plain ATM loses, it loses to cells of damaged packets; resending what had arrived is"
    " negligible.",
    rule="wherever mean effective throughput is below 0.90 the share of dead cells exceeds the"
    " resent share and the idle share; the resent share is at most 0.05 everywhere",
)
def dead_cells(measured: Measured) -> Outcome:
    points = plain_atm(measured)
    checks = []
    for place in shared(points):
        point = points[place]
        lost_to = {measure: average(measure, point) for measure in (dead, resent, idle)}
        if average(throughput, point) < 0.90:
            checks.append(Check(f"{said(place)}, dead", lost_to[dead] == max(lost_to.values())))
        checks.append(Check(f"{said(place)}, resent", lost_to[resent] <= 0.05))
    most = {
        measure: stated(measure, points, spread(measure, points)[1]) for measure in (dead, resent)
    }
    return judge(f"dead up to {most[dead]}; resent up to {most[resent]}", checks)


@claim(
    "000-7",
    "Partial packet discard does better than plain ATM and worse than early packet discard.",
    rule="means of effective throughput in that order at every place; undecided where the interval"
    " of the paired difference includes zero",
)
def partial_between(measured: Measured) -> Outcome:
    plain, partial, early = plain_atm(measured), grid(measured["partial"]), grid(measured["early"])
    checks, gains = [], []
    for better, worse in ((partial, plain), (early, partial)):
        gained = {
            place: gain(throughput, better[place], worse[place])
            for place in shared(plain, partial, early)
        }
        least = min(gained, key=lambda place: gained[place].mean)
        gains.append(f"{gained[least]} ({said(least)})")
        name = "PPD" if better is partial else "EPD"
        checks += [above(f"{name}, {said(place)}", gained[place]) for place in gained]
    return judge(
        f"PPD gains at least {gains[0]} over plain ATM, EPD at least {gains[1]} over PPD", checks
    )


@claim(
    "000-8",
    "Early packet discard brings effective throughput close to the largest possible, except where"
    " the buffer holds only a few packets.",
    rule="mean at least 0.95 where the buffer holds a packet of each connection",
)
def early_does_well(measured: Measured) -> Outcome:
    points = grid(measured["early"])
    large = {place: points[place] for place in points if holds_a_packet_each(place)}
    checks = [Check(said(place), average(throughput, large[place]) >= 0.95) for place in large]
    return judge(
        f"there from {stated(throughput, large, floor(large))};"
        f" lowest of all {stated(throughput, points, floor(points))}",
        checks,
    )


@claim(
    "000-9",
    "Early packet discard with a threshold of 1000 cells falls below 90 % where there are less than"
    " three packets of buffer beyond it; similarly with 2000.",
    rule=f"for each threshold and packet size: mean below 0.90 at one and at two packets; never"
    f" falls by more than {EQUAL} from one packet more; at three within {EQUAL} of five",
)
def excess_is_needed(measured: Measured) -> Outcome:
    checks = []
    for threshold in THRESHOLDS:
        for size in SIZES:
            points = [
                measured["excess"].point(case=excess_case(threshold, size, packets))
                for packets in EXCESS
            ]
            means = [average(throughput, point) for point in points]
            case = f"of {size} beyond {threshold} cells"
            checks += [Check(f"{k} {case}", means[k] < 0.90) for k in (1, 2)]
            grows = all(more > less - EQUAL for less, more in pairwise(means))
            checks.append(Check(f"growth {case}", grows))
            checks.append(Check(f"3 against 5 {case}", means[5] - means[3] < EQUAL))
    largest = [measured["excess"].point(case=excess_case(1000, SIZES[-1], k)) for k in EXCESS]
    words = ", ".join(f"{k}: {known(throughput, point)}" for k, point in enumerate(largest))
    worst = [
        known(
            throughput, measured["excess-unforgiving"].point(case=excess_case(1000, SIZES[-1], k))
        )
        for k in (1, 2)
    ]
    return judge(
        f"9180 B, threshold 1000, by packets of excess {words}",
        checks,
        "one packet is nearly enough; with tail drop beyond the threshold, all inputs at once and"
        f" backoff capped at 2, one gives {worst[0]}, two {worst[1]}",
    )
