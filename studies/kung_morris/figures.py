"""The graphs of the paper, and the same switch with other rules of discard.

Buffers are in kilobytes of 1024 octets of payload, throughput is in MB/s of user data.
"""

from __future__ import annotations

from collections.abc import Mapping

from cellrelay.plot import Box, Chart, Curve, Diagram, Panel, Strip, Timeline, Trace
from cellrelay.results import PointResult
from cellrelay.studies import Grid, Measure, exhibit, known
from cellrelay.studies.claim import Measured

from .experiments import BUFFERS, LARGEST, PAPER_BUFFER, SHARED_BUFFERS, SIZES
from .measures import (
    along,
    damaged,
    grid,
    pause,
    paused_of_two,
    throughput,
    two,
)
from .recordings import around_overflow, throughput_over_time

MOST = 6.0
"""MB/s: a little more than the slow link carries."""


@exhibit(
    "network",
    "The network.",
    "A host on a link of 155.52 Mbit/s sends through the switch to a link of 53 Mbit/s; less what"
    " SONET takes, and in the payloads of cells, that is 17 and 5.8 MB/s. Where two connections are"
    " shown, the second has a host and a fast link of its own.",
)
def network(_: Measured) -> Diagram:
    return Diagram(
        boxes=(Box("alpha", 0, 0), Box("switch", 2.2, 0), Box("receiver", 4.4, 0)),
        links=(("alpha", "switch", "155 Mbit/s"), ("switch", "receiver", "53 Mbit/s")),
    )


def panel(title: str, points: Grid, measure: Measure = throughput) -> Panel:
    """A curve over the buffers for each packet size; what never happened is left out."""
    sizes = [size for size in SIZES if any(place[0] == size for place in points)]
    return Panel(tuple(line(size, along(points, size), measure) for size in sizes), title)


def line(
    label: str,
    points: Mapping[str, PointResult],
    measure: Measure = throughput,
    kilobytes: Mapping[str, float] = BUFFERS,
) -> Curve:
    """A measure over the buffers; what never happened is left out."""
    found = {kilobytes[buffer]: known(measure, point) for buffer, point in points.items()}
    found = {size: estimate for size, estimate in found.items() if estimate.n}
    return Curve(label, tuple(found), tuple(found.values()))


def over_buffers(
    *panels: Panel,
    y_label: str = "throughput (MB/s)",
    y_range: tuple[float | None, float | None] = (0.0, MOST),
    legend: str = "packet",
) -> Chart:
    """Panels over the buffers of the paper."""
    ticks = (16.0, 32.0, 48.0, 64.0, 80.0)
    return Chart(panels, "buffer (KB)", y_label, legend, y_range, x_ticks=ticks)


@exhibit(
    "buffers",
    "Throughput over buffer and packet size: plain ATM, partial and early packet discard.",
    "One connection with a window of 64 KB. Plain ATM (the paper's first graph) and partial packet"
    " discard (its last) leave nearly all of the link idle, until nearly the whole window fits into"
    " the buffer. Early packet discard, which the paper only discusses, recovers large packets."
    " Bands are 95 % intervals over the phases of clocks and starts. A good point by itself is a"
    " periodic orbit: a connection that happens to lose what it can repair, and then does so for"
    " ever. A wide band means that only some phases lead to one.",
)
def by_buffer(measured: Measured) -> Chart:
    return over_buffers(
        panel("plain ATM", grid(measured["plain"])),
        panel("partial packet discard", grid(measured["partial"])),
        panel("early packet discard", grid(measured["early"])),
    )


@exhibit(
    "pauses",
    "Pauses.",
    "Plain ATM: mean time from the last packet sent to the retransmission timeout, where there are"
    " any. The integers of the host's estimator settle at a timeout of three ticks of 500 ms, and"
    " bursts begin at a tick: a pause is a burst short of 1.5 s. Where what is sent again"
    " is lost as well, as with the smallest buffers and with 9180 bytes at 40 KB, timeouts are"
    " backed off.",
)
def pauses(measured: Measured) -> Chart:
    return over_buffers(
        panel("", grid(measured["plain"]), pause), y_label="mean pause (s)", y_range=(0.0, 3.0)
    )


@exhibit(
    "over-time",
    f"Throughput over time: packets of {LARGEST}, {PAPER_BUFFER} of buffer.",
    "One run each, means over 50 ms. The first column is the paper's second graph: bursts, and"
    " pauses between them. With early packet discard this phase goes well; others meet timeouts.",
)
def over_time(measured: Measured) -> Timeline:
    results = measured["burst"]
    policies = results.values("policy")
    columns = []
    for policy in policies:
        times, values = throughput_over_time(results.point(policy=policy))
        columns.append((Strip((Trace("", times, values, "steps"),), "throughput (MB/s)"),))
    return Timeline(tuple(columns), "time (s)", (5.0, 20.0), titles=tuple(policies))


@exhibit(
    "overflow",
    "The buffer around an overflow.",
    "Plain ATM, 150 Mbit/s in, 50 Mbit/s out, 32 KB of buffer: the first overflow at which the"
    " window grows linearly. Each peak is the arrival of a pair of packets at the rate of the"
    " input. Marks above show when cells were refused: in two packets, as in the paper's third"
    " graph.",
)
def overflow(measured: Measured) -> Timeline:
    queue, drops = around_overflow(measured["overflow"].point())
    start = drops.times[0]
    kilobytes = Trace("buffer", (queue.times - start) * 1e3, queue.values * 48 / 1024)
    refused = Trace("cells refused", (drops.times - start) * 1e3, drops.values, "rug", rank=3)
    strip = Strip((kilobytes, refused), "buffer (KB)")
    return Timeline(((strip,),), "time from the first refusal (ms)")


@exhibit(
    "damage",
    "Packets damaged at an overflow.",
    "Packets of which the switch refused any part, for each time that the sender noticed a loss."
    " Reno repairs one by a fast retransmission.",
)
def damage(measured: Measured) -> Chart:
    return over_buffers(
        panel("plain ATM", grid(measured["plain"]), damaged),
        panel("partial packet discard", grid(measured["partial"]), damaged),
        panel("early packet discard", grid(measured["early"]), damaged),
        y_label="packets damaged",
        y_range=(0.0, None),
    )


@exhibit(
    "two",
    "Two connections that share the slow link.",
    f"Packets of {LARGEST}; throughput of both together. Wide bands: from 64 KB on, whether one"
    " connection goes on while the other pauses depends on how they met.",
)
def two_connections(measured: Measured) -> Chart:
    return _two(measured, throughput, "throughput (MB/s)", (0.0, MOST))


@exhibit(
    "two-pauses",
    "Two connections: time in pauses.",
    "Share of the time that a connection spends in pauses before a timeout, the mean of the two.",
)
def two_pauses(measured: Measured) -> Chart:
    return _two(measured, paused_of_two, "time in pauses", (0.0, 1.0))


def _two(measured: Measured, measure: Measure, y_label: str, y_range: tuple[float, float]) -> Chart:
    curves = [
        line(policy, two(measured, policy), measure, SHARED_BUFFERS)
        for policy in measured["two"].values("policy")
    ]
    panel = Panel(tuple(curves))
    return Chart((panel,), "buffer (KB)", y_label, y_range=y_range, x_ticks=(32, 64, 96, 128))
