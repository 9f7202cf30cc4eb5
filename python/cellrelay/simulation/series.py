"""Time series that a run recorded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from cellrelay.metrics.scope import Scope, ScopeLike, by_text

if TYPE_CHECKING:
    import numpy as np
    import pandas
    import xarray
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Series:
    """One quantity over time.

    >>> from numpy import array
    >>> times, values = array([0.0, 0.1, 0.2]), array([1e3, 2e3, 4e3])
    >>> window = Series(Scope.flow("f"), "cwnd", "B", times, values)
    >>> window
    Series('flow f', 'cwnd', 'B', 3 values from 0 s to 0.2 s)
    >>> window.between(0.05, 0.15).values
    array([2000.])
    """

    scope: Scope
    """The flow, port, virtual channel or class."""
    quantity: str
    """Name of the quantity, for example `cwnd`."""
    unit: str
    """SI unit, or `cells`; `flow` where values are numbers of flows."""
    times: NDArray[np.float64]
    """Simulated instants in seconds, in order."""
    values: NDArray[np.float64]
    """Value at each instant; `nan` before the first."""

    def __repr__(self) -> str:
        span = f" from {self.times[0]:g} s to {self.times[-1]:g} s" if len(self.times) else ""
        what = f"{str(self.scope)!r}, {self.quantity!r}, {self.unit!r}"
        return f"Series({what}, {len(self.times)} values{span})"

    @property
    def name(self) -> str:
        """Scope and quantity in one text."""
        return f"{self.scope} {self.quantity}"

    def between(self, start: float, end: float) -> Series:
        """The part from `start` to `end`, in seconds, both included."""
        first = self.times.searchsorted(start, "left")
        last = self.times.searchsorted(end, "right")
        part = slice(int(first), int(last))
        return replace(self, times=self.times[part], values=self.values[part])

    def to_pandas(self) -> pandas.Series:
        """A pandas series over `time` in seconds, with its unit in `attrs`."""
        import pandas

        index = pandas.Index(self.times, name="time")
        series = pandas.Series(self.values, index, name=self.quantity)
        series.attrs.update(units=self.unit, scope=str(self.scope))
        return series

    def to_xarray(self) -> xarray.DataArray:
        """An array over `time`, with units as attributes."""
        import xarray

        return xarray.DataArray(
            self.values,
            {"time": ("time", self.times, {"units": "s"})},
            name=self.quantity,
            attrs={"units": self.unit, "scope": str(self.scope)},
        )


class Recording(Mapping[tuple[Scope, str], Series]):
    """Series by scope and quantity, in memory; a scope may also be given by its text.

    >>> from numpy import array
    >>> recording = Recording([Series(Scope.flow("f"), "cwnd", "B", array([0.0]), array([1e3]))])
    >>> ("flow f", "cwnd") in recording, len(recording["flow f", "cwnd"].values)
    (True, 1)
    """

    def __init__(self, series: Iterable[Series] = ()) -> None:
        self._series = {(one.scope, one.quantity): one for one in series}

    def __iter__(self) -> Iterator[tuple[Scope, str]]:
        return iter(self._series)

    def __len__(self) -> int:
        return len(self._series)

    def __contains__(self, name: object) -> bool:
        return self.named(name) in self._series

    def __getitem__(self, name: tuple[ScopeLike, str]) -> Series:
        return self._series[self.named(name)]

    def find(self, scope: ScopeLike, quantity: str) -> Series | None:
        """The series with this name, if it was recorded."""
        name = self.named((scope, quantity))
        return self.get(name)

    def named(self, name: object) -> tuple[Scope, str]:
        """Scope and quantity of a name, whose scope may be given as a text.

        Raises `KeyError` for a name that is not a pair of scope and quantity.
        """
        match name:
            case (str() as text, str() as quantity):
                return self._scopes.get(text, UNKNOWN), quantity
            case (Scope() as scope, str() as quantity):
                return scope, quantity
        raise KeyError(name)

    @cached_property
    def _scopes(self) -> Mapping[str, Scope]:
        return by_text(scope for scope, _ in self)


UNKNOWN = Scope("unknown")
"""The scope in place of a text that names no scope with recorded series."""
