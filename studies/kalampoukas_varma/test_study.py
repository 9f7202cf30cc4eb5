"""The study comes out as `expected.toml` says; a small part of it always, all of it slowly."""

from __future__ import annotations

import math
import tomllib
from dataclasses import replace

import pytest

from cellrelay.errors import ScenarioError
from cellrelay.scenario import Replications
from cellrelay.statistics import mean
from cellrelay.studies import Verdict, average, find
from cellrelay.studies.claim import Measured
from cellrelay.studies.published.kalampoukas_varma import experiments, networks, schemes
from cellrelay.studies.published.kalampoukas_varma.comparison import (
    ALIKE,
    STARVED,
    UNACCEPTABLE,
    credit,
)
from cellrelay.studies.published.kalampoukas_varma.measures import (
    IN_CELLS,
    by_buffer,
    carried,
    fairness,
    members,
    ratio,
    refused,
    resent,
)
from cellrelay.studies.reproduce import Reproduction, reproduce

STUDY = find("kalampoukas-varma")
EXPECTED = tomllib.loads((STUDY.folder / "expected.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def small() -> Measured:
    chosen = [one for one in STUDY.experiments if one.name in ("buffers", "credits")]
    twice = [replace(one, quick_replications=Replications.exactly(2)) for one in chosen]
    return reproduce(replace(STUDY, experiments=twice, figures=[], claims=[]), True).measured


def check_credits(measured: Measured) -> None:
    point = credit(measured)
    assert max(refused(point)) == 0.0
    assert max(resent(point)) == 0.0
    assert abs(average(ratio, point) - 1.0) <= ALIKE
    assert EXPECTED["credits"]["carried_at_least"] <= average(carried, point) / IN_CELLS <= 1.0


def check_fairest(measured: Measured) -> None:
    """In each replication: those of no other scheme come near, so that no interval is needed."""
    least = min(fairness(credit(measured))) - EXPECTED["credits"]["fairer_by"]
    for name in experiments.BUFFERED:
        for buffer, point in by_buffer(measured["buffers"], name).items():
            assert max(fairness(point)) <= least, (name, buffer)


def check_between(measured: Measured) -> None:
    """What EPD carries; in who gets it, it is not between the two others with small buffers."""
    plain, early, whole = (by_buffer(measured["buffers"], name) for name in experiments.BUFFERED)
    for buffer in EXPECTED["between"]["buffers"]:
        known = [average(carried, curve[buffer]) for curve in (plain, early, whole)]
        assert known == sorted(known), (buffer, known)


def check_early(measured: Measured) -> None:
    point = by_buffer(measured["buffers"], schemes.EPD)[experiments.SMALLEST]
    assert average(carried, point) <= UNACCEPTABLE * average(carried, credit(measured))
    shares = ratio(point)
    assert not any(map(math.isnan, shares)), "a short connection has got nothing at all"
    assert mean(shares) <= STARVED


def check_plain(measured: Measured) -> None:
    for buffer, point in by_buffer(measured["buffers"], schemes.PLAIN).items():
        assert average(ratio, point) <= EXPECTED["plain"]["ratio_at_most"], buffer


def test_credits_lose_nothing_and_share_alike(small: Measured) -> None:
    check_credits(small)


def test_credits_are_fairest_whatever_the_buffers_of_others(small: Measured) -> None:
    check_fairest(small)


def test_early_packet_discard_carries_more_than_plain_atm_and_less_than_gateways(
    small: Measured,
) -> None:
    check_between(small)


def test_early_packet_discard_needs_buffers(small: Measured) -> None:
    check_early(small)


def test_plain_atm_is_unfair(small: Measured) -> None:
    check_plain(small)


def test_gateways_carry_more_than_cells_can(small: Measured) -> None:
    point = by_buffer(small["buffers"], schemes.DATAGRAM)[experiments.LARGEST]
    assert average(carried, point) > IN_CELLS
    assert max(refused(point)) == 0.0


def test_every_point_of_the_sweep_is_a_scenario() -> None:
    for experiment in STUDY.experiments:
        for is_quick in (True, False):
            scenario = experiment.scenario(STUDY.folder, is_quick)
            assert all(scenario.point(index).key for index in range(len(scenario.points)))


def longest(name: str) -> str:
    """The scenario in which long connections pass ten links with a scheme, every default filled."""
    (experiment,) = (one for one in STUDY.experiments if one.name == "links")
    scenario = experiment.scenario(STUDY.folder, False)
    wanted = {"case": experiments.case(name, 10)}
    return scenario.point(scenario.points.index(wanted)).resolved


@pytest.mark.parametrize("name", experiments.SCHEMES)
def test_what_makes_a_chain_longer_is_like_what_the_file_has(name: str) -> None:
    tables = tomllib.loads(longest(name))
    assert len(tables["switch"]) == 11
    first, last = dict(tables["flow"]["short1"]), dict(tables["flow"]["short10"])
    assert (first.pop("from"), first.pop("to")) == ("short1", "near1")
    assert (last.pop("from"), last.pop("to")) == ("short10", "near10")
    assert first == last
    assert tables["switch"]["s2"] == tables["switch"]["s10"]
    for kind in ("trunk", "short", "near"):
        here, there = (tables["link"][f"{kind}{number}"] for number in (1, 10))
        assert here.pop("between") != there.pop("between")
        assert here == there


def test_a_buffer_holds_exactly_what_credits_promise() -> None:
    (experiment,) = (one for one in STUDY.experiments if one.name == "credits")
    settings = dict(experiment.settings)
    room = schemes.promised()
    for cells, fits in ((room, True), (room - 1, False)):
        sweep = {"scheme": {schemes.CREDITS: {**schemes.credit(), **schemes.buffers(cells)}}}
        changed = replace(experiment, sweep=sweep, settings=settings)
        if fits:
            assert changed.scenario(STUDY.folder, False).point(0).key
        else:
            with pytest.raises(ScenarioError, match=f'at least `"{room} cells"`'):
                changed.scenario(STUDY.folder, False).point(0)


def test_every_connection_is_counted_once(small: Measured) -> None:
    point = credit(small)
    names = [*members(point, (networks.LONG,)), *members(point, networks.SHORT)]
    assert len(names) == len(set(names)) == networks.connections(networks.EACH)


@pytest.fixture(scope="module", params=[True, False], ids=["quick", "whole"])
def reproduction(request: pytest.FixtureRequest) -> Reproduction:
    return reproduce(STUDY, is_quick=request.param)


@pytest.mark.slow
def test_verdicts_are_as_expected(reproduction: Reproduction) -> None:
    assert reproduction.judged(Verdict.REPRODUCED) == EXPECTED["verdicts"]["reproduced"]
    assert reproduction.judged(Verdict.IN_PART) == EXPECTED["verdicts"]["in_part"]


@pytest.mark.slow
def test_every_figure_is_drawn(reproduction: Reproduction) -> None:
    assert all(drawn.content is not None for drawn in reproduction.exhibits)


@pytest.mark.slow
def test_schemes_are_in_the_order_of_the_paper(reproduction: Reproduction) -> None:
    check_credits(reproduction.measured)
    check_fairest(reproduction.measured)
    check_between(reproduction.measured)
    check_early(reproduction.measured)
    check_plain(reproduction.measured)
