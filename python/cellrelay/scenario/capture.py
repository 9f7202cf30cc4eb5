"""Captures: packets for Wireshark, in files that a run writes."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from pathlib import Path

PATTERN = "*.pcapng"
"""Pattern of the names of capture files."""

LARGEST_SNAPLEN = 262_144
"""Size in octets of the longest packet that Wireshark reads: WTAP_MAX_PACKET_SIZE_STANDARD."""


def check_snaplen(snaplen: int | None) -> None:
    """Refuse a snapshot length below one octet, or above the limit of Wireshark."""
    if snaplen is None or 1 <= index(snaplen) <= LARGEST_SNAPLEN:
        return
    raise ValueError(
        f"snaplen: `{snaplen}` is out of range\n  hint: write `1` to `{LARGEST_SNAPLEN}` octets"
    )


@dataclass(frozen=True)
class Capture:
    """Destination of the packets of one run."""

    folder: Path
    origin: str = ""
    """Comment at the head of every file: the provenance of the run."""
    snaplen: int | None = None
    """Number of octets kept of each packet; if `None`, its headers."""

    def __post_init__(self) -> None:
        check_snaplen(self.snaplen)

    def prepare(self) -> None:
        """Create the folder, and remove the files of an earlier run."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.clear()

    def clear(self) -> None:
        """Remove the files."""
        for path in self.folder.glob(PATTERN):
            if path.is_file():
                path.unlink()
