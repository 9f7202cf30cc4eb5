"""Causes of drops and losses, and what is said of each."""

from __future__ import annotations

import json
from functools import cache
from typing import NamedTuple

from cellrelay import _core


class Cause(NamedTuple):
    """A cause, as described by the table of the models; a text that does not apply is empty."""

    word: str
    """Name in traces, and of the metric of a `drop` that counts it."""
    site: str
    """Where it drops: `input`, `fabric`, `policer`, `output`, `link` or `host`."""
    is_counted: bool
    """True if a metric counts it."""
    short: str
    """A few words, for tables and legends."""
    sentence: str
    """Sentence of the live page about one drop."""
    page: str
    """Title of the page of the documentation with the rule, where no policy decides."""
    not_kept: str
    """Why the live page cannot show the run without the drop."""
    finding: str
    """The end of the finding that cells were dropped or lost without congestion; `{}` is the
    output."""


@cache
def every_cause() -> tuple[Cause, ...]:
    """All causes, in the order of a report.

    >>> every_cause()[0].word
    'overflow'
    """
    return tuple(Cause(**described) for described in json.loads(_core.causes()))
