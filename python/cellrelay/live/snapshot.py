"""Snapshots of a run, and their form on the wire."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

Columns = Mapping[str, Numbers]
"""Columns by name, each of shape (rows,)."""

WORD = 8
"""Size of a number, in octets."""


@dataclass(frozen=True)
class Snapshot:
    """Readings of gauges since the last snapshot, units in flight, and drops."""

    times: Numbers
    """Instants of the readings in seconds; shape (readings,)."""
    rows: Numbers
    """Values of the gauges; shape (readings, gauges)."""
    moving: Columns = field(default_factory=dict)
    """Units in flight, with the columns of `_core.Snapshot.moving`."""
    drops: Columns = field(default_factory=dict)
    """Drops, with the columns of `_core.Snapshot.drops`."""

    def packed(self, epoch: int) -> bytes:
        """A header in JSON, then the arrays that it lists, as little-endian 64-bit floats.

        The first four octets are the length of the header, which is padded with spaces so that the
        arrays are aligned.
        """
        arrays = list(self._arrays())
        listed = [
            {"table": table, "column": name, "length": array.size} for table, name, array in arrays
        ]
        known = {"epoch": epoch, "gauges": self.rows.shape[1], "arrays": listed}
        header = json.dumps(known).encode()
        header = header.ljust(-(-(len(header) + 4) // WORD) * WORD - 4)
        parts = (np.ascontiguousarray(array, dtype="<f8").tobytes() for *_, array in arrays)
        return b"".join([len(header).to_bytes(4, "little"), header, *parts])

    def _arrays(self) -> Iterator[tuple[str, str, Numbers]]:
        """Table, column and numbers of each array."""
        yield "readings", "times", self.times
        yield "readings", "rows", self.rows
        for table, columns in (("moving", self.moving), ("drops", self.drops)):
            for name, column in columns.items():
                yield table, name, column
