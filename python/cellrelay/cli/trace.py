"""`--trace`: what is kept of a run beside its numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from cellrelay.cli.exits import Refusal
from cellrelay.errors import ScenarioError
from cellrelay.results import Captures, Place, Recordings, Results, Status, captures
from cellrelay.results.recordings import FOLDER
from cellrelay.scenario import Scenario

SAMPLES = (5000, 500, 50)
"""At most so many samples of each series unless it is said how often; fewer where those are too
many for memory."""

Load = Callable[[list[tuple[str, str]]], Scenario]
"""Reads the scenario with further settings."""


def load_recording(load: Load, traces: Sequence[str], every: str | None) -> Scenario:
    """The scenario as `--trace series` and `--every` want it recorded."""
    if "series" in traces and every is not None:
        try:
            return load([("record.every", every)])
        except ScenarioError as error:
            if is_about_recording(error):
                (problem,) = error.problems
                text = f"--every: {problem['problem']}\n  hint: {problem['hint']}"
                raise Refusal(text) from error
            raise
    if every is not None:
        raise Refusal("--every: nothing is recorded\n  hint: add `--trace series`")
    scenario = load([])
    if "series" not in traces or all(point.record_every for point in _points(scenario)):
        return scenario
    longest = max(point.duration for point in _points(scenario))
    *first, last = SAMPLES
    for samples in first:
        try:
            return load([("record.every", rounded(longest / samples))])
        except ScenarioError as error:
            if not is_about_recording(error):
                raise
    return load([("record.every", rounded(longest / last))])


def is_about_recording(error: ScenarioError) -> bool:
    """Whether nothing but the time between samples is wrong."""
    problems = getattr(error, "problems", [])
    return [problem["path"] for problem in problems] == ["record.every"]


def rounded(seconds: float) -> str:
    """The next longer time whose only digit is 1, 2 or 5; at least a nanosecond.

    >>> rounded(0.0015), rounded(0.00001), rounded(3.0), rounded(0)
    ('2000000 ns', '10000 ns', '5000000000 ns', '1 ns')
    """
    steps = (step * 10**power for power in range(13) for step in (1, 2, 5))
    # A quotient that is off in its last digit must not count as longer.
    return f"{next(step for step in steps if step * (1 + 1e-9) >= seconds * 1e9)} ns"


def recorder_of(scenario: Scenario, folder: Path) -> Recordings | None:
    """Who keeps the series, if there will be any."""
    records = any(point.record_every for point in _points(scenario))
    return Recordings(folder / FOLDER) if records else None


def captures_of(traces: Sequence[str], snaplen: int | None, folder: Path) -> Captures | None:
    """Who captures packets, if they are wanted."""
    if "pcap" in traces:
        try:
            return Captures(folder / captures.FOLDER, snaplen)
        except ValueError as error:
            raise Refusal(f"--{error}") from error
    if snaplen is not None:
        raise Refusal("--snaplen: nothing is captured\n  hint: add `--trace pcap`")
    return None


def tidy(keepers: Sequence[Recordings | Captures], results: Results) -> None:
    """Leave what belongs to these results only; all if they are not yet whole."""
    if results.status is Status.INTERRUPTED:
        return
    places = [
        Place(point.values, index, point.seed, replication)
        for index, point in enumerate(results.points)
        for replication in range(len(point.runs))
    ]
    for keeper in keepers:
        keeper.prune(iter(places))


def _points(scenario: Scenario) -> Iterator[Scenario]:
    return (scenario.point(index) for index in range(len(scenario.points)))
