"""Bursts, and the pauses between them."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

from cellrelay.plot import Chart, DrawnSeries, Strip, Timeline
from cellrelay.results import PointResult, Results
from cellrelay.statistics import mean
from cellrelay.studies import (
    Check,
    Outcome,
    Verdict,
    average,
    claim,
    exhibit,
    judge,
    known,
    named,
    printed,
    said,
)

from .charts import over_buffers, panel
from .measures import FLOW, PLACE, SILENCE, along, grid, pause, paused
from .one_tcp import (
    BUFFER,
    BUFFERS,
    CELLS,
    DISCARD,
    DISCARDS,
    FIVE_TIMES,
    LARGEST,
    PACKET,
    PAPER_BUFFER,
    PLAIN,
    SIZES,
    TCP,
    one_tcp,
    recorded,
)

Array = NDArray[np.float64]
PAUSE, TICK = 1.5, 0.5
"""Printed duration of a pause, and tick of the host's clock, in seconds."""
MUCH_LESS = tuple(buffer for buffer, size in BUFFERS.items() if size <= 48)
"""Buffers that count as much smaller than the window."""
HOLDING = {
    size: tuple(buffer for buffer in MUCH_LESS if BUFFERS[buffer] * 1024 >= cells * 48)
    for size, cells in CELLS.items()
}
"""By packet size, those that hold a packet."""
MOSTLY = 0.8
"""Least share of the time that counts as most of it."""
BIN = 50
"""Number of samples, one each millisecond, that are averaged to a throughput over time."""

burst = recorded(
    "Throughput over time",
    {"policy": named(DISCARD, DISCARDS)},
    {"duration": "20 s", "record.every": "1 ms"},
)
silent = recorded(
    "Plain ATM, when data arrives",
    {PACKET: SIZES, BUFFER: MUCH_LESS},
    {**PLAIN, "record.every": "5 ms"},
)
undoubled = one_tcp(
    "Plain ATM, a timeout that never doubles",
    {PACKET: SIZES, BUFFER: MUCH_LESS},
    {**PLAIN, f"{TCP}.backoff": "{ constant = {} }"},
    replications=FIVE_TIMES,
    quick_buffers=("16 KiB", "32 KiB", "48 KiB"),
)


@exhibit(
    "over-time",
    f"Throughput over time: packets of {LARGEST}, {PAPER_BUFFER} of buffer.",
    "One run each, means over 50 ms. The first column is the paper's second graph: bursts with"
    " pauses between them. With early packet discard, the run of this phase has no timeouts; runs"
    " of other phases do.",
)
def over_time(burst: Results) -> Timeline:
    policies = burst.values("policy")
    columns = []
    for policy in policies:
        times, values = throughput_over_time(burst.point(policy=policy))
        columns.append((Strip((DrawnSeries("", times, values, "steps"),), "throughput (MB/s)"),))
    return Timeline(tuple(columns), "time (s)", (5.0, 20.0), titles=tuple(policies))


@exhibit(
    "pauses",
    "Pauses.",
    "Plain ATM: mean time from the last packet before a timeout to the retransmission, where"
    " timeouts happen. The integer estimator of the host settles at a timeout of three ticks of"
    " 500 ms, and bursts begin at a tick: a pause is 1.5 s minus the length of a burst. If a"
    " retransmission is lost too, as with 9180 bytes at 40 KB and in buffers without space for a"
    " packet, the"
    " timeout doubles (left); if it never does, pauses last 1.5 s everywhere (right). Dashed is the"
    " pause that the paper prints.",
)
def pauses_by_buffer(plain: Results, undoubled: Results) -> Chart:
    return over_buffers(
        panel("timeouts double", grid(plain), pause),
        panel("timeouts never double", grid(undoubled), pause),
        y_label="mean pause (s)",
        y_range=(0.0, None),
        possible=(0.0, None),
        printed={"1.5 s": PAUSE},
    )


@claim(
    "002-2",
    "With much less buffer, bursts of some tens of milliseconds are separated by pauses of 1.5 s:"
    " retransmission timeouts.",
    rule="plain ATM, each packet size, each buffer up to 48 KB that holds a packet: the median"
    f" silence of the receiver in one recorded run is {PAUSE} ± {TICK / 2} s, and pauses take at"
    f" least {MOSTLY} of the time; the mean pause of {said(PLACE)} is {PAUSE} ± {TICK / 2} s too;"
    " in the run that is drawn bursts last at most 0.1 s in the mean",
    where="section One TCP With a Bottleneck, second graph",
    of_paper='"small bursts of data separated by 1.5-second pauses"; the window exceeds the buffer'
    ' "within a few tens of milliseconds"',
    ours=f"half a tick of the clock of {TICK} s either way; the median, since the text tells what a"
    " pause is like, and a timeout that follows another is twice as long; much less than 64 KB is"
    ' up to 48 KB; a burst is "a few windows of data", so the buffer holds a packet at least;'
    f" pauses take {MOSTLY} of the time, since bursts last only tens of milliseconds",
    expect=Verdict.REPRODUCED,
)
def pauses(plain: Results, silent: Results, burst: Results, undoubled: Results) -> Outcome:
    points, recordings = grid(plain), grid(silent)
    checks, typical, means = [], [], []
    for size in SIZES:
        for buffer in along(points, size):
            if buffer in HOLDING[size]:
                place = said((size, buffer))
                typical.append(median(silences(recordings[size, buffer]) or [0.0]))
                checks.append(Check(f"pauses of {place}", abs(typical[-1] - PAUSE) <= TICK / 2))
                means.append(average(pause, points[size, buffer]))
                is_most = average(paused, points[size, buffer]) >= MOSTLY
                checks.append(Check(f"the time in pauses of {place}", is_most))
    checks.append(printed("the pause in the graph", known(pause, points[PLACE]), PAUSE, TICK / 2))
    single = [average(pause, point) for point in grid(undoubled).values()]
    lasting = mean(bursts(burst.point(policy="plain ATM")))
    checks.append(Check("bursts", lasting <= 0.1))
    return judge(
        f"median pauses {min(typical):.2f} to {max(typical):.2f} s, means {min(means):.2f} to"
        f" {max(means):.2f} s; {said(PLACE)} {known(pause, points[PLACE])} s; bursts"
        f" {1000 * lasting:.0f} ms",
        checks,
        "where a retransmission is lost as well the timeout is doubled, and a pause lasts 3 s; with"
        f" a timeout that never doubles all mean pauses are {min(single):.2f} to"
        f" {max(single):.2f} s",
    )


def throughput_over_time(point: PointResult) -> tuple[Array, Array]:
    """Starts of intervals, and the throughput in each, in MB/s."""
    delivered = point.runs[0].series[f"flow {FLOW}", "delivered"]
    times, octets = delivered.times[::BIN], delivered.values[::BIN]
    rates = np.diff(octets) / np.diff(times) / 1e6
    # The last step goes on to the end of its span.
    return times, np.append(rates, rates[-1])


def bursts(point: PointResult) -> list[float]:
    """Durations of bursts of deliveries between two silences, in seconds."""
    arrivals, ends = _arrivals(point)
    return [float(arrivals[end] - arrivals[begin + 1]) for begin, end in pairwise(ends)]


def silences(point: PointResult) -> list[float]:
    """Durations of the silences between two bursts of deliveries, in seconds."""
    arrivals, ends = _arrivals(point)
    return [float(arrivals[end + 1] - arrivals[end]) for end in ends]


def _arrivals(point: PointResult) -> tuple[Array, NDArray[np.int64]]:
    """Instants at which data arrive in the first run, and the places of those before silences."""
    delivered = point.runs[0].series[f"flow {FLOW}", "delivered"]
    arrivals = delivered.times[1:][np.diff(delivered.values) > 0]
    return arrivals, np.flatnonzero(np.diff(arrivals) > SILENCE)
