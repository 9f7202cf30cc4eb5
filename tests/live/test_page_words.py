"""The live page formats numbers, parses times, and finds the key at the cursor."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from .watched import pause

CALL = """async ([file, name, calls]) => {
    const found = await import(`/page/${file}.js`);
    return calls.map((each) => found[name](...each));
}"""


def _all(page: Page, file: str, name: str, expected: dict[tuple[Any, ...], Any]) -> None:
    found = page.evaluate(CALL, [file, name, [list(call) for call in expected]])
    assert dict(zip(expected, found, strict=True)) == expected


def test_numbers_and_times_are_formatted_and_parsed(page: Page) -> None:
    pause(page)
    formatted = {
        (1.5e6, "bit/s"): "1.5 Mbit/s",
        (999.9, "B"): "1000 B",
        (1000, "B"): "1 kB",
        (2.83e-6, "s"): "2.83 µs",
        (0, "s"): "0 s",
        (1, "cells"): "1 cell",
        (12345, "cells"): "12\u202f345 cells",
        (2.5, "cells"): "2.5 cells",
        (3, "1"): "3",
    }
    _all(page, "units", "formatted", formatted)
    ticks = {
        ((0, 0.25, 0.5), "s"): ["0", "250 ms", "500 ms"],
        ((0.5, 0.75, 1.0), "s"): ["0.50 s", "0.75 s", "1.00 s"],
        ((0, 200_000), "cells/s"): ["0", "200 k"],
        ((0, 500, 1000), "cells"): ["0", "500", "1000"],
    }
    _all(page, "units", "ticks", ticks)
    instants = {(0.0123456,): "12.346 ms", (35.3e-6,): "35.300 µs", (2.25,): "2.250000 s"}
    _all(page, "units", "instant", instants)
    seconds = {
        ("12.5 ms",): 0.0125,
        ("3us",): 3e-6,
        ("0,5",): 0.5,
        ("2 min",): 120,
        ("soon",): None,
        ("-1 s",): None,
        ("5 m",): None,
    }
    _all(page, "units", "seconds", seconds)
    slowness = {
        (1,): "in real time",
        (1e-3,): "1000 times slower than real time",
        (0.75,): "1.3 times slower than real time",
        (10,): "10 times faster than real time",
    }
    _all(page, "units", "slowness", slowness)


SCENARIO = """\
duration = "1 s"  # of = "all"
[flow.bulk]
source.greedy = { start = { uniform = ["0 s", "1 ms"] } }
"over".ubr = {}

[flow.bulk.transport.tcp]
timers.bsd = { tick = "0.1 ms", initial = "1 s" }
"""


def test_the_key_at_the_cursor_is_found_through_tables(page: Page) -> None:
    pause(page)
    keys = {
        "duration": ["duration"],
        "all": ["duration"],
        "[flow": ["flow", "bulk"],
        "source": ["flow", "bulk", "source", "greedy"],
        "start": ["flow", "bulk", "source", "greedy", "start"],
        "0 s": ["flow", "bulk", "source", "greedy", "start", "uniform"],
        "ubr": ["flow", "bulk", "over", "ubr"],
        "tick": ["flow", "bulk", "transport", "tcp", "timers", "bsd", "tick"],
        "initial": ["flow", "bulk", "transport", "tcp", "timers", "bsd", "initial"],
    }
    places = {(SCENARIO, SCENARIO.index(text) + 1): key for text, key in keys.items()}
    _all(page, "place", "pathAt", places)
