"""Any number of sources."""

from __future__ import annotations

from cellrelay.plot import Chart, Panel
from cellrelay.results import PointResult, Results
from cellrelay.studies import Check, Outcome, Verdict, average, claim, curve, exhibit, judge

from .measures import RTT, WITHOUT, in_round_trips
from .settings import RULES, chosen, connections, once, points

COUNTS = (2, 5, 10, 15, 30, 50, 100)
"""Numbers of connections."""
IN_PRINT = 15
"""The largest number of connections in the tables."""
MODIFIED = {"ERICA": IN_PRINT, "counting both ways, decaying": COUNTS[-1]}
"""Rules that the paper may mean by modified ERICA, each with the largest number of connections to
which the paper applies it: as in the tables, and with correct counting of bursty sources."""
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
    rule=f"the longest queue is at most 3 RTT: with ERICA as in the tables up to {IN_PRINT}"
    " sources, where the tables end; with correct counting of bursty sources, which is counting"
    f" both ways, decaying, up to {COUNTS[-1]}",
    where="slides, conclusions; ATM Forum 96-0517, abstract",
    of_paper='three round trips; "with our ERICA (modified) switch algorithm, we found that the'
    ' buffering required is independent of the number of TCP sources", and the modifications'
    ' include "correct counting of bursty sources"',
    ours=f"the numbers above {IN_PRINT}, for the modification that the abstract names alone, since"
    " the tables show none; the rules that are taken for the two readings of modified ERICA",
    expect=Verdict.REPRODUCED,
)
def any_number_of_sources(sources: Results) -> Outcome:
    checks, words = [], []
    for rule, up_to in MODIFIED.items():
        found = _by_sources(sources, rule)
        queues = {count: average(in_round_trips(RTT), one) for count, one in found.items()}
        checks += [
            Check(f"{count:g} sources, {rule}", queue <= WITHOUT)
            for count, queue in queues.items()
            if count <= up_to
        ]
        most = max(queues, key=lambda count: queues[count])
        words.append(f"{rule} {queues[most]:.1f} RTT ({most:g} sources)")
    return judge(
        f"most: {'; '.join(words)}",
        checks,
        "with more sources than in the tables, ERICA as in the tables needs more: slow starts are"
        " bursts, and a switch that counts cells alone counts only one active source at a time",
    )


def _by_sources(sources: Results, rule: str) -> dict[float, PointResult]:
    return {float(n): sources.point(rule=rule, sources=n) for n in sources.values("sources")}
