"""Bounds on the results: small runs in every test run, the whole study in the slow tests."""

from __future__ import annotations

from typing import Any

import pytest

import cellrelay
from cellrelay.results import PointResult
from cellrelay.studies import average, find
from cellrelay.studies.published.pfc_or_cbfc.links import (
    CELL,
    EXIT,
    FASTER,
    FRAME,
    LINK,
    LOAD,
    PAUSE_FRAME,
    PAUSES,
    SPACING,
    UPDATE,
    XOFF,
    both_ways,
    cable,
    carried,
    control,
    credited,
    headroom,
    lost,
    paused,
    window,
)
from cellrelay.studies.reproduce import Reproduction

STUDY = find("pfc-or-cbfc")


def run(settings: dict[str, Any], runs: int = 4) -> PointResult:
    """Runs of one link, without the axis of the file."""
    file = STUDY.folder / "link.toml"
    (point,) = cellrelay.run(file, {"sweep": "{}", **settings}, replications=runs).points
    return point


@pytest.mark.parametrize("metres", [40, 300])
@pytest.mark.parametrize("octets", [FRAME, 4 * FRAME])
def test_credits_below_a_round_trip_carry_their_octets_in_each(metres: int, octets: int) -> None:
    point = run({**credited(octets), **cable(metres), EXIT: FASTER, LOAD: "396 Gbit/s"})
    least = FRAME + FRAME / 2 + both_ways(metres)
    most = least + SPACING + UPDATE + FRAME + PAUSE_FRAME
    assert octets / most <= average(carried, point) <= octets / least


def test_the_window_carries_as_much_as_a_link_without_credits() -> None:
    free, full, half = (
        average(carried, run({**link, EXIT: "400 Gbit/s", LOAD: "396 Gbit/s"}))
        for link in ({}, credited(window()), credited(window() // 2))
    )
    assert full == pytest.approx(free, abs=1e-3)
    assert half < 0.98 * free


@pytest.mark.parametrize("name", PAUSES)
@pytest.mark.parametrize("metres", [5, 100])
def test_the_headroom_is_enough_and_half_of_it_is_not(name: str, metres: int) -> None:
    room = headroom(PAUSES[name], metres)
    congested = {**cable(metres), EXIT: "25 Gbit/s"}
    assert not any(lost(run({**paused(name, XOFF, room), **congested}, 20)))
    assert any(lost(run({**paused(name, XOFF, room // 2), **congested}, 20)))


def test_messages_of_credits_take_at_most_what_their_spacing_allows() -> None:
    point = run({**credited(window()), LOAD: "396 Gbit/s"})
    # A CC_Update every 256 us, of which a run has at most one in 200 us.
    most = UPDATE / SPACING + PAUSE_FRAME / (200e-6 * 400e9 / 8)
    assert 0.5 * most < average(control, point) <= most


def test_no_credits_are_used_beyond_the_limit() -> None:
    point = run({**credited(window()), EXIT: "25 Gbit/s"})
    assert set(point.samples("max_credits_used", LINK)) == {window() / CELL}


def test_the_link_of_the_file_loses_nothing_either_way() -> None:
    for point in cellrelay.run(STUDY.folder / "link.toml", replications=2).points:
        assert not any(lost(point))


@pytest.mark.slow
def test_no_credits_lose_a_packet(reproduction: Reproduction) -> None:
    for results in reproduction.measured.values():
        for point in results.points:
            if point.samples("max_credits_used", LINK):
                assert not any(lost(point))
