"""`cellrelay sensitivity`: which parameters of a scenario decide a metric."""

from __future__ import annotations

import json as json_text
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from cellrelay.cli.analysis import Replicated, reader, runner
from cellrelay.cli.exits import Refusal
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
from cellrelay.cli.outputs import named, results_folder
from cellrelay.cli.table import print_title, write_table
from cellrelay.cli.trial import ExampleSetup
from cellrelay.text.quantity import finite

if TYPE_CHECKING:
    from cellrelay.results import Results
    from cellrelay.scenario.factors import Factor
    from cellrelay.sensitivity import Method, Sensitivity

EXAMPLES = """\
cellrelay sensitivity scenario.toml --vary 'link.slow.delay=1 ms .. 9 ms'
cellrelay sensitivity scenario.toml --vary 'duration=["1 s", "2 s"]'
cellrelay sensitivity scenario.toml --vary 'seed=1 .. 99' --method sobol
"""
TRIAL = ExampleSetup.PARSED_ONLY

Vary = Annotated[
    list[str],
    Parameter(
        name="--vary",
        metavar="PATH=RANGE",
        negative="",
        help="A parameter to vary: a range such as `100 cells .. 2000 cells`, with `log` before it"
        ' for equal ratios; a list of alternatives in TOML, such as `["512 B", "9180 B"]`; or a'
        " table of named alternatives that each set several paths. Repeatable.",
    ),
]
Metrics = Annotated[
    list[str] | None,
    Parameter(
        name="--metric",
        metavar="NAME",
        negative="",
        help="Metric to analyse, for example `goodput`, or `flow bulk timeouts` with its scope."
        " Repeatable; by default, the first metric of the network.",
    ),
]


Chosen = Annotated[
    Literal["morris", "sobol"],
    Parameter(
        name="--method",
        help="`morris` ranks parameters with few runs; `sobol` divides the variance of the metric"
        " among them.",
    ),
]
SAMPLES = {"morris": 10, "sobol": 64}
"""Default size of the sample of each method."""
Samples = Annotated[
    int | None,
    Parameter(
        name="--samples",
        metavar="N",
        converter=whole,
        help=f"Size of the sample: trajectories for `morris`, {SAMPLES['morris']} by default, each"
        f" with a run for every parameter and one more; base points for `sobol`, {SAMPLES['sobol']}"
        " by default, each with a run for every parameter and two more.",
    ),
]
Out = Annotated[
    Path | None,
    Parameter(
        help="Folder for results; by default, results/NAME-sensitivity.",
        metavar="DIR",
        converter=named,
    ),
]


def command(
    file: File,
    /,
    *,
    vary: Vary,
    metric: Metrics = None,
    method: Chosen = "morris",
    samples: Samples = None,
    set_: Set = None,
    where: Where = None,
    replications: Replicated = None,
    jobs: Jobs = None,
    executor: Executor = "threads",
    out: Out = None,
    progress: Shown = None,
    json: Json = False,
) -> int:
    """Find the parameters of a scenario that affect a metric most.

    Each `--vary` names a parameter and its range, over which all values are equally likely.
    Samples of all parameters together are points of a sweep: the folder of results keeps every
    run, and the same command continues after an interruption. Replications use the same random
    streams at all samples.

    For Morris screening, mu* is the mean size of the change of the metric when a parameter crosses
    its range, and sigma its standard deviation: a large sigma means that the effect depends on the
    other parameters, or is not linear. For Sobol indices, the first-order index is the share of
    the variance that a parameter causes alone, and the total index the share with all
    interactions.
    """
    from cellrelay.cli.outcome import exit_code, tell
    from cellrelay.plot import require_matplotlib
    from cellrelay.results.files.folder import write_folder
    from cellrelay.sensitivity import analyse

    require_matplotlib()
    factors, chosen, read = _factors(vary), _method(method, samples), reader(file, set_, where)
    folder = results_folder(out, f"{file.stem}-sensitivity", [file])

    with runner(folder, executor, jobs, progress, replications) as run:
        results, found = analyse(read, factors, chosen, metric or [], run)
        write_folder(results, folder)
    _write(found, factors, chosen, results, folder, as_json=json)
    tell(results)
    print(f"results in {folder}", file=sys.stderr)
    return exit_code(results.status, is_sweep=True)


def _factors(vary: list[str]) -> list[Factor]:
    from cellrelay.errors import ScenarioError
    from cellrelay.scenario.factors import parse

    form = "PATH=RANGE, for example --vary 'link.exit.delay=1 ms .. 10 ms'"
    try:
        return [parse(*pair(text, "--vary", form)) for text in vary]
    except ScenarioError as error:
        raise Refusal(f"--vary: {error}") from error


def _method(name: str, samples: int | None) -> Method:
    from cellrelay.sensitivity import method

    size = samples if samples is not None else SAMPLES[name]
    try:
        return method(name, size)
    except ValueError as error:
        raise Refusal(f"--samples: {error}") from error


def _write(
    found: list[Sensitivity],
    factors: list[Factor],
    method: Method,
    results: Results,
    folder: Path,
    *,
    as_json: bool,
) -> None:
    from cellrelay.files import write_text
    from cellrelay.plot import draw, save
    from cellrelay.results import origin
    from cellrelay.sensitivity.figure import ranking

    document = [_document(one, factors, method) for one in found]
    write_text(folder / "sensitivity.json", json_text.dumps(document, indent=2) + "\n")
    for one in found:
        name = str(one.goal).replace(" ", "-").replace("/", "-")
        figure, source = draw(ranking(one, method.name)), results.provenance
        save(figure, folder / f"sensitivity-{name}.svg", source.title, origin(source))
    if as_json:
        print(json_text.dumps(document, allow_nan=False))
        return
    print_title(results.provenance.title)
    print(f"{method.title}: {len(factors)} parameters, {len(results.points)} samples")
    for one in found:
        _show(one, factors, method)


def _show(found: Sensitivity, factors: list[Factor], method: Method) -> None:
    from cellrelay.text.quantity import scale

    of_metric, unit = scale(max(abs(found.mean), found.deviation), found.unit)
    mean, deviation = (f"{value / of_metric:.4g}" for value in (found.mean, found.deviation))
    shown = f" {unit}" if unit else ""
    print(f"\n{found.goal}: mean {mean}{shown}, standard deviation {deviation}{shown}")
    if found.noise is not None:
        print(f"{100 * found.noise:.2g} % of its variance is noise between replications")
    divisor = of_metric if method.has_units else 1.0
    in_unit = f" ({unit})" if unit and method.has_units else ""
    ranges = {one.name: str(one) for one in factors}
    names = list(next(iter(found.indices.values())))
    header = ["parameter", "range", *(f"{_title(name)}{in_unit}" for name in names)]
    rows = [
        [name, ranges[name], *(str(known.scaled(divisor)) for known in indices.values())]
        for name, indices in found.indices.items()
    ]
    write_table(header, rows, sys.stdout, numbers=range(2, len(header)))


def _title(index: str) -> str:
    return {"mu_star": "mu*", "first": "first order"}.get(index, index)


def _document(found: Sensitivity, factors: list[Factor], method: Method) -> dict[str, Any]:
    ranges = {one.name: str(one) for one in factors}
    return {
        "metric": found.goal.metric,
        "scope": found.goal.scope,
        "unit": found.unit,
        "method": method.name,
        "samples": method.size,
        "mean": found.mean,
        "deviation": found.deviation,
        "noise": found.noise,
        "parameters": [
            {"parameter": name, "range": ranges[name]}
            | {
                index: {"value": known.mean, "half_width": finite(known.half_width)}
                for index, known in indices.items()
            }
            for name, indices in found.indices.items()
        ],
    }
