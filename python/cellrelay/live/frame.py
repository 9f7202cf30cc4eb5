"""What is shown at a time, as numbers with names."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

Table = Mapping[str, Numbers]
"""Columns by name, each of shape (rows,)."""

WORD = 8
"""Octets of a number."""


@dataclass(frozen=True)
class Frame:
    """What is shown at a time."""

    times: Numbers
    """Seconds; shape (readings,)."""
    rows: Numbers
    """Gauges at each of them; shape (readings, gauges)."""
    moving: Table = field(default_factory=dict)
    """Units on their way, as `_core.Glimpse.moving` names their columns."""
    drops: Table = field(default_factory=dict)
    """Drops, as `_core.Glimpse.drops` names their columns."""

    def packed(self, act: int) -> bytes:
        """A header in JSON, and the arrays that it lists as little-endian numbers.

        The first four octets are the length of the header, which is padded to whole numbers.
        """
        arrays = list(self._arrays())
        listed = [
            {"table": table, "column": name, "length": array.size} for table, name, array in arrays
        ]
        header = json.dumps({"act": act, "gauges": self.rows.shape[1], "arrays": listed}).encode()
        header = header.ljust(-(-(len(header) + 4) // WORD) * WORD - 4)
        parts = (np.ascontiguousarray(array, dtype="<f8").tobytes() for *_, array in arrays)
        return b"".join([len(header).to_bytes(4, "little"), header, *parts])

    def _arrays(self) -> Iterator[tuple[str, str, Numbers]]:
        yield "readings", "times", self.times
        yield "readings", "rows", self.rows
        for table, columns in (("moving", self.moving), ("drops", self.drops)):
            for name, column in columns.items():
                yield table, name, column
