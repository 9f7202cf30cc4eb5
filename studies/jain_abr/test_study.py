"""What must hold whenever the study is reproduced: of a small part always, of all of it slowly."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from cellrelay.results import PointResult
from cellrelay.scenario import Replications
from cellrelay.scope import Name, Place, Scope
from cellrelay.simulate import Label, Run, Task, simulate
from cellrelay.studies import Measured, Verdict, average, find
from cellrelay.studies.published.jain_abr import backbone
from cellrelay.studies.published.jain_abr.backbone import (
    EDGES,
    mean_at_edges,
    refused_at_edges,
    share,
)
from cellrelay.studies.published.jain_abr.gates import PRINTED, misses
from cellrelay.studies.published.jain_abr.measures import (
    TRUNK,
    has_diverged,
    mean_queue,
    of_row,
    throughput,
)
from cellrelay.studies.published.jain_abr.printed import PEAK, ROWS, Printed
from cellrelay.studies.reproduce import Reproduction, reproduce

STUDY = find("jain-abr")
LAW, SIX_LINKS = (
    import_module(f"cellrelay.studies.published.jain_abr.{page}")
    for page in ("65_law", "70_six_links")
)
FAST = ("b3", "c1", "e3")
"""Rows that are always run."""


def measured(sweeps: Mapping[str, Mapping[str, Any]]) -> Measured:
    """These experiments, with parts of their sweeps, each point once."""
    chosen = [
        replace(one, quick_sweep=sweeps[one.name], quick_replications=Replications.exactly(1))
        for one in STUDY.experiments
        if one.name in sweeps
    ]
    return reproduce(replace(STUDY, experiments=chosen, figures=[], claims=[]), True).measured


@pytest.fixture(scope="module")
def small() -> Measured:
    usual = backbone.cases((backbone.USUAL,))
    return measured(
        {
            "rows": {"row": {name: ROWS[name].point for name in FAST}},
            "law": {},
            "sharing": {},
            "six-links": {"rule": {"linear": SIX_LINKS.RULES["linear"]}},
            "backbone": {"case": usual},
        }
    )


@pytest.mark.parametrize("name", FAST)
def test_a_row_is_inside_its_gate(small: Measured, name: str) -> None:
    row = ROWS[name]
    assert misses(row, of_row(small["rows"], row)) == []


def test_a_row_that_is_too_far_off_is_outside(small: Measured) -> None:
    row = ROWS["b3"]
    far = replace(row, printed=Printed(5000, 150.0, 120.0, 1.0))
    assert misses(far, of_row(small["rows"], row)) == ["queue", "throughput"]
    unstable = replace(row, diverges=True)
    assert misses(unstable, of_row(small["rows"], row)) == ["stability"]


def test_fast_video_makes_the_queue_diverge(small: Measured) -> None:
    row = ROWS["e3"]
    assert has_diverged(row, of_row(small["rows"], row))


@pytest.mark.parametrize("seconds", [8, pytest.param(30, marks=pytest.mark.slow)])
def test_slow_video_leaves_a_queue_that_settles(seconds: int) -> None:
    """What a run of four seconds shows of row e1 is no rising line: with exact rates the longest
    queue is 22051 cells in eight seconds, and 91170 in thirty."""
    experiment = STUDY.experiment("rows")
    row = ROWS["e1"]
    settings = {**experiment.settings, "duration": f"{seconds} s", "record.every": "10 ms"}
    alone = replace(experiment, sweep={"row": {row.name: row.point}}, settings=settings)
    scenario = alone.scenario(STUDY.folder, is_quick=False)
    queue = simulate(Task(scenario.point(0), 1, 0)).series[f"port {TRUNK}", "queue"]
    at_first = queue.between(0.0, 4.0).values.max()
    assert queue.values.max() <= 1.15 * at_first


@pytest.mark.parametrize("percent", LAW.TARGETS)
def test_rm_cells_take_one_cell_in_32(small: Measured, percent: int) -> None:
    point = small["law"].point(target=f"{percent} %", reverse="ideal")
    expected = percent / 100 * 31 / 32 * PEAK
    assert abs(average(throughput, point) / expected - 1) <= 0.003


def test_rates_are_those_of_max_min_fairness(small: Measured) -> None:
    outcome = STUDY.claim("max-min").outcome(small)
    assert outcome.verdict is Verdict.REPRODUCED, outcome.why


@pytest.mark.parametrize("group", SIX_LINKS.GROUPS, ids=lambda group: group.name)
def test_so_they_are_with_six_links_in_a_row(small: Measured, group: Any) -> None:
    _, furthest = SIX_LINKS.allowed(SIX_LINKS.of(small["six-links"], "linear"), group)
    assert abs(furthest / group.rate - 1) <= SIX_LINKS.TOLERANCE


def test_with_abr_packets_wait_at_the_edges(small: Measured) -> None:
    found = {
        bearer: small["backbone"].point(case=f"{bearer}, {backbone.USUAL}")
        for bearer in backbone.BEARERS
    }
    abr = found.pop(backbone.ABR)
    at_edges, inside = average(mean_at_edges, abr), average(mean_queue, abr)
    assert at_edges >= 100 * inside
    assert average(share, abr) >= 0.865
    for bearer, point in found.items():
        assert average(share, point) >= 0.98, bearer


def test_an_edge_to_which_nothing_was_offered_says_nothing_of_losses() -> None:
    metrics = ("packets_offered", "packet_loss_ratio")
    labels = tuple(
        Label(Scope("port", None, Place(Name("ingress", client), Name("s1"))), name, "1")
        for client in range(len(EDGES))
        for name in metrics
    )
    # In the second run one of the edges has no packets; in both a tenth of all others is lost.
    offered = [[100.0] * len(EDGES), [0.0, *[100.0] * (len(EDGES) - 1)]]
    columns = [array("d", (n for one in run for n in (one, 0.1 * (one > 0)))) for run in offered]
    runs = tuple(Run(labels, values, digest="") for values in columns)
    found = refused_at_edges(PointResult({}, runs, 1))
    assert found == pytest.approx([0.1, 0.1])


def test_every_printed_row_is_a_scenario_of_its_own() -> None:
    experiment = STUDY.experiment("rows")
    scenario = experiment.scenario(STUDY.folder, is_quick=True)
    keys = {scenario.point(index).key for index in range(len(scenario.points))}
    assert len(keys) == len(ROWS)
    assert len(PRINTED) == 13


@pytest.mark.slow
def test_all_rows_are_inside_their_gates(reproduction: Reproduction) -> None:
    rows = reproduction.measured["rows"]
    assert not {row.name: found for row in PRINTED if (found := misses(row, of_row(rows, row)))}
