"""`cellrelay warm-up`: estimates the warm-up of a scenario."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from cellrelay.cli.exits import DONE, STOPPED_EARLY, Refusal
from cellrelay.cli.options import (
    Executor,
    File,
    Jobs,
    Set,
    goals,
    positive,
    settings,
    whole,
    worker_pool,
)
from cellrelay.cli.table import print_title, write_table
from cellrelay.cli.trial import ExampleSetup

if TYPE_CHECKING:
    from cellrelay.metrics.scope import ScopeLike
    from cellrelay.results import Results, Transient

EXAMPLES = """\
cellrelay warm-up scenario.toml
cellrelay warm-up scenario.toml --metric 'flow probe mean_delay' --replications 10
cellrelay warm-up scenario.toml --set 'duration=60 s' --intervals 1000
"""
TRIAL = ExampleSetup.PARSED_ONLY


def command(
    file: File,
    /,
    *,
    metric: Annotated[
        list[str] | None,
        Parameter(
            metavar="NAME",
            negative="",
            help="Metric, for example `flow bulk goodput`. Repeatable. By default, all metrics of"
            " the network that are measured in every interval.",
        ),
    ] = None,
    intervals: Annotated[
        int, Parameter(metavar="N", converter=whole, help="Number of intervals in a run.")
    ] = 500,
    replications: Annotated[
        int,
        Parameter(
            metavar="N", converter=whole, help="Number of runs of each point, which are averaged."
        ),
    ] = 5,
    set_: Set = None,
    jobs: Jobs = None,
    executor: Executor = "threads",
) -> int:
    """Estimate the warm-up of a scenario by MSER-5.

    Every point is run without a warm-up and measured interval by interval. The warm-up is the
    beginning whose removal makes the mean of the rest most precise. If that is more than half of
    the run, the run is too short and no warm-up is reported.
    """
    from cellrelay.cli.progress import shown
    from cellrelay.experiment.sweep import sweep
    from cellrelay.scenario import Replications, load
    from cellrelay.statistics import FEWEST_OBSERVATIONS
    from cellrelay.store import Store

    if intervals < FEWEST_OBSERVATIONS:
        hint = f"write at least `{FEWEST_OBSERVATIONS}`"
        raise Refusal(f"--intervals: `{intervals}` is too small\n  hint: {hint}")
    count = positive("--replications", replications) or 1
    divided = [("warm_up", "0 s"), ("batches", str(intervals))]
    scenario = load(file, [*settings(set_), *divided])
    named = goals(scenario, metric)
    with worker_pool(executor, jobs) as pool, Store() as store, shown() as watch:
        rule = Replications.exactly(count)
        results = sweep(scenario, pool, store, replications=rule, watch=watch)
    found = _transients(results, named, scenario.duration / intervals)
    _show(results, found, count, intervals)
    return STOPPED_EARLY if any(one.warm_up is None for one in found) else DONE


def _transients(
    results: Results, named: Sequence[tuple[ScopeLike, str]], interval: float
) -> list[Transient]:
    """The start-up of the named metrics, or of all metrics of the network, at every point.

    `interval` is the length of a batch in seconds.
    """
    from cellrelay.results import measured_throughout, transients

    wanted = named or measured_throughout(results)
    if not wanted:
        raise Refusal(
            "--metric: no metric of the network that is measured in every interval ever changes"
            "\n  hint: name one that does, for example `--metric 'port A->B mean_queue'`"
        )
    try:
        return list(transients(results, wanted, interval))
    except LookupError as error:
        raise Refusal(f"--metric: {error.args[0]}") from error


def _show(results: Results, found: list[Transient], count: int, intervals: int) -> None:
    from cellrelay.metrics.scope import NETWORK
    from cellrelay.results import short_names
    from cellrelay.text.quantity import scale

    runs = "1 run" if count == 1 else f"the mean of {count} runs"
    print_title(results.provenance.title)
    print(f"MSER-5 over {runs}, {intervals} intervals each\n")
    names = short_names(results.axes)
    header = [*(names[axis] for axis in results.axes), "metric", "warm-up", "mean", "without it"]
    rows = []
    for one in found:
        factor, unit = scale(abs(one.before), results.unit(one.metric))
        means = [f"{value / factor:.4g} {unit}".rstrip(" 1") for value in (one.before, one.after)]
        time = f"{one.warm_up:.4g} s" if one.warm_up is not None else "not found"
        what = one.metric if one.scope == NETWORK else f"{one.scope} {one.metric}"
        place = [one.point[axis] for axis in results.axes]
        rows.append([*place, what, time, *means])
    write_table(header, rows, sys.stdout, numbers=range(len(results.axes) + 1, len(header)))
    times = [one.warm_up for one in found if one.warm_up is not None]
    if len(times) < len(found):
        print(
            "warning: no warm-up was found within half of a run: lengthen `duration`",
            file=sys.stderr,
        )
    elif times:
        print(f'\nwarm_up = "{_rounded_up(max(times))}"')


def _rounded_up(seconds: float) -> str:
    """The time rounded up to two digits."""
    if not seconds:
        return "0 s"
    step = 10.0 ** (math.floor(math.log10(seconds)) - 1)
    # A time of two digits is not rounded up for an error in the last place of a double.
    return f"{math.ceil(seconds / step * (1 - 1e-9)) * step:.12g} s"
