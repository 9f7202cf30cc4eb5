"""The limits of flows along a sweep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cellrelay.explain.figures import limit_parts, without_nothing
from cellrelay.explain.flows import LIMITS, MeasuredGroup, flows_of, groups_of
from cellrelay.explain.point_means import PointMeans
from cellrelay.plot import Bar, Bars
from cellrelay.results import NotMeasured, PointResult, Results, short_names

MOST_CHANGES = 5
"""Largest number of changes that are described one by one; others are counted."""


@dataclass(frozen=True)
class Along:
    """A group of flows at one point of a sweep."""

    point: PointResult
    group: MeasuredGroup

    def to_json(self) -> dict[str, Any]:
        """The group and its point as plain data."""
        return {
            "point": dict(self.point.values),
            "group": self.group.name,
            "goodput": self.group.mean("goodput"),
            "limiter": self.group.limiter,
            "limits": {reason: self.group.limited_by(reason) for reason in LIMITS},
        }


def along(results: Results) -> list[Along]:
    """Every group of flows at every point, in the order of the sweep."""
    found = [
        Along(point, group)
        for point in results.points
        for group in groups_of(flows_of(PointMeans(point)))
    ]
    if not found:
        raise NotMeasured(
            "the runs did not measure what limited the flows\n  hint: repeat `cellrelay run`;"
            " flows of connections that come and go have no limit in common"
        )
    return found


def told(results: Results, found: Sequence[Along]) -> list[str]:
    """The changes of limits, in a few sentences."""
    lines = list(changes(results, found))
    more = len(lines) - MOST_CHANGES
    if more > 0:
        lines[MOST_CHANGES:] = [f"and {more} more such changes: `--json` has every point"]
    if lines:
        return lines
    limiters = {(one.group.name, one.group.limiter) for one in found}
    if len(limiters) == len({one.group.name for one in found}):
        return ["the same limit applies for the longest time at every point"]
    return [f"it does not change along {short_names(results.axes)[results.axes[-1]]}"]


def changes(results: Results, found: Sequence[Along]) -> Iterator[str]:
    """The changes of the main limit of a group from one point to the next, in words."""
    names = short_names(results.axes)
    last: dict[tuple[str, ...], Along] = {}
    for one in found:
        # Along the last axis, which varies fastest.
        key = (one.group.name, *(one.point.values[axis] for axis in results.axes[:-1]))
        before = last.get(key)
        last[key] = one
        if before is None or before.group.limiter == one.group.limiter:
            continue
        axis = results.axes[-1]
        other = ", ".join(f"{names[name]} = {one.point.values[name]}" for name in results.axes[:-1])
        yield (
            f"{f'with {other}, ' if other else ''}`{one.group.name}` is limited by"
            f" {LIMITS[before.group.limiter]} at {names[axis]} = {before.point.values[axis]},"
            f" and by {LIMITS[one.group.limiter]} at {one.point.values[axis]}"
        )


def bars(results: Results, found: Sequence[Along]) -> Bars:
    """The limits of the first group, point by point."""
    first = found[0].group.name
    axis = results.axes[-1]
    some = [one for one in found if one.group.name == first]
    drawn = [
        Bar(
            one.point.values[axis],
            limit_parts(one.group.limited_by),
            ", ".join(one.point.values[name] for name in results.axes[:-1]),
        )
        for one in some
    ]
    label = f"{first} limited (% of time)"
    return Bars(without_nothing(drawn), label, (0.0, 100.0), LIMITS["application"])
