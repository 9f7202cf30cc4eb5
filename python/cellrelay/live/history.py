"""The history of a run, for viewers who join later."""

from __future__ import annotations

from collections import deque

import numpy as np

from cellrelay.live.snapshot import Columns, Snapshot

MOST = 8 * 2**20
"""Limit of the readings kept, in octets; the oldest are removed first."""

MOST_DROPS = 500
"""Limit of the drops kept."""


class History:
    """The latest readings and drops, and the units in flight of the last snapshot."""

    def __init__(self) -> None:
        self._readings: deque[tuple[np.ndarray, np.ndarray]] = deque()
        self._drops: Columns = {}
        self._moving: Columns = {}
        self._octets = 0

    def __bool__(self) -> bool:
        return bool(self._readings)

    def add(self, snapshot: Snapshot) -> None:
        """Add a snapshot."""
        self._readings.append((snapshot.times, snapshot.rows))
        self._octets += snapshot.times.nbytes + snapshot.rows.nbytes
        while self._octets > MOST and len(self._readings) > 1:
            times, rows = self._readings.popleft()
            self._octets -= times.nbytes + rows.nbytes
        self._moving = snapshot.moving
        self._drops = {
            name: np.concatenate([self._drops.get(name, column[:0]), column])[-MOST_DROPS:]
            for name, column in snapshot.drops.items()
        }

    def joined(self) -> Snapshot:
        """The history as one snapshot."""
        times, rows = zip(*self._readings, strict=True)
        return Snapshot(np.concatenate(times), np.concatenate(rows), self._moving, self._drops)
