"""Bounds on the results: a part of the study in every test run, all of it in the slow tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cellrelay.scenario import Replications
from cellrelay.studies import Measured, average, find, of_flow, of_port
from cellrelay.studies.published.dctcp.groups import FAIR, GROUPS, PRINTED, throughput, user_data
from cellrelay.studies.reproduce import Reproduction, reproduce

STUDY = find("dctcp")


@pytest.fixture(scope="module")
def small() -> Measured:
    brief = replace(
        STUDY.experiment("groups"),
        quick={"duration": "0.25 s", "warm_up": "0.1 s"},
        quick_replications=Replications.exactly(2),
    )
    return reproduce(replace(STUDY, experiments=[brief], figures=[], claims=[]), True).measured


@pytest.mark.parametrize("group", GROUPS)
def test_each_group_gets_what_the_paper_prints(small: Measured, group: str) -> None:
    got = average(throughput(group), small["groups"].points[0])
    assert got == pytest.approx(PRINTED[group], rel=0.05)
    assert got == pytest.approx(FAIR[group], rel=0.10)


def test_the_groups_fill_both_bottlenecks_and_lose_nothing(small: Measured) -> None:
    point = small["groups"].points[0]
    for port, capacity, groups in (
        ("triumph1->scorpion", 10_000, ("s1", "s2")),
        ("triumph2->r1", 1_000, ("s1", "s3")),
    ):
        carried = sum(GROUPS[group] * average(throughput(group), point) for group in groups)
        assert carried == pytest.approx(capacity, rel=0.01)
        assert average(of_port("packet_loss_ratio", port), point) == 0
    assert average(of_flow("timeouts", "s1[0]"), point) == 0


def test_throughput_counts_headers_and_framing(small: Measured) -> None:
    point = small["groups"].points[0]
    data, all_octets = (average(of("s3"), point) for of in (user_data, throughput))
    assert all_octets / data == pytest.approx(1538 / 1460)


@pytest.mark.slow
def test_windows_to_r1_are_the_smallest_and_shares_follow_the_other_queue(
    reproduction: Reproduction,
) -> None:
    point = reproduction.measured["groups"].points[0]
    assert average(of_port("marked_share", "triumph2->r1"), point) >= 0.95
    thresholds = reproduction.measured["thresholds"]
    points = [thresholds.point(above=value) for value in thresholds.values("above")]
    ratios = [average(throughput("s1"), at) / average(throughput("s3"), at) for at in points]
    assert ratios == sorted(ratios, reverse=True)
    assert ratios[0] > 0.95
