"""Differences between the values of an axis, on common random numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from cellrelay.metrics.scope import NETWORK, ScopeLike
from cellrelay.results.model import Results
from cellrelay.results.overview import of_comparisons, title_of_comparisons
from cellrelay.results.point import PointResult
from cellrelay.results.select import (
    NotMeasured,
    Unknown,
    one_of,
    place_of,
    resolve_axis,
    short_names,
    value_meant,
)
from cellrelay.statistics import Estimate, differences
from cellrelay.text.html_table import html_table
from cellrelay.text.quantity import same


@dataclass(frozen=True)
class Comparison:
    """A point and its base: the point that differs from it only on the compared axis."""

    point: Mapping[str, str]
    """Value of each axis."""
    value: Estimate
    base: Estimate
    difference: Estimate
    """Mean of `value - base`, sample by sample; the intervals of all points of a base hold
    together."""
    of: int
    """Number of samples; `difference.n` of them measured the metric at both points."""
    is_exact: bool = False
    """True if at each of both points all replications are equal."""

    @property
    def is_larger(self) -> bool | None:
        """Where one of both is only a bound: true if the value is larger than that of the base,
        false if it is smaller, and `None` if that cannot be told."""
        bounds = self.value.is_bound, self.base.is_bound
        if bounds == (True, False) and self.value.mean > _upper(self.base):
            return True
        if bounds == (False, True) and self.base.mean > _upper(self.value):
            return False
        return None

    @property
    def is_bound(self) -> bool:
        """True if the value or that of the base is only a bound, so that there is no difference."""
        return self.value.is_bound or self.base.is_bound

    @property
    def is_decidable(self) -> bool:
        """True if there are two pairs, as an interval needs, or nothing is left to chance; of a
        bound, if it lies beyond the other interval."""
        if self.is_bound:
            return self.is_larger is not None
        return self.difference.n > 1 or (self.is_exact and self.difference.n == 1)

    @property
    def is_apart(self) -> bool:
        """True if the difference is significant: its interval does not contain zero.

        A single sample has no interval, so its difference is never significant, unless the
        replications have shown that there is no other sample.
        """
        if self.is_bound:
            return self.is_larger is not None
        if self.is_exact:
            return abs(self.difference.mean) > 0.0
        return self.difference.low > 0.0 or self.difference.high < 0.0


def _upper(known: Estimate) -> float:
    """The upper end of the interval, or the value without one."""
    return known.mean if math.isnan(known.high) else known.high


class Comparisons(list[Comparison]):
    """The comparisons of a metric along an axis, with what a table of them needs."""

    def __init__(
        self, found: Iterable[Comparison], metric: str, scope: ScopeLike, unit: str, base: str
    ) -> None:
        super().__init__(found)
        self.metric = metric
        self.scope = scope
        self.unit = unit
        """SI unit of the metric."""
        self.base = base
        """Axis and value with which the other points are compared."""

    def __repr__(self) -> str:
        header, rows = of_comparisons(self)
        widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in [header, *rows]
        ]
        return "\n".join([title_of_comparisons(self), *(f"  {line}" for line in lines)])

    def _repr_html_(self) -> str:
        header, rows = of_comparisons(self)
        return html_table([title_of_comparisons(self)], header, rows, len(rows))


def compare(
    results: Results, metric: str, by: str, to: str | None = None, scope: ScopeLike = NETWORK
) -> Iterator[Comparison]:
    """Compare every point with the point at which the axis `by` has the value `to`, or else its
    first value.

    The intervals of all points that are compared with one point hold together, by Bonferroni's
    inequality, at the level of the results. Raises `Unknown` if there is no such axis or metric,
    and `NotMeasured` if the axis has no such value, or if no point has the metric.
    """
    results.require(metric, scope)
    axis = resolve_axis(results.axes, by)
    base_value = base_of(results, axis, to)
    for others in _rows(results, axis):
        base = others.pop(base_value, None)
        if base is None:
            continue
        of_base = base.sampled(metric, scope)
        of_others = [point.paired_with(base).sampled(metric, scope) for point in others.values()]
        if not of_base.known and of_base.incomplete is None:
            place = f" at {results.place(base)}"
            known = list(
                dict.fromkeys(one.metric for one in base.labels if str(one.scope) == str(scope))
            )
            hint = f"what was measured is {one_of(known)}" if known else "nothing of it was"
            raise NotMeasured(f"`{metric}` of `{scope}` was not measured{place}\n  hint: {hint}")
        gains = differences(of_base.values, [of.values for of in of_others], results.level)
        base_known = base.estimate(metric, scope, level=results.level)
        for point, of_other, gain in zip(others.values(), of_others, gains, strict=True):
            is_exact = base.is_repetition and point.is_repetition
            yield Comparison(
                point.values,
                point.estimate(metric, scope, level=results.level),
                base_known,
                gain,
                1 if is_exact else max(len(of_base.values), len(of_other.values)),
                is_exact,
            )


def axis_of(results: Results, by: str | None, to: str | None) -> str:
    """The compared axis: `by`, or else the axis that has the value `to`, or else the first."""
    if not results.axes:
        raise Unknown("these results have no axis to compare\n  hint: add a `[sweep]`")
    if by is not None or to is None:
        return resolve_axis(results.axes, by if by is not None else results.axes[0])
    found = [axis for axis in results.axes if any(same(one, to) for one in results.values(axis))]
    if len(found) == 1:
        return found[0]
    names = short_names(results.axes)
    if found:
        known = " or ".join(f"`--by {names[axis]}`" for axis in found)
        raise Unknown(f"`{to}` is a value of several axes\n  hint: say which: {known}")
    values = {value: None for axis in results.axes for value in results.values(axis)}
    raise Unknown(f"no axis has the value `{to}`\n  hint: {value_meant(to, list(values))}")


def base_of(results: Results, axis: str, to: str | None) -> str:
    """The baseline value of the axis, as written in the sweep."""
    values = results.values(axis)
    if to is None:
        return values[0]
    for value in values:
        if same(value, to):
            return value
    name = short_names(results.axes)[axis]
    raise NotMeasured(f"no point has {place_of({name: to})}\n  hint: {value_meant(to, values)}")


def _rows(results: Results, axis: str) -> Iterator[dict[str, PointResult]]:
    """Points that differ only on this axis, by its values."""
    rows: dict[tuple[str, ...], dict[str, PointResult]] = {}
    for point in results.points:
        place = tuple(value for name, value in point.values.items() if name != axis)
        rows.setdefault(place, {})[point.values[axis]] = point
    yield from rows.values()
