"""Claims 000-10 to 000-13: what senders resend, their clocks, and their duplicate threshold."""

from __future__ import annotations

from cellrelay.studies import Check, Outcome, average, claim, judge, known, said, stated
from cellrelay.studies.claim import Measured

from .experiments import SIZES, UNLOST_TICKS
from .measures import (
    cell_loss,
    fairness,
    grid,
    holds_a_packet_each,
    plain_atm,
    plain_by_backoff,
    resent,
    resent_packets,
    shared,
    spread,
    throughput,
    timeouts,
)
from .throughput import EQUAL


@claim(
    "000-10",
    "Early packet discard resends fewer packets than plain ATM; its cell loss rate is comparable to"
    " its packet resend rate; even whole packets are resent often if they are large; and the"
    " percentage can exceed 100.",
    rule="packets resent over distinct packets: smaller with EPD than with plain ATM at every"
    " place; with EPD between half and twice the cell loss ratio; with packet TCP of 9180 B and"
    " 1000 cells at least 0.05; with plain ATM above 1 somewhere, with full Karn backoff and with"
    " backoff capped at 2",
)
def resends(measured: Measured) -> Outcome:
    plain, early, whole = plain_atm(measured), grid(measured["early"]), grid(measured["packet"])
    checks = []
    for place in shared(plain, early):
        fewer = average(resent_packets, early[place]) < average(resent_packets, plain[place])
        checks.append(Check(f"EPD against plain ATM, {said(place)}", fewer))
    for place in shared(early):
        ratio = average(resent_packets, early[place]) / average(cell_loss, early[place])
        checks.append(Check(f"EPD, cells against packets, {said(place)}", 0.5 <= ratio <= 2))
    large = whole[SIZES[-1], "1000 cells"]
    checks.append(Check("packet TCP, 9180 B", average(resent_packets, large) >= 0.05))
    most = {}
    for rule in ("full Karn", "capped at 2"):
        points = plain_by_backoff(measured, rule)
        place = spread(resent_packets, points)[1]
        most[rule] = stated(resent_packets, points, place)
        checks.append(Check(f"above 1 ({rule})", average(resent_packets, points[place]) > 1))
    return judge(
        f"packet TCP of 9180 B at 1000 cells {known(resent_packets, large)}; plain ATM up to"
        f" {most['full Karn']}, with backoff capped at 2 {most['capped at 2']}",
        checks,
    )


@claim(
    "000-11",
    "With a clock of 300 ms, early packet discard keeps throughput high under mild congestion, but"
    " can be extremely unfair; under severe congestion throughput is lower.",
    rule="where the buffer holds a packet of each connection: every mean at least 0.90, and"
    " somewhere the fairness index is below 0.6 though above 0.9 with 0.1 ms; where it does not:"
    f" throughput lower than with 0.1 ms by more than {EQUAL}",
)
def coarse_clock(measured: Measured) -> Outcome:
    coarse = grid(measured["clock"], tick="300 ms")
    fine = grid(measured["clock"], tick="0.1 ms")
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
        "where almost all connections wait for a timeout, the few that are left fill the link",
    )


@claim(
    "000-12",
    "A clock finer than 0.1 ms makes connections resend needlessly.",
    rule="windows of 8 kB and 8000 cells, so that nothing is lost: with 1 us somewhere at least"
    f" 0.01 of the capacity is spent again, and there more than with 0.1 ms by {EQUAL}",
)
def fine_clock(measured: Measured) -> Outcome:
    unlost = measured["unlost"]
    checks = []
    for size in SIZES:
        fine, base = (
            average(resent, unlost.point(packet=size, tick=tick)) for tick in ("1 us", "0.1 ms")
        )
        if fine >= 0.01:
            checks.append(Check(f"{size}, resends", True))
            checks.append(Check(f"{size}, more than with 0.1 ms", fine > base + EQUAL))
    words = [
        f"{tick} {known(resent, unlost.point(packet=SIZES[-1], tick=tick))}"
        for tick in UNLOST_TICKS
    ]
    return judge(
        f"9180 B: {', '.join(words)}",
        checks,
        "with 0.1 ms there are as many: it is fine already against these round-trip times",
    )


@claim(
    "000-13",
    "On paths of cells alone, one duplicate acknowledgment instead of three improves performance"
    " and relies less on timeouts.",
    rule="EPD: fewer timeouts wherever there are more than ten for each connection in a run;"
    f" throughput nowhere lower by more than {EQUAL}, and somewhere higher by more",
)
def one_duplicate(measured: Measured) -> Outcome:
    three, one = (grid(measured["duplicates"], duplicates=count) for count in ("3", "1"))
    checks, gains = [], {}
    for place in shared(three, one):
        before, after = (average(timeouts, points[place]) for points in (three, one))
        if before > 100:
            checks.append(Check(f"timeouts, {said(place)}", after < before))
        gains[place] = average(throughput, one[place]) - average(throughput, three[place])
        checks.append(Check(f"throughput, {said(place)}", gains[place] > -EQUAL))
    best = max(gains, key=lambda place: gains[place])
    checks.append(Check("higher throughput", gains[best] > EQUAL))
    return judge(
        f"throughput {known(throughput, three[best])} with three,"
        f" {stated(throughput, one, best)} with one; timeouts there"
        f" {average(timeouts, three[best]):.0f} and {average(timeouts, one[best]):.0f}",
        checks,
    )
