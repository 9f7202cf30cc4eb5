"""Progress says how far, and how long still."""

from __future__ import annotations

import io
import json

import pytest

from cellrelay.cli.progress import Lines, describe, shown, span
from cellrelay.execute import open_pool
from cellrelay.experiment.sweep import Progress, sweep
from cellrelay.scenario import parse
from cellrelay.store import Store

from .scenarios import PORT


def progress(
    done: int, expected: int, elapsed: float, found: int = 0, underway: float = 0.0, failed: int = 0
) -> Progress:
    return Progress(done, found, expected, underway, failed, elapsed)


@pytest.mark.parametrize(
    ("now", "seconds"),
    [
        (progress(10, 40, 5.0), 15.0),
        (progress(30, 40, 5.0, found=20), 5.0),
        (progress(0, 4, 6.0, underway=0.5), 42.0),
        (progress(20, 40, 5.0, found=20), None),
        (progress(1, 40, 0.1), None),
        (progress(40, 40, 5.0), 0.0),
        (progress(40, 40, 0.1), 0.0),
    ],
)
def test_foresees_the_end_from_the_runs_made(now: Progress, seconds: float | None) -> None:
    assert now.seconds_left == seconds


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "0 s"), (59.6, "1 min 0 s"), (3599, "59 min 59 s"), (3600, "1 h 0 min")],
)
def test_time_is_told_as_people_tell_it(seconds: float, text: str) -> None:
    assert span(seconds) == text


def test_describes_the_store_and_failures() -> None:
    now = progress(12, 40, 4.0, found=2, failed=1)
    assert describe(now) == "12/40 runs, 2 from the store, 1 failed, 11 s left"


def test_writes_lines_ever_more_rarely() -> None:
    stream = io.StringIO()
    watch = Lines(stream)
    for second in range(100):
        watch(progress(second + 1, 100, float(second)))
    assert [int(line.split("/")[0]) for line in stream.getvalue().splitlines()] == [
        6,
        14,
        26,
        43,
        69,
    ]


def test_a_stream_that_is_no_terminal_gets_lines() -> None:
    with shown(stream=io.StringIO()) as watch:
        assert isinstance(watch, Lines)


def test_a_terminal_gets_a_bar() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    with shown(stream=stream) as watch:
        watch(progress(10, 40, 5.0))
    assert "10/40 runs" in stream.getvalue()


def test_a_program_gets_an_object_a_line() -> None:
    stream = io.StringIO()
    with shown("json", stream) as watch:
        for tenth in range(25):
            watch(progress(tenth, 40, tenth / 10))
        watch(Progress(40, 4, 40, 0.0, 0, 10.0, events=5_000_000, simulated=36.0))
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["done"] for line in lines] == [0, 10, 20, 40]
    assert lines[1]["seconds_left"] == 3.0
    assert (lines[-1]["events_per_second"], lines[-1]["simulated"]) == (500_000, 36.0)
    with shown("none", stream) as watch:
        watch(progress(40, 40, 5.0))
    assert len(stream.getvalue().splitlines()) == 4


def test_events_are_counted_while_runs_go_on_and_when_they_have_ended() -> None:
    seen: list[Progress] = []
    scenario = parse(PORT, settings={"duration": "6000 s"})

    def watch(now: Progress) -> None:
        seen.append(now)
        if now.events > 1000:
            raise KeyboardInterrupt

    with open_pool("threads:2") as pool, Store() as store:
        sweep(scenario, pool, store, watch=watch)
    assert seen[-1].done == 0
    assert seen[-1].events > 1000
    assert 0 < seen[-1].simulated < 12000
    with open_pool("threads:2") as pool, Store() as store:
        sweep(parse(PORT), pool, store, watch=seen.append)
    assert seen[-1].done == 2
    assert seen[-1].simulated == 0.1
    assert seen[-1].events > 1000
