"""How many round trips of buffer the printed rows need."""

from __future__ import annotations

from collections.abc import Mapping

from cellrelay.results import Results
from cellrelay.studies import Check, Outcome, Verdict, average, claim, judge

from .beginnings import spread_of
from .measures import WITH, WITHOUT, in_round_trips, longest, of_row
from .printed import CELLS_PER_MS, PRINTED, ROWS, Row
from .trend import longest_of_all

LOCAL_MS = 1.0
"""Rows with shorter round trips (in ms) are about averaging intervals, not about round trips."""


def wide(row: Row) -> bool:
    """True if round trips, and not averaging intervals, determine the queue length of a row."""
    return row.interval <= 100 and row.rtt >= LOCAL_MS


def queue_of(rows: Results, row: Row) -> float:
    """The longest queue of a row in round trips, all sources at one instant."""
    return average(in_round_trips(row.rtt), of_row(rows, row))


def longest_of(rows: Results, spread: Results, row: Row) -> float:
    """The longest queue of all runs of a row, in round trips."""
    if row.name not in PRINTED:
        return queue_of(rows, row)
    return max(spread_of(in_round_trips(row.rtt), rows, spread, row.name).values)


@claim(
    "three-round-trips",
    "Without VBR traffic, buffers for the cells of three round trips suffice.",
    rule="the longest queue is at most 3 RTT in every row of the tables of round trips and feedback"
    " delays, in each run whose sources begin together",
    where="slides, conclusions; rows a1 to b3 and d1 to d4",
    of_paper="three round trips",
    ours="the rows without printed numbers, and start times as for the table of rows",
    expect=Verdict.IN_PART,
)
def three_round_trips(rows: Results, spread: Results) -> Outcome:
    compared = [row for row in ROWS.values() if not row.has_vbr and wide(row)]
    found = {row.name: longest_of(rows, spread, row) for row in compared}
    at_once = max(queue_of(rows, row) for row in compared)
    return _suffices(
        found,
        WITHOUT,
        "the bursts of slow start add up differently with other start times; if all sources begin"
        f" at one instant, the longest queue of all rows is {at_once:.2f} RTT",
    )


@claim(
    "four-round-trips",
    "With VBR traffic and a switch that controls its queue, the cells of four suffice.",
    rule="the longest queue is at most 4 RTT in every row with VBR traffic that is stable in print,"
    " in each run of 4 s whose sources begin together and in each of 24 s",
    where="slides, conclusions; rows e1, f1 and f2",
    of_paper="four round trips",
    ours="the start times and the duration of 24 s",
    expect=Verdict.REPRODUCED,
)
def four_round_trips(rows: Results, spread: Results, long_rows: Results) -> Outcome:
    found = {}
    for row in PRINTED.values():
        if row.has_vbr:
            late = longest_of_all(long_rows.point(row=row.name)) / (row.rtt * CELLS_PER_MS)
            found[row.name] = max(longest_of(rows, spread, row), late)
    return _suffices(found, WITH)


def _suffices(found: Mapping[str, float], bound: float, remark: str = "") -> Outcome:
    checks = [Check(name, queue <= bound) for name, queue in found.items()]
    most = max(found, key=lambda name: found[name])
    missed = remark if found[most] > bound else ""
    return judge(f"most {found[most]:.2f} RTT ({most})", checks, missed)


@claim(
    "round-trip",
    "The queue grows with the round-trip time.",
    rule="15 sources that begin at one instant: the longest queue rises from each round-trip time"
    " to the next, and in round trips stays between 0.5 and 4",
    where="slides, table of round-trip times; rows a3 to b3",
    of_paper="the order of the rows: 1.5, 6, 15 and 30 ms",
    ours="0.5 to 4 round trips for growth in proportion: the printed rows have 1.4 to 2.9",
    expect=Verdict.REPRODUCED,
)
def grows_with_round_trip(rows: Results) -> Outcome:
    trips = sorted((ROWS[name] for name in ("a3", "b1", "b2", "b3")), key=lambda row: row.rtt)
    queues = [average(longest, of_row(rows, row)) for row in trips]
    checks = [
        Check(f"{row.rtt:g} ms", before < after)
        for row, before, after in zip(trips[1:], queues, queues[1:], strict=False)
    ]
    checks += [
        Check(f"{row.rtt:g} ms in round trips", 0.5 <= queue_of(rows, row) <= 4) for row in trips
    ]
    words = [f"{row.rtt:g} ms {queue:.0f} cells" for row, queue in zip(trips, queues, strict=True)]
    return judge("; ".join(words), checks)


@claim(
    "feedback",
    "A short way from the bottleneck to the sources makes the queue shorter, at the same round-trip"
    " time.",
    rule="the longest queue is longer with the long link before the bottleneck than with it behind,"
    " at 30 and at 10 ms, with sources that begin at one instant",
    where="slides, table of feedback delays; rows d1 to d4",
    of_paper="the order of the rows",
    ours="the rows with a long trunk have no printed numbers",
    expect=Verdict.REPRODUCED,
)
def shorter_feedback(rows: Results) -> Outcome:
    checks, words = [], []
    for far, near in (("d1", "d2"), ("d3", "d4")):
        queues = [average(longest, of_row(rows, ROWS[name])) for name in (far, near)]
        checks.append(Check(f"{ROWS[far].rtt:g} ms", queues[0] > queues[1]))
        words.append(f"{ROWS[far].rtt:g} ms: {queues[0]:.0f} and {queues[1]:.0f} cells")
    return judge("; ".join(words), checks)
