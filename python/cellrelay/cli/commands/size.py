"""`cellrelay size`: the smallest value of a parameter that meets requirements."""

from __future__ import annotations

import json as json_text
import math
import sys
from collections.abc import Iterator
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
    whole,
)
from cellrelay.cli.table import print_title, write_table
from cellrelay.cli.trial import ExampleSetup
from cellrelay.text.quantity import finite

if TYPE_CHECKING:
    from cellrelay.scenario.factors import FactorRange
    from cellrelay.sizing import Requirement, Sized, SizingQuestion, Trial

EXAMPLES = """\
cellrelay size scenario.toml --vary 'link.slow.delay=1 ms .. 9 ms' --require 'goodput >= 1 Mbit/s'
cellrelay size scenario.toml --vary 'seed=1 .. 9' --require 'goodput >= 1 Mbit/s' --largest
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
        " `goodput >= 9 Mbit/s` or `port s1->s2 cell_loss_ratio <= 0`. Repeatable.",
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
        help="Values to try beyond the one found, to detect that there is no single threshold.",
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
    Path | None, Parameter(help="Folder for results; by default, results/NAME-size.", metavar="DIR")
]


def command(
    file: File,
    /,
    *,
    vary: Vary,
    require: Required,
    largest: Largest = False,
    resolution: Resolution = 0.01,
    confirmations: Confirmations = 2,
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
    interruption. Replications use the same random streams at all values.

    For an event that occurred in no run, such as a drop, the table shows an upper bound on its
    frequency instead of zero. A metric of a group of flows is the mean of its flows; name a member,
    such as `flow bulk[0]`, to bound it alone.
    """
    from cellrelay.files import write_text
    from cellrelay.sizing import size

    question = _question(vary, require, largest, resolution, confirmations)
    read = reader(file, set_, where)
    folder = out if out is not None else Path("results") / f"{file.stem}-size"

    title = read({}).title
    with runner(folder, executor, jobs, progress, replications) as run:
        found = size(question, read, run)
    document = _document(question, found)
    write_text(folder / "size.json", json_text.dumps(document, indent=2) + "\n")
    if json:
        print(json_text.dumps(document, allow_nan=False))
    else:
        _show(title, question, found)
    print(f"results in {folder}", file=sys.stderr)
    return DONE if all(one.answer for one in found) else STOPPED_EARLY


def _question(
    vary: str, require: list[str], largest: bool, resolution: float, confirmations: int
) -> SizingQuestion:
    from cellrelay.errors import ScenarioError
    from cellrelay.sizing import Requirement, SizingQuestion

    if not 0.0 < resolution < 1.0:
        raise Refusal(
            f"--resolution: `{resolution}` is not a share\n  hint: write for example `0.01`"
        )
    if confirmations < 0:
        raise Refusal(f"--confirmations: `{confirmations}` is negative\n  hint: write 0 or more")
    try:
        requirements = [Requirement.parse(text) for text in require]
    except ScenarioError as error:
        raise Refusal(f"--require: {error}") from error
    return SizingQuestion(_range(vary), requirements, largest, resolution, confirmations)


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
    print(f"{extreme} {question.range.name} in {question.range}, {_confidence(found[0])}")
    axes = list(found[0].point)
    columns = [_column(requirement, found) for requirement in question.requirements]
    header = [*axes, extreme, *(name for name, _ in columns), "runs"]
    rows = []
    for place, one in enumerate(found):
        value = one.answer.label if one.answer else "none"
        runs = str(_shown(one).runs)
        rows.append([*one.point.values(), value, *(cells[place] for _, cells in columns), runs])
    write_table(header, rows, sys.stdout, numbers=range(len(axes), len(header)))
    for one in found:
        for line in _remarks(one, question):
            print(line)


def _confidence(found: Sized) -> str:
    shown = _shown(found)
    (first, *_) = shown.found.values()
    if math.isnan(first.half_width):
        return "by one sample at each value"
    return f"at {100 * first.level:g} % confidence"


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
    place = ", ".join(f"{axis}={value}" for axis, value in found.point.items())
    at = f"{place}: " if place else ""
    if found.answer is None:
        nearest = _shown(found).label
        yield f"{at}no value meets the requirements; the numbers are those at {nearest}"
    elif found.answer.value == question.ends[0]:
        yield f"{at}every value of the range may meet the requirements"
    if found.exceptions:
        labels = ", ".join(trial.label for trial in found.exceptions)
        yield f"{at}there is no single threshold: the requirements are not met at {labels}"


def _document(question: SizingQuestion, found: list[Sized]) -> dict[str, Any]:
    return {
        "parameter": question.range.name,
        "range": str(question.range),
        "extreme": "largest" if question.is_largest else "smallest",
        "requirements": [one.text for one in question.requirements],
        "points": [
            {
                "point": dict(one.point),
                "value": one.answer.label if one.answer else None,
                "trials": [_trial(trial) for trial in one.trials],
            }
            for one in found
        ],
    }


def _trial(trial: Trial) -> dict[str, Any]:
    return {
        "value": trial.label,
        "is_met": trial.is_met,
        "runs": trial.runs,
        "metrics": [
            {
                "requirement": text,
                "mean": estimate.mean,
                "half_width": finite(estimate.half_width),
                "is_unseen": estimate.is_unseen,
            }
            for text, estimate in trial.found.items()
        ],
    }
