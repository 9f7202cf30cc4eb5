"""The values of metrics, of all samples of a point."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cellrelay.metrics.scope import Scope
from cellrelay.simulation.labels import Labels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Rows = Callable[[str, Sequence[Scope]], Sequence[Sequence[float]]]
"""The values of a metric, for each sample one of each scope; `nan` where it was not measured."""


def rows_of(samples: Sequence[tuple[Labels, array[float]]]) -> Rows:
    """A function that gives the values of a metric, from the labels and the values of samples."""

    def rows(metric: str, scopes: Sequence[Scope]) -> list[list[float]]:
        found = []
        places: list[int | None] = []
        known: Labels | None = None
        for labels, values in samples:
            if labels is not known:
                known, places = labels, labels.columns(metric, scopes)
            found.append([math.nan if place is None else values[place] for place in places])
        return found

    return rows


def table_of(labels: Labels, samples: Sequence[tuple[Labels, array[float]]]) -> NDArray[np.float64]:
    """A row for each label, with the value of each sample, and a row of `nan`.

    A value that was not measured is `nan`.
    """
    import numpy as np

    table = np.full((len(labels) + 1, len(samples)), np.nan)
    places: dict[int, list[int]] = {}
    for number, (known, values) in enumerate(samples):
        if known is labels:
            table[:-1, number] = values
            continue
        if id(known) not in places:
            places[id(known)] = known.columns_of(labels)
        # The last place, which is -1 too, is of what was not measured.
        table[:-1, number] = np.append(values, np.nan)[places[id(known)]]
    return table


def rows_in(labels: Labels, table: NDArray[np.float64]) -> Rows:
    """A function that gives the values of a metric, from such a table."""

    def rows(metric: str, scopes: Sequence[Scope]) -> list[list[float]]:
        places = labels.columns(metric, scopes)
        found: list[list[float]] = table[[-1 if one is None else one for one in places]].T.tolist()
        return found

    return rows
