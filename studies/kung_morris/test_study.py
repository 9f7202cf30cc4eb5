"""Bounds on the results: a part of the study in every test run, all of it in the slow tests."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from itertools import pairwise

import pytest

from cellrelay.scenario import Replications
from cellrelay.studies import Experiment, Measured, Verdict, average, find
from cellrelay.studies.published.kung_morris import one_tcp
from cellrelay.studies.published.kung_morris.fluid import fill
from cellrelay.studies.published.kung_morris.measures import (
    by_sender,
    cliff,
    damaged,
    grid,
    pause,
    share,
    timeouts_of_event,
)
from cellrelay.studies.reproduce import Reproduction, reproduce

STUDY = find("kung-morris")
PAUSES = import_module("cellrelay.studies.published.kung_morris.20_pauses")
SENDERS = import_module("cellrelay.studies.published.kung_morris.60_senders").SENDERS
PLACE = one_tcp.LARGEST, one_tcp.PAPER_BUFFER


def brief(experiment: Experiment) -> Experiment:
    """Two short runs with the largest packets, at buffers on both sides of the cliff."""
    size = one_tcp.LARGEST
    is_named = "packet" in experiment.sweep
    largest = {"packet": {size: one_tcp.EARLY[size]}} if is_named else {one_tcp.PACKET: [size]}
    return replace(
        experiment,
        quick={"duration": "12 s", "warm_up": "3 s"},
        quick_sweep={**largest, one_tcp.BUFFER: ("48 KiB", "56 KiB")},
        quick_replications=Replications.exactly(2),
    )


@pytest.fixture(scope="module")
def small() -> Measured:
    chosen = ("plain", "partial", "early", "whole", "senders")
    wanted = [brief(one) for one in STUDY.experiments if one.name in chosen]
    return reproduce(replace(STUDY, experiments=wanted, figures=[], claims=[]), True).measured


@pytest.mark.parametrize("name", ["plain", "partial"])
def test_one_buffer_leaves_the_link_idle_and_the_next_keeps_it_busy(
    small: Measured, name: str
) -> None:
    points = grid(small[name])
    assert average(share, points[PLACE]) <= 0.1
    assert average(share, points[one_tcp.LARGEST, "56 KiB"]) >= 0.9


def test_a_connection_pauses_for_as_long_as_in_the_paper(small: Measured) -> None:
    assert 1.3 <= average(pause, grid(small["plain"])[PLACE]) <= 1.6


def test_cells_damage_two_packets_where_a_router_loses_one(small: Measured) -> None:
    plain, whole, early = (grid(small[name])[PLACE] for name in ("plain", "whole", "early"))
    assert average(damaged, plain) >= 1.5
    assert average(damaged, whole) <= 1.25
    assert average(damaged, early) <= 1.25
    assert average(timeouts_of_event, whole) < average(timeouts_of_event, plain)


@pytest.mark.parametrize("sender", SENDERS)
def test_better_senders_keep_the_link_busy_with_partial_packet_discard(
    small: Measured, sender: str
) -> None:
    point = by_sender(small["senders"], sender, "partial packet discard")[PLACE]
    assert average(share, point) >= 0.9


@pytest.mark.parametrize("policy", ["unlimited", "plain", "PPD", "EPD"])
def test_a_fluid_is_stored_lost_or_gone(policy: str) -> None:
    starts = [Fraction(0), Fraction(1, 3), Fraction(2, 3), Fraction(4), Fraction(13, 3)]
    filling = fill(policy, Fraction(3, 2), starts)
    end, left = filling.corners[-1]
    segments = pairwise(filling.corners)
    served = sum(after - before for (before, low), (after, high) in segments if low or high)
    assert len(starts) == served + left + sum(filling.lost.values())
    assert end == Fraction(14, 3)


def test_the_sketch_loses_in_cells_what_the_fluid_loses() -> None:
    part = replace(STUDY, experiments=[STUDY.experiment("sketch")], figures=[], claims=[])
    outcome = STUDY.claim("002-8").outcome(reproduce(part, True).measured)
    assert outcome.verdict is Verdict.REPRODUCED


@pytest.mark.slow
@pytest.mark.parametrize("name", ["plain", "partial"])
def test_every_packet_size_has_its_cliff(reproduction: Reproduction, name: str) -> None:
    for size in one_tcp.SIZES:
        edge = cliff(grid(reproduction.measured[name]), size)
        # Windows in packets of 512 B take 71 KB of cells.
        assert 48 < edge <= (72 if size == "512 B" else 64), size


@pytest.mark.slow
def test_pauses_are_those_of_the_paper(reproduction: Reproduction) -> None:
    points = grid(reproduction.measured["plain"])
    for size in one_tcp.SIZES:
        mean = average(pause, points[size, one_tcp.PAPER_BUFFER])
        assert 1.3 <= mean <= 1.6, size


@pytest.mark.slow
def test_a_timeout_that_never_doubles_makes_every_pause_as_long(
    reproduction: Reproduction,
) -> None:
    """Mean pauses are longer only because timeouts double."""
    for place, point in grid(reproduction.measured["undoubled"]).items():
        assert abs(average(pause, point) - PAUSES.PAUSE) <= PAUSES.TICK / 2, place


@pytest.mark.slow
def test_an_orbit_is_left_if_hosts_are_more_exact(reproduction: Reproduction) -> None:
    """With less jitter partial packet discard has a good point, which quick looks lack."""
    if reproduction.is_quick:
        pytest.skip("a quick look has no buffer of 24 KB")
    place = "4352 B", "24 KiB"
    less, as_chosen = (grid(reproduction.measured[name])[place] for name in ("less", "partial"))
    assert average(share, less) >= 0.5
    assert max(share(as_chosen)) <= 0.2


@pytest.mark.slow
def test_what_recovers_recovers(reproduction: Reproduction) -> None:
    measured = reproduction.measured
    linear = grid(measured["growth"], growth=one_tcp.LINEAR)
    assert average(share, grid(measured["plain"])[PLACE]) <= 0.1
    assert average(share, grid(measured["partial"])[PLACE]) <= 0.1
    assert average(share, grid(measured["early"])[PLACE]) >= 0.5
    assert average(share, linear[PLACE]) >= 0.9
    for sender in SENDERS:
        points = by_sender(measured["senders"], sender, "partial packet discard")
        for size in one_tcp.SIZES:
            place = size, one_tcp.PAPER_BUFFER
            assert average(share, points[place]) >= 0.9, (sender, size)
