"""How long do cells wait at the outputs, and at the inputs?"""

from __future__ import annotations

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.statistics import estimate
from cellrelay.studies import (
    Outcome,
    Verdict,
    above,
    claim,
    curve,
    exhibit,
    experiment,
    gain,
    judge,
    known,
    printed,
)

from .measures import switches, throughput, wait
from .ports import SPEEDUP, WHERE, cases, large_cases
from .printed import output_wait

PORTS = (2, 4, 8)
LOADS = (0.2, 0.4, 0.6, 0.8, 0.9)
LIGHT = (0.1, 0.3, 0.4, 0.5)
"""Loads at which a switch of any size with input queues is not saturated."""
TOLERANCE = 0.03

at_outputs = experiment(
    "switch.toml",
    "Cells that wait at the outputs",
    {"ports": cases(PORTS, LOADS)},
    {SPEEDUP: "65536", "duration": "101 ms"},
    quick={"duration": "51 ms"},
    quick_sweep={"ports": cases((2, 8), (0.4, 0.8))},
    quick_replications=Replications.exactly(5),
)
either = experiment(
    "large.toml",
    "Cells that wait at the outputs or at the inputs",
    {"where": WHERE, "ports": large_cases((2, 8, 16, 32), LIGHT)},
    {"duration": "51 ms"},
    replications=Replications.exactly(5),
    quick={"duration": "21 ms"},
    quick_sweep={"ports": large_cases((8, 16), (0.3, 0.5))},
    quick_replications=Replications.exactly(5),
)


@exhibit(
    "output-waits",
    "Mean wait of cells that are queued at the outputs.",
    "In slots, by the load of each link; bands are 95 % intervals. Crosses are the formula"
    " of the paper, (N - 1)/N · p/(2 (1 - p)).",
)
def by_load(at_outputs: Results) -> Chart:
    points = switches(at_outputs)
    curves = []
    for ports in dict.fromkeys(ports for ports, _ in points):
        of_switch = {load: point for (n, load), point in points.items() if n == ports}
        curves.append(curve(f"{ports} inputs", of_switch, wait(ports)))
        exact = tuple(estimate([output_wait(ports, load)]) for load in of_switch)
        curves.append(Curve("formula", tuple(of_switch), exact, is_reference=True, is_marked=True))
    return Chart((Panel(tuple(curves)),), "load", "mean wait (slots)", y_range=(0.0, None))


@exhibit(
    "either-waits",
    "Mean wait of cells that are queued at the inputs or at the outputs.",
    "In slots, by the load of each link, on the same arrivals. Queues at the inputs of a large"
    " switch grow without end from a load of 0.586 on.",
)
def by_place(either: Results) -> Chart:
    panels = []
    for where in WHERE:
        points = switches(either, where=where)
        curves = []
        for ports in dict.fromkeys(ports for ports, _ in points):
            of_switch = {load: point for (n, load), point in points.items() if n == ports}
            curves.append(curve(f"{ports} inputs", of_switch, wait(ports)))
        panels.append(Panel(tuple(curves), f"queues at the {where}"))
    return Chart(tuple(panels), "load", "mean wait (slots)", y_range=(0.0, None))


@claim(
    "karol-4",
    "Cells that are queued at the outputs wait (N - 1)/N · p/(2 (1 - p)) slots in the mean, where p"
    " is the load.",
    rule=f"each number of inputs and each load: the mean wait is within {TOLERANCE:.0%} of the"
    " formula",
    where="the analysis of queues at the outputs; the section is not known",
    of_paper="the formula, as it is usually quoted, which follows from the model of the paper",
    ours=f"{TOLERANCE:.0%}: the interval of 100,000 slots at the largest load",
    expect=Verdict.REPRODUCED,
)
def output_formula(at_outputs: Results) -> Outcome:
    checks, words = [], []
    for (ports, load), point in switches(at_outputs).items():
        exact, measured = output_wait(ports, load), known(wait(ports), point)
        checks.append(printed(f"{ports} inputs at {load}", measured, exact, TOLERANCE * exact))
        words.append(f"{ports} inputs at {load}: {measured} for {exact:.4f}")
    return judge("\n".join(words), checks)


@claim(
    "karol-5",
    "Queues at the outputs saturate only as the load nears one.",
    rule="each number of inputs and each load below one: the outputs send as much as arrives,"
    " within 1 %",
    where="abstract",
    of_paper="that no load below one saturates them",
    ours="1 %, about twice the spread of the arrivals; 0.9 is the largest load",
    expect=Verdict.REPRODUCED,
)
def outputs_carry_all(at_outputs: Results) -> Outcome:
    checks = []
    for (ports, load), point in switches(at_outputs).items():
        carried = known(throughput(ports), point)
        checks.append(printed(f"{ports} inputs at {load}", carried, load, 0.01 * load))
    (ports, load), point = list(switches(at_outputs).items())[-1]
    return judge(f"{known(throughput(ports), point)} at {load} with {ports} inputs", checks)


@claim(
    "karol-6",
    "Queues at the inputs are always longer in the mean than queues at the outputs.",
    rule="each number of inputs and each load: on the same arrivals the mean wait at the inputs is"
    " longer, which Little's law makes the same",
    where="abstract",
    of_paper="always: every number of inputs above one, and every load",
    ours="loads up to 0.5, which all switches carry with either kind of queue",
    expect=Verdict.REPRODUCED,
)
def inputs_wait_longer(either: Results) -> Outcome:
    inputs, outputs = (switches(either, where=where) for where in WHERE)
    checks, words = [], []
    for (ports, load), point in inputs.items():
        longer = gain(wait(ports), point, outputs[ports, load])
        checks.append(above(f"{ports} inputs at {load}", longer))
        words.append(f"{ports} inputs at {load}: {longer}")
    return judge("longer by, in slots\n" + "\n".join(words), checks)
