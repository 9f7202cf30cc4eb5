"""Losses of throughput with plain ATM, and their causes."""

from __future__ import annotations

from itertools import pairwise

from cellrelay.plot import Chart
from cellrelay.results import Results
from cellrelay.studies import (
    Check,
    Grid,
    GridPlace,
    Outcome,
    Verdict,
    above,
    average,
    claim,
    exhibit,
    gain,
    judge,
    known,
    said,
    stated,
)

from .charts import over_buffers, panel, percent
from .measures import (
    EQUAL,
    LEFT_OUT,
    SEGREGATED,
    awaiting_timer,
    cell_loss,
    dead,
    fairness,
    grid,
    holds_a_packet_each,
    idle,
    is_segregated,
    plain_atm,
    resent,
    shared,
    shown,
    spread,
    throughput,
)
from .ten_tcp import BUFFERS, SIZES


@exhibit(
    "figure-7",
    "Figure 7. Cells dropped, plain ATM.",
    "The switch drops less than a quarter of the cells, but these belong to enough packets to"
    " explain the throughput of Figure 2.",
)
def cells_lost(plain: Results) -> Chart:
    lost = panel("", plain_atm(plain), percent(cell_loss))
    return over_buffers(lost, y_label="cells dropped (%)", y_range=(0, None))


@claim(
    "000-3",
    "With plain ATM, effective throughput falls with smaller buffers, larger packets, larger"
    " windows and more connections.",
    rule=f"means change in that direction, or by less than {EQUAL}, from each buffer and packet"
    " size to the next, from windows of 8 kB to windows of 64 kB, and from 5 to 10 connections;"
    f" undecided where the interval of the paired difference includes {EQUAL}",
    where="section 3, Figure 2",
    of_paper="the four directions; windows range from 8 to 64 kB, connections are 5 and 10",
    ours=f"{EQUAL} for equal, since curves that run together cross",
    expect=Verdict.REPRODUCED,
)
def plain_falls(plain: Results, plain_five: Results) -> Outcome:
    ten = plain_atm(plain)
    five = grid(plain_five)
    buffers, sizes = list(BUFFERS), list(SIZES)
    smaller_buffers = [((s, b), (s, a)) for s in sizes for a, b in pairwise(buffers)]
    larger_packets = [((s, b), (t, b)) for s, t in pairwise(sizes) for b in buffers]
    checks = [_falls(ten, better, ten, worse) for better, worse in smaller_buffers + larger_packets]
    checks += [_falls(five, place, ten, place, "10 against 5 connections") for place in ten]
    small = grid(plain, window="8 KiB")
    checks += [_falls(small, place, ten, place, "64 kB against 8 kB") for place in ten]
    lowest, highest = spread(throughput, ten)
    return judge(
        f"10 connections, 64 kB: from {stated(throughput, ten, highest)}"
        f" down to {stated(throughput, ten, lowest)}",
        [check for check in checks if check is not None],
    )


def _falls(
    better: Grid, high: GridPlace, worse: Grid, low: GridPlace, change: str = ""
) -> Check | None:
    """The check that throughput falls between two places; None if one of them is segregated."""
    if high not in shared(better) or low not in shared(worse):
        return None
    what = f"{said(low)}, {change}" if change else f"{said(low)} against {said(high)}"
    return above(what, gain(throughput, better[high], worse[low]), -EQUAL)


@claim(
    "000-4",
    "Without cells, effective throughput hardly depends on buffer or packet size.",
    rule="packet TCP: means differ by at most 0.10, and by less than half of what they differ by"
    " with plain ATM",
    where="section 3, Figure 3",
    of_paper="0.10: all values lie between 0.90 and 1",
    ours="half, for a dependence that is small beside that of plain ATM",
    expect=Verdict.REPRODUCED,
)
def packets_do_not_care(packet: Results, plain: Results) -> Outcome:
    ranges, words = [], []
    for points in (grid(packet), plain_atm(plain)):
        low, high = (points[place] for place in spread(throughput, points))
        ranges.append(average(throughput, high) - average(throughput, low))
        words.append(f"from {known(throughput, low)} to {known(throughput, high)}")
    whole, cells = ranges
    checks = [Check("0.10", whole <= 0.10), Check("half of plain ATM", whole < cells / 2)]
    return judge(f"{words[0]}; plain ATM {words[1]}", checks)


@claim(
    "000-5",
    "With plain ATM the congested link is hardly ever idle, except with very small buffers, where"
    " up to 20 % of its time is.",
    rule="mean idle share at most 0.05 where the buffer holds a packet of each connection, at most"
    " 0.20 elsewhere; five and ten connections, windows of 8 and 64 kB, at the places of Figure 2",
    where="section 3.1; footnote 5",
    of_paper="0.20: what link idle time reached in a few simulations with very small buffers; the"
    " place that is not shown",
    ours="0.05 for close to zero; a packet of each connection for a buffer that is not very small",
    expect=Verdict.REPRODUCED,
    # Five connections with 9180 bytes and 2000 cells fail, since the idle time at the start is a
    # larger share of three seconds.
    expect_quick=Verdict.IN_PART,
)
def hardly_idle(plain: Results, plain_five: Results) -> Outcome:
    panels = {
        "ten": shown(plain_atm(plain)),
        "five": shown(grid(plain_five)),
        "8 kB": shown(grid(plain, window="8 KiB")),
    }
    checks, words, most = [], [], []
    for name, points in panels.items():
        for place in shared(points):
            limit = 0.05 if holds_a_packet_each(place) else 0.20
            held = average(idle, points[place]) <= limit
            checks.append(Check(f"{said(place)}, {name}", held))
        most.append((name, points, spread(idle, points)[1]))
        words.append(f"{name}: up to {stated(idle, points, most[-1][2])}")
    name, points, place = max(most, key=lambda one: average(idle, one[1][one[2]]))
    return judge(
        "; ".join(words),
        checks,
        f"the link is idle while all connections wait for their timers at once, as each does for"
        f" {known(awaiting_timer, points[place])} of the time at {said(place)}, {name}",
    )


@claim(
    "000-6",
    "What plain ATM loses, it loses to cells of damaged packets; resending what had arrived is"
    " negligible.",
    rule="wherever mean effective throughput is below 0.90 the share of dead cells exceeds the"
    " resent share and the idle share; the resent share is at most 0.05 everywhere",
    where="section 3.1",
    of_paper="the order of the causes",
    ours="0.90, the bound of Figure 3, for low throughput; 0.05 for not significant",
    expect=Verdict.REPRODUCED,
)
def dead_cells(plain: Results) -> Outcome:
    points = plain_atm(plain)
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
    "000-14",
    "One place of Figure 2 is segregated: packets of 9180 bytes with 256 cells.",
    rule=f"the mean fairness index is below {SEGREGATED} there, with ten connections and windows of"
    " 64 kB, and at no other place of Figure 2",
    where="section 3, footnote 5; appendix A",
    of_paper="the place that Figure 2 leaves out; starved connections are prevented from attaining"
    " any bandwidth",
    ours=f"{SEGREGATED}, the index if four of ten connections are starved, since the paper gives no"
    " number",
    expect=Verdict.REPRODUCED,
)
def one_place_is_segregated(plain: Results, plain_five: Results) -> Outcome:
    ten = plain_atm(plain)
    checks = [Check(f"{said(LEFT_OUT)}, segregated", is_segregated(ten[LEFT_OUT]))]
    panels = {"ten": ten, "five": grid(plain_five), "8 kB": grid(plain, window="8 KiB")}
    for name, points in panels.items():
        checks += [
            Check(f"{said(place)}, {name}", not is_segregated(point))
            for place, point in points.items()
            if place != LEFT_OUT
        ]
    others = {place: point for place, point in ten.items() if place != LEFT_OUT}
    least = min(others, key=lambda place: average(fairness, others[place]))
    return judge(
        f"ten connections: fairness index {stated(fairness, ten, LEFT_OUT)},"
        f" elsewhere at least {stated(fairness, ten, least)}",
        checks,
    )
