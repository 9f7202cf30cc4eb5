"""The damage of an overflow: cells of two packets, or one packet."""

from __future__ import annotations

import math

import numpy as np

from cellrelay.plot import Chart, DrawnSeries, Strip, Timeline
from cellrelay.results import PointResult, Results
from cellrelay.simulation.series import Series
from cellrelay.studies import Check, Outcome, Verdict, average, claim, exhibit, judge, said

from .charts import over_buffers, panel
from .measures import EXIT, PLACE, SILENCE, after_loss, damaged, grid, timeouts_of_event
from .one_tcp import BUFFER, LARGER_BUFFERS, LARGEST, PACKET, PLAIN, one_tcp, recorded

BEFORE, AFTER = 0.02, 0.01
"""Time in seconds around an overflow that the figure shows."""

whole = one_tcp(
    "Whole packets, without ATM",
    {PACKET: (LARGEST,), BUFFER: LARGER_BUFFERS},
    {
        **PLAIN,
        "flow.bulk.over": "{ packet = {} }",
        "switch.creditnet.scheduler": "{ fifo = {} }",
    },
)
overflow = recorded(
    "The buffer around an overflow",
    {},
    {
        **PLAIN,
        "duration": "15 s",
        "warm_up": "0 s",
        "record.every": "20 us",
        "link.fast.rate": "150 Mbit/s",
        "link.slow.rate": "50 Mbit/s",
        BUFFER: "32 KiB",
    },
)


def around_overflow(point: PointResult) -> tuple[Series, Series]:
    """Queue, and packets that lost cells, around the first overflow after a timeout."""
    first = float(overflows(point)[0].times[0])
    start, end = first - BEFORE, first + AFTER
    queue = point.runs[0].series[f"port {EXIT}", "queue"]
    return queue.between(start, end), _drops(point).between(start, end)


def overflows(point: PointResult) -> list[Series]:
    """Packets that lost cells at each overflow after a timeout."""
    drops = _drops(point)
    begins = drops.times[np.append(True, np.diff(drops.times) > SILENCE)]
    ends = [*begins[2:], math.inf]
    return [
        drops.between(float(begin), float(end) - SILENCE / 2)
        for begin, end in zip(begins[1:], ends, strict=True)
    ]


def _drops(point: PointResult) -> Series:
    return point.runs[0].series[f"port {EXIT}", "dropped_pdus"]


@exhibit(
    "overflow",
    "The buffer around an overflow.",
    "Plain ATM, 150 Mbit/s in, 50 Mbit/s out, 32 KB of buffer: the first overflow during linear"
    " growth of the window. Each peak is the arrival of a pair of packets at the rate of the"
    " input. Marks above show dropped cells: they belong to two packets, as in the paper's third"
    " graph.",
)
def buffer_over_time(overflow: Results) -> Timeline:
    queue, drops = around_overflow(overflow.point())
    start = drops.times[0]
    kilobytes = DrawnSeries("buffer", (queue.times - start) * 1e3, queue.values * 48 / 1024)
    refused = DrawnSeries("cells refused", (drops.times - start) * 1e3, drops.values, "rug", rank=3)
    strip = Strip((kilobytes, refused), "buffer (KB)")
    return Timeline(((strip,),), "time from the first drop (ms)")


@exhibit(
    "damage",
    "Packets damaged at an overflow.",
    "Packets with at least one dropped cell, per loss that the sender notices. Reno repairs one"
    " of them by a fast retransmit.",
)
def damage(plain: Results, partial: Results, early: Results) -> Chart:
    return over_buffers(
        panel("plain ATM", grid(plain), damaged),
        panel("partial packet discard", grid(partial), damaged),
        panel("early packet discard", grid(early), damaged),
        y_label="packets damaged",
        y_range=(0.0, None),
        possible=(0.0, None),
    )


@claim(
    "002-3",
    "When a window has grown too large for the buffer, a switch of cells damages two packets where"
    " a switch of packets loses one. A fast retransmission repairs one; two mean a timeout.",
    rule=f"{said(PLACE)}: the mean number of packets damaged for each loss that the sender notices"
    " is at least 1.5 for plain ATM and at most 1.25 for whole packets, and the mean number of"
    " timeouts at least 0.9 and at most 0.1; in the run of which one overflow is drawn, two packets"
    " lose cells at half of the overflows or more",
    where="section One TCP With a Bottleneck, third graph",
    of_paper='a packet switch "typically drops only one packet", and an ATM switch "typically drops'
    ' cells from two"; fast retransmit "reliably recovers from only one"',
    ours="one packet is a mean of at most 1.25, and more than one a mean of at least 1.5, since a"
    " fast retransmission repairs only one; typically two is two at half of the overflows or more;"
    f" {said(PLACE)}, as in the authors' graph over time",
    expect=Verdict.REPRODUCED,
)
def two_are_damaged(plain: Results, whole: Results, overflow: Results) -> Outcome:
    cells, packets = (grid(results)[PLACE] for results in (plain, whole))
    damages = [len(set(drops.values)) for drops in overflows(overflow.point())]
    checks = [
        Check("damage by cells", average(damaged, cells) >= 1.5),
        Check("damage by packets", average(damaged, packets) <= 1.25),
        Check("timeouts with cells", average(timeouts_of_event, cells) >= 0.9),
        Check("timeouts with packets", average(timeouts_of_event, packets) <= 0.1),
        Check("the run that is drawn", 2 * damages.count(2) >= len(damages)),
    ]
    return judge(
        f"plain ATM {after_loss(cells)}; whole packets {after_loss(packets)};"
        f" at the overflows of one run {', '.join(map(str, damages))} packets",
        checks,
    )
