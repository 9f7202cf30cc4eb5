"""The longest silence of a recorded flow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cellrelay.metrics.scope import Scope
from cellrelay.results import PointResult


class Moment(NamedTuple):
    """Start and end of a part of the run, in seconds."""

    start: float
    end: float


def longest_silence(point: PointResult, flow: str) -> Moment | None:
    """The longest time between two arrivals of a flow, with half of that time before and after it.

    Of the first replication; nothing if that was not recorded. If nothing ever arrived, the whole
    run is the silence.
    """
    scope = Scope.named("flow", flow)
    series = point.runs[0].series.find(scope, "delivered") if point.runs else None
    if series is None:
        return None
    arrivals = np.flatnonzero(np.diff(series.values) > 0) + 1
    first, last = float(series.times[0]), float(series.times[-1])
    if len(arrivals) == 0:
        return Moment(first, last)
    times = np.append(series.times[arrivals], last)
    longest = int(np.argmax(np.diff(times)))
    start, end = float(times[longest]), float(times[longest + 1])
    around = 0.5 * (end - start)
    return Moment(max(first, start - around), min(last, end + around))
