"""Does one interval serve all round-trip times?"""

from __future__ import annotations

from cellrelay.plot import Chart, Panel
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import (
    Check,
    Outcome,
    Verdict,
    above,
    along,
    claim,
    curve,
    exhibit,
    experiment,
    gain,
    judge,
    known,
    printed,
    within,
)

from .lines import CODEL, COUNT, TAIL, TARGET, carried, milliseconds, queues, trips

TRIPS = (10, 30, 100, 200, 300, 1000)
ALONE, TOGETHER = "1", "16"
LITTLE = 0.05
"""Share of time that counts as a loss of utilization."""

paths = experiment(
    "line.toml",
    "Downloads, by the round-trip time and their number",
    {"queue": queues(TAIL, CODEL), "trip": trips(TRIPS), COUNT: (1, 16)},
    {"duration": "150 s", "warm_up": "50 s"},
    quick={"duration": "40 s", "warm_up": "15 s"},
    quick_sweep={"queue": queues(TAIL, CODEL), "trip": trips((30, 300)), COUNT: (1, 16)},
    replications=Replications.exactly(3),
    quick_replications=Replications.exactly(2),
)


@exhibit(
    "paths",
    "Share of time in which the line is busy, over the round-trip time.",
    "10 Mbit/s. Means, with 95 % intervals. The panels have one connection and sixteen.",
)
def by_trip(paths: Results) -> Chart:
    panels = tuple(
        Panel(
            tuple(
                curve(
                    queue,
                    {
                        float(milliseconds(trip)): point
                        for trip, point in along(paths, "trip", queue=queue, count=count).items()
                    },
                    carried,
                )
                for queue in (TAIL, CODEL)
            ),
            f"{count} connections" if count != ALONE else "one connection",
        )
        for count in (ALONE, TOGETHER)
    )
    return Chart(
        panels,
        "round-trip time (ms)",
        "line busy",
        legend="queue",
        y_range=(0.0, 1.0),
        is_logarithmic=True,
        x_ticks=(10.0, 100.0, 1000.0),
        possible=(0.0, 1.0),
    )


@claim(
    "codel-6",
    "An interval of 100 ms works well for round-trip times from 10 ms to 1 s, and excellently up to"
    " 300 ms.",
    rule="sixteen connections: the line is busy for more than 95 % of the time up to 300 ms, and"
    " for more than 85 % at 1 s",
    where="section 4.2",
    of_paper="the round-trip times",
    ours="95 % for excellent, 85 % for well",
    expect=Verdict.IN_PART,
)
def one_interval(paths: Results) -> Outcome:
    points = along(paths, "trip", queue=CODEL, count=TOGETHER)
    busy = {trip: known(carried, point) for trip, point in points.items()}
    checks = [
        above(trip, share, 0.95 if milliseconds(trip) <= 300 else 0.85)
        for trip, share in busy.items()
    ]
    return judge(", ".join(f"{share} at {trip}" for trip, share in busy.items()), checks)


def formula(trip: int) -> float:
    """The share of the line that one Reno fills, by section 3.2."""
    share = TARGET / trip
    return (3 + 6 * share - share**2) / (4 * (1 + share))


@claim(
    "codel-7",
    "It overdrops only where a long-lived TCP has a round-trip time above 100 ms and hardly any"
    " company.",
    rule="against tail drop, by the paired difference, the line idles for 5 % of the time longer"
    " with one connection at each round-trip time above 100 ms; and for less than 5 % with one"
    " connection up to 100 ms, and with sixteen up to 300 ms",
    where="section 4.2",
    of_paper="100 ms",
    ours="5 %; 300 ms, since paths of 1 s are said to work well only",
    expect=Verdict.IN_PART,
)
def alone_and_far(paths: Results) -> Outcome:
    checks: list[Check] = []
    words = []
    for count in (ALONE, TOGETHER):
        plain, managed = (along(paths, "trip", queue=one, count=count) for one in (TAIL, CODEL))
        for trip, point in plain.items():
            loss = gain(carried, point, managed[trip])
            words.append(f"{loss} with {count} at {trip}")
            if count == ALONE and milliseconds(trip) > 100:
                checks.append(above(f"one connection at {trip}", loss, LITTLE))
            elif milliseconds(trip) <= 300:
                checks.append(within(f"{count} at {trip}", loss, LITTLE))
    return judge(f"losses of {', '.join(words)}", checks)


@claim(
    "codel-8",
    "The goodput of a Reno on a path of r is (3 + 6f - f²) / (4 (1 + f)) of the line, where f is"
    " the target over r.",
    rule="one connection: at each round-trip time from 10 to 300 ms the line is busy for that share"
    " of the time within 0.05",
    where="section 3.2",
    of_paper="the formula, with the target of 5 ms",
    ours="0.05; the sender is SACK, which halves its window as Reno does",
    expect=Verdict.REPRODUCED,
)
def as_the_formula(paths: Results) -> Outcome:
    points = along(paths, "trip", queue=CODEL, count=ALONE)
    near = {trip: point for trip, point in points.items() if milliseconds(trip) <= 300}
    shares = {trip: known(carried, point) for trip, point in near.items()}
    checks = [
        printed(trip, share, formula(milliseconds(trip)), 0.05) for trip, share in shares.items()
    ]
    words = ", ".join(
        f"{share} at {trip}, formula {formula(milliseconds(trip)):.3f}"
        for trip, share in shares.items()
    )
    return judge(words, checks)
