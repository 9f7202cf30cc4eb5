"""Recorded series: a single series, or all series as tables and arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cellrelay.metrics.scope import Scope, ScopeLike
from cellrelay.results.dataset import coordinate
from cellrelay.results.model import Results
from cellrelay.results.point import PointResult
from cellrelay.results.select import NotMeasured, one_of
from cellrelay.simulation.series import Series

if TYPE_CHECKING:
    import pandas
    import xarray

EVENTS = ("drops", "dropped_pdus")
"""Quantities that are recorded as events, and therefore have no common times."""


class RecordedSeries(NamedTuple):
    """A series, and the run in which it was recorded."""

    point: PointResult
    replication: int
    series: Series


def one(results: Results, quantity: str, scope: ScopeLike, replication: int) -> Series:
    """A series of the only point; raises `NotMeasured` if it was not recorded."""
    runs = results.point().runs
    if not 0 <= replication < len(runs):
        numbers = f"0 to {len(runs) - 1}" if runs else "none"
        raise NotMeasured(f"there is no replication {replication}\n  hint: there are {numbers}")
    recorded = runs[replication].series
    if (scope, quantity) not in recorded:
        raise NotMeasured(missing(list(recorded), quantity, scope))
    return recorded[scope, quantity]


def missing(known: Sequence[tuple[Scope, str]], quantity: str, scope: ScopeLike = "") -> str:
    """The message that a quantity was not recorded, with the recorded quantities."""
    if not known:
        remedy = "`cellrelay run FILE --trace series`, or `record.every` in the scenario"
        return f"no series were recorded\n  hint: {remedy}"
    quantities = list(
        dict.fromkeys(name for place, name in known if str(scope) in ("", str(place)))
    )
    if not quantities:
        scopes = list(dict.fromkeys(str(place) for place, _ in known))
        return f"nothing was recorded for `{scope}`\n  hint: {one_of(scopes)}"
    where = f" for `{scope}`" if scope else ""
    return f"`{quantity}` was not recorded{where}\n  hint: {one_of(quantities)}"


def names(results: Results) -> dict[Scope, list[str]]:
    """Quantities that were recorded, by scope."""
    quantities: dict[Scope, dict[str, None]] = {}
    for point in results.points:
        for run in point.runs:
            for scope, quantity in run.series:
                quantities.setdefault(scope, {})[quantity] = None
    return {scope: list(of_scope) for scope, of_scope in quantities.items()}


def every(
    results: Results, quantity: str | None, scope: ScopeLike | None
) -> Iterator[RecordedSeries]:
    """All series, or those of a quantity or a scope, run by run."""
    for point in results.points:
        for replication, run in enumerate(point.runs):
            for place, name in run.series:
                if quantity in (None, name) and (scope is None or str(scope) == str(place)):
                    yield RecordedSeries(point, replication, run.series[place, name])


def to_pandas(results: Results, quantity: str | None, scope: ScopeLike | None) -> pandas.DataFrame:
    """A row for each value, with the same columns as the files of series."""
    import pandas

    parts = [
        pandas.DataFrame(
            {
                **{axis: known.point.values[axis] for axis in results.axes},
                "replication": known.replication,
                "seed": known.point.seed,
                "scope": str(known.series.scope),
                "quantity": known.series.quantity,
                "time": known.series.times,
                "value": known.series.values,
                "unit": known.series.unit,
            }
        )
        for known in every(results, quantity, scope)
    ]
    if not parts:
        raise NotMeasured(missing(_pairs(results), quantity or "", scope or ""))
    table = pandas.concat(parts, ignore_index=True)
    table.attrs.update(results.attributes)
    return table


def to_xarray(results: Results) -> xarray.Dataset:
    """A variable for each sampled quantity, over axes, replication, kind of scope, and time."""
    import xarray

    grid = _Grid(results)
    variables = {name: grid.variable(of) for name, of in grid.variables.items()}
    coordinates: dict[str, Any] = {
        axis: coordinate(axis, results.values(axis)) for axis in results.axes
    }
    coordinates["replication"] = ("replication", np.arange(grid.replications), {})
    for kind in dict.fromkeys(of.kind for of in grid.variables.values()):
        coordinates[kind] = (kind, np.array([*grid.members[kind]], dtype=object), {})
    coordinates["time"] = ("time", grid.times, {"units": "s"})
    return xarray.Dataset(variables, coordinates, results.attributes)


def dimension(scope: Scope) -> str:
    """The dimension for a scope: its kind, or `port` for virtual channels at a port."""
    return "port" if scope.kind == "vc" else scope.kind


class Variable(NamedTuple):
    """What an array holds: one quantity of scopes of one kind."""

    kind: str
    quantity: str

    @classmethod
    def of(cls, series: Series) -> Variable:
        """The variable to which a series belongs.

        Ports count their queues in cells or in octets, which are two variables, named like the
        metrics `mean_queue` and `mean_queue_octets`.
        """
        in_octets = (series.quantity, series.unit) == ("queue", "B")
        return cls(dimension(series.scope), "queue_octets" if in_octets else series.quantity)


class _Grid:
    """The index of each value in the arrays, which hold `nan` elsewhere."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.axis_values = [results.values(axis) for axis in results.axes]
        self.replications = max((len(point.runs) for point in results.points), default=0)
        self.members: dict[str, dict[str, int]] = {}
        """The names of each kind of scope, with their indexes."""
        for scope in names(results):
            members = self.members.setdefault(dimension(scope), {})
            members[scope.member] = len(members)
        self.known = [
            known for known in every(results, None, None) if known.series.quantity not in EVENTS
        ]
        self.variables: dict[str, Variable] = {}
        for variable in dict.fromkeys(Variable.of(known.series) for known in self.known):
            self.variables[self._name(variable)] = variable
        if not self.variables:
            raise NotMeasured(missing([], "", ""))
        grids = {known.series.times.tobytes(): known.series.times for known in self.known}
        self.times = np.unique(np.concatenate(list(grids.values())))

    def _name(self, variable: Variable) -> str:
        """The name of the array of a quantity, different from all axes and other kinds of
        scopes."""
        kind, quantity = variable
        is_free = quantity not in self.variables and quantity not in self.results.axes
        return quantity if is_free else f"{kind}_{quantity}"

    def variable(
        self, variable: Variable
    ) -> tuple[tuple[str, ...], NDArray[np.float64], dict[str, str]]:
        sizes = [len(values) for values in self.axis_values]
        shape = (*sizes, self.replications, len(self.members[variable.kind]), len(self.times))
        array = np.full(shape, np.nan)
        unit = ""
        for point, replication, series in self.known:
            if Variable.of(series) != variable:
                continue
            place = tuple(
                values.index(point.values[axis])
                for axis, values in zip(self.results.axes, self.axis_values, strict=True)
            )
            unit = series.unit
            member = self.members[variable.kind][series.scope.member]
            instants = np.searchsorted(self.times, series.times)
            array[(*place, replication, member)][instants] = series.values
        dims = (*self.results.axes, "replication", variable.kind, "time")
        return dims, array, {"units": unit}


def _pairs(results: Results) -> list[tuple[Scope, str]]:
    return [(scope, name) for scope, of_scope in names(results).items() for name in of_scope]
