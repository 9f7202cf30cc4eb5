"""How many round trips of buffer the printed rows need."""

from __future__ import annotations

from cellrelay.results import Results
from cellrelay.studies import Check, Outcome, Verdict, average, claim, judge

from .measures import WITH, WITHOUT, in_round_trips, longest, of_row
from .printed import ROWS, Row

LOCAL_MS = 1.0
"""Rows with round trips below are about averaging intervals, not about round trips."""


def wide(row: Row) -> bool:
    """True if round trips, and not averaging intervals, decide how long the queue of a row is."""
    return row.interval <= 100 and row.rtt >= LOCAL_MS


def queue_of(rows: Results, row: Row) -> float:
    """The longest queue of a row in cells of its round trip."""
    return average(in_round_trips(row.rtt), of_row(rows, row))


@claim(
    "three-round-trips",
    "Without VBR traffic, buffers for the cells of three round trips suffice.",
    rule="the longest queue is at most 3 RTT in every row of the tables of round trips and feedback"
    " delays",
    expect=Verdict.REPRODUCED,
)
def three_round_trips(rows: Results) -> Outcome:
    return _suffices(rows, [row for row in ROWS.values() if not row.has_vbr], WITHOUT)


@claim(
    "four-round-trips",
    "With VBR traffic and a switch that controls its queue, those of four suffice.",
    rule="the longest queue is at most 4 RTT in every row with VBR traffic that is stable in print",
    expect=Verdict.REPRODUCED,
)
def four_round_trips(rows: Results) -> Outcome:
    stable = [row for row in ROWS.values() if row.has_vbr and row.printed]
    return _suffices(rows, stable, WITH)


def _suffices(rows: Results, chosen: list[Row], bound: float) -> Outcome:
    found = {row.name: queue_of(rows, row) for row in chosen if wide(row)}
    checks = [Check(name, queue <= bound) for name, queue in found.items()]
    most = max(found, key=lambda name: found[name])
    return judge(f"most {found[most]:.2f} RTT ({most})", checks)


@claim(
    "round-trip",
    "The queue grows with the round-trip time.",
    rule="15 sources: the longest queue rises from each round-trip time to the next, and in round"
    " trips stays between 0.5 and 4",
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
    " at 30 and at 10 ms",
    expect=Verdict.REPRODUCED,
)
def shorter_feedback(rows: Results) -> Outcome:
    checks, words = [], []
    for far, near in (("d1", "d2"), ("d3", "d4")):
        queues = [average(longest, of_row(rows, ROWS[name])) for name in (far, near)]
        checks.append(Check(f"{ROWS[far].rtt:g} ms", queues[0] > queues[1]))
        words.append(f"{ROWS[far].rtt:g} ms: {queues[0]:.0f} and {queues[1]:.0f} cells")
    return judge("; ".join(words), checks)
