"""What figures and claims ask of runs that were recorded over time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cellrelay.results import PointResult
from cellrelay.series import Series

from .measures import EXIT, FLOW

Array = NDArray[np.float64]

BIN = 50
"""Samples of a millisecond that a throughput over time is the mean of."""
SILENCE = 0.5
"""Seconds without a packet that end a burst."""
BEFORE, AFTER = 0.02, 0.01
"""Seconds around an overflow that are shown."""


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


def around_overflow(point: PointResult) -> tuple[Series, Series]:
    """Queue, and packets that lost cells, around the first overflow after a timeout."""
    series = point.runs[0].series
    queue, drops = (series[f"port {EXIT}", name] for name in ("queue", "dropped_pdus"))
    first_of_each = drops.times[np.append(True, np.diff(drops.times) > SILENCE)]
    second = float(first_of_each[1])
    start, end = second - BEFORE, second + AFTER
    return queue.between(start, end), drops.between(start, end)
