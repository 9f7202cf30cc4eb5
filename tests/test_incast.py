"""Synchronised reads as in ns-2, whose record is benches/peers/incast.csv."""

from __future__ import annotations

import pytest
from benches.incast import (
    CONTROLS,
    COURSES,
    LATE,
    SECONDS,
    Course,
    Measured,
    in_ns,
    on_record,
    scenario,
)

import cellrelay

from .debian import require

RECORD = dict(on_record())
CHECKED = [Course("Reno", 64, 0), Course("Newreno", 8, 0)]
SAME = 0.002
"""Largest relative difference where both simulators drop the same packets: ns-2 counts data that is
acknowledged, cellrelay data that is delivered."""
PARTED = Course("Sack1", 32, 2)
"""A run in which a packet arrives within five nanoseconds of the instant at which the port gets
room: so far the two clocks have drifted apart, since one counts whole picoseconds."""
CLOSE = 0.01
"""Largest relative difference of goodput in a run that has parted."""


def here(course: Course, text: str = "") -> Measured:
    """The results of cellrelay, or of `text` in its place."""
    text = text or scenario(course)
    results = cellrelay.run(cellrelay.parse(text, "incast.toml"), replications=1)
    flows = [f"flow part{server}" for server in range(course.servers)]
    octets = sum(results.estimate("octets_delivered", flow).mean for flow in flows)
    timeouts = sum(results.estimate("timeouts", flow).mean for flow in flows)
    return Measured(octets * 8e-6 / SECONDS, timeouts)


def test_the_record_has_every_course() -> None:
    assert list(RECORD) == COURSES


@pytest.mark.parametrize(
    "control",
    [
        control if control == "Reno" else pytest.param(control, marks=pytest.mark.slow)
        for control in CONTROLS
    ],
)
def test_four_servers_are_read_as_in_ns_whatever_the_delays(control: str) -> None:
    """Whether the port can hold the answers of four servers depends on the delays of their links:
    a Reno that loses a packet of each block reads a twentieth of the others."""
    for course, theirs in RECORD.items():
        if (course.control, course.servers) == (control, 4):
            ours = here(course)
            assert ours.goodput == pytest.approx(theirs.goodput, rel=SAME), course
            assert ours.timeouts == theirs.timeouts


def test_new_reno_differs_from_ns_only_by_duplicates_after_a_recovery() -> None:
    """In ns-2 they inflate the window after some recoveries, a bug by RFC 6582, section 6."""
    course = Course("Newreno", 8, 0)
    theirs = RECORD[course]
    ours = here(course)
    assert ours.goodput == pytest.approx(theirs.goodput, rel=SAME)
    assert ours.timeouts == theirs.timeouts
    as_standard = here(course, scenario(course).replace(LATE, 'late_duplicates = "ignored"'))
    assert as_standard.goodput < 0.9 * theirs.goodput


@pytest.mark.slow
@pytest.mark.parametrize("control", CONTROLS)
def test_many_servers_are_read_as_in_ns(control: str) -> None:
    for course, theirs in RECORD.items():
        if course.control == control and course.servers > 4:
            ours = here(course)
            if course == PARTED:
                assert ours.goodput == pytest.approx(theirs.goodput, rel=CLOSE)
            else:
                assert ours.goodput == pytest.approx(theirs.goodput, rel=SAME), course
                assert ours.timeouts == theirs.timeouts, course


@pytest.mark.slow
@pytest.mark.parametrize("course", CHECKED)
def test_ns_reads_what_the_record_says(course: Course) -> None:
    require("ns", package="ns2")
    assert in_ns(course) == pytest.approx(RECORD[course], rel=1e-5)
