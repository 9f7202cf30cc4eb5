"""Bounds on the results: a part of the study in every test run, all of it in the slow tests."""

from __future__ import annotations

import math
import tomllib
from dataclasses import replace
from importlib import import_module

import pytest

from cellrelay.errors import ScenarioError
from cellrelay.scenario import Replications
from cellrelay.statistics import mean
from cellrelay.studies import Measured, average, find
from cellrelay.studies.published.kalampoukas_varma import networks, schemes, variants
from cellrelay.studies.published.kalampoukas_varma.measures import (
    IN_CELLS,
    IN_PACKETS,
    by_buffer,
    carried,
    fairness,
    filled,
    members,
    ratio,
    refused,
    resent,
    with_credits,
)
from cellrelay.studies.reproduce import Reproduction, reproduce

STUDY = find("kalampoukas-varma")
SHARES = import_module("cellrelay.studies.published.kalampoukas_varma.10_shares")
FAIRER_BY = 0.09
"""Least difference of Jain's index between credits and any other scheme at any buffer."""
ALIKE = 0.05
"""Largest distance from one of the ratio of long to short with credits."""
PLAIN_RATIO = 0.25
"""Largest ratio of long to short with plain ATM; the claim requires less than a half."""


@pytest.fixture(scope="module")
def small() -> Measured:
    chosen = [one for one in STUDY.experiments if one.name in ("buffers", "credits")]
    twice = [replace(one, quick_replications=Replications.exactly(2)) for one in chosen]
    return reproduce(replace(STUDY, experiments=twice, figures=[], claims=[]), True).measured


def check_credits(measured: Measured) -> None:
    point = with_credits(measured["credits"])
    assert max(refused(point)) == 0.0
    assert max(resent(point)) == 0.0
    assert abs(average(ratio, point) - 1.0) <= ALIKE
    assert 0.99 <= average(carried, point) / IN_CELLS <= 1.0


def check_fairest(measured: Measured) -> None:
    """In each replication credits are far ahead of every other scheme: no interval is needed."""
    least = min(fairness(with_credits(measured["credits"]))) - FAIRER_BY
    for name in variants.BUFFERED:
        for buffer, point in by_buffer(measured["buffers"], name).items():
            assert max(fairness(point)) <= least, (name, buffer)


def check_between(measured: Measured) -> None:
    """EPD carries more than plain ATM and less than gateways, whatever its fairness."""
    plain, early, whole = (by_buffer(measured["buffers"], name) for name in variants.BUFFERED)
    for buffer in ("1000 cells", "2000 cells", "4000 cells"):
        known = [average(carried, curve[buffer]) for curve in (plain, early, whole)]
        assert known == sorted(known), (buffer, known)


def check_early(measured: Measured) -> None:
    point = by_buffer(measured["buffers"], schemes.EPD)[variants.SMALLEST]
    assert average(carried, point) <= SHARES.UNACCEPTABLE * average(
        carried, with_credits(measured["credits"])
    )
    shares = ratio(point)
    assert not any(map(math.isnan, shares)), "a short connection has got nothing at all"
    assert mean(shares) <= SHARES.STARVED


def check_plain(measured: Measured) -> None:
    for buffer, point in by_buffer(measured["buffers"], schemes.PLAIN).items():
        assert average(ratio, point) <= PLAIN_RATIO, buffer


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
    point = by_buffer(small["buffers"], schemes.DATAGRAM)[variants.LARGEST]
    assert average(carried, point) > IN_CELLS
    assert max(refused(point)) == 0.0


def test_shares_of_links_are_those_of_the_largest_goodput(small: Measured) -> None:
    """Two ways to exclude the headers of cells and packets from the comparison."""
    in_cells, in_packets = (
        with_credits(small["credits"]),
        by_buffer(small["buffers"], schemes.DATAGRAM)[variants.LARGEST],
    )
    for point, most in ((in_cells, IN_CELLS), (in_packets, IN_PACKETS)):
        assert average(filled, point) == pytest.approx(average(carried, point) / most, abs=2e-3)


def longest(name: str) -> str:
    """The scenario in which long connections pass ten links with a scheme, every default filled."""
    experiment = STUDY.experiment("links")
    scenario = experiment.scenario(STUDY.folder, False)
    wanted = {"case": variants.case(name, 10)}
    return scenario.point(scenario.points.index(wanted)).resolved


@pytest.mark.parametrize("name", variants.SCHEMES)
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
    experiment = STUDY.experiment("credits")
    settings = dict(experiment.settings)
    room = schemes.promised()
    for cells, fits in ((room, True), (room - 1, False)):
        sweep = {"scheme": {schemes.CREDITS: {**schemes.credit(), **schemes.buffered(cells)}}}
        changed = replace(experiment, sweep=sweep, settings=settings)
        if fits:
            assert changed.scenario(STUDY.folder, False).point(0).key
        else:
            with pytest.raises(ScenarioError, match=f'at least `"{room} cells"`'):
                changed.scenario(STUDY.folder, False).point(0)


def test_every_connection_is_counted_once(small: Measured) -> None:
    point = with_credits(small["credits"])
    names = [*members(point, (networks.LONG,)), *members(point, networks.SHORT)]
    assert len(names) == len(set(names)) == networks.all_connections(networks.EACH)


@pytest.mark.slow
def test_schemes_are_in_the_order_of_the_paper(reproduction: Reproduction) -> None:
    check_credits(reproduction.measured)
    check_fairest(reproduction.measured)
    check_between(reproduction.measured)
    check_early(reproduction.measured)
    check_plain(reproduction.measured)


@pytest.mark.slow
def test_what_the_abstract_says_needs_a_threshold_above_half_of_the_buffer(
    reproduction: Reproduction,
) -> None:
    buffers, thresholds = (reproduction.measured[name] for name in ("buffers", "thresholds"))
    failing = {
        name: [
            check.what
            for check in SHARES.between(buffers, by_buffer(thresholds, name))
            if not check.holds
        ]
        for name in schemes.THRESHOLDS
    }
    assert failing[schemes.HALF]
    assert not failing[schemes.TWO_FREE]
