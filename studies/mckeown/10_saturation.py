"""How much does a switch carry if every queue has cells?"""

from __future__ import annotations

from itertools import pairwise

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.statistics import Estimate, estimate
from cellrelay.studies import (
    Outcome,
    Table,
    Verdict,
    above,
    along,
    between,
    claim,
    exhibit,
    experiment,
    gain,
    judge,
    known,
    printed,
)

from .exact import HEAD_OF_LINE, ONE_ITERATION, matched
from .measures import throughput
from .ports import FIFO, ISLIP, LARGE, PIM, PORTS, SIZE, saturated, saturated_fabrics

SWITCHES = (2, 4, 8, 16)
ITERATIONS = {PIM: 1, **{f"PIM, {k} iterations": k for k in (2, 3, 4)}}
RULES = (FIFO, *ITERATIONS, ISLIP, "iSLIP, 4 iterations", SIZE)
SHORT = {"duration": "14 ms"}
TOLERANCE = 0.002

one_iteration = experiment(
    "switch.toml",
    "Saturated switches, one iteration of PIM",
    {"fabric": saturated_fabrics([PIM]), "ports": saturated(SWITCHES)},
    quick=SHORT,
    quick_sweep={"ports": saturated((2, 16))},
    quick_replications=Replications.exactly(3),
)
large = experiment(
    "large.toml",
    "A saturated switch of thirty-two inputs, one iteration of PIM",
    {"fabric": saturated_fabrics([PIM]), "ports": saturated([LARGE], LARGE)},
    quick={"duration": "9 ms"},
    quick_replications=Replications.exactly(3),
)
rules = experiment(
    "switch.toml",
    "A saturated switch of sixteen inputs",
    {"fabric": saturated_fabrics(RULES), "ports": saturated([PORTS])},
    quick=SHORT,
    quick_replications=Replications.exactly(3),
)


def carried(*results: Results) -> dict[int, Estimate]:
    """The throughput by the number of inputs."""
    points = {int(n): at for one in results for n, at in along(one, "ports").items()}
    return {ports: known(throughput(ports), point) for ports, point in points.items()}


@exhibit(
    "saturated",
    "Throughput of a saturated switch, PIM with one iteration.",
    "Share of the slots in which an output sends, by the number of inputs; every queue always has"
    " cells. Crosses are 1 - (1 - 1/N)^N, and the level its limit for infinitely many inputs.",
)
def by_inputs(one_iteration: Results) -> Chart:
    ours = {
        int(n): known(throughput(int(n)), at) for n, at in along(one_iteration, "ports").items()
    }
    exact = {n: estimate([matched(n, 1)]) for n in ours}
    curves = (
        Curve("measured", tuple(map(float, ours)), tuple(ours.values())),
        Curve("formula", tuple(map(float, exact)), tuple(exact.values()), True, is_marked=True),
    )
    return Chart(
        (Panel(curves),),
        "inputs",
        "throughput of an output",
        y_range=(0.0, 1.0),
        levels={"1 - 1/e": ONE_ITERATION},
        is_logarithmic=True,
        x_ticks=tuple(map(float, (*SWITCHES, LARGE))),
    )


@exhibit(
    "rules",
    "Throughput of a saturated switch of sixteen inputs, by the rule.",
    "Measured with 95 % intervals, and what theory gives for PIM.",
    is_printed=True,
)
def by_rule(rules: Results) -> Table:
    rows = []
    for name, point in along(rules, "fabric").items():
        exact = f"{matched(PORTS, ITERATIONS[name]):.4f}" if name in ITERATIONS else ""
        rows.append([name, exact, str(known(throughput(PORTS), point))])
    return Table(["rule", "exact", "measured"], rows)


@claim(
    "mckeown-1",
    "One iteration of PIM carries 1 - (1 - 1/N)^N of the links of a saturated switch of N inputs.",
    rule="each number of inputs: the mean share of the slots in which an output sends is within"
    f" {TOLERANCE} of the formula",
    where="Anderson et al., the analysis of one iteration; the section is not known",
    of_paper="the formula, which follows from the rule: an input is matched unless no output grants"
    " to it, and each of N outputs grants to each input with probability 1/N",
    ours=f"{TOLERANCE}, less than a third of the smallest difference between two of these switches",
    expect=Verdict.REPRODUCED,
)
def pim_formula(one_iteration: Results, large: Results) -> Outcome:
    checks, words = [], []
    for ports, measured in carried(one_iteration, large).items():
        exact = matched(ports, 1)
        checks.append(printed(f"{ports} inputs", measured, exact, TOLERANCE))
        words.append(f"{ports} inputs: {measured} for {exact:.4f}")
    return judge("\n".join(words), checks)


@claim(
    "mckeown-2",
    "As N grows, one iteration of PIM carries less, down to 1 - 1/e = 0.632: little more than"
    " queues that are first in, first out.",
    rule="from each number of inputs to the next the mean throughput falls, and stays above 1 -"
    " 1/e; with sixteen inputs it is above that of one queue at each input",
    where="McKeown, as usually summed up; the place is not known",
    of_paper="about 63 % for large N, and that this is only slightly more than 2 - √2",
    ours="that the throughput stays above its limit, as the formula does",
    expect=Verdict.REPRODUCED,
)
def falls(one_iteration: Results, large: Results, rules: Results) -> Outcome:
    means = carried(one_iteration, large)
    checks = []
    for (fewer, high), (more, low) in pairwise(means.items()):
        checks.append(above(f"from {fewer} to {more} inputs", high, low.high))
    checks += [above(f"{n} inputs above the limit", one, ONE_ITERATION) for n, one in means.items()]
    of_rules = along(rules, "fabric")
    gained = gain(throughput(PORTS), of_rules[PIM], of_rules[FIFO])
    checks.append(above("more than first in, first out", gained))
    last = max(means)
    return judge(
        f"{means[last]} with {last} inputs; {gained} more than first in, first out", checks
    )


@claim(
    "mckeown-3",
    "Each iteration of PIM matches a share of the ports that are left; four match nearly all of"
    " sixteen.",
    rule="one to four iterations: the mean throughput of the saturated switch is within"
    f" {TOLERANCE} of the exact value, of a Markov chain of the ports that are left",
    where="Anderson et al., the number of iterations; the section is not known",
    of_paper="that a few iterations, log2 N and little more in the mean, find a matching to which"
    " no pair can be added, which has all ports here",
    ours=f"the chain, `exact.py`; {TOLERANCE}, as in the claim on one iteration",
    expect=Verdict.REPRODUCED,
)
def pim_iterations(rules: Results) -> Outcome:
    checks, words = [], []
    points = along(rules, "fabric")
    for name, iterations in ITERATIONS.items():
        measured, exact = known(throughput(PORTS), points[name]), matched(PORTS, iterations)
        checks.append(printed(name, measured, exact, TOLERANCE))
        words.append(f"{name}: {measured} for {exact:.4f}")
    return judge("\n".join(words), checks)


@claim(
    "mckeown-4",
    "One iteration of iSLIP carries all uniform traffic, because its pointers part: while all"
    " queues have cells, no two outputs grant to the same input.",
    rule="the saturated switch: with one iteration and with four the mean throughput is at least"
    " 0.999; with one queue at each input it is less, within 0.04 of 2 - √2",
    where="McKeown, abstract",
    of_paper="100 % for uniform traffic; 58.6 % of one queue at each input, for many inputs",
    ours="0.999, since the pointers take some slots to part; 0.04, as sixteen inputs carry more"
    " than infinitely many",
    expect=Verdict.REPRODUCED,
)
def islip_carries_all(rules: Results) -> Outcome:
    points = along(rules, "fabric")
    measured = {
        name: known(throughput(PORTS), points[name])
        for name in (ISLIP, "iSLIP, 4 iterations", FIFO)
    }
    checks = [
        above(name, one, 0.999)
        if name != FIFO
        else between(name, one, HEAD_OF_LINE, HEAD_OF_LINE + 0.04)
        for name, one in measured.items()
    ]
    return judge("\n".join(f"{name}: {one}" for name, one in measured.items()), checks)
