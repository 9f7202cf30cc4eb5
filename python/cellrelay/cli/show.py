"""Tables of results: one row per point, or for a single point one row per metric."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TextIO

from cellrelay.cli.table import print_title, write_table
from cellrelay.metrics.metric import metric_of
from cellrelay.metrics.names import FlowMetric
from cellrelay.metrics.scope import NETWORK, Scope
from cellrelay.results import PointResult, Results, Status, short_names
from cellrelay.results.overview import points_of, replications_of, seeds_of
from cellrelay.scenario import Goal
from cellrelay.simulation.run import Label, columns_of
from cellrelay.statistics import Estimate, mean
from cellrelay.text.quantity import scale

COMPLETION_TIMES: tuple[FlowMetric, ...] = (
    "mean_completion_time",
    "median_completion_time",
    "p95_completion_time",
    "p99_completion_time",
    "p999_completion_time",
    "max_completion_time",
)
COMPLETION = (
    "only messages that are waited for have completion times: those of `source.files`,"
    " `source.request_response`, `source.steps` and `source.connections`"
)
NOTHING = "no such event happened; `cellrelay list metrics` explains each metric"


def show(results: Results, stream: TextIO, wanted: Sequence[Goal] = ()) -> None:
    """Write the table of results, with the given metrics of each point, or with the default ones.

    A metric that was not measured has a dash.
    """
    print_title(results.provenance.title, stream)
    print(_how(results), file=stream)
    if results.axes:
        print(file=stream)
        network = [Goal(NETWORK, metric) for metric in results.metrics()]
        _show_sweep(results, wanted or network, stream)
    elif wanted:
        print(file=stream)
        rows = [_goal_row(results, results.points[0], goal) for goal in wanted]
        write_table(["metric", "mean", "unit"], rows, stream, numbers=[1])
    elif results.points[0].runs:
        _show_point(results, results.points[0].different, stream)


def unmeasured(results: Results, wanted: Sequence[Goal]) -> Iterator[str]:
    """One line for each wanted metric that was measured at no point, with a likely reason."""
    failed = [point.failure for point in results.points if point.failure is not None]
    for goal in wanted:
        if not any(point.measured.covered(goal) for point in results.points):
            reason = COMPLETION if goal.metric in COMPLETION_TIMES else NOTHING
            if failed and not any(point.runs for point in results.points):
                reason = f"all runs failed, the first with {failed[0]}"
            yield f"`{goal.metric}` of `{goal.scope}` was not measured\n  hint: {reason}"


def _how(results: Results) -> str:
    counts = [len(point.runs) for point in results.points]
    batches = max(point.batches for point in results.points)
    parts = f" of {batches} batches" if batches else ""
    points = f"{points_of(results)}, " if results.axes else ""
    if results.status is Status.INTERRUPTED:
        points = f"partial, interrupted after {sum(counts)} runs: {points}"
    are_repetitions = {point.is_repetition for point in results.points if len(point.runs) > 1}
    is_estimated = False in are_repetitions or batches
    if True in are_repetitions and not is_estimated:
        return f"{points}{seeds_of(results)}, the same in all {replications_of(results)}"
    intervals = f", means ± half-widths at {results.level * 100:g} %" if is_estimated else ""
    exact = "; no ± where all replications are the same" if True in are_repetitions else ""
    return f"{points}{replications_of(results)}{parts}, {seeds_of(results)}{intervals}{exact}"


def _show_sweep(results: Results, goals: Sequence[Goal], stream: TextIO) -> None:
    """A table with a row for each point and a column for each metric."""
    names = short_names(results.axes)
    header = [names[axis] for axis in results.axes]
    columns = [[point.values[axis] for point in results.points] for axis in results.axes]
    for goal in goals:
        known = [_of_goal(results, point, goal) for point in results.points]
        unit, texts = _column(known, results.unit(goal.metric))
        is_alone = sum(goal.metric == other.metric for other in goals) == 1
        name = goal.metric if is_alone else str(goal)
        header.append(f"{name} ({unit})" if unit else name)
        columns.append(texts)
    header.append("n")
    columns.append(
        [str(len(point.different.runs) * (point.batches or 1)) for point in results.points]
    )
    rows = list(zip(*columns, strict=True))
    write_table(header, rows, stream, numbers=range(len(results.axes), len(header)))


def _goal_row(results: Results, point: PointResult, goal: Goal) -> list[str]:
    unit, [text] = _column([_of_goal(results, point, goal)], results.unit(goal.metric))
    return [str(goal), text, unit]


def _of_goal(results: Results, point: PointResult, goal: Goal) -> Estimate:
    return _together(results, point, goal.metric, point.measured.within(goal.scope))


def _show_point(results: Results, point: PointResult, stream: TextIO) -> None:
    """Metrics of the network, then of each group: of all its members together, and the least and
    the largest of one."""
    measured: dict[Scope, list[str]] = {}
    for label in point.labels:
        measured.setdefault(label.scope, []).append(label.metric)
    for group, of_group in groupby(measured, key=attrgetter("title")):
        members = list(of_group)
        title = group if len(members) == 1 else f"{group} ({len(members)} members)"
        print(f"\n{title}", file=stream)
        metrics = dict.fromkeys(metric for scope in members for metric in measured[scope])
        rows = [_metric_row(results, point, metric, members) for metric in metrics]
        header = ["metric", "all", "least", "largest", "unit"]
        if len(members) == 1:
            header = ["metric", "mean", "unit"]
            rows = [[row[0], row[1], row[4]] for row in rows]
        write_table(header, rows, stream, numbers=range(1, len(header) - 1))


def _metric_row(
    results: Results, point: PointResult, metric: str, scopes: Sequence[Scope]
) -> list[str]:
    if point.only is not None:
        means = _values(*point.only, metric, scopes)
        known = metric_of(scopes[0], metric)
        is_plain = known is None or (known.over is None and known.quantile is None)
        joint = math.fsum if known is not None and known.adds_up else mean
    else:
        means = [mean(samples) for scope in scopes if (samples := point.samples(metric, scope))]
        is_plain, joint = False, mean
    together = (
        Estimate(joint(means), math.nan, 1)
        if is_plain
        else _together(results, point, metric, scopes)
    )
    bounds = [Estimate(value, math.nan, 1) for value in (min(means), max(means))]
    unit, texts = _column([together, *bounds], results.unit(metric))
    return [metric, *texts, unit]


def _values(
    labels: tuple[Label, ...], values: array[float], metric: str, scopes: Sequence[Scope]
) -> list[float]:
    """The values of a metric in the only sample: one for each of the scopes that have it."""
    known = columns_of(labels)
    found = (known.get(scope, metric) for scope in scopes)
    numbers = (values[place] for place in found if place is not None)
    return [number for number in numbers if not math.isnan(number)]


def _together(
    results: Results, point: PointResult, metric: str, scopes: Sequence[Scope]
) -> Estimate:
    """The joint value of the members of a group that have the metric."""
    if not scopes:
        return Estimate(math.nan, math.nan, 0)
    return point.estimate(metric, *scopes, level=results.level)


def _column(known: Sequence[Estimate], unit: str) -> tuple[str, list[str]]:
    """Unit and texts of the numbers in one column."""
    sizes = [abs(one.mean) for one in known if math.isfinite(one.mean)]
    factor, scaled_unit = scale(max(sizes, default=0.0), unit)
    scaled = [one.scaled(factor) for one in known]
    return scaled_unit, [str(one) if one.n else "-" for one in scaled]
