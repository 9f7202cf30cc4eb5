"""Time series that a run recorded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pandas
    import xarray
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Series:
    """One quantity over time.

    >>> from numpy import array
    >>> window = Series("flow f", "cwnd", "B", array([0.0, 0.1, 0.2]), array([1e3, 2e3, 4e3]))
    >>> window
    Series('flow f', 'cwnd', 'B', 3 values from 0 s to 0.2 s)
    >>> window.between(0.05, 0.15).values
    array([2000.])
    """

    scope: str
    """Scope, for example `flow bulk[0]`."""
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
        what = f"{self.scope!r}, {self.quantity!r}, {self.unit!r}"
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
        series.attrs.update(units=self.unit, scope=self.scope)
        return series

    def to_xarray(self) -> xarray.DataArray:
        """An array over `time`, with units as attributes."""
        import xarray

        return xarray.DataArray(
            self.values,
            {"time": ("time", self.times, {"units": "s"})},
            name=self.quantity,
            attrs={"units": self.unit, "scope": self.scope},
        )
