"""Results as an xarray dataset: labelled arrays over the axes of the sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cellrelay.results.model import Results
from cellrelay.text.quantity import parse_all

if TYPE_CHECKING:
    import xarray


def to_xarray(results: Results) -> xarray.Dataset:
    """An array for each metric, with the axes, replication and scope as dimensions.

    Values that were not measured are `nan`. An axis of quantities becomes numbers in SI units, with
    the unit as its attribute; an axis of words keeps them.
    """
    import xarray

    grid = _Grid(results)
    dims = (*results.axes, "replication", "scope")
    variables = {
        metric: (dims, grid.values(metric), {"units": results.unit(metric)})
        for metric in grid.metrics
    }
    coordinates = {axis: coordinate(axis, grid.axis_values[axis]) for axis in results.axes} | {
        "replication": ("replication", np.arange(grid.replications), {}),
        "scope": ("scope", np.array(list(map(str, grid.scopes)), dtype=object), {}),
    }
    return xarray.Dataset(variables, coordinates, results.attributes)


class _Grid:
    """The index of each number in the arrays."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.axis_values = {axis: results.values(axis) for axis in results.axes}
        labels = [label for point in results.points for label in point.labels]
        self.metrics = list(dict.fromkeys(label.metric for label in labels))
        self.scopes = list(dict.fromkeys(label.scope for label in labels))
        self.replications = max((len(point.runs) for point in results.points), default=0)

    def values(self, metric: str) -> NDArray[np.float64]:
        lengths = [len(values) for values in self.axis_values.values()]
        array = np.full((*lengths, self.replications, len(self.scopes)), np.nan)
        for point in self.results.points:
            place = tuple(
                self.axis_values[axis].index(point.values[axis]) for axis in self.results.axes
            )
            for column, scope in enumerate(self.scopes):
                if point.measures(metric, scope):
                    samples = point.by_replication(metric, scope)
                    array[place][: len(samples), column] = samples
        return array


def coordinate(axis: str, texts: list[str]) -> tuple[str, NDArray[Any], dict[str, str]]:
    """The values of an axis as a coordinate: numbers in SI units, or words."""
    numbers = parse_all(texts)
    if numbers is None or len(set(numbers[0])) < len(texts):
        return axis, np.array(texts, dtype=object), {}
    return axis, np.array(numbers[0]), {"units": numbers[1]}
