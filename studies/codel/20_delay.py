"""How long do packets wait, by the rate of the line and the number of connections?"""

from __future__ import annotations

from cellrelay.plot import Chart, Panel
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import (
    Outcome,
    Table,
    Verdict,
    along,
    between,
    claim,
    curve,
    exhibit,
    experiment,
    gain,
    grid,
    judge,
    known,
    percent,
    said,
    within,
)
from cellrelay.text.quantity import number

from .lines import CODEL, COUNT, TAIL, TARGET, carried, median, most, queues, rates

RATES = (2, 5, 10, 20, 50, 100)
CROWDS = (1, 4, 16)
LEAST = TARGET / 2
"""Milliseconds from which a median wait counts as near the target, up to twice the target."""

rate_grid = experiment(
    "line.toml",
    "Downloads, by the rate of the line and their number",
    {"queue": queues(TAIL, CODEL, "PIE", "FQ-CoDel"), "rate": rates(RATES), COUNT: CROWDS},
    quick={"duration": "15 s", "warm_up": "5 s"},
    quick_sweep={"queue": queues(TAIL, CODEL), "rate": rates((5, 50)), COUNT: (1, 4)},
    replications=Replications.exactly(3),
    quick_replications=Replications.exactly(2),
)


@exhibit(
    "waits",
    "Median wait of a packet over the rate of the line, four connections.",
    "Round-trip time 60 ms, a buffer of 1000 packets. Means, with 95 % intervals. Tail drop is left"
    " out: its median wait is a second and more on slow lines.",
)
def by_rate(rate_grid: Results) -> Chart:
    curves = tuple(
        curve(
            queue,
            {
                number(rate, "Mbit/s"): point
                for rate, point in along(rate_grid, "rate", queue=queue, count="4").items()
            },
            median,
        )
        for queue in rate_grid.values("queue")
        if queue != TAIL
    )
    return Chart(
        (Panel(curves),),
        "rate of the line (Mbit/s)",
        "median wait (ms)",
        legend="queue",
        y_range=(0.0, None),
        levels={"target": TARGET},
        is_logarithmic=True,
        x_ticks=tuple(map(float, RATES)),
    )


@exhibit(
    "queues",
    "Waits and the busy line, four connections.",
    "Medians and 95th percentiles of the wait in ms, with 95 % intervals; FQ-CoDel has a queue for"
    " each connection.",
)
def by_queue(rate_grid: Results) -> Table:
    rows = []
    for (queue, rate), point in grid(rate_grid, "queue", "rate", count="4").items():
        numbers = (known(median, point), known(most, point))
        rows.append([queue, rate, *map(str, numbers), percent(known(carried, point))])
    return Table(["queue", "rate", "median wait", "95th percentile", "line busy"], rows)


@claim(
    "codel-2",
    "A congested link with long-lived TCP connections has a median delay that tends to the target.",
    rule="CoDel, at each rate and number of connections: the median wait is between half the target"
    " and twice the target",
    where="section 3.2",
    of_paper="the target of 5 ms of section 4.3",
    ours="half and twice, for tends",
    expect=Verdict.NOT_REPRODUCED,
)
def near_the_target(rate_grid: Results) -> Outcome:
    waits = {
        said(place): known(median, point)
        for place, point in grid(rate_grid, "rate", "count", queue=CODEL).items()
    }
    low = min(waits.values(), key=lambda one: one.mean)
    high = max(waits.values(), key=lambda one: one.mean)
    checks = [between(place, wait, LEAST, 2 * TARGET) for place, wait in waits.items()]
    return judge(f"medians from {low} to {high} ms", checks)


@claim(
    "codel-3",
    "The queueing delay of a packet should be less than 10 ms even under extreme congestion.",
    rule="CoDel, at each rate from 5 Mbit/s on, with the most connections: the 95th percentile of"
    " the wait is less than 10 ms",
    where="section 4.3",
    of_paper='"less than 10 ms even under extremely congested conditions"',
    ours="the 95th percentile, for a packet; 5 Mbit/s, where two packets take 5 ms",
    expect=Verdict.NOT_REPRODUCED,
    expect_quick=Verdict.IN_PART,
)
def below_ten(rate_grid: Results) -> Outcome:
    crowd = max(rate_grid.values(COUNT), key=int)
    waits = {
        rate: known(most, point)
        for rate, point in along(rate_grid, "rate", queue=CODEL, count=crowd).items()
        if number(rate, "Mbit/s") >= 5
    }
    words = ", ".join(f"{wait} at {rate}" for rate, wait in waits.items())
    return judge(
        f"{words}, in ms", [between(rate, wait, 0.0, 10.0) for rate, wait in waits.items()]
    )


@claim(
    "codel-4",
    "Delay is controlled with little or no impact on the utilization of the link.",
    rule="at each rate, with four connections or more: the line is busy within 2 % of the time that"
    " it is busy with tail drop, by the paired difference",
    where="sections 1 and 4.1",
    of_paper='"little or no impact on link utilization"',
    ours="2 %; four connections, since section 4.2 names an exception for one",
    expect=Verdict.IN_PART,
)
def little_impact(rate_grid: Results) -> Outcome:
    plain, managed = (grid(rate_grid, "rate", "count", queue=one) for one in (TAIL, CODEL))
    losses = {
        said(place): gain(carried, managed[place], plain[place])
        for place in plain
        if int(place[1]) >= 4
    }
    worst = min(losses.values(), key=lambda one: one.mean)
    checks = [within(place, loss, 0.02) for place, loss in losses.items()]
    return judge(f"at worst {worst} of the time", checks)
