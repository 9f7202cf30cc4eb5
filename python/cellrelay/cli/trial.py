"""How the tests try the examples of a command."""

from __future__ import annotations

from enum import Enum


class ExampleSetup(Enum):
    """What the tests prepare before they run the examples in `EXAMPLES`."""

    SCENARIO = "a scenario with a sweep, `scenario.toml`"
    RESULTS = "the scenario and the results of its runs"
    PARSED_ONLY = "nothing: the examples make many runs or serve a page, and are only parsed"
