"""Options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter, Token

from cellrelay import members
from cellrelay.cli.exits import Refusal
from cellrelay.cli.misread import not_a_choice
from cellrelay.errors import ScenarioError
from cellrelay.execute import WorkerPool, open_pool
from cellrelay.scenario import accepted, examples
from cellrelay.scenario.capture import LARGEST_SNAPLEN

if TYPE_CHECKING:
    from cellrelay.scenario import Goal, Scenario


def scenario_file(_: object, tokens: Sequence[Token]) -> Path:
    """The path of a scenario file or of an example; a file takes precedence."""
    if not tokens[0].value:
        raise Refusal("FILE: the name is empty\n  hint: name a scenario file, or an example")
    try:
        return examples.scenario_file(tokens[0].value)
    except LookupError as error:
        raise Refusal(str(error.args[0])) from error


File = Annotated[
    Path,
    Parameter(
        help="Scenario file, in TOML, or the name of an example; `cellrelay list examples` lists"
        " them.",
        name="FILE",
        converter=scenario_file,
    ),
]
Set = Annotated[
    list[str] | None,
    Parameter(
        name="--set",
        metavar="PATH=VALUE",
        negative="",
        allow_leading_hyphen=True,
        help="Replace a value of the scenario. Repeatable.",
    ),
]


Members = Annotated[
    list[Path] | None,
    Parameter(
        name="--members",
        metavar="FILE",
        negative="",
        help="Python file that defines members of families, such as discard policies; its code is"
        " run. Repeatable.",
    ),
]


def register(files: list[Path] | None) -> None:
    """Register the members that Python files define."""
    for file in files or ():
        try:
            members.load(str(file))
        except OSError:
            raise
        except (Exception, SystemExit) as error:
            raise Refusal(_why(str(file), error)) from error


def _why(file: str, error: BaseException) -> str:
    """Why a file of members failed, with the line."""
    if isinstance(error, members.RefusedClass) and error.file == file:
        return str(error)
    steps = walk_tb(error.__traceback__)
    lines = [line for frame, line in steps if frame.f_code.co_filename == file]
    if isinstance(error, SyntaxError) and error.filename == file:
        lines = [error.lineno or 1]
    at = f"{file}:{lines[-1]}" if lines else file
    hint = f"mend the file: `python {file}` prints where it stops"
    return f"{at}: {type(error).__name__}: {error}\n  hint: {hint}"


def whole(_: object, tokens: Sequence[Token]) -> int:
    """A whole number in decimal digits; unlike the default, it rounds nothing."""
    text = tokens[0].value
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise ValueError(f"`{text}` is not a whole number")
    return int(text)


Jobs = Annotated[
    int | None,
    Parameter(
        help="Number of parallel runs; by default, one per processor.", metavar="N", converter=whole
    ),
]
Threads = Annotated[
    int | None,
    Parameter(
        help="Threads of each run, by default one; they change no number. They pay for a single"
        " long run of a large network; several runs at a time use the processors better.",
        metavar="N",
        converter=whole,
    ),
]
_PLACES = (
    "Workers that make the runs: `threads`, `threads:N`, or `dask:ADDRESS` with the address or"
    " the file of a scheduler"
)
Executor = Annotated[str, Parameter(help=f"{_PLACES}.", metavar="SPEC")]
ExecutorOrJobs = Annotated[
    str,
    Parameter(
        name="--executor",
        help=f"{_PLACES}; `slurm:N` submits an array of N jobs, `local:N` runs them locally.",
        metavar="SPEC",
    ),
]
Shown = Annotated[
    Literal["bar", "lines", "json", "none"] | None,
    Parameter(
        name="--progress",
        metavar="LOOK",
        help="Progress on standard error: a `bar`, `lines`, one `json` object per line, or `none`;"
        " by default, a bar on a terminal and lines elsewhere.",
    ),
]
TABLES = ("packets", "connections")
"""What a table may have a row for; by default the name of its folder in the folder of results."""
TRACES = ("series", "pcap", *TABLES)


def traces(_: object, tokens: Sequence[Token]) -> list[str]:
    """What to keep beside the metrics; a table may have a folder."""
    for token in tokens:
        what, equals, folder = token.value.partition("=")
        if what not in TRACES or (equals and (what not in TABLES or not folder)):
            with_folder = [f"{one}=FOLDER" for one in TABLES]
            raise Refusal(not_a_choice("--trace", token.value, [*TRACES, *with_folder]))
    return [token.value for token in tokens]


Trace = Annotated[
    list[str] | None,
    Parameter(
        name="--trace",
        metavar="WHAT",
        negative="",
        converter=traces,
        help="Keep time series of windows, timers, queues and drops (`series`), packets for"
        " Wireshark (`pcap`), or a table with a row for each packet (`packets`, or"
        " `packets=FOLDER`) or for each connection that comes and goes (`connections`, or"
        " `connections=FOLDER`). Repeatable.",
    ),
]
Every = Annotated[
    str | None,
    Parameter(
        help="Time between samples of series; by default, each series gets a few thousand samples.",
        metavar="TIME",
    ),
]
Snaplen = Annotated[
    int | None,
    Parameter(
        help=f"Octets to keep of each packet with `--trace pcap`, from 1 to {LARGEST_SNAPLEN}; by"
        " default, its headers.",
        metavar="N",
        converter=whole,
    ),
]
Json = Annotated[
    bool, Parameter(name="--json", negative="", help="Print one JSON document instead of a table.")
]

Stored = Annotated[
    Path, Parameter(name="RESULTS", help="Folder of results that `run` wrote, or a file in it.")
]
Metric = Annotated[
    str | None, Parameter(help="Name of the metric; by default, the first.", metavar="NAME")
]
Scope = Annotated[
    str | None,
    Parameter(
        help="Scope of the metric, for example `flow bulk[0]`; by default, the network.",
        metavar="SCOPE",
    ),
]
Where = Annotated[
    list[str] | None,
    Parameter(
        metavar="AXIS=VALUE",
        negative="",
        help="Only the points at which this axis has this value. Repeatable, for other axes.",
    ),
]


def settings(pairs: list[str] | None) -> list[tuple[str, str]]:
    """Paths and values of `--set`; a path may have quoted parts.

    >>> settings(['duration=5 s', 'sweep."a.b"=["x=1"]'])
    [('duration', '5 s'), ('sweep."a.b"', '["x=1"]')]
    """
    form = "PATH=VALUE, for example --set 'duration=5 s'"
    return [pair(text, "--set", form) for text in pairs or ()]


def selection(pairs: list[str] | None) -> dict[str, str]:
    """Axes and values of `--where`."""
    form = "AXIS=VALUE, for example --where 'packet=512 B'"
    chosen: dict[str, str] = {}
    for axis, value in (pair(text, "--where", form) for text in pairs or ()):
        if axis in chosen:
            hint = "write one value for an axis, or leave the axis out for all values"
            raise Refusal(f"--where: `{axis}` is given twice\n  hint: {hint}")
        chosen[axis] = value
    return chosen


def points_chosen(scenario: Scenario, where: list[str] | None) -> Scenario:
    """The scenario with only the points of `--where`."""
    from cellrelay.experiment.points import narrowed

    try:
        return narrowed(scenario, selection(where))
    except LookupError as error:
        raise Refusal(f"--where: {error.args[0]}") from error


def goals(scenario: Scenario, metrics: list[str] | None) -> list[Goal]:
    """The metrics of `--metric`, refused before any run if the scenario cannot measure them."""
    try:
        for metric in metrics or ():
            scenario.require(metric)
    except ScenarioError as error:
        raise Refusal(f"--metric: {error}") from error
    return [_goal(metric) for metric in metrics or ()]


def metric_and_scope(metric: str | None, scope: str | None) -> tuple[str | None, str]:
    """A metric and its scope, from `--scope` or from a text such as `flow bulk goodput`."""
    if metric is None or scope is not None:
        return metric, scope or "network"
    goal = _goal(metric)
    return goal.metric, str(goal.scope)


def _goal(metric: str) -> Goal:
    from cellrelay.scenario import Goal

    try:
        return Goal.read(metric)
    except ScenarioError as error:
        raise Refusal(f"--metric: {error}") from error


def positive(name: str, value: int | None) -> int | None:
    """The value of a counting option, refused if it is below one or above a million."""
    try:
        return None if value is None else accepted.whole(name, value)
    except ScenarioError as error:
        raise Refusal(str(error)) from error


def pair(text: str, option: str, form: str) -> tuple[str, str]:
    """The name and the value of an option of the form NAME=VALUE."""
    match = re.match(r'((?:"[^"]*"|[^="])+)=(.*)', text, re.DOTALL)
    if not match:
        raise Refusal(f"{option}: `{text}` has no value\n  hint: {form}")
    return match[1].strip(), match[2].strip()


def worker_pool(executor: str, jobs: int | None, threads: int = 1) -> WorkerPool:
    """The worker pool of `--executor`, with `--jobs` runs at a time on `--threads` each."""
    try:
        return open_pool(executor, positive("--jobs", jobs), threads)
    except ValueError as error:
        raise Refusal(f"--executor: {error}") from error
