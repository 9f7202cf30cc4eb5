"""The effect of finer and coarser clocks of the senders."""

from __future__ import annotations

from cellrelay.plot import Chart, Panel
from cellrelay.results import Results
from cellrelay.studies import (
    Check,
    Measure,
    Outcome,
    Verdict,
    average,
    claim,
    exhibit,
    judge,
    known,
    said,
    stated,
)

from .charts import over_buffers, panel
from .measures import (
    EQUAL,
    LEFT_OUT,
    dead,
    fairness,
    grid,
    holds_a_packet_each,
    idle,
    resent,
    throughput,
)
from .ten_tcp import (
    BUFFER,
    EARLY,
    FEW_BUFFERS,
    FIVE_TIMES,
    GRID,
    PACKET,
    PLAIN,
    SIZES,
    TCP,
    WINDOW,
    ten_tcp,
)

TICK = f"{TCP}.timers.ns.tick"
TICKS = ("1 us", "0.1 ms", "300 ms")
"""Granularities of the senders' clock: finer than the paper's, the paper's, and BSD's."""
UNLOST_TICKS = ("1 us", "0.1 ms", "10 ms")

clock = ten_tcp(
    "Early packet discard under other clocks",
    {TICK: TICKS, **GRID},
    EARLY,
    FIVE_TIMES,
    FEW_BUFFERS,
)
unlost = ten_tcp(
    "Clocks where no cell is lost",
    {TICK: UNLOST_TICKS, PACKET: SIZES},
    {**PLAIN, WINDOW: "8 KiB", BUFFER: "8000 cells"},
    FIVE_TIMES,
)


@exhibit(
    "clock",
    "Early packet discard with a finer and a coarser clock.",
    "With a tick of 300 ms, a connection pauses long after a timeout. If other connections fill"
    " the link meanwhile, throughput stays high; if all pause, the link is idle.",
)
def by_clock(clock: Results) -> Chart:
    return over_buffers(*_by_tick(clock, throughput))


@exhibit(
    "clock-fairness",
    "Early packet discard with a finer and a coarser clock: fairness.",
    "Jain's index of the goodputs of the connections: 1 if all are equal, 0.1 if one connection"
    " has all.",
)
def clock_fairness(clock: Results) -> Chart:
    return over_buffers(*_by_tick(clock, fairness), y_label="fairness index", y_range=(0.0, 1.0))


def _by_tick(clock: Results, measure: Measure) -> list[Panel]:
    return [
        panel(f"tick of {tick}", grid(clock, tick=tick), measure, shows_segregated=True)
        for tick in TICKS
    ]


@claim(
    "000-11",
    "With a clock of 300 ms, early packet discard keeps throughput high under mild congestion, but"
    " can be extremely unfair; under severe congestion throughput is lower.",
    rule="where the buffer holds a packet of each connection: every mean at least 0.90, and"
    " somewhere the fairness index is below 0.6 though above 0.9 with 0.1 ms; where it does not:"
    f" throughput lower than with 0.1 ms by more than {EQUAL}",
    where="appendix B",
    of_paper="the directions; the paper prints no number",
    ours="a packet of each connection for mild congestion; 0.90 for high; 0.6 for extremely unfair,"
    f" the index if four of ten connections get nothing; {EQUAL} for equal",
    expect=Verdict.IN_PART,
)
def coarse_clock(clock: Results) -> Outcome:
    coarse = grid(clock, tick="300 ms")
    fine = grid(clock, tick="0.1 ms")
    checks, mild = [], {}
    for place, point in coarse.items():
        value = average(throughput, point)
        if holds_a_packet_each(place):
            mild[place] = point
            checks.append(Check(f"throughput, {said(place)}", value >= 0.90))
        else:
            lower = value < average(throughput, fine[place]) - EQUAL
            checks.append(Check(f"lower throughput, {said(place)}", lower))
    unfair = [average(fairness, mild[p]) < 0.6 and average(fairness, fine[p]) > 0.9 for p in mild]
    checks.append(Check("unfairness", any(unfair)))
    least_fair = min(mild, key=lambda place: average(fairness, mild[place]))
    severe = SIZES[-1], "1000 cells"
    return judge(
        f"mild: fairness down to {stated(fairness, mild, least_fair)}, throughput there"
        f" {known(throughput, mild[least_fair])}; severe: throughput"
        f" {stated(throughput, coarse, severe)} against {known(throughput, fine[severe])}",
        checks,
        f"with 300 ms the link is idle while all connections wait, at {said(LEFT_OUT)} for"
        f" {known(idle, coarse[LEFT_OUT])} of the time; with 0.1 ms the cells of damaged packets"
        f" take {known(dead, fine[LEFT_OUT])} there, and hardly any with 300 ms",
    )


@claim(
    "000-12",
    "A clock finer than 0.1 ms makes connections resend needlessly.",
    rule="windows of 8 kB and 8000 cells, so that nothing is lost and each resend is needless: they"
    f" take more than {EQUAL} of the capacity with 1 us for some packet size, and with 0.1 ms for"
    " none",
    where="appendix B",
    of_paper="1 us and 0.1 ms: the one results in spurious retransmissions, the other works well",
    ours=f"{EQUAL} of the capacity for resends that matter",
    expect=Verdict.REPRODUCED,
)
def fine_clock(unlost: Results) -> Outcome:
    most = {}
    for tick in UNLOST_TICKS:
        points = {size: unlost.point(packet=size, tick=tick) for size in SIZES}
        size = max(points, key=lambda size: average(resent, points[size]))
        most[tick] = (size, known(resent, points[size]))
    checks = [
        Check("resends with 1 us", most["1 us"][1].mean > EQUAL),
        Check("none with 0.1 ms", most["0.1 ms"][1].mean <= EQUAL),
    ]
    words = [f"{tick} up to {share} ({size})" for tick, (size, share) in most.items()]
    return judge("; ".join(words), checks)
