"""Is 5 ms the right target?"""

from __future__ import annotations

from cellrelay.plot import Chart, Panel
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import (
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
    within,
)
from cellrelay.text.quantity import number

from .lines import COUNT, DISCARD, carried

TARGETS = (1, 2, 5, 10, 20)
LITTLE = 0.02

targets = experiment(
    "line.toml",
    "Downloads, by the target of CoDel",
    {
        "target": {f"{ms} ms": {f"{DISCARD}.codel.target": f"{ms} ms"} for ms in TARGETS},
        COUNT: (1, 4, 16),
    },
    quick={"duration": "20 s", "warm_up": "5 s"},
    quick_sweep={
        "target": {f"{ms} ms": {f"{DISCARD}.codel.target": f"{ms} ms"} for ms in (1, 5, 20)},
        COUNT: (1, 4),
    },
    quick_replications=Replications.exactly(2),
)


@exhibit(
    "targets",
    "Share of time in which the line is busy, over the target of CoDel.",
    "10 Mbit/s, round-trip time 60 ms. Means, with 95 % intervals.",
)
def by_target(targets: Results) -> Chart:
    curves = tuple(
        curve(
            count,
            {number(one, "ms"): at for one, at in along(targets, "target", count=count).items()},
            carried,
        )
        for count in targets.values(COUNT)
    )
    return Chart(
        (Panel(curves),),
        "target (ms)",
        "line busy",
        legend="connections",
        y_range=(0.8, 1.0),
        is_logarithmic=True,
        x_ticks=tuple(map(float, TARGETS)),
        possible=(0.0, 1.0),
    )


@claim(
    "codel-9",
    "Below a target of 5 ms utilization suffers for some traffic; above it there is little or no"
    " improvement.",
    rule="by paired differences: with some number of connections the line is less busy at the"
    " lowest target than at 5 ms; and with none is it busier by more than 2 % of the time at the"
    " highest",
    where="section 4.3",
    of_paper="5 ms",
    ours="2 %; the lowest and the highest target of the sweep",
    expect=Verdict.IN_PART,
)
def five_is_right(targets: Results) -> Outcome:
    counts = targets.values(COUNT)
    here = {count: along(targets, "target", count=count) for count in counts}
    low, *_, high = here[counts[0]]
    losses = {count: gain(carried, at["5 ms"], at[low]) for count, at in here.items()}
    gains = {count: gain(carried, at[high], at["5 ms"]) for count, at in here.items()}
    worst = max(losses, key=lambda count: losses[count].mean)
    checks = [above(f"{low} with {worst} connections", losses[worst])]
    checks += [within(f"{high} with {count}", more, LITTLE) for count, more in gains.items()]
    words = ", ".join(f"{more} with {count}" for count, more in gains.items())
    return judge(f"{losses[worst]} lost at {low} with {worst}; gains at {high}: {words}", checks)
