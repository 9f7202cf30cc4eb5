"""`cellrelay plot`: figures from stored results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from cellrelay.cli.exits import Refusal
from cellrelay.cli.options import selection

Axis = Annotated[str | None, Parameter(metavar="AXIS")]

EXAMPLES = """\
cellrelay plot results/scenario
cellrelay plot results/scenario --metric goodput --x per_output --by packet --out goodput.pdf
"""


def command(
    results: Annotated[
        Path,
        Parameter(name="RESULTS", help="Folder that `run` wrote, or its replications.csv."),
    ],
    /,
    *,
    metric: Annotated[
        str | None, Parameter(help="What to draw; the first metric by default.", metavar="NAME")
    ] = None,
    scope: Annotated[
        str, Parameter(help="Whose metric it is, for example `flow bulk[0]`.", metavar="SCOPE")
    ] = "network",
    x: Annotated[Axis, Parameter(help="Horizontal axis.")] = None,
    by: Annotated[Axis, Parameter(help="Axis with a curve for each value.")] = None,
    facet: Annotated[Axis, Parameter(help="Axis with a panel for each value.")] = None,
    where: Annotated[
        list[str] | None,
        Parameter(metavar="AXIS=VALUE", negative="", help="Only these points; may be repeated."),
    ] = None,
    out: Annotated[
        Path | None,
        Parameter(help="File to write: .svg, .pdf or .png; in RESULTS by default.", metavar="FILE"),
    ] = None,
) -> None:
    """Draw a metric over the axes of a sweep: mean lines with their interval bands.

    Axes that are not named are taken in the order of the sweep; an axis may be given by the last
    part of its path.
    """
    from cellrelay.plot import chart, draw, save
    from cellrelay.results.folder import read_folder

    try:
        known = read_folder(results).select(**selection(where))
        metric = metric or next(iter(known.metrics(scope)), "")
        figure = draw(chart(known, metric, x, by, facet, scope))
    except LookupError as error:
        raise Refusal(str(error.args[0])) from error
    folder = results if results.is_dir() else results.parent
    target = out if out is not None else folder / f"{metric}.svg"
    try:
        save(figure, target)
    except ValueError as error:
        raise Refusal(f"--out: {error}") from error
    print(target)
