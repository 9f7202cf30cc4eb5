"""The name that was most likely meant by a misspelt one, by the rule of the core."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from cellrelay import _core

MOST_COMPARED = 2000
"""Names that are compared with a misspelt one."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name nearest to `name`, if it is near enough to be meant.

    >>> nearest("trougput", ["goodput", "throughput"])
    'throughput'
    """
    return _core.nearest(name, list(islice(known, MOST_COMPARED)))


def meant_or(name: str, known: Iterable[str], otherwise: str) -> str:
    """The question whether the nearest known name is meant, or else another hint.

    >>> meant_or("ten-tpc", ["ten-tcp"], "the names are: ten-tcp")
    'did you mean `ten-tcp`?'
    """
    close = nearest(name, known)
    return f"did you mean `{close}`?" if close else otherwise
