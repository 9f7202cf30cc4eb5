"""Bounds on results: a part of the study in every test run, all of it in the slow tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cellrelay.scenario import Replications
from cellrelay.studies import Measured, average, find
from cellrelay.studies.published.phanishayee.reads import (
    CAPACITY,
    PACKET,
    by_servers,
    goodput,
    idle,
    onset,
    retransmitted,
    room,
)
from cellrelay.studies.reproduce import Reproduction, reproduce

STUDY = find("phanishayee")


@pytest.fixture(scope="module")
def small() -> Measured:
    brief = replace(
        STUDY.experiment("collapse"),
        quick={"duration": "1 s"},
        quick_replications=Replications.exactly(2),
    )
    return reproduce(replace(STUDY, experiments=[brief], figures=[], claims=[]), True).measured


def test_two_servers_read_at_the_rate_of_the_link(small: Measured) -> None:
    assert average(goodput, by_servers(small["collapse"])[2]) == pytest.approx(
        CAPACITY * 1000 / PACKET, rel=0.05
    )


def test_eight_servers_wait_for_timers(small: Measured) -> None:
    point = by_servers(small["collapse"])[8]
    assert average(goodput, point) < CAPACITY / 10
    assert average(idle, point) > 0.9
    assert 0.01 < average(retransmitted, point) < 0.05


def test_a_port_of_64_packets_has_room_for_63_beside_the_one_being_sent() -> None:
    assert room(64) == "65520 B"


@pytest.mark.slow
def test_a_port_serves_as_many_servers_as_it_holds_windows(reproduction: Reproduction) -> None:
    """A port and the path, of a dozen packets, hold (packets + 12) / 20 windows of 20 packets."""
    buffers = reproduction.measured["buffers"]
    packets = {f"{number} packets": number for number in (32, 64, 128, 256, 512)}
    for name in buffers.values("buffer"):
        held = (packets[name] + 12) / 20
        assert 0.7 * held <= onset(buffers, buffer=name) <= 1.2 * held
