"""What rate does each kind of sender get?"""

from __future__ import annotations

from typing import Any

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.statistics import estimate
from cellrelay.studies import (
    Outcome,
    Verdict,
    above,
    along,
    claim,
    curve,
    exhibit,
    experiment,
    grid,
    judge,
    known,
    said,
)
from cellrelay.text.quantity import number

from .lines import FACTOR, carried, crowds, milliseconds, rates, ratio, trips, within_factor

TRIPS = (5, 10, 25, 50, 100)
RATES = (4, 12, 40, 120, 200)
CROWDS = ((1, 1), (2, 2), (10, 10), (8, 2), (2, 8))
DESIGN = 25
"""Round-trip time in ms for which the coupling factor of two is chosen."""
TARGET = 15
"""Target of the classic queue in ms, appendix A.1."""
CLOSE = 1.25
"""Factor within which a ratio counts as that of the formula."""
STARVED = 4.0
"""Times the rate of a classic sender from which it counts as starved."""
SINGLE: dict[str, Any] = {"router.gate.discard": {"pie": {}}, "router.gate.scheduler": {"fifo": {}}}
COUPLED = "coupled queues"

spans = experiment(
    "line.toml",
    "Two senders of each kind, by the round-trip time",
    {"trip": trips(TRIPS)},
    quick={"duration": "15 s", "warm_up": "5 s"},
    quick_sweep={"trip": trips((10, 25, 50))},
    quick_replications=Replications.exactly(3),
)
mixes = experiment(
    "line.toml",
    "Senders of both kinds, by the rate of the line and their numbers",
    {"rate": rates(RATES), "senders": crowds(CROWDS)},
    {"duration": "40 s"},
    quick={"duration": "12 s", "warm_up": "4 s"},
    quick_sweep={"rate": rates((12, 120)), "senders": crowds(((1, 1), (8, 2)))},
    replications=Replications.exactly(3),
    quick_replications=Replications.exactly(2),
)
queues = experiment(
    "line.toml",
    "Two senders of each kind, by the queue",
    {"queue": {COUPLED: {}, "one queue": SINGLE}},
    quick={"duration": "15 s", "warm_up": "5 s"},
    quick_replications=Replications.exactly(3),
)


def formula(trip: float) -> float:
    """The ratio of the rates, by equation 10 with the round-trip time of Reno in equation 8.

    The round-trip time of Prague counts as at least the one for which the coupling is chosen.
    """
    return 0.75 * (trip + TARGET) / (1.22 * max(trip, DESIGN))


@exhibit(
    "trips",
    "Rate of a scalable sender over that of a classic one, over the round-trip time.",
    "Two Prague and two SACK senders on 40 Mbit/s. Means, with 95 % intervals; the formula is"
    " equation 10 of appendix C.2, with equation 8 for Reno.",
)
def by_trip(spans: Results) -> Chart:
    points = {float(milliseconds(trip)): point for trip, point in along(spans, "trip").items()}
    exact = tuple(estimate([formula(trip)]) for trip in points)
    curves = (
        curve("measured", points, ratio),
        Curve("formula", tuple(points), exact, is_reference=True),
    )
    return Chart(
        (Panel(curves),),
        "round-trip time without queues (ms)",
        "rate ratio, scalable to classic",
        y_range=(0.0, None),
        levels={"equal": 1.0},
        is_logarithmic=True,
        x_ticks=tuple(map(float, TRIPS)),
    )


@exhibit(
    "mixes",
    "Rate of a scalable sender over that of a classic one, by numbers of senders.",
    "Round-trip time 25 ms. Means, with 95 % intervals.",
)
def by_mix(mixes: Results) -> Chart:
    curves = tuple(
        curve(
            f"{senders} senders",
            {
                number(rate, "Mbit/s"): point
                for rate, point in along(mixes, "rate", senders=senders).items()
            },
            ratio,
        )
        for senders in mixes.values("senders")
    )
    return Chart(
        (Panel(curves),),
        "rate of the line (Mbit/s)",
        "rate ratio, scalable to classic",
        legend="classic and scalable",
        y_range=(0.0, None),
        levels={"equal": 1.0},
        is_logarithmic=True,
        x_ticks=tuple(map(float, RATES)),
    )


@claim(
    "l4s-1",
    "A flow gets roughly the same throughput whichever queue it uses.",
    rule="at each rate and mix of senders the mean rates of both kinds are within a factor of two",
    where="sections 1 and 1.4",
    of_paper='"roughly the same throughput"',
    ours="two, the factor within which section 1.3 calls a sender friendly; 25 ms, for which"
    " appendix C.2 chooses the coupling",
    expect=Verdict.IN_PART,
    expect_quick=Verdict.REPRODUCED,
)
def same_rates(mixes: Results) -> Outcome:
    ratios = {
        said(place): known(ratio, point) for place, point in grid(mixes, "rate", "senders").items()
    }
    low = min(ratios.values(), key=lambda one: one.mean)
    high = max(ratios.values(), key=lambda one: one.mean)
    checks = [within_factor(place, one, FACTOR) for place, one in ratios.items()]
    return judge(f"ratios from {low} to {high}", checks)


@claim(
    "l4s-2",
    "The rate of a scalable sender over that of a classic one is R_C / (1.22 R_L), with the"
    " round-trip times of both.",
    rule=f"at each round-trip time the mean ratio is within a factor of {CLOSE:g} of the formula",
    where="appendix C.2, equations 8 and 10",
    of_paper="the equations, with the target of 15 ms of appendix A.1",
    ours=f"{CLOSE:g}; Prague counts with {DESIGN} ms where the path is shorter, as the RFC has it",
    expect=Verdict.NOT_REPRODUCED,
)
def as_the_formula(spans: Results) -> Outcome:
    ratios = {trip: known(ratio, point) for trip, point in along(spans, "trip").items()}
    checks = [
        within_factor(trip, one, CLOSE, formula(milliseconds(trip))) for trip, one in ratios.items()
    ]
    words = ", ".join(
        f"{one} at {trip}, formula {formula(milliseconds(trip)):.2f}"
        for trip, one in ratios.items()
    )
    return judge(words, checks)


@claim(
    "l4s-3",
    "In one queue, scalable senders drive classic ones to a small share.",
    rule="in one queue with PIE, which marks the former and drops packets of the latter, a scalable"
    f" sender gets more than {STARVED:g} times as much; behind the coupled queues it does not",
    where="section 1.1",
    of_paper='"would drive themselves to a small capacity share"',
    ours=f"PIE with its default parameters, and {STARVED:g}",
    expect=Verdict.REPRODUCED,
)
def coupling_matters(queues: Results) -> Outcome:
    ratios = {name: known(ratio, point) for name, point in along(queues, "queue").items()}
    checks = [
        above("one queue", ratios["one queue"], STARVED),
        within_factor(COUPLED, ratios[COUPLED], STARVED),
    ]
    words = ", ".join(f"{one} with {name}" for name, one in ratios.items())
    return judge(words, checks)


@claim(
    "l4s-4",
    "Both queues can feed into the full capacity of the link.",
    rule="at each rate and mix of senders the line is busy for more than 95 % of the time",
    where="section 1.4",
    of_paper='"full capacity"',
    ours="95 %",
    expect=Verdict.REPRODUCED,
)
def full_capacity(mixes: Results) -> Outcome:
    busy = {
        said(place): known(carried, point)
        for place, point in grid(mixes, "rate", "senders").items()
    }
    low = min(busy.values(), key=lambda one: one.mean)
    return judge(f"at least {low}", [above(place, share, 0.95) for place, share in busy.items()])
