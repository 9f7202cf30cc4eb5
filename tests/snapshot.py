"""Texts that a reviewer reads: kept as files, compared as they are.

`UPDATE_GOLDEN=1` writes them anew.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "snapshots"


def check(name: str, text: str) -> None:
    """Compare a text with the file of this name."""
    path = FOLDER / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    expected = path.read_text(encoding="utf-8") if path.exists() else ""
    assert text == expected, f"{path.name} differs; UPDATE_GOLDEN=1 writes it anew"
