"""`--trace`: series, packets and connections that are kept beside the metrics of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from cellrelay.cli.exits import Refusal
from cellrelay.cli.options import TABLES
from cellrelay.errors import ScenarioError
from cellrelay.results import (
    Captures,
    Recordings,
    Results,
    RunLabel,
    Status,
    Traces,
)
from cellrelay.results.files import captures
from cellrelay.results.files.recordings import FOLDER
from cellrelay.results.files.traces import keepers
from cellrelay.scenario import Scenario

SAMPLES = (5000, 500, 50)
"""Largest number of samples of each series without `--every`; fewer if memory does not suffice."""

Load = Callable[[list[tuple[str, str]]], Scenario]
"""Read the scenario with further settings."""


def load_recording(load: Load, traces: Sequence[str], every: str | None) -> Scenario:
    """The scenario with the recording of `--trace series` and `--every`."""
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
        raise Refusal("--every: no series are recorded\n  hint: add `--trace series`")
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
    """True if the only problem is the time between samples."""
    problems = getattr(error, "problems", [])
    return [problem["path"] for problem in problems] == ["record.every"]


def rounded(seconds: float) -> str:
    """The next longer time whose only digit is 1, 2 or 5; at least a nanosecond.

    >>> rounded(0.0015), rounded(0.00001), rounded(3.0), rounded(0)
    ('2000000 ns', '10000 ns', '5000000000 ns', '1 ns')
    """
    steps = (step * 10**power for power in range(13) for step in (1, 2, 5))
    # An error in the last digit of the quotient must not select the next longer step.
    return f"{next(step for step in steps if step * (1 + 1e-9) >= seconds * 1e9)} ns"


def recorder_of(scenario: Scenario, folder: Path) -> Recordings | None:
    """The recorder of the series, if any are recorded."""
    records = scenario.record_every is not None
    # Reading every point takes as long as short runs, and few sweeps have the word at all.
    if not records and "record" in scenario.resolved:
        records = any(point.record_every for point in _points(scenario))
    return Recordings(folder / FOLDER) if records else None


def captures_of(traces: Sequence[str], snaplen: int | None, folder: Path) -> Captures | None:
    """The recorder of packets, if they are captured."""
    if "pcap" in traces:
        try:
            return Captures(folder / captures.FOLDER, snaplen)
        except ValueError as error:
            raise Refusal(f"--{error}") from error
    if snaplen is not None:
        raise Refusal("--snaplen: no packets are captured\n  hint: add `--trace pcap`")
    return None


def traces_of(scenario: Scenario, chosen: Sequence[str], folder: Path) -> dict[str, Traces]:
    """The keepers of tables of packets and of connections, by what has a row in them."""
    asked = (one.partition("=") for one in chosen)
    tables = ((what, where) for what, _, where in asked if what in TABLES)
    return keepers(scenario, {what: where or folder / what for what, where in tables})


def tidy(keepers: Sequence[Recordings | Captures | Traces], results: Results) -> None:
    """Remove the files of other runs, once the results are complete."""
    if results.status is Status.INTERRUPTED:
        return
    places = [
        RunLabel(point.values, index, point.seed, replication)
        for index, point in enumerate(results.points)
        for replication in range(len(point.runs))
    ]
    for keeper in keepers:
        keeper.prune(iter(places))


def _points(scenario: Scenario) -> Iterator[Scenario]:
    return (scenario.point(index) for index in range(len(scenario.points)))
