"""Files to one host: settings, and the measures of figures and claims."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cellrelay.metrics.names import FlowMetric
from cellrelay.results import PointResult, Results
from cellrelay.studies import Measure, along, of_flow

from .data import LAST, NOTICES, RETURNED, SENDERS

COUNT = "host.sender.count"
WINDOW = "flow.file.transport.pull.initial_window"
PACKET_TIME = 9064 * 8 / 10e9
"""Seconds that a packet takes on a link."""
FILE_TIME = 30 * PACKET_TIME
"""Seconds that the packets of a file take."""
FIRST = PACKET_TIME + 20.5792e-6
"""Seconds until the first octet of a file arrives at the receiver."""
FIRST_THERE = 0.000042256
"""The same in the authors' network: `incast_sensitivity.plot` in their folder."""
HEADER_TIME = 64 * 8 / 10e9
"""Seconds that an acknowledgment or a pull takes on a link."""
BACK = 20.5792e-6 + 2 * HEADER_TIME
"""Seconds that an acknowledgment takes to the sender."""
ROUND_TRIP = 55.8144e-6
"""Seconds between two packets of a file with a window of one packet: the pull follows its
acknowledgment."""


def sweep(senders: Iterable[int], windows: Iterable[int]) -> dict[str, Any]:
    """The axes of senders and of initial windows."""
    return {COUNT: tuple(senders), WINDOW: tuple(windows)}


def points(results: Results, window: int) -> Mapping[int, PointResult]:
    """The points with an initial window, by the number of senders."""
    found = along(results, COUNT, initial_window=str(window))
    return {int(count): point for count, point in found.items()}


def stretch_there(window: int, senders: int) -> float:
    """`stretch` of the authors."""
    last = LAST[window][SENDERS.index(senders)]
    return (last - FIRST_THERE) / (senders * FILE_TIME)


def notices_there(window: int, senders: int) -> int:
    """Packets of the authors that were sent again after a negative acknowledgment."""
    return NOTICES[window][SENDERS.index(senders)]


def returned_there(window: int, senders: int) -> int:
    """Headers of the authors that found no room."""
    return RETURNED[window][SENDERS.index(senders)]


def stretch(point: PointResult) -> list[float]:
    """How many times as long as its packets take the last link is needed, for each replication.

    It is needed from the first packet of any file to the last packet of all files.
    """
    least = int(point.values[COUNT]) * FILE_TIME
    return [(max(times) - FIRST) / least for times in _of_files("max_completion_time", point)]


def summed(metric: FlowMetric) -> Measure:
    """A metric of the files, added up."""
    return lambda point: [sum(values) for values in _of_files(metric, point)]


def _of_files(metric: FlowMetric, point: PointResult) -> Iterator[tuple[float, ...]]:
    """A metric of each file, for each replication."""
    senders = int(point.values[COUNT])
    files = (of_flow(metric, f"file[{sender}]")(point) for sender in range(senders))
    return zip(*files, strict=True)
