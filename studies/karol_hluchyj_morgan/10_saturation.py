"""What is the throughput of a switch whose cells wait at the inputs?"""

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
    claim,
    exhibit,
    experiment,
    judge,
    printed,
)

from .measures import beyond, switches, throughput
from .ports import cases, large_cases
from .printed import LIMIT, TABLE

LARGE = (12, 16, 24, 32)
FROM = 8
"""Least number of inputs of the switches from which the limit is extrapolated."""

small = experiment(
    "switch.toml",
    "Saturated switches, up to eight inputs",
    {"ports": cases(TABLE, [1.0])},
    quick={"duration": "20 ms"},
    quick_replications=Replications.exactly(5),
)
large = experiment(
    "large.toml",
    "Saturated switches of more inputs",
    {"ports": large_cases(LARGE, [1.0])},
    quick={"duration": "6 ms"},
    quick_sweep={"ports": large_cases((16, 32), [1.0])},
    quick_replications=Replications.exactly(5),
)


def saturated(*results: Results) -> dict[int, list[float]]:
    """Samples of the throughput, by the number of inputs."""
    points = {ports: point for one in results for (ports, _), point in switches(one).items()}
    return {ports: throughput(ports)(point) for ports, point in points.items()}


def limit(samples: dict[int, list[float]]) -> Estimate:
    """Throughput of infinitely many inputs: the line over 1/N from the largest switches."""
    return beyond({ports: values for ports, values in samples.items() if ports >= FROM})


@exhibit(
    "throughput",
    "Throughput of a saturated switch whose cells wait at the inputs.",
    "Share of the slots in which an output sends, by the number of inputs; every input always has"
    " cells. Crosses are Table I of the paper, and the level its limit for"
    " infinitely many inputs. Bands are 95 % intervals.",
)
def by_inputs(small: Results, large: Results) -> Chart:
    ours = {n: estimate(values) for n, values in saturated(small, large).items()}
    exact = {n: estimate([value]) for n, value in TABLE.items()}
    curves = (
        Curve("measured", tuple(map(float, ours)), tuple(ours.values())),
        Curve("printed", tuple(map(float, exact)), tuple(exact.values()), True, is_marked=True),
    )
    ticks = tuple(float(2**power) for power in range(6))
    return Chart(
        (Panel(curves),),
        "inputs",
        "throughput of an output",
        y_range=(0.0, 1.0),
        levels={"2 - √2": LIMIT},
        is_logarithmic=True,
        x_ticks=ticks,
    )


@exhibit(
    "table-1",
    "Table I. Throughput of a saturated switch whose cells wait at the inputs.",
    "Printed values and ours, with 95 % intervals. The last row of ours is the line through the"
    " values of the largest switches over 1/N, at 1/N = 0.",
    is_printed=True,
)
def table_one(small: Results, large: Results) -> Table:
    samples = saturated(small, large)
    rows = [
        [str(ports), f"{TABLE[ports]:.4f}" if ports in TABLE else "", str(estimate(values))]
        for ports, values in samples.items()
    ]
    rows.append(["infinite", f"{LIMIT:.4f}", str(limit(samples))])
    return Table(["inputs", "printed", "measured"], rows)


@claim(
    "karol-1",
    "A saturated switch of N inputs, whose cells wait there first in, first out, carries what"
    " Table I says: from 0.75 with two inputs down to 0.6184 with eight.",
    rule="each number of inputs from 1 to 8: the mean share of the slots in which an output sends"
    " is within 0.003 of the printed value",
    where="Table I",
    of_paper="the eight values of the table, which a Markov chain gives, as others quote them",
    ours="0.003, less than the smallest difference between two rows, 0.005",
    expect=Verdict.REPRODUCED,
)
def table_values(small: Results) -> Outcome:
    measured = {ports: estimate(values) for ports, values in saturated(small).items()}
    words = ", ".join(f"{ports}: {value}" for ports, value in measured.items())
    checks = [
        printed(f"{ports} inputs", value, TABLE[ports], 0.003) for ports, value in measured.items()
    ]
    return judge(words, checks)


@claim(
    "karol-2",
    "As N grows the throughput falls towards 2 - √2 = 0.586.",
    rule="from each number of inputs to the next that is measured the mean throughput falls, and"
    " stays above 2 - √2; the line over 1/N through those of the largest switches reaches 1/N = 0"
    " within 0.003 of 2 - √2",
    where="Table I, and the abstract",
    of_paper='input queues saturate at a utilization that "depends on N, but is approximately"'
    " 2 - √2 for large N",
    ours="that the throughput stays above its limit, as in the table; 0.003, as in the claim on"
    f" the table; the line over 1/N, from {FROM} inputs on",
    expect=Verdict.REPRODUCED,
)
def falls_to_the_limit(small: Results, large: Results) -> Outcome:
    samples = saturated(small, large)
    means = {ports: estimate(values) for ports, values in samples.items()}
    ordered = sorted(samples)
    checks = []
    for fewer, more in pairwise(ordered):
        fall = [a - b for a, b in zip(samples[fewer], samples[more], strict=True)]
        checks.append(above(f"from {fewer} to {more} inputs", estimate(fall)))
    checks += [above(f"{n} inputs above the limit", means[n], LIMIT) for n in ordered]
    reached = limit(samples)
    checks.append(printed("the limit", reached, LIMIT, 0.003))
    last = ordered[-1]
    return judge(f"{means[last]} with {last} inputs; {reached} at 1/N = 0", checks)
