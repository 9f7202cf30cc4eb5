"""Bounds on the results: a part of the study in every test run, all of it in the slow tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import dropwhile

import pytest

from cellrelay.results import PointResult
from cellrelay.statistics import mean
from cellrelay.studies import Measured, average, find, within
from cellrelay.studies.published.ajmone_marsan import loads
from cellrelay.studies.published.ajmone_marsan.measures import (
    LOSSLESS,
    PAYLOAD,
    beyond,
    by_load,
    clean_runs,
    efficiency,
    free,
    goodput,
    knee,
    lossy,
    one_link,
    over_loads,
    refused,
    relative_gain,
    third,
    up_to,
    xtp_by_load,
)
from cellrelay.studies.published.ajmone_marsan.transports import (
    GO_BACK_N,
    LARGE,
    RETRANSMISSIONS,
    SELECTIVE,
    SHAPED,
    SIZES,
    THIRD,
    TRIPLE,
    UNSHAPED,
)
from cellrelay.studies.reproduce import Reproduction, reproduce

STUDY = find("ajmone-marsan")
WINDOW, TEN_KM, PARKING = (
    import_module(f"cellrelay.studies.published.ajmone_marsan.{page}")
    for page in ("10_window", "40_ten_km", "50_parking_lot")
)
FAST: Mapping[str, Sequence[str]] = {
    "tcp-third": ("0 Mbit/s", "20 Mbit/s", "60 Mbit/s"),
    "tcp-triple": ("0 Mbit/s",),
    "xtp-1142": ("20 Mbit/s", "60 Mbit/s"),
    "short": ("30 Mbit/s", "50 Mbit/s"),
}
"""Background loads in every test run, by experiment."""


@pytest.fixture(scope="module")
def small() -> Measured:
    windows = {"tcp-third": THIRD, "tcp-triple": TRIPLE}
    chosen = [
        replace(
            one,
            quick_sweep={
                "load": loads.loads(FAST[one.name], loads.ONE_LINK),
                **(
                    {"size": {LARGE: loads.windowed(windows[one.name])[LARGE]}}
                    if one.name in windows
                    else {}
                ),
                "shaping": loads.shapings((UNSHAPED,)),
            },
            # Batches of runs that the study does not divide show when losses begin and end.
            quick=loads.QUICK,
        )
        for one in STUDY.experiments
        if one.name in FAST
    ]
    return reproduce(replace(STUDY, experiments=chosen, figures=[], claims=[]), True).measured


def lossless(point: PointResult) -> bool:
    return bool(average(efficiency, point) >= LOSSLESS)


def test_a_window_for_a_third_of_the_link_loses_nothing_at_low_loads(small: Measured) -> None:
    points = third(small["tcp-third"], LARGE)
    for load in ("0 Mbit/s", "20 Mbit/s"):
        assert lossless(points[load])
        assert average(refused, points[load]) == 0.0
        carried = average(goodput, points[load]) / free(loads.LOADS[load], PAYLOAD)
        assert 0.85 <= carried <= 1.0
    assert not lossless(points["60 Mbit/s"])


def test_three_times_the_window_loses_on_an_empty_link(small: Measured) -> None:
    point = WINDOW.triple(small["tcp-triple"], LARGE)["0 Mbit/s"]
    assert average(refused, point) > 0.0
    alone = third(small["tcp-third"], LARGE)["0 Mbit/s"]
    assert average(goodput, point) < 0.85 * average(goodput, alone)


def test_go_back_n_wastes_more_than_selective_retransmission(small: Measured) -> None:
    for resent in RETRANSMISSIONS:
        assert lossless(xtp_by_load(small["xtp-1142"], resent)["20 Mbit/s"])
    worse, better = (
        xtp_by_load(small["xtp-1142"], resent)["60 Mbit/s"] for resent in (GO_BACK_N, SELECTIVE)
    )
    assert average(efficiency, worse) < average(efficiency, better) - 0.2


@pytest.mark.parametrize("resent", RETRANSMISSIONS)
def test_handshakes_keep_a_short_network_free_of_loss(small: Measured, resent: str) -> None:
    """All runs make handshakes once they have losses; before that nothing slows the senders."""
    points = by_load(small["short"], resent=resent, shaping=UNSHAPED)
    of_batches = ("packet_loss_ratio", "port s1->s2")
    assert set(points["30 Mbit/s"].by_sample(*of_batches)) == {0.0}
    lost, size = points["50 Mbit/s"].by_sample(*of_batches), points["50 Mbit/s"].batches
    runs = [lost[start : start + size] for start in range(0, len(lost), size)]
    assert len(runs) > 1
    assert any(run[-1] == 0.0 for run in runs)
    for run in runs:
        clean = list(dropwhile(bool, run))
        assert not any(clean), run


def test_what_the_other_traffic_takes_is_what_is_asked_for(small: Measured) -> None:
    point = third(small["tcp-third"], LARGE)["20 Mbit/s"]
    share = sum(point.samples("background_share", "port s1->s2")) / len(point.samples("goodput"))
    assert share * loads.LINK == pytest.approx(20.0, rel=0.05)


@pytest.mark.slow
def test_the_knee_of_tcp_is_where_link_and_buffer_are_full(reproduction: Reproduction) -> None:
    before, after = knee(third(reproduction.measured["tcp-third"], LARGE))
    assert before >= WINDOW.LIGHT
    assert 30 <= after <= 55


@pytest.mark.slow
def test_the_short_case_may_be_lossless_as_far_as_in_the_paper(reproduction: Reproduction) -> None:
    for resent in RETRANSMISSIONS:
        plain, shaped = (
            by_load(reproduction.measured["short"], resent=resent, shaping=shaping)
            for shaping in (UNSHAPED, SHAPED)
        )
        light = up_to(beyond(plain, 10), TEN_KM.TEN_KM_LOAD)
        assert sum(map(clean_runs, light.values())) > 0
        assert not any(map(clean_runs, beyond(plain, 80).values()))
        assert average(efficiency, shaped["20 Mbit/s"]) < TEN_KM.SPOILED


@pytest.mark.slow
def test_next_to_the_knee_shaping_is_worth_two_bursts_of_buffer(reproduction: Reproduction) -> None:
    """Goodput shaped and unshaped differ at these loads because of bursts of 192 cells."""
    measured, load = reproduction.measured, "40 Mbit/s"
    shaped = [third(measured["tcp-third"], LARGE, SHAPED)[load]]
    shaped += [xtp_by_load(measured["xtp-9140"], one, SHAPED)[load] for one in RETRANSMISSIONS]
    roomy = [by_load(measured["room-tcp"])[load]]
    roomy += [by_load(measured["room-xtp"], resent=one)[load] for one in RETRANSMISSIONS]
    for smooth, bursts in zip(shaped, roomy, strict=True):
        assert average(goodput, bursts) == pytest.approx(average(goodput, smooth), rel=0.05)


@pytest.mark.slow
def test_three_shaped_sources_lose_nothing_only_at_a_third_each(reproduction: Reproduction) -> None:
    """Shaping is worth most where three times 50 Mbit/s just fill the link."""
    measured, load = reproduction.measured, "0 Mbit/s"
    for size in SIZES:
        exactly = by_load(measured["tcp-triple"], size=size, shaping=SHAPED)[load]
        above = by_load(measured["above-third"], size=size)[load]
        assert lossless(exactly)
        assert not lossless(above)
        assert average(goodput, above) < 0.85 * average(goodput, exactly)


@pytest.mark.slow
def test_the_further_apart_connections_start_the_more_runs_lose_nothing(
    reproduction: Reproduction,
) -> None:
    """Claim 003-10 fails at 50 Mbit/s because of the start times of the connections."""
    apart = reproduction.measured["apart"]
    clean = [
        sum(
            clean_runs(point)
            for resent in RETRANSMISSIONS
            for point in by_load(apart, resent=resent, start=span).values()
        )
        for span in apart.values("start")
    ]
    assert clean[0] < min(clean[1:])


@pytest.mark.slow
def test_unshaped_the_third_connection_is_worst(reproduction: Reproduction) -> None:
    plain = lossy(by_load(reproduction.measured["parking-tcp"], shaping=UNSHAPED))
    for metric in ("goodput", "efficiency"):
        first, second, third_one = over_loads(metric, plain)
        assert third_one < min(first, second)


@pytest.mark.slow
def test_shaping_makes_the_parking_lot_fair(reproduction: Reproduction) -> None:
    if reproduction.is_quick:
        pytest.skip("three seconds are too short for a tenth of the mean")
    measured = reproduction.measured
    shaped = lossy(by_load(measured["parking-tcp"], shaping=SHAPED))
    checks = [check for load, point in shaped.items() for check in PARKING.equal(point, load)]
    known = over_loads("goodput", shaped)
    assert max(known) - min(known) <= PARKING.EQUAL * mean(known)
    parked, single = one_link(measured["parking-tcp"], measured["tcp-like-parked"])
    checks += [
        within(load, relative_gain(parked[load], single[load]), PARKING.SAME) for load in parked
    ]
    assert not [check.what for check in checks if check.is_decided and not check.holds]
