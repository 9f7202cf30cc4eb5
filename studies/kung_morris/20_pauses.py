"""Bursts, and the pauses between them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cellrelay.plot import Chart, Strip, Timeline, Trace
from cellrelay.results import PointResult, Results
from cellrelay.statistics import mean
from cellrelay.studies import Check, Outcome, Verdict, average, claim, exhibit, judge, known, named

from .charts import over_buffers, panel
from .measures import FLOW, SILENCE, grid, pause, paused
from .one_tcp import DISCARD, DISCARDS, LARGEST, PAPER_BUFFER, SIZES, recorded

Array = NDArray[np.float64]
BIN = 50
"""Samples of a millisecond that a throughput over time is the mean of."""

burst = recorded(
    "Throughput over time",
    {"policy": named(DISCARD, DISCARDS)},
    {"duration": "20 s", "record.every": "1 ms"},
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
        columns.append((Strip((Trace("", times, values, "steps"),), "throughput (MB/s)"),))
    return Timeline(tuple(columns), "time (s)", (5.0, 20.0), titles=tuple(policies))


@exhibit(
    "pauses",
    "Pauses.",
    "Plain ATM: mean time from the last packet before a timeout to the retransmission, where"
    " timeouts happen. The integer estimator of the host settles at a timeout of three ticks of"
    " 500 ms, and bursts begin at a tick: a pause is 1.5 s minus the length of a burst. If a"
    " retransmission is lost too, as with the smallest buffers and with 9180 bytes at 40 KB, the"
    " timeout backs off.",
)
def pauses_by_buffer(plain: Results) -> Chart:
    return over_buffers(panel("", grid(plain), pause), y_label="mean pause (s)", y_range=(0.0, 3.0))


@claim(
    "002-2",
    "With much less buffer, bursts of some tens of milliseconds are separated by pauses of 1.5 s:"
    " retransmission timeouts.",
    rule=f"plain ATM, {PAPER_BUFFER}, each packet size: the mean pause before a timeout is between"
    " 1.3 and 1.6 s, and pauses take at least 0.8 of the time; in the run that is drawn, of packets"
    f" of {LARGEST}, bursts last at most 0.1 s in the mean",
    expect=Verdict.REPRODUCED,
)
def pauses(plain: Results, burst: Results) -> Outcome:
    points = grid(plain)
    checks, words = [], []
    for size in SIZES:
        point = points[size, PAPER_BUFFER]
        lengths = known(pause, point)
        checks.append(Check(f"pauses of {size}", 1.3 <= lengths.mean <= 1.6))
        checks.append(Check(f"the time in pauses of {size}", average(paused, point) >= 0.8))
        words.append(f"{size} {lengths} s")
    lasting = mean(bursts(burst.point(policy="plain ATM")))
    checks.append(Check("bursts", lasting <= 0.1))
    return judge(f"mean pauses: {', '.join(words)}; bursts {1000 * lasting:.0f} ms", checks)


def throughput_over_time(point: PointResult) -> tuple[Array, Array]:
    """Beginnings of spans of time, and what was delivered in each, in MB/s."""
    delivered = point.runs[0].series[f"flow {FLOW}", "delivered"]
    times, octets = delivered.times[::BIN], delivered.values[::BIN]
    rates = np.diff(octets) / np.diff(times) / 1e6
    # The last step goes on to the end of its span.
    return times, np.append(rates, rates[-1])


def bursts(point: PointResult) -> list[float]:
    """How long deliveries went on between two silences, in seconds."""
    delivered = point.runs[0].series[f"flow {FLOW}", "delivered"]
    arrivals = delivered.times[1:][np.diff(delivered.values) > 0]
    ends = np.flatnonzero(np.diff(arrivals) > SILENCE)
    return [float(arrivals[end] - arrivals[begin + 1]) for begin, end in pairwise(ends)]
