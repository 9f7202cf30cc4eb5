"""Tables of results: one row per point, or for a single point one row per metric."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TextIO

from cellrelay.cli.table import print_title, write_table
from cellrelay.metrics.metric import metric_of
from cellrelay.metrics.scope import NETWORK, Scope
from cellrelay.results import PointResult, Results, Status, short_names
from cellrelay.results.overview import points_of, replications_of, seeds_of
from cellrelay.scenario import Goal
from cellrelay.statistics import Estimate, mean
from cellrelay.text.quantity import scale

COMPLETION = (
    "only messages that are waited for have completion times: those of `source.files`,"
    " `source.request_response`, `source.steps` and `source.connections`"
)
NO_MESSAGE = "no message was completed, or had begun in the measured time"
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
        _write_rows(["metric", "mean", "unit"], rows, stream)
    elif results.points[0].runs:
        _show_point(results, results.points[0].different, stream)


def unmeasured(results: Results, wanted: Sequence[Goal]) -> Iterator[str]:
    """One line for each wanted metric that was measured at no point, with a likely reason."""
    failed = [point.failure for point in results.points if point.failure is not None]
    for goal in wanted:
        if not any(point.measured.covered(goal) for point in results.points):
            reason = _reason(results, goal)
            if failed and not any(point.runs for point in results.points):
                reason = f"all runs failed, the first with {failed[0]}"
            yield f"`{goal.metric}` of `{goal.scope}` was not measured\n  hint: {reason}"


def _reason(results: Results, goal: Goal) -> str:
    """The likely reason why a metric was not measured."""
    known = metric_of(goal.scope, goal.metric)
    if known is None or known.messages is None:
        return NOTHING
    count = Goal(goal.scope, "messages")
    known_count = any(point.measured.covered(count) for point in results.points)
    return NO_MESSAGE if known_count else COMPLETION


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
    first = len(results.axes)
    write_table(header, rows, stream, range(first, len(header)), first)


def _goal_row(results: Results, point: PointResult, goal: Goal) -> list[str]:
    known = _of_goal(results, point, goal)
    unit, [text] = _column([known], results.unit(goal.metric), with_notes=False)
    return [str(goal), text, unit, known.note]


def _write_rows(header: list[str], rows: Sequence[list[str]], stream: TextIO) -> None:
    """Write rows of a metric, numbers, a unit and a note, which has no header and may be empty."""
    numbers = range(1, len(header) - 1)
    if not any(row[-1] for row in rows):
        rows = [row[:-1] for row in rows]
    else:
        header = [*header, ""]
    write_table(header, rows, stream, numbers=numbers)


def _of_goal(results: Results, point: PointResult, goal: Goal) -> Estimate:
    return _together(results, point, goal.metric, point.measured.within(goal.scope))


def _show_point(results: Results, point: PointResult, stream: TextIO) -> None:
    """Metrics of the network, then of each group: of all its members together, and the least and
    the largest of one."""
    measured = point.measured
    for group, of_group in groupby(measured.scopes, key=attrgetter("title")):
        members = list(of_group)
        title = group if len(members) == 1 else f"{group} ({len(members)} members)"
        print(f"\n{title}", file=stream)
        metrics = measured.metrics_of(members)
        rows = [_metric_row(results, point, metric, members) for metric in metrics]
        header = ["metric", "all", "least", "largest", "unit"]
        if len(members) == 1:
            header = ["metric", "mean", "unit"]
            rows = [[row[0], row[1], *row[4:]] for row in rows]
        _write_rows(header, rows, stream)


def _metric_row(
    results: Results, point: PointResult, metric: str, scopes: Sequence[Scope]
) -> list[str]:
    known = metric_of(scopes[0], metric)
    if known is not None and known.unfinished is not None and point.counts_unfinished:
        members = [
            one for scope in scopes if (one := _of_messages(results, point, metric, scope)).n
        ]
        together = _together(results, point, metric, scopes)
    else:
        estimates = point.estimates(results.level)
        found = [estimates.means[place] for place in estimates.labels.places(metric, scopes)]
        values = [value for value in found if value == value]
        members = [_exactly(of(values)) for of in (min, max)] if values else []
        is_plain = known is None or (known.over is None and known.quantile is None)
        if values and is_plain and not estimates.counts:
            joint = math.fsum if known is not None and known.adds_up else mean
            together = _exactly(joint(values))
        else:
            together = _together(results, point, metric, scopes)
    bounds = [of(members, key=lambda one: one.mean, default=together) for of in (min, max)]
    unit, texts = _column([together, *bounds], results.unit(metric), with_notes=False)
    return [metric, *texts, unit, together.note]


def _exactly(value: float) -> Estimate:
    """A value without an interval."""
    return Estimate(value, math.nan, 1)


def _of_messages(results: Results, point: PointResult, metric: str, scope: Scope) -> Estimate:
    """The metric of a member whose messages may be unfinished, without an interval."""
    if not point.measures(metric, scope):
        return Estimate(math.nan, math.nan, 0)
    found = point.estimate(metric, scope, level=results.level)
    return Estimate(found.mean, math.nan, found.n, is_bound=found.is_bound)


def _together(
    results: Results, point: PointResult, metric: str, scopes: Sequence[Scope]
) -> Estimate:
    """The joint value of the members of a group that have the metric."""
    if not scopes:
        return Estimate(math.nan, math.nan, 0)
    return point.estimate(metric, *scopes, level=results.level)


def _column(
    known: Sequence[Estimate], unit: str, *, with_notes: bool = True
) -> tuple[str, list[str]]:
    """Unit and texts of the numbers in one column."""
    sizes = [abs(one.mean) for one in known if math.isfinite(one.mean)]
    factor, scaled_unit = scale(max(sizes, default=0.0), unit)
    scaled = [one.scaled(factor) for one in known]
    texts = [str(one) if with_notes else one.text for one in scaled]
    return scaled_unit, [text if one.n else "-" for one, text in zip(scaled, texts, strict=True)]
