"""How long do packets of scalable senders wait, and are any lost?"""

from __future__ import annotations

from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.statistics import estimate
from cellrelay.studies import (
    Outcome,
    Ranged,
    Table,
    Verdict,
    above,
    along,
    claim,
    exhibit,
    experiment,
    grid,
    judge,
    known,
    percent,
    said,
)

from .lines import CLASSIC, SCALABLE, below, carried, dropped, packet_time, waits

MEAN, TAIL = 1.0, 2.0
"""Printed bounds of the mean and the 99th percentile of the queueing delay, in ms."""
PACKETS = 2
"""Packets whose transmission bounds the mean where that takes longer than a millisecond."""
ALONE = "without classic senders"
mean_wait, tail_wait = waits("mean_delay"), waits("p99_delay")

company = experiment(
    "line.toml",
    "Two scalable senders, with and without two classic ones",
    {
        "company": {
            "with classic senders": {},
            ALONE: {"flow.classic.source.greedy.start": "1000 s"},
        }
    },
    quick={"duration": "15 s", "warm_up": "5 s"},
    quick_replications=Replications.exactly(3),
)


@exhibit(
    "waits",
    "Waits of packets, by the rate of the line and the numbers of senders.",
    "Means and 99th percentiles in ms, with 95 % intervals: the delay less that of an idle path.",
)
def by_mix(mixes: Results) -> Table:
    rows = []
    for (rate, senders), point in grid(mixes, "rate", "senders").items():
        of_classic = known(waits("mean_delay", CLASSIC), point)
        numbers = (known(mean_wait, point), known(tail_wait, point), of_classic)
        rows.append([rate, senders, *map(str, numbers), percent(known(carried, point))])
    columns = [f"{SCALABLE} mean", f"{SCALABLE} 99 %", f"{CLASSIC} mean", "line busy"]
    return Table(["rate", "classic and scalable", *columns], rows)


def _short(mixes: Results, wait: Ranged, most: float, packets: int) -> Outcome:
    """Judges whether the waits are at most `most` milliseconds, or the time of some packets."""
    points = grid(mixes, "rate", "senders")
    found = {place: known(wait, point) for place, point in points.items()}
    checks = [
        below(said(place), one, max(most, packets * packet_time(points[place])))
        for place, one in found.items()
    ]
    return judge(f"at most {max(found.values(), key=lambda one: one.mean)} ms", checks)


@claim(
    "l4s-5",
    "The average queueing delay of L4S packets is below 1 ms, or two packets on slow links.",
    rule="at each rate and mix of senders: the mean wait is at most 1 ms, or the time of two"
    " packets if that is longer",
    where="section 1.4",
    of_paper="1 ms, two packets",
    expect=Verdict.IN_PART,
    expect_quick=Verdict.REPRODUCED,
)
def low_delay(mixes: Results) -> Outcome:
    return _short(mixes, mean_wait, MEAN, PACKETS)


@claim(
    "l4s-6",
    "The 99th percentile of that delay is no worse than 2 ms.",
    rule="at each rate and mix of senders: the 99th percentile of the wait is at most 2 ms, or the"
    " time of four packets if that is longer",
    where="section 1.4",
    of_paper="2 ms",
    ours="four packets, twice what the RFC grants to the mean on slow links",
    expect=Verdict.IN_PART,
    expect_quick=Verdict.REPRODUCED,
)
def low_tail(mixes: Results) -> Outcome:
    return _short(mixes, tail_wait, TAIL, 2 * PACKETS)


@claim(
    "l4s-7",
    "The L4S queue introduces no losses at all.",
    rule="at each rate and mix of senders: no scalable sender has a loss event",
    where="section 1.4",
    of_paper='"No losses at all"',
    expect=Verdict.IN_PART,
    expect_quick=Verdict.REPRODUCED,
)
def no_losses(mixes: Results) -> Outcome:
    losses = {
        said(place): estimate(dropped(point))
        for place, point in grid(mixes, "rate", "senders").items()
    }
    most = max(losses.values(), key=lambda one: one.mean)
    return judge(f"at most {most} in a run", [below(at, one, 0.0) for at, one in losses.items()])


@claim(
    "l4s-8",
    "Low latency does not rely on classic traffic in the other queue, and needs no queue for the"
    " utilization.",
    rule="two scalable senders alone: the mean wait is at most 1 ms, and the line is busy for more"
    " than 90 % of the time",
    where="section 1.4",
    of_paper="1 ms",
    ours="90 %, since the RFC has no number",
    expect=Verdict.REPRODUCED,
)
def alone(company: Results) -> Outcome:
    point = along(company, "company")[ALONE]
    wait, busy = known(mean_wait, point), known(carried, point)
    checks = [below("the wait", wait, MEAN), above("the line", busy, 0.9)]
    return judge(f"{wait} ms, busy {percent(busy)}", checks)
