"""Do the most pairs in each slot carry the most?"""

from __future__ import annotations

from cellrelay.plot import Chart, Panel
from cellrelay.results import PointResult, Results
from cellrelay.scenario import Replications
from cellrelay.studies import (
    Check,
    Outcome,
    Verdict,
    along,
    claim,
    curve,
    exhibit,
    experiment,
    judge,
    known,
    printed,
)

from .exact import LARGEST_STABLE, most_served
from .measures import served
from .ports import LONGEST, OLDEST, SIZE, fabrics, three_loads

WEIGHTS = (LONGEST, OLDEST)

three = experiment(
    "three.toml",
    "Three inputs that share two outputs, by matching and load",
    {"fabric": fabrics((SIZE, *WEIGHTS)), "load": three_loads((0.4, 0.44, 0.47, 0.48, 0.49))},
    quick={"duration": "60 ms"},
    quick_sweep={"load": three_loads((0.44, 0.48, 0.49))},
    quick_replications=Replications.exactly(3),
)


def by_load(results: Results, fabric: str) -> dict[float, PointResult]:
    """The points of a fabric by the load of each flow."""
    return {float(load): point for load, point in along(results, "load", fabric=fabric).items()}


@exhibit(
    "three",
    "What input 0 of three sends, which has cells for both outputs.",
    "Share of the slots in which it sends a cell, by the load of each of the four flows; twice the"
    " load arrives. Bands are 95 % intervals.",
)
def sent(three: Results) -> Chart:
    curves = [curve(fabric, by_load(three, fabric), served) for fabric in (SIZE, *WEIGHTS)]
    return Chart((Panel(tuple(curves)),), "load of each flow", "slots with a cell")


@claim(
    "mckeown-10",
    "A matching with the most pairs is unstable in a switch of three inputs, though no input and no"
    " output is overloaded.",
    rule=f"each load p of a flow above {LARGEST_STABLE:.4f}: input 0, to which cells come in 2p of"
    " the slots, sends in less than 1 - p²/3 of them, which is less than 2p",
    where="McKeown et al., the example of three inputs; the section is not known",
    of_paper="that input 0 sends in at most 1 - p²/3 of the slots, so that no load from 0.4641 on"
    " is stable",
    expect=Verdict.REPRODUCED,
)
def most_pairs(three: Results) -> Outcome:
    checks, words = [], []
    for load, point in by_load(three, SIZE).items():
        if load > LARGEST_STABLE:
            measured, bound = known(served, point), most_served(load)
            is_decided = not measured.low <= bound <= measured.high
            checks.append(Check(f"{load:g}", measured.mean < bound < 2 * load, is_decided))
            words.append(f"{load:g}: {measured}, of {2 * load:g}")
    return judge("\n".join(words), checks)


@claim(
    "mckeown-11",
    "A matching of the largest weight carries all of it, with the lengths of the queues or the ages"
    " of the oldest cells as weights.",
    rule="each load p of a flow: input 0 sends in 2p of the slots, within 0.5 %",
    where="McKeown et al., abstract",
    of_paper="100 % throughput for independent arrivals, with either weight",
    ours="0.5 %, twice the spread of the arrivals",
    expect=Verdict.REPRODUCED,
)
def largest_weight(three: Results) -> Outcome:
    checks, words = [], []
    for fabric in WEIGHTS:
        for load, point in by_load(three, fabric).items():
            measured = known(served, point)
            checks.append(printed(f"{fabric} at {load:g}", measured, 2 * load, 0.01 * load))
        words.append(f"{measured} of {2 * load:g} with {fabric}")
    return judge("\n".join(words), checks)
