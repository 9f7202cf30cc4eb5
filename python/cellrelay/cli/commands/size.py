"""`cellrelay size`: the smallest value of a parameter that meets requirements."""

from __future__ import annotations

import json as json_text
import math
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from cellrelay.cli.analysis import Replicated, reader, runner
from cellrelay.cli.exits import DONE, STOPPED_EARLY, Refusal
from cellrelay.cli.options import (
    Executor,
    File,
    Jobs,
    Json,
    Set,
    Shown,
    Where,
    pair,
    positive,
    whole,
)
from cellrelay.cli.outputs import named, results_folder
from cellrelay.cli.table import print_title, write_table
from cellrelay.cli.trial import ExampleSetup

if TYPE_CHECKING:
    from cellrelay.scenario.factors import FactorRange
    from cellrelay.sizing import Requirement, Sized, SizingQuestion, Trial

EXAMPLES = """\
cellrelay size scenario.toml --vary 'link.slow.delay=1 ms .. 9 ms' --require 'goodput >= 1 Mbit/s'
cellrelay size scenario.toml --vary 'seed=1 .. 9' --require 'goodput >= 1 Mbit/s' --largest
cellrelay size scenario.toml --vary 'seed=1 .. 9' --require 'goodput >= 0' --risk 0.01
"""
TRIAL = ExampleSetup.PARSED_ONLY

Vary = Annotated[
    str,
    Parameter(
        name="--vary",
        metavar="PATH=RANGE",
        help="The parameter and its range, such as `10 cells .. 2000 cells`, with `log` before it"
        " for a search by ratios.",
    ),
]
Required = Annotated[
    list[str],
    Parameter(
        name="--require",
        metavar="BOUND",
        negative="",
        help="A bound that the whole confidence interval of a metric must keep, such as"
        " `goodput >= 9 Mbit/s` or `port s1->s2 cell_loss_ratio <= 0`; with `--risk`, all but that"
        " share of the runs must keep it. Repeatable.",
    ),
]
Largest = Annotated[
    bool,
    Parameter(negative="", help="Find the largest value instead, such as the length of a cable."),
]
Confirmations = Annotated[
    int,
    Parameter(
        metavar="N",
        converter=whole,
        help="Values to try beyond the one found, to detect that there is no single threshold: its"
        " neighbour, and others spread over the rest of the range.",
    ),
]
Across = Annotated[
    list[str] | None,
    Parameter(
        name="--across",
        metavar="AXIS",
        negative="",
        help="An axis of the sweep at all of whose values one value must meet the requirements;"
        " the worst decides. Repeatable.",
    ),
]
Risk = Annotated[
    float | None,
    Parameter(
        metavar="SHARE",
        help="Largest share of runs that may break a requirement. So many runs are made that the"
        " upper bound on this share is not larger; without it, the means of the runs must meet the"
        " requirements.",
    ),
]
Confidence = Annotated[
    float | None,
    Parameter(
        metavar="SHARE",
        help="Confidence level of intervals and bounds; by default, that of the scenario, or 0.95.",
    ),
]
Resolution = Annotated[
    float,
    Parameter(
        metavar="SHARE",
        help="Largest relative error of a value that is not a whole number.",
    ),
]
Out = Annotated[
    Path | None,
    Parameter(
        help="Folder for results; by default, results/NAME-size.", metavar="DIR", converter=named
    ),
]


def command(
    file: File,
    /,
    *,
    vary: Vary,
    require: Required,
    across: Across = None,
    risk: Risk = None,
    confidence: Confidence = None,
    largest: Largest = False,
    resolution: Resolution = 0.01,
    confirmations: Confirmations = 3,
    set_: Set = None,
    where: Where = None,
    replications: Replicated = None,
    jobs: Jobs = None,
    executor: Executor = "threads",
    out: Out = None,
    progress: Shown = None,
    json: Json = False,
) -> int:
    """Find the smallest value of a parameter with which a scenario meets requirements.

    A search by bisection makes the runs of one value after another, at each point of the sweep of
    the scenario. The folder of results keeps every run, and the same command continues after an
    interruption; `size.json` and `size.csv` in it have every value that was tried. Replications use
    the same random streams at all values.

    For an event that occurred in no run, such as a drop, the table shows an upper bound on its
    frequency instead of zero. For runs that differ by chance it shows how many break a requirement,
    and the exact upper bound on their share: after n runs without one, 1 - (1 - confidence)^(1/n).
    A metric of a group of flows is the mean of its flows, and a count their total; name a member,
    such as `flow bulk[0]`, to bound it alone.
    """
    from cellrelay.sizing import search

    question = _question(
        vary,
        require,
        is_largest=largest,
        resolution=resolution,
        confirmations=confirmations,
        across=across or (),
        risk=risk,
        confidence=confidence,
        replications=positive("--replications", replications),
    )
    read = reader(file, set_, where)
    folder = results_folder(out, f"{file.stem}-size", [file])

    title = read({}).title
    with runner(folder, executor, jobs, progress, None) as run:
        found = search(question, read, run)
    known = _write(question, found, folder)
    if json:
        print(json_text.dumps(known, allow_nan=False))
    else:
        _show(title, question, found)
    print(f"results in {folder}", file=sys.stderr)
    return DONE if all(one.answer for one in found) else STOPPED_EARLY


def _question(vary: str, require: list[str], **options: Any) -> SizingQuestion:
    """The question of the options, which have the names of its fields."""
    from cellrelay.errors import ScenarioError
    from cellrelay.sizing import Requirement, SizingQuestion

    try:
        requirements = [Requirement.parse(text) for text in require]
    except ScenarioError as error:
        raise Refusal(f"--require: {error}") from error
    varied = _range(vary)
    try:
        return SizingQuestion(varied, requirements, **options)
    except ScenarioError as error:
        raise Refusal(f"--{error}") from error


def _write(question: SizingQuestion, found: list[Sized], folder: Path) -> dict[str, Any]:
    """Write the trials into the folder of results; returns them as a JSON document."""
    from cellrelay.files import write_text
    from cellrelay.results.files.lines import line
    from cellrelay.sizing import document, rows

    known = document(question, found)
    write_text(folder / "size.json", json_text.dumps(known, indent=2) + "\n")
    write_text(folder / "size.csv", "".join(map(line, rows(question, found))))
    return known


def _range(vary: str) -> FactorRange:
    from cellrelay.errors import ScenarioError
    from cellrelay.scenario.factors import FactorRange, parse

    form = "PATH=RANGE, for example --vary 'switch.s1.buffer.per_output=10 cells .. 500 cells'"
    try:
        found = parse(*pair(vary, "--vary", form))
    except ScenarioError as error:
        raise Refusal(f"--vary: {error}") from error
    if not isinstance(found, FactorRange):
        raise Refusal(f"--vary: `{vary}` is not a range\n  hint: {form}")
    return found


def _show(title: str, question: SizingQuestion, found: list[Sized]) -> None:
    print_title(title)
    extreme = "largest" if question.is_largest else "smallest"
    print(f"{extreme} {question.range.name} in {question.range}, {_confidence(found)}")
    axes = list(found[0].point)
    columns = [_column(requirement, found) for requirement in question.requirements]
    counted = _failures(found)
    header = [*axes, extreme, *(name for name, _ in columns), counted[0]]
    rows = []
    for place, one in enumerate(found):
        value = one.answer.label if one.answer else "none"
        metrics = [cells[place] for _, cells in columns]
        rows.append([*one.point.values(), value, *metrics, counted[1][place]])
    write_table(header, rows, sys.stdout, numbers=range(len(axes), len(header)))
    for one in found:
        for remark in _remarks(one, question):
            print(remark)


def _confidence(found: list[Sized]) -> str:
    shown = [_shown(one) for one in found]
    if all(math.isnan(one.half_width) for trial in shown for one in trial.found.values()):
        return "by one sample at each value"
    return f"at {100 * found[0].level:g} % confidence"


def _failures(found: list[Sized]) -> tuple[str, list[str]]:
    """The name of the column of runs, and for each point the runs that break a requirement with the
    upper bound on their share; only the number of runs where nothing is left to chance."""
    shown = [_shown(one) for one in found]
    if all(math.isnan(trial.risk) for trial in shown):
        return "runs", [str(trial.runs) for trial in shown]
    bounds = ["" if math.isnan(one.risk) else f", < {100 * one.risk:.2g} %" for one in shown]
    return "runs that fail", [
        f"{trial.failed} of {trial.runs}{bound}" for trial, bound in zip(shown, bounds, strict=True)
    ]


def _column(requirement: Requirement, found: list[Sized]) -> tuple[str, list[str]]:
    """The name of the column of a metric, with its unit, and the estimates of all points."""
    from cellrelay.text.quantity import scale

    estimates = [_shown(one).found[requirement.text] for one in found]
    divisor, unit = scale(max(abs(one.mean) for one in estimates), requirement.unit)
    name = f"{requirement.goal} ({unit})" if unit else str(requirement.goal)
    return name, [str(one.scaled(divisor)) for one in estimates]


def _shown(found: Sized) -> Trial:
    """The trial in the table: the answer, or else the end of the range that should suffice."""
    return found.answer or found.trials[0 if found.is_largest else -1]


def _remarks(found: Sized, question: SizingQuestion) -> Iterator[str]:
    """Sentences about what the table cannot show."""
    at = f"{_place(found.point)}: " if found.point else ""
    if found.answer is None:
        nearest = _shown(found).label
        yield f"{at}no value meets the requirements; the numbers are those at {nearest}"
    elif found.answer.value == question.ends[0]:
        yield f"{at}every value of the range may meet the requirements"
    if found.limits:
        places = "; ".join(_place(point) for point in found.limits)
        yield f"{at}limited by {places}"
    if found.exceptions:
        labels = ", ".join(trial.label for trial in found.exceptions)
        yield f"{at}there is no single threshold: the requirements are not met at {labels}"
        last = found.exceptions[0 if found.is_largest else -1].label
        end = "ends" if found.is_largest else "begins"
        yield f"  hint: choose a range that {end} at {last}"


def _place(values: Mapping[str, str]) -> str:
    return ", ".join(f"{axis}={value}" for axis, value in values.items())
