"""Results at a glance: a few lines for an interpreter, a table for a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import islice
from typing import TYPE_CHECKING

from cellrelay.printable import shortened
from cellrelay.quantity import scale
from cellrelay.results.select import short_names
from cellrelay.scope import NETWORK, Scope

if TYPE_CHECKING:
    from cellrelay.results.model import Results
    from cellrelay.results.point import PointResult

MOST_VALUES = 6
"""Largest number of values of an axis that are shown; the others are counted."""
MOST_ROWS = 20
"""Largest number of rows of a table."""
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
        scopes = len(dict.fromkeys(label.scope for label in first.labels))
        lines.append(f"  {len(first.labels)} numbers of {scopes} scopes at each point")
    return "\n".join(lines)


def html(results: Results) -> str:
    """A table of the metrics of the network at each point, or of all metrics of a single point."""
    head = f"<b>{escape(_title(results))}</b><br>{escape(_size(results))}"
    rows = _of_points(results) if results.axes else _of_one(results)
    first, *others = islice(rows, MOST_ROWS + 1)
    total = len(results.points) if results.axes else len(results.points[0].labels)
    rest = f"<br>and {total - MOST_ROWS} more" if total > MOST_ROWS else ""
    body = "".join(_row("td", row) for row in others)
    return f"<div>{head}<table>{_row('th', first)}{body}</table>{rest}</div>"


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
        yield [*values, *numbers, str(len(point.runs))]


def _of_one(results: Results) -> Iterator[Sequence[str]]:
    """The names of columns, and a row for each number."""
    point = results.points[0]
    yield ["of", "metric", "mean"]
    for label in point.labels:
        yield [
            shortened(str(label.scope)),
            label.metric,
            _number(results, point, label.metric, label.scope),
        ]


def _number(results: Results, point: PointResult, metric: str, scope: Scope) -> str:
    if not point.measures(metric, scope):
        return ""
    known = point.estimate(metric, scope, level=results.level)
    factor, unit = scale(abs(known.mean), results.unit(metric))
    return f"{known.scaled(factor)} {unit}".rstrip()


def _row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"
