"""Does CoDel use a line whose rate changes?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import (
    Outcome,
    Table,
    Verdict,
    claim,
    exhibit,
    experiment,
    gain,
    grid,
    judge,
    known,
    of_flow,
    of_port,
    percent,
    said,
    scaled,
    within,
)

from .lines import CODEL, COUNT, TAIL

QUEUES: Mapping[str, Mapping[str, Any]] = {
    TAIL: {"switch.gate.discard": {"tail_drop": {}}},
    CODEL: {},
}
HALVES = ("50 ms", "200 ms", "1 s", "5 s")
"""Times for which the line has one rate, and then the other."""
used = of_port("utilization", "gate->far")
delay = scaled(of_flow("p95_delay", "bulk[0]"), 1e3)
"""95th percentile of the one-way delay in milliseconds, of one connection."""


def halves(times: Iterable[str]) -> dict[str, Mapping[str, Any]]:
    """Lines that have each of their rates for these times."""
    on_off = "flow.aside.source.on_off"
    return {time: {f"{on_off}.on": time, f"{on_off}.off": time} for time in times}


changing = experiment(
    "changing.toml",
    "Downloads over a line of 20 and 10 Mbit/s in turn",
    {
        "queue": QUEUES,
        "each": halves(HALVES),
        COUNT: (4, 16),
    },
    quick={"duration": "20 s", "warm_up": "5 s"},
    quick_sweep={
        "queue": QUEUES,
        "each": halves(("200 ms", "1 s")),
        COUNT: (4, 16),
    },
    replications=Replications.exactly(5),
    quick_replications=Replications.exactly(2),
)


@exhibit(
    "changing",
    "Share of time in which the line of changing rate is busy, and delays.",
    "Means, with 95 % intervals. A time is that with each of the two rates. Delays are the 95th"
    " percentiles from sender to receiver in ms, of which the path takes 31.",
)
def by_time(changing: Results) -> Table:
    rows = []
    for count in changing.values(COUNT):
        for (each, queue), point in grid(changing, "each", "queue", count=count).items():
            busy, late = known(used, point), known(delay, point)
            rows.append([count, each, queue, percent(busy), str(late)])
    return Table(["connections", "time", "queue", "line busy", "delay"], rows)


@claim(
    "codel-5",
    "CoDel adapts to changing link rates without a loss of utilization.",
    rule="with four connections or more, on a line of 20 and 10 Mbit/s in turn, at each time for"
    " which it has one rate: the line is busy within 2 % of the time that it is busy with tail"
    " drop, by the paired difference",
    where="section 1",
    of_paper="the words of the claim",
    ours="2 % and four connections, as for a constant rate; traffic that is served first takes half"
    " of the line, 50 ms to 5 s at a time",
    expect=Verdict.NOT_REPRODUCED,
)
def changing_rates(changing: Results) -> Outcome:
    plain, managed = (grid(changing, "each", COUNT, queue=one) for one in (TAIL, CODEL))
    losses = {said(place): gain(used, managed[place], plain[place]) for place in plain}
    checks = [within(place, loss, 0.02) for place, loss in losses.items()]
    words = ", ".join(f"{loss} with {place}" for place, loss in losses.items())
    return judge(f"changes of {words}", checks)
