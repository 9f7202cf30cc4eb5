"""Queues after a step of the rate of their link against those of ns-3.

The record of ns-3 is benches/peers/steps.csv. Members of the file `as_in_ns3.py` have rules of ns-3
that cellrelay has not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from benches.steps import ENDS, HIGH, LOW, PACKET, REPLICATIONS, STEP, Course, Measured, on_record

import cellrelay
from cellrelay import Simulation, members
from cellrelay.scenario import Scenario

from .beside import assert_on_page, assert_says, beyond, percent

QUEUES = {
    "CoDelQueueDisc": "discard.codel = {}",
    # ns-3 counts packets where RFC 8033 has twice MEAN_PKTSIZE: a queue of two loses none.
    "PieQueueDisc": 'discard.pie.mean_packet = "1500 B"',
    "FqCoDelQueueDisc": "discard.fq_codel = {}\nscheduler.flow_queue = {}",
    "none": "",
}

NETWORK = """\
title = "Flows through a queue whose link changes its rate"
duration = "{seconds} s"
warm_up = "{step} s"

[host.sender]
count = {flows}
[host.receiver]
[router.r]
buffer.per_output = "{room} B"
{queue}

[link.access]
between = ["sender", "r"]
rate = "1 Gbit/s"
[link.path]
between = ["r", "receiver"]
rate = "{before} bit/s"
rate_changes.steps.changes = [{{ at = "{step} s", rate = "{after} bit/s" }}]
delay = "{delay} us"

[flow.f]
from = "sender"
to = "receiver"
source.greedy.start.uniform = ["0 s", "{within} s"]
over.packet = {{}}

[flow.f.transport.tcp]
packet = "{packet} B"
window = "4 MiB"
window_scaling = true
initial_window = 10
acknowledge.every = {{}}
timers.rfc6298 = {{ min = "200 ms" }}
limited_transmit = {limited}
congestion.{control}
"""

SACK = 'sack = { growth = { at_ssthresh = "linear", increment = "exact" } }'
BBR = "bbr = {}"


def network(course: Course, queue: str, control: str) -> Scenario:
    """A course as a scenario, with this part of its router and this congestion control."""
    text = NETWORK.format(
        seconds=ENDS[-1] + 1,
        step=STEP,
        flows=course.flows,
        room=course.room * PACKET,
        queue=queue,
        before=course.before,
        after=course.after,
        delay=course.round_trip / 2 * 1e6,
        within=course.within,
        packet=PACKET,
        limited="false" if course.is_bbr else "true",
        control=control,
    )
    return cellrelay.parse(text, "steps.toml")


def one(scenario: Scenario, replication: int) -> list[float]:
    """A run: the shares of the phases, their queues, and the largest queue."""
    simulation = Simulation(scenario, replication=replication)
    used, waiting = [0.0], [0.0]
    largest = 0.0
    for end in ENDS:
        simulation.run_until(end)
        port = simulation.measure()["port r->receiver"]
        used.append(port["utilization"] * (end - STEP))
        waiting.append(port["mean_queue_octets"] / PACKET * (end - STEP))
        largest = port["max_queue_octets"] / PACKET
    spans = [end - begin for begin, end in pairwise((STEP, *ENDS))]
    phases = [
        (end - begin) / span
        for sums in (used, waiting)
        for (begin, end), span in zip(pairwise(sums), spans, strict=True)
    ]
    return [*phases, largest]


@cache
def ours(
    course: Course, queue: str = "", control: str = "", replications: int = REPLICATIONS
) -> Measured:
    """All replications of cellrelay, by default with its own rules."""
    control = control or (BBR if course.is_bbr else SACK)
    scenario = network(course, queue or QUEUES[course.queue], control)
    return Measured.of([one(scenario, number) for number in range(replications)])


def as_in_ns3(course: Course) -> Measured:
    """The same flows with the rules of ns-3 for its device, for waits, and for what a loss cuts."""
    unseen = PACKET * 8 / course.after * 1e3
    queues = {
        # What waits in the device adds to the wait that is measured, and to what is left behind.
        "CoDelQueueDisc": f"discard.codel.target = '{5 + unseen} ms'\n"
        f"discard.codel.max_packet = '{2 * PACKET} B'",
        "PieQueueDisc": "discard.pie_as_in_ns = {}",
        "FqCoDelQueueDisc": QUEUES["FqCoDelQueueDisc"],
    }
    return ours(course, queues[course.queue], "sack_of_pipe = {}")


SHARE, QUEUE = 0.003, 1.5
"""Differences of the shares, and of the queues in packets, beyond the intervals: those of
`test_aqm.py`, for the packet in the device of ns-3 and half a packet."""
ALIKE = 0.5
"""Difference of the queues where the device is counted here too: half a packet."""

Pair = tuple[Course, Measured, Measured]


@pytest.fixture(scope="module", autouse=True)
def rules() -> None:
    """Makes the rules of ns-3 members."""
    members.load(str(Path(__file__).with_name("as_in_ns3.py")))


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    """Every course with its results here and in ns-3."""
    return [(course, ours(course), theirs) for course, theirs in on_record()]


def apart(here: Measured, there: Measured) -> tuple[float, float]:
    """How far the shares, and the queues with the largest, differ beyond the intervals."""
    shares, queues = (
        max(
            beyond(one, other, within, around)
            for (one, within), (other, around) in zip(of(here), of(there), strict=True)
        )
        for of in (shares_of, queues_of)
    )
    return shares, queues


def shares_of(one: Measured) -> list[tuple[float, float]]:
    return list(zip(one.shares, one.shares_within, strict=True))


def queues_of(one: Measured) -> list[tuple[float, float]]:
    """The mean queues, and the largest."""
    return [*zip(one.queues, one.queues_within, strict=True), (one.largest, one.largest_within)]


def managed(pairs: list[Pair]) -> Iterator[Pair]:
    """The courses without BBR."""
    return (pair for pair in pairs if not pair[0].is_bbr)


def test_a_queue_answers_a_step_as_that_of_ns3_but_for_named_rules(pairs: list[Pair]) -> None:
    """Where a difference is beyond the bounds, the rules of ns-3 take it back within them."""
    differing = []
    for course, here, there in managed(pairs):
        share, queue = apart(here, there)
        if share > SHARE or queue > QUEUE:
            differing.append(course)
        share, queue = apart(as_in_ns3(course), there)
        assert share <= SHARE, course
        assert queue <= ALIKE, course
    assert_says(f"{len(differing)} of the 12 are further apart: " + ", ".join(map(name, differing)))


def test_what_a_loss_cuts_in_ns3_costs_a_part_of_the_link() -> None:
    """The page names this as a cause at 60 ms, for FQ-CoDel and CoDel."""
    course, there = recorded("FqCoDelQueueDisc", HIGH)
    here, cut = ours(course), as_in_ns3(course)
    assert apart(here, there)[0] > SHARE
    assert apart(cut, there)[0] == 0
    shares = [f"{100 * one.shares[0]:.1f}" for one in (here, cut)]
    assert_says(f"in the first second after a step up {shares[1]} % in place of {shares[0]} %")
    course, there = recorded("CoDelQueueDisc", LOW)
    here, cut = ours(course), ours(course, "", "sack_of_pipe = {}")
    assert here.shares[-1] > there.shares[-1] > cut.shares[-1]
    shares = [f"{100 * one.shares[-1]:.1f}" for one in (here, cut)]
    assert_says(f"of the last seconds at 60 ms uses {shares[1]} % in place of {shares[0]} %")


def test_the_device_and_the_wait_of_ns3_lengthen_the_queue_of_pie() -> None:
    """The page names both as causes: PIE at 60 ms, after a step down."""
    course, there = recorded("PieQueueDisc", LOW)
    here, alike = ours(course), ours(course, "discard.pie_as_in_ns = {}")
    assert there.queues[-1] - here.queues[-1] > 1
    assert abs(there.queues[-1] - alike.queues[-1]) < ALIKE
    queues = [f"{one.queues[-1]:.1f}" for one in (here, alike)]
    assert_says(f"of the last seconds at 60 ms is {queues[1]} packets in place of {queues[0]}")


def recorded(queue: str, after: int) -> tuple[Course, Measured]:
    """A step at 60 ms on record."""
    (found,) = [
        (course, there)
        for course, there in on_record()
        if (course.queue, course.round_trip, course.after) == (queue, 0.06, after)
    ]
    return found


def test_bbr_uses_as_much_after_a_step_and_queues_no_more_than_in_ns3(pairs: list[Pair]) -> None:
    for course, here, there in pairs:
        if course.is_bbr:
            assert apart(here, there)[0] <= SHARE, course
            both = zip(queues_of(here), queues_of(there), strict=True)
            for (queue, within), (longest, around) in both:
                assert queue - within <= longest + around, course


def test_the_estimate_of_ns3_accounts_for_most_of_its_queue_behind_bbr(pairs: list[Pair]) -> None:
    for course, here, there in pairs:
        if course.is_bbr:
            alike = ours(course, "", "bbr_of_segment_more = {}", 4).queues[-1]
            assert alike - here.queues[-1] > (there.queues[-1] - here.queues[-1]) / 2, course
            assert_says(f"| {course.room} | {direction(course)} | {alike:.1f} |")


def direction(course: Course) -> str:
    return "down" if course.after == LOW else "up"


def policy(course: Course) -> str:
    if course.is_bbr:
        return f"BBR, {course.room} packets"
    return course.queue.removesuffix("QueueDisc").replace("Fq", "FQ-").replace("Pie", "PIE")


def name(course: Course) -> str:
    return f"{policy(course)} {course.round_trip * 1e3:g} ms {direction(course)}"


def tables(pairs: list[Pair]) -> list[list[list[str]]]:
    """The rows of the table of shares, and of that of queues."""
    shares, queues = [], []
    for course, *both in pairs:
        head = [policy(course), f"{course.round_trip * 1e3:g} ms", direction(course)]
        shares.append(head + cells([shares_of(one) for one in both], 100))
        queues.append(head + cells([queues_of(one) for one in both], 1))
    return [shares, queues]


def cells(both: Sequence[Sequence[tuple[float, float]]], scale: int) -> list[str]:
    """Means and half-widths, with those of ns-3 beside those here."""
    pairs = zip(*both, strict=True)
    return [f"{scale * one:.1f} ± {scale * within:.1f}" for each in pairs for one, within in each]


def test_the_page_compares_the_two(pairs: list[Pair]) -> None:
    for rows in tables(pairs):
        assert_on_page(rows)
    differences = [apart(as_in_ns3(course), there) for course, _, there in managed(pairs)]
    share, queue = (max(one) for one in zip(*differences, strict=True))
    agreement = (
        "with the rules of ns-3, beyond the intervals of both, the used part of the link within"
        f" {percent(share)} and queues within {queue:.1f} packets for CoDel, PIE and FQ-CoDel; BBR"
        " uses the same part of the link, and no queue is longer"
    )
    assert_on_page([["Steps of the rate of a link", "ns-3", str(len(pairs)), agreement]])
