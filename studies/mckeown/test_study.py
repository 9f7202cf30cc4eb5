"""Bounds on the results: a part of the study in every test run, all of it in the slow tests."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import Experiment, Sweep, along, average, find
from cellrelay.studies.published.mckeown.exact import matched, most_served
from cellrelay.studies.published.mckeown.measures import served, throughput, wait
from cellrelay.studies.published.mckeown.ports import (
    ISLIP,
    OLDEST,
    PIM,
    PORTS,
    SIZE,
    fabrics,
    loads,
    saturated,
    saturated_fabrics,
    three_loads,
)
from cellrelay.studies.reproduce import Reproduction, reproduce

STUDY = find("mckeown")
TWICE = Replications.exactly(2)


def brief(name: str, duration: str, sweep: Sweep) -> Results:
    """An experiment of the study, two short runs of each point."""
    changes: dict[str, Any] = {"quick": {"duration": duration}, "quick_sweep": sweep}
    shorter: Experiment = replace(STUDY.experiment(name), quick_replications=TWICE, **changes)
    part = replace(STUDY, experiments=[shorter], figures=[], claims=[])
    return reproduce(part, True).measured[name]


def test_the_chain_has_the_formula_of_one_iteration_and_all_outcomes_of_two_ports() -> None:
    for ports in (1, 2, 4, 8, 16, 32):
        assert matched(ports, 1) == pytest.approx(1 - (1 - 1 / ports) ** ports)
    # Two outputs grant to two inputs in four ways, and the port that is left has one way.
    ways = [len(set(grants)) for grants in product(range(2), repeat=2)]
    assert matched(2, 1) == pytest.approx(sum(ways) / len(ways) / 2)
    assert matched(2, 2) == pytest.approx(1.0)


def test_saturated_switches_carry_what_theory_says() -> None:
    rules = (PIM, "PIM, 2 iterations", ISLIP)
    sweep: Sweep = {"fabric": saturated_fabrics(rules), "ports": saturated([PORTS])}
    points = along(brief("rules", "9 ms", sweep), "fabric")
    for rule, exact in zip(rules, (matched(PORTS, 1), matched(PORTS, 2), 1.0), strict=True):
        assert average(throughput(PORTS), points[rule]) == pytest.approx(exact, abs=0.003)


def test_a_second_iteration_shortens_the_wait() -> None:
    sweep: Sweep = {"fabric": fabrics((ISLIP, "iSLIP, 2 iterations")), "load": loads([0.7])}
    one, two = along(brief("waits", "14 ms", sweep), "fabric").values()
    assert average(wait, two) < 0.5 * average(wait, one)


def test_most_pairs_serve_an_input_less_than_the_largest_weight_does() -> None:
    sweep: Sweep = {"fabric": fabrics((SIZE, OLDEST)), "load": three_loads([0.49])}
    pairs, weight = along(brief("three", "44 ms", sweep), "fabric").values()
    assert average(served, pairs) < most_served(0.49)
    assert average(served, weight) == pytest.approx(0.98, abs=0.01)


@pytest.mark.slow
def test_no_wait_is_shorter_than_that_at_the_outputs(reproduction: Reproduction) -> None:
    waits = reproduction.measured["waits"]
    for load in waits.values("load"):
        points = along(waits, "fabric", load=load)
        assert min(points, key=lambda name: average(wait, points[name])) == "queues at outputs"
