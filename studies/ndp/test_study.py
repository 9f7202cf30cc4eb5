"""Bounds on the results: a part of the study in every test run, all of it in the slow tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cellrelay.scenario import Replications
from cellrelay.studies import Measured, average, find, of_network
from cellrelay.studies.published.ndp.data import LAST, NOTICES, RETURNED, SENDERS, WINDOWS
from cellrelay.studies.published.ndp.files import (
    BACK,
    FILE_TIME,
    FIRST,
    FIRST_THERE,
    HEADER_TIME,
    PACKET_TIME,
    ROUND_TRIP,
    notices_there,
    points,
    stretch,
    stretch_there,
    summed,
    sweep,
)
from cellrelay.studies.reproduce import Reproduction, reproduce

STUDY = find("ndp")
COUNTS = (1, 4, 32, 64)


@pytest.fixture(scope="module")
def small() -> Measured:
    brief = replace(
        STUDY.experiment("incast"),
        quick_sweep=sweep(COUNTS, (1, 10)),
        quick_replications=Replications.exactly(1),
    )
    return reproduce(replace(STUDY, experiments=[brief], figures=[], claims=[]), True).measured


def test_every_row_of_the_data_has_a_number_for_each_number_of_senders() -> None:
    for rows in (LAST, NOTICES, RETURNED):
        assert tuple(rows) == WINDOWS
        assert {len(row) for row in rows.values()} == {len(SENDERS)}


def test_a_single_packet_takes_a_round_trip_as_it_did_there() -> None:
    to_receiver = FIRST_THERE + PACKET_TIME
    assert pytest.approx(29 * ROUND_TRIP + to_receiver, abs=1e-9) == LAST[1][0]
    here = FIRST + PACKET_TIME + BACK + HEADER_TIME
    assert here == pytest.approx(ROUND_TRIP, abs=1e-10)


@pytest.mark.parametrize("count", [4, 32, 64])
def test_as_many_packets_are_sent_again_as_there(small: Measured, count: int) -> None:
    for window in (1, 10):
        again = average(summed("fast_retransmits"), points(small["incast"], window)[count])
        assert again == pytest.approx(notices_there(window, count), abs=1)


@pytest.mark.parametrize("count", COUNTS)
def test_the_last_file_arrives_within_a_round_trip_of_theirs(small: Measured, count: int) -> None:
    for window in (1, 10):
        found = average(stretch, points(small["incast"], window)[count])
        there = stretch_there(window, count)
        assert abs(found - there) * count * FILE_TIME < ROUND_TRIP
        assert found > 0.999


def test_without_lost_headers_each_trimmed_packet_is_asked_for_once(small: Measured) -> None:
    for window in (1, 10):
        for point in points(small["incast"], window).values():
            assert average(of_network("trimmed_dropped"), point) == 0
            trimmed = average(of_network("packets_trimmed"), point)
            assert average(summed("fast_retransmits"), point) == trimmed


@pytest.mark.slow
def test_lost_headers_wait_for_timers_and_nothing_else_does(reproduction: Reproduction) -> None:
    results = reproduction.measured["dropped"]
    for window in (10, 23):
        for point in points(results, window).values():
            lost = average(of_network("trimmed_dropped"), point)
            assert (average(summed("timeouts"), point) > 0) is (lost > 0)


@pytest.mark.slow
def test_no_packet_waits_for_a_timer_if_headers_are_returned(reproduction: Reproduction) -> None:
    results = reproduction.measured["incast"]
    for window in WINDOWS:
        for point in points(results, window).values():
            assert average(of_network("trimmed_dropped"), point) == 0
            assert average(summed("timeouts"), point) == 0
