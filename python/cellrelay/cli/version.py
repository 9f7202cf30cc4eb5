"""The version of the program."""

from __future__ import annotations

from cellrelay import _core
from cellrelay.commit import commit


def version() -> str:
    """The version, and the commit of the sources if it is known."""
    return f"{_core.VERSION}, commit {commit()}" if commit() else _core.VERSION
