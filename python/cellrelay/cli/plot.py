"""`cellrelay plot`: figures from stored results."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from cellrelay.cli.exits import Refusal
from cellrelay.cli.options import (
    Metric,
    Scope,
    Stored,
    Where,
    metric_and_scope,
    points_chosen,
    selection,
)
from cellrelay.cli.over_time import OverTime, no_strips, strips
from cellrelay.printable import shortened

if TYPE_CHECKING:
    from cellrelay.plot import Chart, Timeline
    from cellrelay.plot.draw import Figure
    from cellrelay.results import Results

Out = Annotated[
    Path | None,
    Parameter(
        name=["--out", "-o"],
        help="File to write: .svg, .pdf or .png; beside what is drawn by default.",
        metavar="FILE",
    ),
]
Drawn = Annotated[
    Path | None,
    Parameter(
        name="--topology",
        help="Scenario file of which the nodes and links are drawn.",
        metavar="FILE",
    ),
]
Axis = Annotated[str | None, Parameter(metavar="AXIS")]

EXAMPLES = """\
cellrelay plot results/scenario
cellrelay plot results/scenario --metric goodput --x per_output --by packet --out goodput.pdf
cellrelay plot results/scenario --series cwnd,ssthresh --series srtt,rto --flow 'bulk[0]'
cellrelay plot results/scenario --series cwnd,drops --from '1 s' --to '1.2 s' --out cwnd.png
cellrelay plot --topology scenario.toml --out scenario.svg
"""


def command(
    results: Stored | None = None,
    /,
    *,
    metric: Metric = None,
    scope: Scope = None,
    x: Annotated[Axis, Parameter(help="Horizontal axis.")] = None,
    by: Annotated[Axis, Parameter(help="Axis with a curve for each value.")] = None,
    facet: Annotated[Axis, Parameter(help="Axis with a panel for each value.")] = None,
    where: Where = None,
    out: Out = None,
    over_time: OverTime | None = None,
    topology: Drawn = None,
) -> None:
    """Draw a metric over the axes of a sweep, or with `--series` what a run recorded over time.

    A metric is drawn as mean lines with their interval bands. Axes that are not named are taken in
    the order of the sweep; an axis may be given by the last part of its path.

    Series are drawn as strips above one another, for one point of the sweep: narrow it with
    `--where`, or spread an axis with `--by` or `--facet`. Drops are marked above the strip, beside
    a queue all of its port and beside a window those of its flow.

    With `--topology` the network of a scenario is drawn, and no results are needed; of a sweep its
    first point, or the first that `--where` leaves.
    """
    from cellrelay.plot import draw

    if topology is not None:
        drawn, hint = "a topology is drawn", "leave it out, or leave out `--topology`"
        _refuse(drawn, hint, metric=metric, scope=scope, x=x, by=by, facet=facet)
        no_strips(over_time or OverTime(), drawn, hint)
        _draw_topology(topology, results, where, out)
        return
    if results is None:
        raise Refusal(
            "RESULTS: missing\n  hint: name a folder that `run` wrote, or `--topology FILE`"
        )
    wanted = over_time or OverTime()
    try:
        known = _read(results).select(**selection(where))
        chart: Chart | Timeline
        if wanted.series or results.suffix == ".parquet":
            hint = "leave it out, or leave out `--series`"
            _refuse("series are drawn", hint, metric=metric, scope=scope, x=x)
            name, chart = strips(known, wanted, by, facet)
        else:
            no_strips(wanted)
            name, chart = _metric(known, *metric_and_scope(metric, scope), x, by, facet)
        figure = draw(chart)
    except LookupError as error:
        raise Refusal(str(error.args[0])) from error
    folder = results if results.is_dir() else results.parent
    _write(figure, out if out is not None else folder / f"{name}.svg")


def _draw_topology(
    file: Path, results: Path | None, where: list[str] | None, out: Path | None
) -> None:
    from cellrelay.plot import draw_topology
    from cellrelay.scenario import load

    if results is not None:
        raise Refusal("--topology: draws a scenario, and RESULTS are given\n  hint: leave one out")
    scenario = points_chosen(load(file), where)
    drawn = scenario.topology
    others = range(1, len(scenario.points))
    different = any(scenario.point(other).topology != drawn for other in others)
    if different:
        from cellrelay.results import short_names

        names = short_names(scenario.axes)
        values = scenario.points[0].items()
        place = ", ".join(f"{names[axis]}={shortened(value)}" for axis, value in values)
        print(f"drawn at {place}: choose another point with --where", file=sys.stderr)
    figure = draw_topology(drawn)
    _write(figure, out if out is not None else file.with_suffix(".svg"))


def _write(figure: Figure, target: Path) -> None:
    from cellrelay.plot import save

    try:
        save(figure, target)
    except ValueError as error:
        raise Refusal(f"--out: {error}") from error
    print(target)


def _read(path: Path) -> Results:
    from cellrelay.results.folder import read_folder
    from cellrelay.results.recordings import read_series

    return read_series(path) if path.suffix == ".parquet" else read_folder(path)


def _metric(
    results: Results,
    metric: str | None,
    scope: str,
    x: str | None,
    by: str | None,
    facet: str | None,
) -> tuple[str, Chart]:
    from cellrelay.plot import chart

    metric = metric or next(iter(results.metrics(scope)), "")
    return metric, chart(results, metric, x, by, facet, scope)


def _refuse(drawn: str, hint: str, **options: str | None) -> None:
    """Refuse what only makes sense with a metric."""
    for name, value in options.items():
        if value is not None:
            raise Refusal(f"--{name}: belongs to a metric, and {drawn}\n  hint: {hint}")
