"""How long do cells wait, by the load and the matching?"""

from __future__ import annotations

from itertools import pairwise

from cellrelay.plot import Chart, Panel
from cellrelay.results import PointResult, Results
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
)

from .exact import output_wait
from .measures import throughput, wait
from .ports import FIFO, ISLIP, LONGEST, OUTPUTS, PIM, PORTS, SIZE, fabrics, loads

LOADS = (0.2, 0.4, 0.55, 0.7, 0.8, 0.9, 0.95)
FEW = (0.4, 0.55, 0.8)
CARRIED = 0.55
"""Largest of these loads that all fabrics carry."""
ITERATED = (ISLIP, "iSLIP, 2 iterations", "iSLIP, 4 iterations")
EIGHT = "iSLIP, 8 iterations"
RULES = (FIFO, PIM, "PIM, 4 iterations", *ITERATED, EIGHT, SIZE, LONGEST, OUTPUTS)
SHOWN = (FIFO, PIM, "PIM, 4 iterations", ISLIP, "iSLIP, 4 iterations", LONGEST, OUTPUTS)
TOLERANCE = 0.04

waits = experiment(
    "switch.toml",
    "Sixteen inputs with uniform traffic, by matching and load",
    {"fabric": fabrics(RULES), "load": loads(LOADS)},
    quick={"duration": "14 ms"},
    quick_sweep={"load": loads(FEW)},
    quick_replications=Replications.exactly(3),
)


def by_load(results: Results, fabric: str) -> dict[float, PointResult]:
    """The points of a fabric by their load."""
    return {float(load): point for load, point in along(results, "load", fabric=fabric).items()}


def is_carried(fabric: str, load: float) -> bool:
    return fabric not in (FIFO, PIM) or load <= CARRIED


@exhibit(
    "waits",
    "Mean wait of a cell in a switch of sixteen inputs.",
    "In slots, by the load of each port, on a logarithmic axis; bands are 95 % intervals. One queue"
    " at each input and one iteration of PIM are shown at the loads that they carry.",
)
def waiting(waits: Results) -> Chart:
    curves = []
    for fabric in SHOWN:
        points = by_load(waits, fabric)
        carried = {load: point for load, point in points.items() if is_carried(fabric, load)}
        curves.append(curve(fabric, carried, wait))
    return Chart((Panel(tuple(curves)),), "load", "mean wait (slots)", y_range=(0.0, 40.0))


@claim(
    "mckeown-5",
    "One iteration of iSLIP carries every uniform load, where one queue at each input and one"
    " iteration of PIM do not.",
    rule="each load: with iSLIP the outputs send as much as arrives, within 1 %; at loads from 0.7"
    " the other two send less, by at least 2 % of the load",
    where="McKeown, abstract",
    of_paper="100 % throughput for uniform traffic, and 58.6 %",
    ours="1 %, about twice the spread of the arrivals; 2 %, beyond it",
    expect=Verdict.REPRODUCED,
)
def every_load(waits: Results) -> Outcome:
    checks, words = [], []
    for load, point in by_load(waits, ISLIP).items():
        carried = known(throughput(PORTS), point)
        checks.append(printed(f"iSLIP at {load:g}", carried, load, 0.01 * load))
        words.append(f"{carried} at {load:g} with iSLIP")
    for fabric in (FIFO, PIM):
        for load, point in by_load(waits, fabric).items():
            if load > CARRIED:
                carried = known(throughput(PORTS), point)
                checks.append(Check(f"{fabric} at {load:g}", carried.high < 0.98 * load))
                words.append(f"{carried} at {load:g} with {fabric}")
    return judge("\n".join(words), checks)


@claim(
    "mckeown-6",
    "Cells wait less with one iteration of iSLIP than with one of PIM.",
    rule=f"each load up to {CARRIED}, which PIM carries: on the same cells the mean wait is"
    " shorter",
    where="McKeown, as usually summed up; the place is not known",
    of_paper="the order of the two curves, as the paper is usually summed up; no numbers",
    ours=f"loads up to {CARRIED}: one iteration of PIM saturates at 0.644",
    expect=Verdict.IN_PART,
)
def shorter_than_pim(waits: Results) -> Outcome:
    return _longer(waits, PIM, ISLIP, [load for load in by_load(waits, PIM) if load <= CARRIED])


@claim(
    "mckeown-7",
    "More iterations of iSLIP shorten the wait.",
    rule="each load: on the same cells the mean wait falls from one iteration to two and from two"
    " to four",
    where="McKeown, as usually summed up; the place is not known",
    of_paper="that more iterations find more pairs; no numbers",
    expect=Verdict.IN_PART,
    expect_quick=Verdict.REPRODUCED,
)
def iterations_shorten(waits: Results) -> Outcome:
    outcomes = [
        _pairs(waits, longer, shorter, list(by_load(waits, ISLIP)))
        for longer, shorter in pairwise(ITERATED)
    ]
    words = [word for some, _ in outcomes for word in some]
    return judge("\n".join(words), [check for _, some in outcomes for check in some])


@claim(
    "mckeown-8",
    "With sixteen inputs, log2 N = 4 iterations of iSLIP do what more of them do.",
    rule="each load: the mean wait with eight iterations is within 3 % of that with four",
    where="McKeown, as usually summed up; the place is not known",
    of_paper="that log2 N iterations are enough, as the paper is usually summed up; no numbers",
    ours="3 %, less than the interval of the wait in a quick look",
    expect=Verdict.REPRODUCED,
)
def four_are_enough(waits: Results) -> Outcome:
    checks, words = [], []
    eight = by_load(waits, EIGHT)
    for load, point in by_load(waits, "iSLIP, 4 iterations").items():
        four, more = known(wait, point), gain(wait, eight[load], point)
        checks.append(printed(f"{load:g}", more, 0.0, 0.03 * four.mean))
        words.append(f"{load:g}: {four}, with eight {more} more")
    return judge("\n".join(words), checks)


@claim(
    "mckeown-9",
    "Cells wait least if they are queued at the outputs, (N - 1)/N · p/(2 (1 - p)) slots in the"
    " mean: the bound of every matching.",
    rule=f"each load: queues at the outputs have a mean wait within {TOLERANCE:.0%} of the formula,"
    " and on the same cells the mean wait is longer with iSLIP, with a matching of the most pairs"
    " and with one of the longest queues",
    where="the formula is that of Karol, Hluchyj and Morgan",
    of_paper="the formula",
    ours=f"{TOLERANCE:.0%}: the interval at the largest load",
    expect=Verdict.REPRODUCED,
)
def outputs_wait_least(waits: Results) -> Outcome:
    checks, words = [], []
    for load, point in by_load(waits, OUTPUTS).items():
        exact, measured = output_wait(PORTS, load), known(wait, point)
        checks.append(printed(f"formula at {load:g}", measured, exact, TOLERANCE * exact))
        words.append(f"{load:g}: {measured} for {exact:.4f}")
        for fabric in ("iSLIP, 4 iterations", SIZE, LONGEST):
            longer = gain(wait, by_load(waits, fabric)[load], point)
            checks.append(above(f"{fabric} at {load:g}", longer))
    return judge("\n".join(words), checks)


def _longer(waits: Results, longer: str, shorter: str, of_loads: list[float]) -> Outcome:
    words, checks = _pairs(waits, longer, shorter, of_loads)
    return judge("\n".join(words), checks)


def _pairs(
    waits: Results, longer: str, shorter: str, of_loads: list[float]
) -> tuple[list[str], list[Check]]:
    """At each load by how much the wait with one fabric is above that with another."""
    words, checks = [], []
    for load in of_loads:
        first, second = by_load(waits, longer)[load], by_load(waits, shorter)[load]
        checks.append(above(f"{longer} and {shorter} at {load:g}", gain(wait, first, second)))
        words.append(
            f"{load:g}: {known(wait, first)} with {longer}, {known(wait, second)} with {shorter}"
        )
    return words, checks
