"""What was shown of a run, for viewers who come later."""

from __future__ import annotations

from collections import deque

import numpy as np

from cellrelay.live.frame import Frame, Table

MOST = 8 * 2**20
"""Octets of gauges that are kept; the oldest go first."""

MOST_DROPS = 500
"""Drops that are kept."""


class History:
    """Readings of gauges for as far back as there is room, and the last of all else."""

    def __init__(self) -> None:
        self._readings: deque[tuple[np.ndarray, np.ndarray]] = deque()
        self._drops: Table = {}
        self._moving: Table = {}
        self._octets = 0

    def __bool__(self) -> bool:
        return bool(self._readings)

    def add(self, frame: Frame) -> None:
        """Take in what is shown."""
        self._readings.append((frame.times, frame.rows))
        self._octets += frame.times.nbytes + frame.rows.nbytes
        while self._octets > MOST and len(self._readings) > 1:
            times, rows = self._readings.popleft()
            self._octets -= times.nbytes + rows.nbytes
        self._moving = frame.moving
        self._drops = {
            name: np.concatenate([self._drops.get(name, column[:0]), column])[-MOST_DROPS:]
            for name, column in frame.drops.items()
        }

    def whole(self) -> Frame:
        """All of it as one frame."""
        times, rows = zip(*self._readings, strict=True)
        return Frame(np.concatenate(times), np.concatenate(rows), self._moving, self._drops)
