"""Captures: packets as Wireshark reads them, in files that a run writes while it is made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PATTERN = "*.pcapng"
"""What the files of a capture are called, in a folder of their own."""


@dataclass(frozen=True)
class Capture:
    """Where the packets of one run go."""

    folder: Path
    origin: str = ""
    """What stands at the head of every file: where the run comes from."""
    snaplen: int | None = None
    """Octets that are kept of each packet; its headers, if `None`."""

    def prepare(self) -> None:
        """Make the folder, without the files of an earlier run."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.clear()

    def clear(self) -> None:
        """Remove the files."""
        for path in self.folder.glob(PATTERN):
            if path.is_file():
                path.unlink()
