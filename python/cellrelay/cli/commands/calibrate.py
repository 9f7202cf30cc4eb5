"""`cellrelay calibrate`: the values of open parameters that reproduce printed numbers."""

from __future__ import annotations

import json as json_text
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from cellrelay import _core
from cellrelay.cli.analysis import Replicated, runner
from cellrelay.cli.exits import DONE, Refusal
from cellrelay.cli.options import Executor, Jobs, Json, Shown, positive, whole
from cellrelay.cli.outputs import named, results_folder
from cellrelay.cli.table import print_title, write_table
from cellrelay.cli.trial import ExampleSetup
from cellrelay.text.quantity import finite

if TYPE_CHECKING:
    from cellrelay.calibration import Answer, CalibrationQuestion, PrintedTarget

EXAMPLES = """\
cellrelay calibrate targets.toml
cellrelay calibrate targets.toml --trials 200 --replications 3
"""
TRIAL = ExampleSetup.PARSED_ONLY

QUESTION = "calibration.toml"
"""Name of the question in the folder of a study."""
BOUNDS = {"value": "", "at_least": "≥ ", "at_most": "≤ "}
"""Signs before printed numbers that are bounds."""

Asked = Annotated[
    str,
    Parameter(
        name="QUESTION",
        help="A file with targets and open parameters, or the name of a study that has one.",
    ),
]
Trials = Annotated[
    int,
    Parameter(
        name="--trials",
        metavar="N",
        converter=whole,
        help="Number of settings to try before each parameter is varied alone.",
    ),
]
Out = Annotated[
    Path | None,
    Parameter(help="Folder for results; by default, results/NAME.", metavar="DIR", converter=named),
]


def command(
    name: Asked,
    /,
    *,
    trials: Trials = 100,
    replications: Replicated = None,
    jobs: Jobs = None,
    executor: Executor = "threads",
    out: Out = None,
    progress: Shown = None,
    json: Json = False,
) -> int:
    """Find the values of open parameters that reproduce printed numbers.

    QUESTION is a TOML file: `scenario` names the scenario, or `study` the study; `[parameters]` has
    the range or the alternatives of each open parameter, in the forms of `sensitivity --vary`, and
    each table `[targets.NAME]` a printed number: `metric`, `value` or a bound (`at_least`,
    `at_most`), `tolerance`, `where` with the point of the sweep, and `held_back = true` if it is
    not fitted but predicted. In a study, `experiment` says which experiment measures the metric,
    or `number` names a number that one of its pages computes.

    Settings are proposed by tree-structured Parzen estimators (optuna), run on common random
    numbers, and compared with the printed numbers. Then every parameter is varied alone. The report
    has the best settings, the parameters that the numbers do not determine, the numbers that no
    settings meet, alone or together, and the predictions of the numbers held back. Finished runs
    are kept, and the same command continues after an interruption.
    """
    from cellrelay.calibration import answer, calibrate, read

    most = positive("--trials", trials) or 1
    path = _question(name)
    question = read(path)
    folder = results_folder(out, _stem(name, path), [path])
    with runner(folder, executor, jobs, progress, replications) as run:
        found = answer(question, calibrate(question, most, run))
    document = _document(question, found)
    _write(found, document, folder)
    if json:
        print(json_text.dumps(document, allow_nan=False))
    else:
        _show(question, found)
    print(f"results in {folder}", file=sys.stderr)
    return DONE


def _question(name: str) -> Path:
    from cellrelay.studies import available

    path = Path(name)
    if path.suffix or path.exists():
        return path
    folders = available()
    if name not in folders:
        raise Refusal(
            f"`{name}` is neither a file nor a study"
            f"\n  hint: name a TOML file with targets, or one of {', '.join(folders)}"
        )
    path = folders[name] / QUESTION
    if not path.exists():
        raise Refusal(
            f"the study `{name}` has no `{QUESTION}`\n  hint: write your own file with targets"
        )
    return path


def _stem(name: str, path: Path) -> str:
    return f"{name}-calibration" if path.name == QUESTION else path.stem


def _write(found: Answer, document: dict[str, Any], folder: Path) -> None:
    from cellrelay.files import write_text
    from cellrelay.scenario.toml import write

    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / "calibration.json", json_text.dumps(document, indent=2) + "\n")
    write_text(folder / "best.toml", write(dict(found.best.settings)))


def _show(question: CalibrationQuestion, found: Answer) -> None:
    print_title(question.source.title)
    count = len(found.met)
    print(f"{found.tried} settings tried; the best meet {count} of {len(question.fitted)} numbers")
    if len(found.as_good) > 1:
        print(f"{len(found.as_good)} settings meet the same numbers")
    print()
    rows = [
        [one.factor.name, one.best, _as_good(one.as_good), _decided(one)]
        for one in found.parameters
    ]
    write_table(["parameter", "best", "as good", "identifiable"], rows, sys.stdout)
    print()
    header = ["number", "printed", "tolerance", "found", "unit", "met"]
    numbers = [_row(question, found, target) for target in question.targets]
    write_table(header, numbers, sys.stdout, numbers=range(1, 4))
    for target, closest in found.never_met:
        print(f"\nno settings meet {target.name}: the closest is {closest:.4g}", end="")
    for one, other in found.exclusive:
        print(f"\nno settings meet both {one.name} and {other.name}", end="")
    print("\n" if found.never_met or found.exclusive else "", end="")


def _as_good(values: tuple[str, ...]) -> str:
    return ", ".join(values) if len(set(values)) > 2 else " .. ".join(dict.fromkeys(values))


def _decided(one: Any) -> str:
    return "yes" if one.is_identifiable else f"no: {100 * one.share:.0f} % of its range"


def _row(question: CalibrationQuestion, answer: Answer, target: PrintedTarget) -> list[str]:
    from cellrelay.text.quantity import scale

    found = answer.best.found[target.name]
    factor, unit = scale(abs(target.value), question.source.unit(target))
    printed, tolerance = target.value / factor, target.tolerance / factor
    shown = "not measured" if math.isnan(found.mean) else str(found.scaled(factor))
    is_met = answer.best.meets(target)
    answers = ("no", "yes") if not target.is_held_back else ("not predicted", "predicted")
    return [
        *(target.name, f"{BOUNDS[target.printed]}{printed:.6g}", f"± {tolerance:.3g}"),
        *(shown, unit, answers[is_met]),
    ]


def _document(question: CalibrationQuestion, found: Answer) -> dict[str, Any]:
    from cellrelay.results import commit

    return {
        "source": question.source.name,
        "version": _core.VERSION,
        "model": _core.MODEL,
        "commit": commit(),
        "tried": found.tried,
        "as_good": len(found.as_good),
        "loss": found.best.loss,
        "settings": dict(found.best.settings),
        "parameters": [
            {
                "parameter": one.factor.name,
                "range": str(one.factor),
                "best": one.best,
                "as_good": list(one.as_good),
                "share": one.share,
                "identifiable": one.is_identifiable,
            }
            for one in found.parameters
        ],
        "targets": [
            {
                "target": target.name,
                target.printed: target.value,
                "tolerance": target.tolerance,
                "held_back": target.is_held_back,
                "source": target.source,
                "met": found.best.meets(target),
            }
            | {
                "found": finite(found.best.found[target.name].mean),
                "half_width": finite(found.best.found[target.name].half_width),
            }
            for target in question.targets
        ],
        "never_met": [target.name for target, _ in found.never_met],
        "exclusive": [[one.name, other.name] for one, other in found.exclusive],
    }
