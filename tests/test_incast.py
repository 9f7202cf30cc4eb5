"""Synchronised reads as in ns-2, whose record is benches/peers/incast.csv."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from benches.incast import (
    CONTROLS,
    COURSES,
    LATE,
    SECONDS,
    SERVERS,
    Course,
    Measured,
    in_ns,
    on_record,
    scenario,
)

import cellrelay
from cellrelay.statistics import estimate, mean

from .beside import assert_on_page, assert_says
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


def test_the_page_says_what_windows_that_are_not_used_cost() -> None:
    course = Course("Newreno", 8, 0)
    kept = here(course, scenario(course).replace('"grows"', '"kept"'))
    words = f"read {kept.goodput:.0f} Mbit/s by NewReno in place of {RECORD[course].goodput:.0f}"
    assert_says(words, TABLE)


TABLE = Path(__file__).parents[1] / "studies/phanishayee/README.md"
NAMES = {"Reno": "Reno", "Newreno": "NewReno", "Sack1": "SACK"}


@pytest.fixture(scope="module")
def ours() -> dict[Course, Measured]:
    """The results of cellrelay on every course."""
    return {course: here(course) for course in COURSES}


@pytest.mark.slow
def test_any_number_of_servers_is_read_as_in_ns(ours: dict[Course, Measured]) -> None:
    for course, theirs in RECORD.items():
        if course == PARTED:
            assert ours[course].goodput == pytest.approx(theirs.goodput, rel=CLOSE)
        else:
            assert ours[course].goodput == pytest.approx(theirs.goodput, rel=SAME), course
            assert ours[course].timeouts == theirs.timeouts, course


@pytest.mark.slow
def test_the_pages_compare_the_two(ours: dict[Course, Measured]) -> None:
    rows = []
    for control, servers in product(CONTROLS, SERVERS):
        courses = [one for one in COURSES if (one.control, one.servers) == (control, servers)]
        both = [[results[course] for course in courses] for results in (RECORD, ours)]
        goodputs = [estimate([one.goodput for one in ones]) for ones in both]
        timeouts = [f"{mean([one.timeouts for one in ones]):.0f}" for ones in both]
        ratio = f"{goodputs[1].mean / goodputs[0].mean:.4f}"
        rows.append([NAMES[control], str(servers), *map(str, goodputs), ratio, *timeouts])
    assert_on_page(rows, TABLE)
    same = [course for course in COURSES if ours[course].timeouts == RECORD[course].timeouts]
    most = max(abs(ours[course].goodput / RECORD[course].goodput - 1) for course in same)
    agreement = (
        f"as many timeouts in {len(same)} networks, and goodput there within {100 * most:.2f} %"
    )
    subject = "Synchronised reads by Reno, NewReno and SACK"
    assert_on_page([[subject, "ns-2", str(len(COURSES)), agreement]])


def test_the_table_shows_the_record() -> None:
    """The columns of ns-2 alone, which need no run."""
    text = TABLE.read_text(encoding="utf-8")
    for control, servers in product(CONTROLS, SERVERS):
        goodputs = [
            theirs.goodput
            for course, theirs in RECORD.items()
            if (course.control, course.servers) == (control, servers)
        ]
        assert f"| {NAMES[control]} | {servers} | {estimate(goodputs)} | " in text


@pytest.mark.slow
@pytest.mark.parametrize("course", CHECKED)
def test_ns_reads_what_the_record_says(course: Course) -> None:
    require("ns", package="ns2")
    assert in_ns(course) == pytest.approx(RECORD[course], rel=1e-5)
