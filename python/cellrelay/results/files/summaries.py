"""Each number of a point with its interval, as the texts of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from cellrelay.results.files.lines import NumberLines
from cellrelay.results.model import Results, Summary
from cellrelay.results.point import PointResult
from cellrelay.simulation.labels import Label, Labels


def texts_of(
    results: Results,
    point: PointResult,
    start: str,
    exact: NumberLines,
    told: Callable[[Summary], str],
) -> Iterator[str]:
    """The texts of all numbers of a point, in order.

    Those of a single sample are written by `exact`, unless they are about messages of which some
    were unfinished; all others by `told`.
    """
    if point.only is None:
        yield from map(told, results.summary_of(point))
        return
    labels, values = point.only
    bounded = {scope for scope, _ in point.incomplete}
    blocks = range(len(labels.blocks))
    for is_bounded, of_kind in groupby(blocks, lambda one: labels.blocks[one][0] in bounded):
        successive = list(of_kind)
        some = range(successive[0], successive[-1] + 1)
        if is_bounded:
            for label in _in(labels, some):
                known = point.estimate(label.metric, label.scope, level=results.level)
                yield told(Summary(point.values, label, known))
        else:
            yield from exact.of_blocks(start, labels, values, some)


def _in(labels: Labels, blocks: range) -> Iterator[Label]:
    """The labels of some blocks."""
    for scope, measures in labels.blocks[blocks.start : blocks.stop]:
        for metric, unit in measures:
            yield Label(scope, metric, unit)
