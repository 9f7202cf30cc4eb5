"""Queues after a step of the rate of their link against those of ns-3.

The record of ns-3 is benches/peers/steps.csv. Its queue includes a packet that its device takes from
a managed queue ahead of the transmission.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from benches.steps import (
    ENDS,
    PACKET,
    REPLICATIONS,
    STEP,
    Course,
    Measured,
    on_record,
)

import cellrelay
from cellrelay import Simulation

QUEUES = {
    "CoDelQueueDisc": "discard.codel = {}",
    "PieQueueDisc": "discard.pie = {}",
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


def network(course: Course, queue: str, control: str) -> str:
    return NETWORK.format(
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


def one(scenario: cellrelay.Scenario, replication: int) -> list[float]:
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
    phases = (
        [(end - begin) / span for (begin, end), span in zip(pairwise(sums), spans, strict=True)]
        for sums in (used, waiting)
    )
    shares, queues = phases
    return [*shares, *queues, largest]


def ours(course: Course, queue: str = "", control: str = "") -> Measured:
    """All replications of cellrelay."""
    text = network(
        course, queue or QUEUES[course.queue], control or (BBR if course.is_bbr else SACK)
    )
    scenario = cellrelay.parse(text, "steps.toml")
    return Measured.of([one(scenario, number) for number in range(REPLICATIONS)])
