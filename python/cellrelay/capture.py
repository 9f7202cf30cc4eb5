"""Captures: packets as Wireshark reads them, in files that a run writes while it is made."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from pathlib import Path

PATTERN = "*.pcapng"
"""What the files of a capture are called, in a folder of their own."""

LARGEST_SNAPLEN = 262_144
"""Octets of the longest packet that Wireshark reads: WTAP_MAX_PACKET_SIZE_STANDARD."""


def check_snaplen(snaplen: int | None) -> None:
    """Refuse to keep nothing of a packet, or more than can be read."""
    if snaplen is None or 1 <= index(snaplen) <= LARGEST_SNAPLEN:
        return
    raise ValueError(
        f"snaplen: `{snaplen}` is out of range\n  hint: from `1` to `{LARGEST_SNAPLEN}` octets"
    )


@dataclass(frozen=True)
class Capture:
    """Where the packets of one run go."""

    folder: Path
    origin: str = ""
    """What stands at the head of every file: where the run comes from."""
    snaplen: int | None = None
    """Octets that are kept of each packet; its headers, if `None`."""

    def __post_init__(self) -> None:
        check_snaplen(self.snaplen)

    def prepare(self) -> None:
        """Make the folder, without the files of an earlier run."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.clear()

    def clear(self) -> None:
        """Remove the files."""
        for path in self.folder.glob(PATTERN):
            if path.is_file():
                path.unlink()
