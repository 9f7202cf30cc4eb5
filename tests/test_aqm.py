"""CoDel, PIE and FQ-CoDel against those of ns-3, on paths of 20 and 60 ms with one and four flows.

The record of ns-3 is benches/peers/aqm.csv. Its queue includes a packet that its device takes from
the managed queue ahead of the transmission, after the waiting time was measured.
"""

from __future__ import annotations

import pytest
from benches.aqm import (
    PACKET,
    RATE,
    REPLICATIONS,
    ROOM,
    SECONDS,
    WARM_UP,
    Course,
    Measured,
    on_record,
)

import cellrelay

from .beside import assert_on_page, beyond, percent

QUEUES = {
    "CoDelQueueDisc": "discard.codel = {}",
    "PieQueueDisc": "discard.pie = {}",
    "FqCoDelQueueDisc": "discard.fq_codel = {}\nscheduler.flow_queue = {}",
}

NETWORK = """\
title = "Flows through one managed queue"
duration = "{seconds} s"
warm_up = "{warm_up} s"

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
rate = "{rate} bit/s"
delay = "{delay} us"

[flow.f]
from = "sender"
to = "receiver"
source.greedy.start = {{ uniform = ["0 s", "1 s"] }}
over.packet = {{}}

[flow.f.transport.tcp]
packet = "{packet} B"
window = "4 MiB"
window_scaling = true
initial_window = 10
acknowledge.every = {{}}
timers.rfc6298 = {{ min = "200 ms" }}
limited_transmit = true
congestion.sack = {{ {growth} }}

[replications]
at_least = {replications}
"""

GROWTH = 'growth = { at_ssthresh = "linear", increment = "exact" }'


def ours(course: Course) -> Measured:
    """All replications of cellrelay."""
    text = NETWORK.format(
        seconds=SECONDS,
        warm_up=WARM_UP,
        flows=course.flows,
        room=ROOM * PACKET,
        queue=QUEUES[course.queue],
        rate=RATE,
        delay=course.round_trip / 2 * 1e6,
        packet=PACKET,
        replications=REPLICATIONS,
        growth=GROWTH,
    )
    results = cellrelay.run(cellrelay.parse(text, "aqm.toml"))
    share = results.estimate("effective_throughput")
    queue = results.estimate("mean_queue_octets", "port r->receiver")
    packets = 1 / PACKET
    return Measured(share.mean, share.half_width, queue.mean * packets, queue.half_width * packets)


SHARE = 0.003
"""Difference of the shares beyond the intervals."""
QUEUE = 1.5
"""Difference of the queues in packets beyond the intervals: the packet that the device of ns-3
holds, which CoDel does not see, and half a packet."""

Pair = tuple[Course, Measured, Measured]


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    """Every course with its results here and in ns-3."""
    return [(course, ours(course), theirs) for course, theirs in on_record()]


def apart(pairs: list[Pair]) -> tuple[float, float]:
    """The largest differences of share and queue beyond the intervals."""
    shares, queues = [], []
    for _, here, there in pairs:
        shares.append(beyond(here.share, there.share, here.share_within, there.share_within))
        queues.append(beyond(here.queue, there.queue, here.queue_within, there.queue_within))
    return max(shares), max(queues)


def test_a_queue_is_as_busy_and_as_long_as_that_of_ns3(pairs: list[Pair]) -> None:
    for pair in pairs:
        share, queue = apart([pair])
        assert share <= SHARE, pair
        assert queue <= QUEUE, pair


def test_with_the_growth_of_bsd_one_flow_keeps_a_packet_more(
    pairs: list[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page names this as a cause."""
    monkeypatch.setitem(globals(), "GROWTH", "")
    for course, here, there in pairs:
        if course.queue == "CoDelQueueDisc" and course.flows == 1:
            assert ours(course).share - here.share > 2 * abs(here.share - there.share)


def test_the_page_compares_the_two(pairs: list[Pair]) -> None:
    rows = []
    for course, here, there in pairs:
        shares = [
            f"{100 * one.share:.1f} ± {100 * one.share_within:.1f} %" for one in (here, there)
        ]
        queues = [f"{one.queue:.1f} ± {one.queue_within:.1f}" for one in (here, there)]
        name = course.queue.removesuffix("QueueDisc").replace("FqCoDel", "FQ-CoDel")
        path = name.replace("Pie", "PIE"), f"{course.round_trip * 1e3:g} ms", str(course.flows)
        rows.append([*path, *shares, *queues])
    assert_on_page(rows)
    share, queue = apart(pairs)
    agreement = (
        f"beyond the intervals of both, the used part of the link within {percent(share)} and the"
        f" mean queue within {queue:.1f} packets"
    )
    assert_on_page([["CoDel, PIE, FQ-CoDel", "ns-3", str(len(pairs)), agreement]])
