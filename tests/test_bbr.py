"""BBR against that of ns-3, and against its publication.

Cardwell, Cheng, Gunn, Hassas Yeganeh and Jacobson, "BBR: Congestion-Based Congestion Control", ACM
Queue 14(5), 2016.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from benches.bbr import (
    APART,
    BOUNDED,
    DRAWS,
    PACKET,
    RATE,
    SECONDS,
    UNBOUNDED,
    WARM_UP,
    Course,
    Measured,
    on_record,
    summary,
)

import cellrelay
from cellrelay import Simulation, members
from cellrelay.scenario import Scenario
from cellrelay.studies import of_flow, of_port

from .beside import assert_on_page, assert_says, beyond, percent

BBR = Path(__file__).parents[1] / "examples/members/bbr.py"

NETWORK = """\
title = "Flows through one drop-tail queue"
duration = "{seconds} s"
warm_up = "{warm_up} s"

[host.receiver]
[router.r]
buffer.per_output = "{room} B"

[link.path]
between = ["r", "receiver"]
rate = "{rate} bit/s"
delay = "{delay} us"
loss.packet = "{loss} %"

[replications]
at_least = {draws}
at_most = {draws}
"""

FLOW = """
[host.sender{number}]
[link.access{number}]
between = ["sender{number}", "r"]
rate = "1 Gbit/s"

[flow.f{number}]
from = "sender{number}"
to = "receiver"
source.greedy.start = "{start} s"
over.packet = {{}}

[flow.f{number}.transport.tcp]
packet = "{packet} B"
window = "64 MiB"
window_scaling = true
initial_window = 10
acknowledge.every = {{}}
timers.rfc6298 = {{ min = "200 ms" }}
congestion.{control}
"""


SETTINGS = {
    "bbr": "bbr = {}",
    "bbr_sack": 'bbr = { recovery = "sack" }',
    "bbr_twin": "bbr_twin = {}",
    "bbr_as_in_ns": "bbr_as_in_ns = {}",
    "cubic": "cubic = {}",
}


def network(
    course: Course,
    control: str,
    rate: float = RATE,
    times: tuple[float, float] = (WARM_UP, SECONDS),
    draws: int = 1,
) -> Scenario:
    """A course as a scenario; `times` are the warm-up and the duration in seconds."""
    text = NETWORK.format(
        draws=draws,
        warm_up=times[0],
        seconds=times[1],
        room=max(1, round(course.buffer * rate * course.round_trip / 8 / PACKET)) * PACKET,
        rate=rate,
        delay=course.round_trip / 2 * 1e6,
        loss=course.loss * 100,
    )
    for number in range(course.flows):
        text += FLOW.format(
            number=number, start=APART * number, packet=PACKET, control=SETTINGS[control]
        )
    return cellrelay.parse(text, "bbr.toml")


def ours(course: Course, control: str = "bbr", rate: float = RATE, draws: int = 1) -> Measured:
    """The runs of cellrelay."""
    results = cellrelay.run(network(course, control, rate, draws=draws))
    (point,) = results.points
    most = rate * (PACKET - 40) / PACKET
    queues = [one / PACKET for one in of_port("mean_queue_octets", "r->receiver")(point)]
    flows = [of_flow("goodput", f"f{number}")(point) for number in range(course.flows)]
    runs = zip(zip(*flows, strict=True), queues, strict=True)
    return summary([(sum(of) / most, min(of) / sum(of), queue) for of, queue in runs])


ALONE, LOSING, SHARE, PART = 0.001, 0.01, 0.001, 0.003
"""How far beyond the intervals of both the share of the link may be from that in ns-3: of one flow,
of one that loses packets, and of two; and the part of the slower flow. The limits are ours: the
largest differences, rounded up. Tests below name the causes of those that are not zero.

The share of one flow agrees: it leaves a queue of three packets, which hides the smallest
round-trip time, so every ten seconds it goes down to four packets for 0.2 s and a round trip: 2 %
to 5 % of the link. ns-3 takes its delivery rate from one segment more than the time spans and paces
1 % below what it estimates: with 33 packets on the path that is 2 % faster than the path is, and
its queues are longer.
"""

DOCS = Path(__file__).parents[1] / "docs"
PAGE, OTHERS = DOCS / "concepts/congestion-control.md", DOCS / "reference/other-simulators.md"


Pair = tuple[Course, Measured, Measured]


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    """Every path, with the values measured here and those of ns-3."""
    return [
        (course, ours(course, draws=DRAWS), theirs)
        for course, theirs in on_record()
        if course.threshold == BOUNDED
    ]


def apart(pair: Pair) -> tuple[float, float]:
    """How far shares of the link and parts of the slower flow differ beyond the intervals."""
    _, here, there = pair
    return (
        beyond(here.share, there.share, here.share_within, there.share_within),
        beyond(here.least, there.least, here.least_within, there.least_within),
    )


def test_bbr_fills_the_link_as_in_ns(pairs: list[Pair]) -> None:
    for pair in pairs:
        course = pair[0]
        alone = LOSING if course.loss else ALONE
        share, least = apart(pair)
        assert share <= (alone if course.flows == 1 else SHARE), pair
        assert least <= PART, pair


def test_bbr_queues_no_more_than_in_ns(pairs: list[Pair]) -> None:
    for course, here, there in pairs:
        # Where no queue is longer, the two are alike within the intervals of both.
        longer = here.queue - there.queue
        assert longer <= here.queue_within + there.queue_within, (course, here, there)


def pair_of(pairs: list[Pair], course: Course) -> tuple[Measured, Measured]:
    ((_, here, there),) = [pair for pair in pairs if pair[0] == course]
    return here, there


def test_with_the_estimate_of_ns_two_flows_share_as_there(pairs: list[Pair]) -> None:
    """The page names this rule as the cause of a difference."""
    members.load(str(Path(__file__).with_name("as_in_ns3.py")))
    course = Course(0.04, 8.0, 2)
    here, there = pair_of(pairs, course)
    alike = ours(course, "bbr_as_in_ns", draws=DRAWS)
    assert here.least < alike.least < there.least
    assert beyond(here.least, there.least, here.least_within, there.least_within) > 0
    assert beyond(alike.least, there.least, alike.least_within, there.least_within) == 0
    assert_says(
        "with the rules of ns-3 the slower flow has"
        f" {between(100 * alike.least, 100 * alike.least_within, 0)} % here"
    )


def test_a_recovery_that_leaves_lost_retransmissions_to_the_timer_costs_as_much_as_in_ns(
    pairs: list[Pair],
) -> None:
    """The page names this as the cause of a difference with losses."""
    course = Course(0.04, 1.0, 1, 0.01)
    here, there = pair_of(pairs, course)
    alike = ours(course, "bbr_sack", draws=DRAWS)
    assert beyond(here.share, there.share, here.share_within, there.share_within) > 0
    assert beyond(alike.share, there.share, alike.share_within, there.share_within) == 0
    assert_says(
        'with `recovery = "sack"` here the flow uses'
        f" {between(100 * alike.share, 100 * alike.share_within)} % at 1 %"
    )


def test_in_ns_a_window_beyond_32_bits_costs_each_probe_of_the_round_trip_time(
    pairs: list[Pair],
) -> None:
    """The page names this as the cause of a difference with the default threshold of ns-3."""
    ((course, wrapped),) = [one for one in on_record() if one[0].threshold == UNBOUNDED]
    here, there = pair_of(pairs, course._replace(threshold=BOUNDED))
    assert beyond(there.share, here.share, there.share_within, here.share_within) < ALONE
    assert there.share - wrapped.share > 0.03
    assert_says(f"{percent(wrapped.share)} of the link in place of {percent(there.share)}")


def between(number: float, within: float, digits: int = 1) -> str:
    """A mean with the half-width of its interval."""
    return f"{number:.{digits}f} ± {within:.{digits}f}"


def test_the_page_compares_the_two(pairs: list[Pair]) -> None:
    rows = []
    for course, here, there in pairs:
        both = here, there
        shares = [between(100 * one.share, 100 * one.share_within) + " %" for one in both]
        parts = [between(100 * one.least, 100 * one.least_within, 0) + " %" for one in both]
        queues = [between(one.queue, one.queue_within) for one in both]
        path = f"{course.round_trip * 1e3:g} ms", f"{course.buffer:g}", str(course.flows)
        least = parts if course.flows == 2 else ["", ""]
        rows.append([*path, f"{course.loss * 100:g} %", *shares, *least, *queues])
    assert_on_page(rows, PAGE)
    one, two = (max(apart(pair)[0] for pair in pairs if pair[0].flows == flows) for flows in (1, 2))
    part = max(apart(pair)[1] for pair in pairs)
    agreement = (
        f"beyond the intervals of both, the used part of the link within {percent(one)} for one"
        f" flow and {percent(two)} for two; the part of the slower flow within {percent(part)}; no"
        " queue is longer"
    )
    assert_on_page([["BBR", "ns-3", str(len(pairs)), agreement]])


@pytest.mark.parametrize("packet", [1500, 576, 200])
@pytest.mark.parametrize("control", ["bbr", "my_bbr"])
def test_headers_are_paced_beside_the_data_of_a_segment(control: str, packet: int) -> None:
    # Paced at the rate of its data alone, a flow leaves a part of the link that is that of the
    # headers; with a fifth of headers a probe by a quarter only fills the link, and never ends.
    members.load(str(BBR))
    flow = "flow.f0.transport.tcp"
    settings = {f"{flow}.packet": f"{packet} B", f"{flow}.congestion.{control}": {}}
    scenario = network(Course(0.04, 8.0, 1), "bbr", times=(2, 6)).resolved
    results = cellrelay.run(cellrelay.parse(scenario, "bbr.toml", settings))
    share = results.estimate("goodput").mean / (RATE * (packet - 40) / packet)
    queue = results.estimate("mean_queue_octets", "port r->receiver").mean / packet
    assert share > 0.9995
    assert queue > 3


LOSSES = {0.001: 0.95, 0.01: 0.95, 0.05: 0.9, 0.1: 0.85}
"""Share of lost packets, and the part of what they leave that BBR carries at least."""


def test_bbr_takes_no_loss_for_congestion_and_cubic_every() -> None:
    # Throughput over losses: BBR near to what the losses leave, CUBIC a tenth at 0.1 %.
    for loss, part in LOSSES.items():
        assert ours(Course(0.1, 1.0, 1, loss)).share > part * (1 - loss)
    assert ours(Course(0.1, 1.0, 1, 1e-5), "cubic", 100e6).share > 0.9
    assert ours(Course(0.1, 1.0, 1, 1e-3), "cubic", 100e6).share < 0.1
    # The publication holds more than half of it at 15 % of losses.
    assert ours(Course(0.1, 1.0, 1, 0.15)).share > 0.5
    # The recovery of RFC 6675 leaves the loss of a retransmission to the timer.
    assert ours(Course(0.1, 1.0, 1, 0.05), "bbr_sack").share < 0.2


@pytest.mark.slow
def test_bbr_holds_a_fast_link_at_losses_of_fifteen_percent() -> None:
    fast = ours(Course(0.1, 1.0, 1, 0.15), rate=100e6, draws=6)
    assert fast.share > 0.8 * (1 - 0.15)


def test_three_packets_of_the_queue_of_a_start_stay_and_all_of_that_of_cubic() -> None:
    # The first seconds of a flow at 10 Mbit/s with a round trip of 40 ms.
    least, most = {}, {}
    for control in ("bbr", "cubic"):
        simulation = Simulation(network(Course(0.04, 8.0, 1), control, times=(0, 4)))
        queues = []
        for step in range(20, 81):
            simulation.run_until(step * 0.05)
            queues.append(simulation.observe()["port r->receiver"]["queue"] / PACKET)
        least[control], most[control] = min(queues), max(queues)
    # Section 4.2.3: the queue is drained down to a bandwidth-delay product and three segments.
    assert least["bbr"] <= 3
    # A probe adds a quarter of the 33 packets that the path holds, and the three of section 4.2.3.
    assert most["bbr"] < 14
    assert least["cubic"] > 60
