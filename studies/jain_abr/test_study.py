"""Bounds on the results: a part of the study in every test run, all of it in the slow tests."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from statistics import fmean
from typing import Any

import pytest

from cellrelay.metrics.scope import Name, Place, Scope
from cellrelay.results import PointResult
from cellrelay.scenario import Replications
from cellrelay.simulation.labels import Label
from cellrelay.simulation.run import Run
from cellrelay.studies import Measured, Verdict, average, find
from cellrelay.studies.published.jain_abr import backbone
from cellrelay.studies.published.jain_abr.backbone import (
    EDGES,
    mean_at_edges,
    refused_at_edges,
    share,
)
from cellrelay.studies.published.jain_abr.beginnings import Spread
from cellrelay.studies.published.jain_abr.measures import WITHOUT, longest, mean_queue, throughput
from cellrelay.studies.published.jain_abr.printed import PEAK, PRINTED, ROWS
from cellrelay.studies.published.jain_abr.trend import growth, is_growing
from cellrelay.studies.reproduce import Reproduction, reproduce

STUDY = find("jain-abr")
TRIPS, HINGES, LAW, SIX_LINKS = (
    import_module(f"cellrelay.studies.published.jain_abr.{page}")
    for page in ("15_round_trips", "20_hinges", "65_law", "70_six_links")
)
FAST = ("b3", "c1")
"""Rows in every test run."""


def measured(sweeps: Mapping[str, Mapping[str, Any]]) -> Measured:
    """The experiments for every test run, with parts of their sweeps, and one run of each point."""
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
def test_a_row_comes_near_its_print(small: Measured, name: str) -> None:
    """With sources that begin at one instant the queues are those of the print within 2 %."""
    found, printed = small["rows"].point(row=name), PRINTED[name].printed
    assert printed is not None
    assert average(longest, found) == pytest.approx(printed.queue, rel=0.02)
    assert average(throughput, found) == pytest.approx(printed.throughput, rel=0.02)


def test_what_ends_an_interval_decides_two_rows() -> None:
    """Printed are 2253 and 3597 cells, with intervals of 500 and of 1000 cells."""
    counting = {"offered": "abr_in", "leaving": "abr_out"}
    points = {
        f"{name}, {cells}": {**ROWS[name].point, HINGES.COUNT: count}
        for name in ("c3", "c4")
        for cells, count in counting.items()
    }
    results = measured({"rows": {"row": points}})["rows"]
    for name in ("c3", "c4"):
        printed = PRINTED[name].printed
        assert printed
        offered, leaving = (
            average(longest, results.point(row=f"{name}, {cells}")) / printed.queue
            for cells in counting
        )
        assert offered < 0.75
        assert 1.0 < leaving < 1.1


@pytest.mark.slow
def test_with_all_sources_at_one_instant_three_round_trips_suffice(
    reproduction: Reproduction,
) -> None:
    """The claim three-round-trips fails only for runs with other start times."""
    rows = reproduction.measured["rows"]
    for row in ROWS.values():
        if not row.has_vbr and TRIPS.wide(row):
            assert TRIPS.queue_of(rows, row) <= WITHOUT, row.name


def test_a_printed_number_has_a_rank_among_the_runs() -> None:
    spread = Spread((1.0, 2.0, 4.0))
    said = {printed: spread.place(printed) for printed in (0.5, 3.0, 5.0)}
    assert said == {0.5: "below all 3", 3.0: "inside, 2 of 3 below", 5.0: "above all 3"}
    assert [spread.holds(printed) for printed in said] == [False, True, False]


def queues(*runs: Sequence[float]) -> PointResult:
    """Runs whose batches have these mean queues at the bottleneck."""
    scope = Scope.port("s1", "s2")
    labels = (Label(scope, "mean_queue", "cell"),)
    made = tuple(
        Run(labels, array("d", [fmean(run)]), "", batches=tuple(array("d", [one]) for one in run))
        for run in runs
    )
    return PointResult({}, made, 1)


def waves(rise: float, replication: int) -> list[float]:
    """A wave as long as the run, of 1000 cells, that begins anywhere, over a straight rise."""
    return [
        1000 * math.cos(math.tau * (batch / 20 + replication / 8)) + rise * (batch + 0.5) / 20
        for batch in range(20)
    ]


def test_slow_waves_are_no_trend_and_a_rise_under_them_is_one() -> None:
    flat, rising = (queues(*(waves(rise, one) for one in range(8))) for rise in (0.0, 9000.0))
    assert not is_growing(flat)
    assert is_growing(rising)
    assert growth(rising) - growth(flat) == pytest.approx(9000)


def test_a_queue_that_grows_by_less_than_a_cell_does_not_grow() -> None:
    assert not is_growing(queues(*([0.001 * batch for batch in range(20)] for _ in range(4))))


@pytest.mark.slow
def test_fast_video_makes_the_queue_grow_and_a_queue_target_prevents_it(
    reproduction: Reproduction,
) -> None:
    found = reproduction.measured["long-rows"]
    grows = {name: is_growing(found.point(row=name)) for name in ("e1", "e-1", "f1")}
    assert grows == {"e1": False, "e-1": True, "f1": False}


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
    # Windows that grow by a segment lose together: UBR with EPD carries 97 %, or 98.9 % if each
    # acknowledgment adds a fraction of a segment (`increment = "octets"`).
    for bearer, point in found.items():
        assert average(share, point) >= 0.965, bearer


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
    assert len(PRINTED) == 12
