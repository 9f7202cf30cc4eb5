"""The study comes out as `expected.toml` says; a small part of it always, all of it slowly."""

from __future__ import annotations

import tomllib
from array import array
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cellrelay.results import PointResult
from cellrelay.scenario import Replications
from cellrelay.scope import Name, Place, Scope
from cellrelay.simulate import Label, Run, Task, simulate
from cellrelay.studies import Verdict, average, find
from cellrelay.studies.claim import Measured
from cellrelay.studies.published.jain_abr import carriages, rows, sharing, six_links, table
from cellrelay.studies.published.jain_abr.edges import (
    EDGES,
    mean_at_edges,
    refused_at_edges,
    share,
)
from cellrelay.studies.published.jain_abr.experiments import EXPERIMENTS
from cellrelay.studies.published.jain_abr.measures import (
    TRUNK,
    has_diverged,
    mean_queue,
    throughput,
)
from cellrelay.studies.reproduce import Reproduction, reproduce
from cellrelay.studies.write import write

STUDY = find("jain-abr")
EXPECTED = tomllib.loads((STUDY.folder / "expected.toml").read_text(encoding="utf-8"))
FAST = ("b3", "c1", "e3")
"""Rows that are always run."""


def measured(sweeps: Mapping[str, Mapping[str, Any]]) -> Measured:
    """These experiments, with parts of their sweeps, each point once."""
    chosen = [
        replace(one, quick_sweep=sweeps[one.name], quick_replications=Replications.exactly(1))
        for one in EXPERIMENTS
        if one.name in sweeps
    ]
    return reproduce(replace(STUDY, experiments=chosen, figures=[], claims=[]), True).measured


@pytest.fixture(scope="module")
def small() -> Measured:
    usual = carriages.cases((carriages.USUAL,))
    return measured(
        {
            "rows": {"row": {name: rows.ROWS[name].point for name in FAST}},
            "law": {},
            "sharing": {},
            "six-links": {"rule": {"linear": six_links.RULES["linear"]}},
            "backbone": {"case": usual},
        }
    )


@pytest.mark.parametrize("name", FAST)
def test_a_row_is_inside_its_gate(small: Measured, name: str) -> None:
    row = rows.ROWS[name]
    assert table.verdict(row, table.point(small, row)) == "inside"


def test_a_row_that_is_too_far_off_is_outside(small: Measured) -> None:
    row = rows.ROWS["b3"]
    far = replace(row, printed=rows.Printed(5000, 150.0, 120.0, 1.0))
    assert table.verdict(far, table.point(small, row)) == "outside: queue, throughput"
    unstable = replace(row, diverges=True)
    assert table.verdict(unstable, table.point(small, row)) == "outside: stability"


def test_fast_video_makes_the_queue_diverge(small: Measured) -> None:
    row = rows.ROWS["e3"]
    assert has_diverged(row, table.point(small, row))


@pytest.mark.parametrize("seconds", [8, pytest.param(30, marks=pytest.mark.slow)])
def test_slow_video_leaves_a_queue_that_settles(seconds: int) -> None:
    """What a run of four seconds shows of row e1 is no rising line: with exact rates the longest
    queue is 22051 cells in eight seconds, and 91170 in thirty."""
    (experiment,) = [one for one in EXPERIMENTS if one.name == "rows"]
    row = rows.ROWS["e1"]
    settings = {**experiment.settings, "duration": f"{seconds} s", "record.every": "10 ms"}
    alone = replace(experiment, sweep={"row": {row.name: row.point}}, settings=settings)
    scenario = alone.scenario(STUDY.folder, is_quick=False)
    queue = simulate(Task(scenario.point(0), 1, 0)).series[f"port {TRUNK}", "queue"]
    at_first = queue.between(0.0, 4.0).values.max()
    assert queue.values.max() <= 1.15 * at_first


@pytest.mark.parametrize("percent", sharing.TARGETS)
def test_rm_cells_take_one_cell_in_32(small: Measured, percent: int) -> None:
    point = small["law"].point(target=f"{percent} %", reverse="ideal")
    expected = percent / 100 * 31 / 32 * rows.PEAK
    assert abs(average(throughput, point) / expected - 1) <= EXPECTED["law"]["off_by_at_most"]


def test_rates_are_those_of_max_min_fairness(small: Measured) -> None:
    outcome = sharing.fair_rates.outcome(small)
    assert outcome.verdict is Verdict.REPRODUCED, outcome.why


@pytest.mark.parametrize("group", six_links.GROUPS, ids=lambda group: group.name)
def test_so_they_are_with_six_links_in_a_row(small: Measured, group: six_links.Group) -> None:
    _, furthest = six_links.allowed(six_links.of(small, "linear"), group)
    assert abs(furthest / group.rate - 1) <= six_links.TOLERANCE


def test_with_abr_packets_wait_at_the_edges(small: Measured) -> None:
    found = {
        carriage: small["backbone"].point(case=f"{carriage}, {carriages.USUAL}")
        for carriage in carriages.CARRIAGES
    }
    bounds = EXPECTED["backbone"]
    abr = found.pop(carriages.ABR)
    at_edges, inside = average(mean_at_edges, abr), average(mean_queue, abr)
    assert at_edges >= bounds["waits_at_edges"] * inside
    assert average(share, abr) >= bounds["share_of_abr"]
    for carriage, point in found.items():
        assert average(share, point) >= bounds["share_of_others"], carriage


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
    (experiment,) = [one for one in EXPERIMENTS if one.name == "rows"]
    scenario = experiment.scenario(STUDY.folder, is_quick=True)
    keys = {scenario.point(index).key for index in range(len(scenario.points))}
    assert len(keys) == len(rows.ROWS)
    assert len(table.PRINTED) == 13


def test_what_is_recorded_is_drawn_alike_each_time(tmp_path: Path) -> None:
    wanted = [one for one in EXPERIMENTS if one.name in ("counting", "sharing")]
    shown = [one for one in STUDY.figures if one.id in ("counting", "max-min")]
    study = replace(STUDY, experiments=wanted, figures=shown, claims=[])
    for jobs in (1, 2):
        write(reproduce(study, True, jobs), tmp_path / str(jobs))
    figures = sorted((tmp_path / "1" / "figures").iterdir())
    assert [figure.stem for figure in figures] == ["counting", "max-min"]
    for figure in figures:
        assert figure.read_bytes() == (tmp_path / "2" / "figures" / figure.name).read_bytes()


@pytest.fixture(scope="module", params=[True, False], ids=["quick", "whole"])
def reproduction(request: pytest.FixtureRequest) -> Reproduction:
    return reproduce(STUDY, is_quick=request.param)


@pytest.mark.slow
def test_verdicts_are_as_expected(reproduction: Reproduction) -> None:
    whole = EXPECTED["verdicts"]
    also = set(EXPECTED["quick"]["reproduced"] if reproduction.is_quick else [])
    assert set(reproduction.judged(Verdict.REPRODUCED)) == {*whole["reproduced"], *also}
    assert set(reproduction.judged(Verdict.IN_PART)) == {*whole["in_part"]} - also


@pytest.mark.slow
def test_all_rows_are_inside_their_gates(reproduction: Reproduction) -> None:
    inside = [
        row.name
        for row in table.PRINTED
        if table.verdict(row, table.point(reproduction.measured, row)) == "inside"
    ]
    assert inside == EXPECTED["rows"]["inside"]


@pytest.mark.slow
def test_every_figure_is_drawn(reproduction: Reproduction) -> None:
    assert all(drawn.content is not None for drawn in reproduction.exhibits)
