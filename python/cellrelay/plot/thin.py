"""Reduction of long series to the points that a figure of finite width can show."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

WIDTH = 2000
"""Number of columns of a figure that can be distinguished."""


def changes(times: Array, values: Array) -> tuple[Array, Array]:
    """The first and the last point, and those at each change: enough to draw the same steps.

    >>> times, values = np.arange(6.0), np.array([1.0, 1.0, 1.0, 2.0, 2.0, 2.0])
    >>> changes(times, values)
    (array([0., 3., 5.]), array([1., 2., 2.]))
    """
    if len(times) < 3:
        return times, values
    before, after = values[:-1], values[1:]
    is_change = (before != after) & ~(np.isnan(before) & np.isnan(after))
    keep = np.concatenate([[True], is_change])
    keep[-1] = True
    return times[keep], values[keep]


def envelope(times: Array, values: Array, width: int = WIDTH) -> tuple[Array, Array]:
    """The first, the smallest, the largest and the last value of each of `width` equal spans of
    time.

    >>> times, values = envelope(np.arange(100.0), np.arange(100.0) % 10, width=2)
    >>> times
    array([ 0.,  9., 49., 50., 59., 99.])
    """
    if len(times) <= 4 * width:
        return times, values
    starts = _starts(times, width)
    ends = np.append(starts[1:], len(times))
    chosen: list[int] = []
    for start, end in zip(starts, ends, strict=True):
        part = values[start:end]
        chosen += [start, end - 1]
        if not np.isnan(part).all():
            chosen += [start + int(np.nanargmin(part)), start + int(np.nanargmax(part))]
    places = np.unique(chosen)
    return times[places], values[places]


def instants(times: Array, values: Array, width: int = WIDTH) -> tuple[Array, Array]:
    """The first event of each value in each of `width` equal spans of time.

    >>> times, _ = instants(np.linspace(0.0, 1.0, 100_001), np.zeros(100_001), width=100)
    >>> len(times)
    100
    """
    if len(times) <= width:
        return times, values
    spans = _span_of(times, width)
    _, first = np.unique(np.stack([values, spans]), axis=1, return_index=True)
    places = np.sort(first)
    return times[places], values[places]


def _span_of(times: Array, width: int) -> Array:
    length = float(times[-1] - times[0]) or 1.0
    spans: Array = np.minimum(np.floor((times - times[0]) / length * width), width - 1)
    return spans


def _starts(times: Array, width: int) -> NDArray[np.intp]:
    return np.unique(_span_of(times, width), return_index=True)[1]
