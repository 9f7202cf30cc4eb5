"""The authors' sketch of an overflow, as a fluid and with cells."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cellrelay.plot import DrawnSeries, Strip, Timeline
from cellrelay.results import PointResult, Results
from cellrelay.studies import Check, Outcome, Verdict, claim, exhibit, judge, named

from .fluid import EXTRA, STARTS, Filling, fill
from .measures import EXIT
from .one_tcp import CELLS, DISCARD, DISCARDS, LARGEST, recorded

POLICIES = {"plain ATM": "plain", "partial packet discard": "PPD", "early packet discard": "EPD"}
"""Discard rules of the fluid model, by the names of the experiments."""
PACKET = CELLS[LARGEST]
PACKET_TIME = 1.62816e-3
"""Packet time of the output in seconds: 192 cells at 50 Mbit/s."""
ORIGIN = 10e-3 + PACKET_TIME
"""Arrival of the first packet at the switch: after the fast link and a first gap."""
Array = NDArray[np.float64]
FLOWS = ("regular", "standing", "extra")
"""Names of the flows in the order of the scenario, in which they are numbered."""

sketch = recorded(
    "The sketch of the paper, with cells",
    {"policy": named(DISCARD, DISCARDS)},
    {},
    "sketch.toml",
)


@exhibit(
    "sketch",
    "The sketch, computed.",
    "The paper's fourth graph. Packets arrive at three times the rate of the output, one for each"
    " departure, and one more at 7/3; time is in packet times of the output, the buffer in"
    " packets. Without a limit (dashed) one packet remains. A buffer of two packets is full at"
    " 2.5, and drops a third of that packet; the rest of it takes the space of the next packet,"
    " which also loses a third. Partial packet discard keeps half of the first packet, and still"
    " damages the second; only early packet discard drops one packet. The simulation with cells"
    " (dotted) follows the exact solution; marks above show its drops and the starts of packets.",
)
def drawn(sketch: Results) -> Timeline:
    columns = []
    for policy in sketch.values("policy"):
        unlimited, limited = fill("unlimited"), fill(POLICIES[policy])
        queue, drops = _in_packets(sketch.point(policy=policy))
        traces = (
            DrawnSeries("without limit", *_corners(unlimited), rank=2, dash=1),
            DrawnSeries("fluid", *_corners(limited), rank=0),
            DrawnSeries("cells", *queue, rank=1, dash=2),
            DrawnSeries("cells refused", *drops, "rug", rank=3),
            DrawnSeries(
                "packets begin", np.array(STARTS, dtype=float), np.zeros(len(STARTS)), "rug", rank=7
            ),
        )
        columns.append((Strip(traces, "buffer (packets)"),))
    return Timeline(tuple(columns), "time (packets)", (0.0, 5.0), titles=tuple(POLICIES))


@claim(
    "002-8",
    "One packet too many, while one is queued before each arrival and the input is three times as"
    " fast, damages two packets: the buffer of two is full half-way through it, some of its second"
    " half is lost, and some of the next.",
    rule="exact fluid: full at 5/2, and 1/3 lost of the packets that begin at 7/3 and at 3 alone;"
    " with cells, the first loss within a cell time of the output from there, and as many cells of"
    " the same two packets as a third of a packet has",
    where="section One TCP With a Bottleneck, fourth graph",
    of_paper="the packet that begins at 7/3 is buffered by half, and two packets are damaged",
    ours="a third of each is the exact solution",
    expect=Verdict.REPRODUCED,
)
def two_thirds_lost(sketch: Results) -> Outcome:
    exact = fill("plain")
    third = 1 / Fraction(3)
    (first, *_), lost = losses(sketch, "plain ATM")
    checks = [
        Check("the fluid, when it is full", exact.full == Fraction(5, 2)),
        Check("the fluid, what is lost", exact.lost == {EXTRA: third, Fraction(3): third}),
        Check("cells, the first loss", abs(first - 2.5) <= 1 / PACKET),
        Check("cells, what is lost", lost == {"extra": PACKET // 3, "regular": PACKET // 3}),
    ]
    words = []
    for name, policy in POLICIES.items():
        parts = [f"{part} of the packet at {start}" for start, part in fill(policy).lost.items()]
        cells = [f"{count} cells" for count in losses(sketch, name)[1].values()]
        words.append(f"{name} {' and '.join(parts)} ({' and '.join(cells)})")
    return judge(
        f"full at {exact.full}; lost: {'; '.join(words)}",
        checks,
        "partial packet discard damages two as well: while a packet arrives, some of the"
        " buffer empties, so that it takes half of the first packet, more than was free before it",
    )


def losses(sketch: Results, policy: str) -> tuple[list[float], dict[str, int]]:
    """Time of the first drop in packet times, and number of dropped cells of each flow."""
    _, (times, flows) = _in_packets(sketch.point(policy=policy))
    counts: dict[str, int] = {}
    for flow in flows:
        name = FLOWS[int(flow)]
        counts[name] = counts.get(name, 0) + 1
    return [float(time) for time in times], counts


def _in_packets(point: PointResult) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """The queue, in packets, and the flows that lost cells, over time in packet times."""
    series = point.runs[0].series
    queue, drops = (series[f"port {EXIT}", name] for name in ("queue", "drops"))
    times = [(one.times - ORIGIN) / PACKET_TIME for one in (queue, drops)]
    return (times[0], queue.values / PACKET), (times[1], drops.values)


def _corners(filling: Filling) -> tuple[Array, Array]:
    times, heights = zip(*filling.corners, strict=True)
    return np.array(times, dtype=float), np.array(heights, dtype=float)
