"""The effect of a fast retransmit after one duplicate acknowledgment."""

from __future__ import annotations

from cellrelay.results import Results
from cellrelay.studies import (
    Check,
    Outcome,
    Standing,
    Table,
    Verdict,
    average,
    claim,
    exhibit,
    judge,
    known,
    said,
    stated,
)

from .measures import EQUAL, grid, shared, throughput, timeouts
from .ten_tcp import EARLY, FEW_BUFFERS, FIVE_TIMES, GRID, TCP, ten_tcp

duplicates = ten_tcp(
    "Early packet discard, duplicates for a fast retransmit",
    {f"{TCP}.duplicates": (3, 1), **GRID},
    EARLY,
    FIVE_TIMES,
    FEW_BUFFERS,
)


@exhibit(
    "duplicates",
    "Early packet discard with one duplicate acknowledgment for a fast retransmit.",
    "Timeouts of all connections in a run, and effective throughput, with three duplicates and"
    " with one. With one duplicate, fewer losses wait for the timer.",
)
def three_and_one(duplicates: Results) -> Table:
    rows = []
    three, one = (grid(duplicates, duplicates=count) for count in ("3", "1"))
    for place in shared(three, one):
        rows.append(
            [
                said(place),
                *(f"{average(timeouts, points[place]):.0f}" for points in (three, one)),
                *(str(known(throughput, points[place])) for points in (three, one)),
            ]
        )
    return Table(["place", "timeouts, three", "one", "throughput, three", "one"], rows)


@claim(
    "000-13",
    "On paths of cells alone, one duplicate acknowledgment instead of three improves performance"
    " and relies less on timeouts.",
    rule="EPD: fewer timeouts wherever there are more than ten for each connection in a run;"
    f" throughput nowhere lower by more than {EQUAL}, and somewhere higher by more",
    where="appendix B",
    of_paper="the directions; the authors argue for them, and show no simulation",
    ours=f"ten timeouts of a connection in a run for reliance on them; {EQUAL} for equal",
    standing=Standing.CONJECTURE,
    expect=Verdict.IN_PART,
)
def one_duplicate(duplicates: Results) -> Outcome:
    three, one = (grid(duplicates, duplicates=count) for count in ("3", "1"))
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
