"""What is shown at a time, as numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Frame:
    """What is shown at a time."""

    times: Numbers
    """Seconds; shape (rows,)."""
    rows: Numbers
    """Gauges at each of them; shape (rows, gauges)."""
    moving: Numbers = field(default_factory=lambda: np.empty((0, 7)))
    """Hop, flow, units, places of the first and last between 0 and 1, back, data."""
    drops: Numbers = field(default_factory=lambda: np.empty((0, 7)))
    """Seconds of the first cell and of the last, hop, flow, PDU, on the link, cells."""

    def packed(self, act: int) -> bytes:
        """Little-endian numbers: act, rows, gauges, moving and drops, and then the arrays."""
        sizes = [act, *self.rows.shape, len(self.moving), len(self.drops)]
        parts = (np.array(sizes, dtype="<f8"), self.times, self.rows, self.moving, self.drops)
        return b"".join(np.ascontiguousarray(part, dtype="<f8").tobytes() for part in parts)
