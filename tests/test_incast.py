"""Synchronised reads as in ns-2, whose record is benches/peers/incast.csv."""

from __future__ import annotations

from collections import defaultdict

import pytest
from benches.incast import CONTROLS, COURSES, SECONDS, Course, Measured, in_ns, on_record, scenario

import cellrelay
from cellrelay.statistics import half_width, mean

from .debian import require

RECORD = dict(on_record())
SAME = 0.001
"""Largest relative difference where both simulators drop the same packets."""
CLOSE = 0.05
"""Largest relative difference of means over the sets of delays, beyond the interval of the paired
differences."""
CHECKED = Course("Reno", 64, 0)


def here(course: Course) -> Measured:
    """The results of cellrelay."""
    results = cellrelay.run(cellrelay.parse(scenario(course), "incast.toml"), replications=1)
    flows = [f"flow part{server}" for server in range(course.servers)]
    octets = sum(results.estimate("octets_delivered", flow).mean for flow in flows)
    timeouts = sum(results.estimate("timeouts", flow).mean for flow in flows)
    return Measured(octets * 8e-6 / SECONDS, timeouts)


def test_the_record_has_every_course() -> None:
    assert list(RECORD) == COURSES


@pytest.mark.parametrize("control", CONTROLS)
def test_four_servers_are_read_as_in_ns_whatever_the_delays(control: str) -> None:
    """Whether the port can hold the answers of four servers depends on the delays of their links:
    a Reno that loses a packet of each block reads a twentieth of the others."""
    for course, theirs in RECORD.items():
        if (course.control, course.servers) == (control, 4):
            ours = here(course)
            assert ours.goodput == pytest.approx(theirs.goodput, rel=SAME), course
            assert ours.timeouts == theirs.timeouts


@pytest.mark.slow
@pytest.mark.parametrize("control", CONTROLS)
def test_many_servers_are_read_as_in_ns_in_the_mean(control: str) -> None:
    pairs = defaultdict(list)
    for course, theirs in RECORD.items():
        if course.control == control:
            pairs[course.servers].append((here(course).goodput, theirs.goodput))
    for servers, goodputs in pairs.items():
        ours, theirs_too = (mean(side) for side in zip(*goodputs, strict=True))
        apart = half_width([mine - other for mine, other in goodputs])
        assert ours == pytest.approx(theirs_too, abs=CLOSE * theirs_too + apart), servers


@pytest.mark.slow
def test_ns_reads_what_the_record_says() -> None:
    require("ns", package="ns2")
    assert in_ns(CHECKED) == pytest.approx(RECORD[CHECKED], rel=1e-5)
