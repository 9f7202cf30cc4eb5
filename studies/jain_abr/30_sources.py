"""Any number of sources."""

from __future__ import annotations

from cellrelay.plot import Chart, Panel
from cellrelay.results import PointResult, Results
from cellrelay.studies import Check, Outcome, Verdict, average, claim, curve, exhibit, judge

from .measures import RTT, WITHOUT, in_round_trips
from .settings import RULES, chosen, connections, once, points

COUNTS = (2, 5, 10, 15, 30, 50, 100)
"""Numbers of connections."""
MODIFIED = ("ERICA", "counting both ways, decaying")
"""Rules that the paper may mean by modified ERICA; the others are ours."""
SOURCES = {str(count): connections(count) for count in COUNTS}

sources = once(
    "Any number of sources",
    {"rule": points(RULES), "sources": points(SOURCES)},
    quick_sweep={
        "rule": chosen(RULES, *list(RULES)[:3]),
        "sources": chosen(SOURCES, "5", "15", "50", "100"),
    },
)


@exhibit(
    "sources",
    "The longest queue over the number of sources.",
    "Round trips of 30 ms. Up to 15 sources, the largest number in print, three round trips of"
    " buffer are enough with any of these rules. Each source starts at 10 Mbit/s, and the queue"
    " holds what all of them send before the first feedback.",
)
def over_sources(sources: Results) -> Chart:
    curves = [
        curve(rule, _by_sources(sources, rule), in_round_trips(RTT))
        for rule in sources.values("rule")
    ]
    return Chart(
        (Panel(tuple(curves)),),
        "sources",
        "longest queue (round trips)",
        "rule",
        (0.0, None),
        {"3 RTT": WITHOUT},
        is_logarithmic=True,
        x_ticks=tuple(map(float, COUNTS)),
    )


@claim(
    "any-number",
    "The buffers that suffice do not depend on the number of sources.",
    rule="the longest queue is at most 3 RTT for each number of sources, with ERICA as in the"
    " tables and with correct counting of bursty sources: counting both ways, decaying",
    where="slides, conclusions; ATM Forum 96-0517, abstract, where ERICA counts bursty sources"
    " correctly",
    of_paper="three round trips, any number",
    ours="the numbers above 15, as the tables end there; two readings of modified ERICA",
    expect=Verdict.IN_PART,
)
def any_number_of_sources(sources: Results) -> Outcome:
    checks, words = [], []
    for rule in MODIFIED:
        found = _by_sources(sources, rule)
        queues = {count: average(in_round_trips(RTT), one) for count, one in found.items()}
        checks += [
            Check(f"{count:g} sources, {rule}", queue <= WITHOUT) for count, queue in queues.items()
        ]
        most = max(queues, key=lambda count: queues[count])
        words.append(f"{rule} {queues[most]:.1f} RTT ({most:g} sources)")
    return judge(
        f"most: {'; '.join(words)}",
        checks,
        "the print goes up to 15 sources; the queue of more is the bursts of their slow start, of"
        " which a switch that counts cells alone sees one source at a time",
    )


def _by_sources(sources: Results, rule: str) -> dict[float, PointResult]:
    return {float(n): sources.point(rule=rule, sources=n) for n in sources.values("sources")}
