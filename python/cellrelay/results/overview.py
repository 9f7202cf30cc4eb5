"""Results at a glance: a few lines for an interpreter, a table for a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cellrelay.metrics.scope import NETWORK, Scope
from cellrelay.results.select import short_names
from cellrelay.statistics import LEVEL, Estimate
from cellrelay.text.html_table import html_table
from cellrelay.text.printable import shortened
from cellrelay.text.quantity import scale

if TYPE_CHECKING:
    from cellrelay.results.compare import Comparisons
    from cellrelay.results.model import Results
    from cellrelay.results.point import PointResult

MOST_VALUES = 6
"""Largest number of values of an axis that are shown; the others are counted."""
MOST_COLUMNS = 8
"""Largest number of metrics in a table."""


def text(results: Results) -> str:
    """Title, points, axes and seed of results, and their number of metrics."""
    lines = [f"Results of {shortened(results.provenance.scenario)}: {_title(results)}"]
    lines.append(f"  {_size(results)}, {results.status.value}")
    names = short_names(results.axes)
    lines += [
        f"  {shortened(names[axis])}: {_values(results.values(axis))}" for axis in results.axes
    ]
    first = next((point for point in results.points if point.runs), None)
    if first is not None:
        scopes = len(first.measured.scopes)
        lines.append(f"  {len(first.labels)} numbers of {scopes} scopes at each point")
    return "\n".join(lines)


def html(results: Results) -> str:
    """A table of the metrics of the network at each point, or of all metrics of a single point."""
    title = [_title(results), _size(results)]
    if not results.axes and results.points:
        return of_point(results.points[0], title, results.level)
    header, *rows = _of_points(results)
    return html_table(title, header, rows, len(results.points))


def of_point(point: PointResult, title: Sequence[str], level: float = LEVEL) -> str:
    """A table of all metrics of a point."""
    rows = (
        [
            shortened(str(label.scope)),
            label.metric,
            with_unit(point.estimate(label.metric, label.scope, level=level), label.unit),
        ]
        for label in point.labels
    )
    return html_table(title, ["of", "metric", "mean"], rows, len(point.labels))


def of_comparisons(found: Comparisons) -> tuple[list[str], list[list[str]]]:
    """The header, and a row for each point: its axes, its value, and the difference."""
    names = short_names(list(found[0].point)) if found else {}
    header = [*map(shortened, names.values()), found.metric, "difference", "pairs", "apart"]
    rows = [
        [
            *(shortened(one.point[axis]) for axis in names),
            with_unit(one.value, found.unit),
            with_unit(one.difference, found.unit),
            str(one.difference.n),
            {True: "yes", False: "no"}[one.is_apart] if one.is_decidable else "unknown",
        ]
        for one in found
    ]
    return header, rows


def title_of_comparisons(found: Comparisons) -> str:
    """The metric, its scope, and the value of the axis with which the others are compared."""
    of = "" if str(found.scope) == str(NETWORK) else f" of {found.scope}"
    return shortened(f"{found.metric}{of} compared with {found.base}")


def with_unit(known: Estimate, unit: str) -> str:
    """A mean with its interval, and with a unit in which it is easy to read."""
    if not known.n:
        return "-"
    factor, scaled = scale(abs(known.mean), unit)
    return f"{known.scaled(factor)} {scaled}".rstrip()


def _title(results: Results) -> str:
    return shortened(results.provenance.title) or "no title"


def _size(results: Results) -> str:
    return f"{points_of(results)}, {replications_of(results)}, {seeds_of(results)}"


def points_of(results: Results) -> str:
    """The number of points, for example `4 points`."""
    count = len(results.points)
    return f"{count} point{'' if count == 1 else 's'}"


def replications_of(results: Results) -> str:
    """The number of replications of points, for example `3 to 5 replications`."""
    counts = [len(point.runs) for point in results.points]
    least, most = min(counts, default=0), max(counts, default=0)
    number = f"{least}" if least == most else f"{least} to {most}"
    return f"{number} replication{'' if most == 1 else 's'}"


def seeds_of(results: Results) -> str:
    """The seed of all points, or the number of different seeds."""
    seeds = {point.seed for point in results.points} or {results.provenance.seed}
    return f"{len(seeds)} seeds" if len(seeds) > 1 else f"seed {seeds.pop()}"


def _values(values: Sequence[str]) -> str:
    shown = " | ".join(map(shortened, values[:MOST_VALUES]))
    more = len(values) - MOST_VALUES
    return f"{shown} and {more} more" if more > 0 else shown


def _of_points(results: Results) -> Iterator[Sequence[str]]:
    """The names of columns, and a row for each point."""
    names = short_names(results.axes)
    first = next((point for point in results.points if point.runs), results.points[0])
    metrics = [label.metric for label in first.labels if label.scope == NETWORK][:MOST_COLUMNS]
    yield [*(shortened(names[axis]) for axis in results.axes), *metrics, "n"]
    for point in results.points:
        numbers = [_number(results, point, metric, NETWORK) for metric in metrics]
        values = [shortened(point.values[axis]) for axis in results.axes]
        yield [*values, *numbers, str(len(point.different.runs))]


def _number(results: Results, point: PointResult, metric: str, scope: Scope) -> str:
    if not point.measures(metric, scope):
        return ""
    known = point.estimate(metric, scope, level=results.level)
    return with_unit(known, results.unit(metric))
