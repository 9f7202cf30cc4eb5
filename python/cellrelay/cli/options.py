"""Options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter, Token

from cellrelay import examples
from cellrelay.cli.exits import Refusal
from cellrelay.errors import ScenarioError
from cellrelay.execute import Crew, open_crew

if TYPE_CHECKING:
    from cellrelay.scenario import Goal, Scenario


def scenario_file(_: object, tokens: Sequence[Token]) -> Path:
    """The file that was named, or that of the example; a file goes before an example."""
    if not tokens[0].value:
        raise Refusal("FILE: is an empty text\n  hint: name a scenario file, or an example")
    path = Path(tokens[0].value)
    if path.exists() or path.suffix or path.name != tokens[0].value:
        return path
    try:
        return examples.find(path.name)
    except LookupError as error:
        raise Refusal(str(error.args[0])) from error


File = Annotated[
    Path,
    Parameter(
        help="Scenario file, in TOML, or the name of an example, of which `cellrelay list examples`"
        " tells.",
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
        help="Replace a value of the scenario; may be repeated.",
    ),
]


def whole(_: object, tokens: Sequence[Token]) -> int:
    """A whole number in decimal digits; nothing is rounded, as it would be by default."""
    text = tokens[0].value
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise ValueError(f"`{text}` is not a whole number")
    return int(text)


Jobs = Annotated[
    int | None,
    Parameter(help="Runs at a time; all processors by default.", metavar="N", converter=whole),
]
_PLACES = (
    "Where runs happen: `threads`, `threads:N`, or `dask:ADDRESS` with the address of a scheduler"
    " or the file that it wrote"
)
Executor = Annotated[str, Parameter(help=f"{_PLACES}.", metavar="SPEC")]
ExecutorOrJobs = Annotated[
    str,
    Parameter(
        name="--executor",
        help=f"{_PLACES}; `slurm:N` submits an array of N jobs, `local:N` tries that out.",
        metavar="SPEC",
    ),
]
Shown = Annotated[
    Literal["bar", "lines", "json", "none"] | None,
    Parameter(
        name="--progress",
        metavar="LOOK",
        help="How progress is shown on standard error: as a `bar`, in `lines`, as an object of"
        " `json` a line, or not at all (`none`); by default a bar on a terminal, else lines.",
    ),
]
Trace = Annotated[
    list[Literal["series", "pcap"]] | None,
    Parameter(
        name="--trace",
        metavar="WHAT",
        negative="",
        help="Keep `series` of windows, timers, queues and drops over time, or packets for"
        " Wireshark (`pcap`); may be repeated.",
    ),
]
Every = Annotated[
    str | None,
    Parameter(
        help="Time between samples of series; by default some thousands are taken.",
        metavar="TIME",
    ),
]
Snaplen = Annotated[
    int | None,
    Parameter(
        help="Octets to keep of each packet with `--trace pcap`, from 1 to 262144; its headers by"
        " default.",
        metavar="N",
        converter=whole,
    ),
]
Json = Annotated[
    bool, Parameter(name="--json", negative="", help="Print one JSON document, not a table.")
]

Stored = Annotated[
    Path, Parameter(name="RESULTS", help="Folder that `run` wrote, or a file in it.")
]
Metric = Annotated[
    str | None, Parameter(help="Which metric; the first by default.", metavar="NAME")
]
Scope = Annotated[
    str | None,
    Parameter(
        help="Whose metric it is, for example `flow bulk[0]`; the network's by default.",
        metavar="SCOPE",
    ),
]
Where = Annotated[
    list[str] | None,
    Parameter(
        metavar="AXIS=VALUE",
        negative="",
        help="Only the points at which this axis has this value; once for each axis.",
    ),
]


def settings(pairs: list[str] | None) -> list[tuple[str, str]]:
    """Paths and values of `--set`; a path may have quoted parts.

    >>> settings(['duration=5 s', 'sweep."a.b"=["x=1"]'])
    [('duration', '5 s'), ('sweep."a.b"', '["x=1"]')]
    """
    form = "PATH=VALUE, for example --set 'duration=5 s'"
    return [_pair(text, "--set", form) for text in pairs or ()]


def selection(pairs: list[str] | None) -> dict[str, str]:
    """Axes and values of `--where`."""
    form = "AXIS=VALUE, for example --where 'packet=512 B'"
    chosen: dict[str, str] = {}
    for axis, value in (_pair(text, "--where", form) for text in pairs or ()):
        if axis in chosen:
            hint = "an axis has one value here: leave it out for all of them"
            raise Refusal(f"--where: `{axis}` is given twice\n  hint: {hint}")
        chosen[axis] = value
    return chosen


def points_chosen(scenario: Scenario, where: list[str] | None) -> Scenario:
    """The scenario with only the points that `--where` leaves."""
    from cellrelay.points import narrowed

    try:
        return narrowed(scenario, selection(where))
    except LookupError as error:
        raise Refusal(f"--where: {error.args[0]}") from error


def goals(scenario: Scenario, metrics: list[str] | None) -> list[Goal]:
    """What `--metric` names, if the scenario can measure it: told before anything is run."""
    from cellrelay.scenario import goal_of

    try:
        for metric in metrics or ():
            scenario.require(metric)
    except ScenarioError as error:
        raise Refusal(f"--metric: {error}") from error
    return [goal_of(metric) for metric in metrics or ()]


def metric_and_scope(metric: str | None, scope: str | None) -> tuple[str | None, str]:
    """A metric and its scope, which `--scope` names, or which stands before it as in a scenario."""
    from cellrelay.scenario import goal_of

    if metric is None or scope is not None:
        return metric, scope or "network"
    goal = goal_of(metric)
    return goal.metric, goal.scope


def positive(name: str, value: int | None) -> int | None:
    """The value of a counting option, refused if it counts nothing."""
    if value is not None and value < 1:
        raise Refusal(f"{name}: `{value}` is too small\n  hint: at least `1`")
    return value


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    match = re.match(r'((?:"[^"]*"|[^="])+)=(.*)', text, re.DOTALL)
    if not match:
        raise Refusal(f"{option}: `{text}` has no value\n  hint: {form}")
    return match[1].strip(), match[2].strip()


def crew(executor: str, jobs: int | None) -> Crew:
    """Who makes the runs."""
    try:
        return open_crew(executor, positive("--jobs", jobs))
    except ValueError as error:
        raise Refusal(f"--executor: {error}") from error
