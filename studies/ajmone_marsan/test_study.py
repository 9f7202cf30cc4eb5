"""The study comes out as `expected.toml` says; a small part of it always, all of it slowly."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import dropwhile

import pytest

from cellrelay.results import PointResult
from cellrelay.statistics import mean
from cellrelay.studies import Verdict, average, find, within
from cellrelay.studies.claim import Measured
from cellrelay.studies.published.ajmone_marsan import experiments
from cellrelay.studies.published.ajmone_marsan.measures import (
    LOSSLESS,
    PAYLOAD,
    beyond,
    curve,
    efficiency,
    free,
    goodput,
    knee,
    refused,
    up_to,
)
from cellrelay.studies.published.ajmone_marsan.parking import (
    EQUAL,
    SAME,
    equal,
    lossy,
    one_link,
    over_loads,
    tcp,
)
from cellrelay.studies.published.ajmone_marsan.rate import (
    SPOILED,
    TEN_KM_LOAD,
    clean_runs,
    xtp,
)
from cellrelay.studies.published.ajmone_marsan.transports import (
    GO_BACK_N,
    LARGE,
    RETRANSMISSIONS,
    SELECTIVE,
    SHAPED,
    SMALL,
    UNSHAPED,
)
from cellrelay.studies.published.ajmone_marsan.window import (
    KNEE,
    LIGHT,
    relative_gain,
    third,
    triple,
)
from cellrelay.studies.reproduce import Reproduction, reproduce

STUDY = find("ajmone-marsan")
EXPECTED = tomllib.loads((STUDY.folder / "expected.toml").read_text(encoding="utf-8"))
FAST: Mapping[str, Sequence[str]] = {
    "tcp-third": ("0 Mbit/s", "20 Mbit/s", "60 Mbit/s"),
    "tcp-triple": ("0 Mbit/s",),
    "xtp-1142": ("20 Mbit/s", "60 Mbit/s"),
    "short": ("30 Mbit/s", "50 Mbit/s"),
}
"""Loads of what is always run, by experiment."""


@pytest.fixture(scope="module")
def small() -> Measured:
    sizes = {name: experiments.windowed(window) for name, window in experiments.WINDOWED.items()}
    chosen = [
        replace(
            one,
            quick_sweep={
                "load": experiments.loads(FAST[one.name], experiments.ONE_LINK),
                **({"size": {LARGE: sizes[one.name][LARGE]}} if one.name in sizes else {}),
                "shaping": experiments.shapings((UNSHAPED,)),
            },
            # Batches of what is usually not divided show when a run begins to lose, or ends.
            quick=experiments.QUICK,
        )
        for one in STUDY.experiments
        if one.name in FAST
    ]
    return reproduce(replace(STUDY, experiments=chosen, figures=[], claims=[]), True).measured


def lossless(point: PointResult) -> bool:
    return bool(average(efficiency, point) >= LOSSLESS)


def test_a_window_for_a_third_of_the_link_loses_nothing_at_low_loads(small: Measured) -> None:
    points = third(small, LARGE)
    for load in ("0 Mbit/s", "20 Mbit/s"):
        assert lossless(points[load])
        assert average(refused, points[load]) == 0.0
        carried = average(goodput, points[load]) / free(experiments.LOADS[load], PAYLOAD)
        assert 0.85 <= carried <= 1.0
    assert not lossless(points["60 Mbit/s"])


def test_three_times_the_window_loses_on_an_empty_link(small: Measured) -> None:
    point = triple(small, LARGE)["0 Mbit/s"]
    assert average(refused, point) > 0.0
    alone = third(small, LARGE)["0 Mbit/s"]
    assert average(goodput, point) < 0.85 * average(goodput, alone)


def test_go_back_n_wastes_more_than_selective_retransmission(small: Measured) -> None:
    for resent in RETRANSMISSIONS:
        assert lossless(xtp(small, SMALL, resent)["20 Mbit/s"])
    worse, better = (xtp(small, SMALL, resent)["60 Mbit/s"] for resent in (GO_BACK_N, SELECTIVE))
    assert average(efficiency, worse) < average(efficiency, better) - 0.2


@pytest.mark.parametrize("resent", RETRANSMISSIONS)
def test_handshakes_keep_a_short_network_free_of_loss(small: Measured, resent: str) -> None:
    """Once they all make them: until then nothing slows them down."""
    points = curve(small["short"], resent=resent, shaping=UNSHAPED)
    of_batches = ("packet_loss_ratio", "port s1->s2")
    assert set(points["30 Mbit/s"].by_sample(*of_batches)) == {0.0}
    lost, size = points["50 Mbit/s"].by_sample(*of_batches), points["50 Mbit/s"].batches
    runs = [lost[start : start + size] for start in range(0, len(lost), size)]
    assert len(runs) > 1
    assert any(run[-1] == 0.0 for run in runs)
    for run in runs:
        clean = list(dropwhile(bool, run))
        assert not any(clean), run


def test_every_point_of_the_sweep_is_a_scenario() -> None:
    for experiment in STUDY.experiments:
        for is_quick in (True, False):
            scenario = experiment.scenario(STUDY.folder, is_quick)
            assert all(scenario.point(index).key for index in range(len(scenario.points)))


def test_what_the_other_traffic_takes_is_what_is_asked_for(small: Measured) -> None:
    point = third(small, LARGE)["20 Mbit/s"]
    share = sum(point.samples("background_share", "port s1->s2")) / len(point.samples("goodput"))
    assert share * experiments.LINK == pytest.approx(20.0, rel=0.05)


@pytest.fixture(scope="module", params=[True, False], ids=["quick", "whole"])
def reproduction(request: pytest.FixtureRequest) -> Reproduction:
    return reproduce(STUDY, is_quick=request.param)


@pytest.mark.slow
def test_verdicts_are_as_expected(reproduction: Reproduction) -> None:
    known = EXPECTED["verdicts"]["quick" if reproduction.is_quick else "whole"]
    assert reproduction.judged(Verdict.REPRODUCED) == known["reproduced"]
    assert reproduction.judged(Verdict.IN_PART) == known["in_part"]


@pytest.mark.slow
def test_every_figure_is_drawn(reproduction: Reproduction) -> None:
    assert all(drawn.content is not None for drawn in reproduction.exhibits)


@pytest.mark.slow
def test_the_knee_of_tcp_is_where_link_and_buffer_are_full(reproduction: Reproduction) -> None:
    before, after = knee(third(reproduction.measured, LARGE))
    assert before >= LIGHT
    assert KNEE[0] <= after <= KNEE[1]


@pytest.mark.slow
def test_the_short_case_may_be_lossless_as_far_as_in_the_paper(reproduction: Reproduction) -> None:
    for resent in RETRANSMISSIONS:
        plain, shaped = (
            curve(reproduction.measured["short"], resent=resent, shaping=shaping)
            for shaping in (UNSHAPED, SHAPED)
        )
        light = up_to(beyond(plain, 10), TEN_KM_LOAD)
        assert sum(map(clean_runs, light.values())) > 0
        assert not any(map(clean_runs, beyond(plain, 80).values()))
        assert average(efficiency, shaped["20 Mbit/s"]) < SPOILED


@pytest.mark.slow
def test_unshaped_the_third_connection_is_worst(reproduction: Reproduction) -> None:
    plain = lossy(tcp(reproduction.measured, UNSHAPED))
    for metric in ("goodput", "efficiency"):
        first, second, third_one = over_loads(metric, plain)
        assert third_one < min(first, second)


@pytest.mark.slow
def test_shaping_makes_the_parking_lot_fair(reproduction: Reproduction) -> None:
    if reproduction.is_quick:
        pytest.skip("three seconds are too short for a tenth of the mean")
    shaped = lossy(tcp(reproduction.measured, SHAPED))
    checks = [check for load, point in shaped.items() for check in equal(point, load)]
    known = over_loads("goodput", shaped)
    assert max(known) - min(known) <= EQUAL * mean(known)
    parked, single = one_link(reproduction.measured)
    checks += [within(load, relative_gain(parked[load], single[load]), SAME) for load in parked]
    assert not [check.what for check in checks if check.is_decided and not check.holds]
