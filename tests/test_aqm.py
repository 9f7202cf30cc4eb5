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
congestion.sack = {{}}

[replications]
at_least = {replications}
"""


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
    )
    results = cellrelay.run(cellrelay.parse(text, "aqm.toml"))
    share = results.estimate("effective_throughput")
    # A packet counts as its octets over 53.
    queue = results.estimate("mean_queue", "port r->receiver")
    packets = 53 / PACKET
    return Measured(share.mean, share.half_width, queue.mean * packets, queue.half_width * packets)


SHARE = 0.02
"""Difference of the shares beyond the intervals."""
QUEUE = 1.5
"""Difference of the queues in packets beyond the intervals: the packet that the device of ns-3
holds, which CoDel does not see, and half a packet."""


@pytest.mark.parametrize(("course", "theirs"), list(on_record()))
def test_a_queue_is_as_busy_and_as_long_as_that_of_ns3(course: Course, theirs: Measured) -> None:
    mine = ours(course)
    share = mine.share_within + theirs.share_within + SHARE
    assert mine.share == pytest.approx(theirs.share, abs=share)
    queue = mine.queue_within + theirs.queue_within + QUEUE
    assert mine.queue == pytest.approx(theirs.queue, abs=queue)
