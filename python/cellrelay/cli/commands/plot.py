"""`cellrelay plot`: figures from stored results."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

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
from cellrelay.cli.outputs import named, result_file
from cellrelay.cli.over_time import OverTime, no_strips, strips
from cellrelay.cli.trial import ExampleSetup
from cellrelay.text.printable import shortened

if TYPE_CHECKING:
    from cellrelay.plot import Chart, Timeline
    from cellrelay.plot.draw import Figure
    from cellrelay.results import Results

Out = Annotated[
    Path | None,
    Parameter(
        name=["--out", "-o"],
        help="File to write: .svg, .pdf or .png; by default, a file beside the input.",
        metavar="FILE",
        converter=named,
    ),
]
Drawn = Annotated[
    Path | None,
    Parameter(
        name="--topology",
        help="Draw the nodes and links of this scenario file.",
        metavar="FILE",
    ),
]
Axis = Annotated[str | None, Parameter(metavar="AXIS")]
Cdf = Annotated[
    Literal["delay", "completion_time"] | None,
    Parameter(
        name="--cdf",
        metavar="TIMES",
        help="Draw the cumulative distribution of `delay` or `completion_time` of the flow or the"
        " group of `--scope`.",
    ),
]

EXAMPLES = """\
cellrelay plot results/scenario
cellrelay plot results/scenario --metric goodput --x per_output --by packet --out goodput.pdf
cellrelay plot results/scenario --series cwnd,ssthresh --series srtt,rto --flow 'bulk[0]'
cellrelay plot results/scenario --series cwnd,drops --from '1 s' --to '1.2 s' --out cwnd.png
cellrelay plot results/scenario --cdf delay --scope 'flow bulk' --where discard=tail_drop
cellrelay plot --topology scenario.toml --out scenario.svg
"""
TRIAL = ExampleSetup.RESULTS


def command(
    results: Stored | None = None,
    /,
    *,
    metric: Metric = None,
    scope: Scope = None,
    cdf: Cdf = None,
    x: Annotated[Axis, Parameter(help="Horizontal axis.")] = None,
    by: Annotated[Axis, Parameter(help="Axis with one curve per value.")] = None,
    facet: Annotated[Axis, Parameter(help="Axis with one panel per value.")] = None,
    where: Where = None,
    out: Out = None,
    over_time: OverTime | None = None,
    topology: Drawn = None,
) -> None:
    """Draw a metric over the axes of a sweep, or the recorded time series of a run (`--series`).

    A metric is drawn as lines of means with bands of confidence intervals. Axes that are not named
    are taken in the order of the sweep; the last part of an axis's path is enough to name it.

    Series are drawn in strips above one another, for one point of the sweep: choose it with
    `--where`, or show the values of an axis with `--by` or `--facet`. Marks above a strip show
    drops: those of the port for a queue, and those of the flow for a window.

    `--cdf` draws the share of packets, or of messages, whose time is at most each time, with a band
    of the confidence interval between runs. Each value of an axis has a curve.

    `--topology` draws the network of a scenario without results; for a sweep, the network of the
    first point, or of the first point of `--where`.
    """
    from cellrelay.plot import draw
    from cellrelay.results import origin

    if topology is not None:
        drawn, hint = "a topology is drawn", "leave it out, or leave out `--topology`"
        _refuse(drawn, hint, metric=metric, scope=scope, cdf=cdf, x=x, by=by, facet=facet)
        no_strips(over_time or OverTime(), drawn, hint)
        _draw_topology(topology, results, where, out)
        return
    if results is None:
        raise Refusal(
            "RESULTS: missing\n  hint: name a folder that `run` wrote, or write `--topology FILE`"
        )
    wanted = over_time or OverTime()
    try:
        known = _read(results).select(**selection(where))
        chart: Chart | Timeline
        if wanted.series or results.suffix == ".parquet":
            hint = "leave it out, or leave out `--series`"
            _refuse("series are drawn", hint, metric=metric, scope=scope, cdf=cdf, x=x)
            name, chart = strips(known, wanted, by, facet)
        else:
            no_strips(wanted)
            name, chart = _numbers(known, metric, scope, cdf, (x, by, facet))
        figure = draw(chart)
    except LookupError as error:
        raise Refusal(str(error.args[0])) from error
    folder = results if results.is_dir() else results.parent
    target = out if out is not None else folder / f"{name}.svg"
    _write(figure, target, known.provenance.title, origin(known.provenance))


def _draw_topology(
    file: Path, results: Path | None, where: list[str] | None, out: Path | None
) -> None:
    from cellrelay.experiment.sweep import provenance
    from cellrelay.plot import draw_topology
    from cellrelay.results import origin
    from cellrelay.scenario import load

    if results is not None:
        raise Refusal(
            "--topology: a scenario and RESULTS cannot be drawn together\n  hint: leave one out"
        )
    scenario = points_chosen(load(file), where)
    drawn = scenario.topology
    others = range(1, len(scenario.points))
    different = any(scenario.point(other).topology != drawn for other in others)
    if different:
        from cellrelay.results import short_names

        names = short_names(scenario.axes)
        values = scenario.points[0].items()
        place = ", ".join(f"{names[axis]}={shortened(value)}" for axis, value in values)
        print(f"the network at {place}: choose another point with --where", file=sys.stderr)
    figure = draw_topology(drawn)
    target = out if out is not None else file.with_suffix(".svg")
    _write(figure, target, scenario.title, f"{origin(provenance(scenario))}; its network")


def _write(figure: Figure, target: Path, title: str, origin: str) -> None:
    from cellrelay.plot import save

    try:
        save(figure, result_file(target, "--out"), title, origin)
    except ValueError as error:
        raise Refusal(f"--out: {error}") from error
    print(target)


def _read(path: Path) -> Results:
    from cellrelay.results.files.folder import read_folder
    from cellrelay.results.files.recordings import read_series

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
    from cellrelay.plot.select import left_out
    from cellrelay.results import listed

    metric = metric or next(iter(results.metrics(scope)), "")
    drawn = chart(results, metric, x, by, facet, scope)
    if places := left_out(results, metric, scope):
        told = f"`{metric}` of `{scope}` was not measured, and is left out"
        print(f"warning: {told} ({listed(places)})", file=sys.stderr)
    return metric, drawn


def _numbers(
    results: Results,
    metric: str | None,
    scope: str | None,
    cdf: str | None,
    axes: tuple[str | None, str | None, str | None],
) -> tuple[str, Chart]:
    """The name and the chart of a metric, or of a distribution."""
    if cdf is None:
        return _metric(results, *metric_and_scope(metric, scope), *axes)
    x, by, facet = axes
    _refuse("a distribution is drawn", "leave it out", metric=metric, x=x)
    return f"{cdf}-cdf", _cumulative(results, cdf, scope, by, facet)


def _cumulative(
    results: Results, quantity: str, scope: str | None, by: str | None, facet: str | None
) -> Chart:
    from cellrelay.plot import cumulative, without_times
    from cellrelay.results import listed

    if scope is None:
        raise Refusal("--cdf: no scope\n  hint: name a flow or a group, as --scope 'flow NAME'")
    drawn = cumulative(results, quantity, scope, by, facet)
    if places := without_times(results, quantity, scope):
        told = f"there are no times of `{quantity}` of `{scope}`, and no curve"
        print(f"warning: {told} ({listed(places)})", file=sys.stderr)
    return drawn


def _refuse(drawn: str, hint: str, **options: str | None) -> None:
    """Refuse options that need a metric."""
    for name, value in options.items():
        if value is not None:
            raise Refusal(f"--{name}: the option is for a metric, and {drawn}\n  hint: {hint}")
