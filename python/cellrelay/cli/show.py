"""Results as a person reads them: a row a point, or for one point a row a metric."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from itertools import groupby
from typing import TextIO

from cellrelay.cli.table import print_title, write_table
from cellrelay.quantity import scale
from cellrelay.results import NotMeasured, PointResult, Results, short_names
from cellrelay.results.select import one_of
from cellrelay.scenario import Goal
from cellrelay.simulate import Label, columns_of
from cellrelay.statistics import Estimate, estimate, mean


def show(results: Results, stream: TextIO, wanted: Sequence[Goal] = ()) -> None:
    """Write the table of results: what is wanted of each point, or what there is by default.

    `LookupError` if something is wanted that was measured at no point.
    """
    for goal in wanted:
        _check(results, goal)
    print_title(results.provenance.title, stream)
    print(_how(results), file=stream)
    if results.axes:
        print(file=stream)
        network = [Goal("network", metric) for metric in results.metrics()]
        _show_sweep(results, wanted or network, stream)
    elif wanted:
        print(file=stream)
        rows = [_goal_row(results, results.points[0], goal) for goal in wanted]
        write_table(["metric", "mean", "unit"], rows, stream, numbers=[1])
    elif results.points[0].runs:
        _show_point(results, results.points[0], stream)


def _how(results: Results) -> str:
    counts = [len(point.runs) for point in results.points]
    least, most = min(counts), max(counts)
    number = f"{least}" if least == most else f"{least} to {most}"
    noun = "replication" if most == 1 else "replications"
    batches = max(point.batches for point in results.points)
    parts = f" of {batches} batches" if batches else ""
    points = f"{len(counts)} point{'s' if len(counts) > 1 else ''}, " if results.axes else ""
    intervals = f", means ± half-widths at {results.level * 100:g} %" if most > 1 or batches else ""
    return f"{points}{number} {noun}{parts}, {_seed(results)}{intervals}"


def _seed(results: Results) -> str:
    seeds = {point.seed for point in results.points}
    return f"{len(seeds)} seeds" if len(seeds) > 1 else f"seed {seeds.pop()}"


def _check(results: Results, goal: Goal) -> None:
    """Refuse what was measured at no point, and say what was."""
    labels = {label for point in results.points for label in point.labels}
    metrics = {label.metric for label in labels if goal.covers(label.scope)}
    if goal.metric not in metrics:
        scopes = {label.scope.partition("[")[0] for label in labels}
        known = one_of(sorted(metrics or scopes))
        hint = known if metrics else f"what is measured is of {known}"
        raise NotMeasured(f"`{goal.metric}` of `{goal.scope}` was not measured\n  hint: {hint}")


def _show_sweep(results: Results, goals: Sequence[Goal], stream: TextIO) -> None:
    """A row for each point, with a column for each goal."""
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
    columns.append([str(len(point.runs) * (point.batches or 1)) for point in results.points])
    rows = list(zip(*columns, strict=True))
    write_table(header, rows, stream, numbers=range(len(results.axes), len(header)))


def _goal_row(results: Results, point: PointResult, goal: Goal) -> list[str]:
    unit, [text] = _column([_of_goal(results, point, goal)], results.unit(goal.metric))
    return [str(goal), text, unit]


def _of_goal(results: Results, point: PointResult, goal: Goal) -> Estimate:
    scopes = dict.fromkeys(label.scope for label in point.labels if goal.covers(label.scope))
    return _together(results, point, goal.metric, list(scopes))


def _show_point(results: Results, point: PointResult, stream: TextIO) -> None:
    """Metrics of the network, then of each group: its mean, least and largest member."""
    measured: dict[str, list[str]] = {}
    for label in point.labels:
        measured.setdefault(label.scope, []).append(label.metric)
    for group, of_group in groupby(measured, key=lambda scope: scope.partition("[")[0]):
        members = list(of_group)
        title = group if len(members) == 1 else f"{group} (each of {len(members)})"
        print(f"\n{title}", file=stream)
        metrics = dict.fromkeys(metric for scope in members for metric in measured[scope])
        rows = [_metric_row(results, point, metric, members) for metric in metrics]
        header = ["metric", "mean", "least", "largest", "unit"]
        if len(members) == 1:
            header = ["metric", "mean", "unit"]
            rows = [[row[0], row[1], row[4]] for row in rows]
        write_table(header, rows, stream, numbers=range(1, len(header) - 1))


def _metric_row(
    results: Results, point: PointResult, metric: str, scopes: Sequence[str]
) -> list[str]:
    if point.only is not None:
        means = _values(*point.only, metric, scopes)
        together = Estimate(mean(means), math.nan, 1)
    else:
        means = [mean(samples) for scope in scopes if (samples := point.samples(metric, scope))]
        together = _together(results, point, metric, scopes)
    bounds = [Estimate(value, math.nan, 1) for value in (min(means), max(means))]
    unit, texts = _column([together, *bounds], results.unit(metric))
    return [metric, *texts, unit]


def _values(
    labels: tuple[Label, ...], values: array[float], metric: str, scopes: Sequence[str]
) -> list[float]:
    """A metric of the scopes of which it was measured, in the only sample there is."""
    known = columns_of(labels)
    found = (known.get((scope, metric)) for scope in scopes)
    numbers = (values[place] for place in found if place is not None)
    return [number for number in numbers if not math.isnan(number)]


def _together(results: Results, point: PointResult, metric: str, scopes: Sequence[str]) -> Estimate:
    """The mean over the members of a group in which something was measured."""
    members = [point.by_sample(metric, scope) for scope in scopes]
    known = ([v for v in values if not math.isnan(v)] for values in zip(*members, strict=True))
    return estimate([mean(values) for values in known if values], results.level)


def _column(known: Sequence[Estimate], unit: str) -> tuple[str, list[str]]:
    """Unit and texts of numbers that stand in one column."""
    sizes = [abs(one.mean) for one in known if math.isfinite(one.mean)]
    factor, scaled_unit = scale(max(sizes, default=0.0), unit)
    scaled = [
        Estimate(one.mean / factor, one.half_width / factor, one.n, one.level) for one in known
    ]
    return scaled_unit, [str(one) if one.n else "-" for one in scaled]
