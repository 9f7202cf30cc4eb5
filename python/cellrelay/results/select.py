"""Selection by name: axes by the last parts of their paths, values in any unit.

A name that does not exist is refused, with a hint to the most similar name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cellrelay import _core
from cellrelay.text.printable import shortened
from cellrelay.text.quantity import same
from cellrelay.text.suggest import meant_or, nearest

Value = str | int | float
"""A value of an axis in a selection."""


class NotMeasured(LookupError):
    """The requested number has a valid name, but was not measured."""


class Unknown(LookupError):
    """The requested name does not exist; it is probably misspelt."""


def short_names(axes: Sequence[str]) -> dict[str, str]:
    """For each path its shortest ending that no other path shares.

    >>> short_names(["switch.s1.buffer.per_output", "flow.bulk.transport.tcp.packet"])
    {'switch.s1.buffer.per_output': 'per_output', 'flow.bulk.transport.tcp.packet': 'packet'}
    """
    return dict(zip(axes, _core.short_names(list(axes)), strict=True))


def resolve_axis(axes: Sequence[str], name: str) -> str:
    """The one path that ends with `name`."""
    found = [path for path in axes if path == name or name in _core.endings(path)]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(f"`{shortened(path)}`" for path in axes)
    known = f"the axes are {listed}" if axes else "nothing varies"
    if found:
        raise Unknown(f"`{name}` stands for several axes\n  hint: {known}")
    shortest = nearest(name, short_names(axes).values())
    hint = f"did you mean `{shortest}`? {known}" if shortest else known
    raise Unknown(f"`{name}` is not an axis of this sweep\n  hint: {hint}")


def meant(name: str, known: Sequence[str], otherwise: Sequence[str] = ()) -> str:
    """A hint to the known names that are similar to an unknown one.

    If no name is similar, the hint lists the names in `otherwise`, or else all known names.
    """
    return meant_or(name, known, one_of(otherwise or known))


def value_meant(value: str, known: Sequence[str]) -> str:
    """A hint to the most similar known value, and to all known values."""
    close = nearest(value, known)
    return f"did you mean `{close}`? it is {one_of(known)}" if close else one_of(known)


def one_of(names: Sequence[str], most: int = 12) -> str:
    """A list of names in words; at most `most` of them."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"one of {', '.join(f'`{shortened(name)}`' for name in names[:most])}{more}"


def values_of(points: Sequence[Mapping[str, str]], axis: str) -> list[str]:
    """The different values of an axis, in the order of the sweep."""
    return list(dict.fromkeys(point[axis] for point in points))


def spellings(
    axes: Sequence[str], points: Sequence[Mapping[str, str]], where: Mapping[str, Value]
) -> dict[str, list[str]]:
    """For each axis the values of points that equal the wanted one, in any unit.

    Raises `Unknown` if there is no such axis, and `NotMeasured` if no point has the value.
    """
    found: dict[str, list[str]] = {}
    for name, value in where.items():
        axis = resolve_axis(axes, name)
        known = values_of(points, axis)
        found[axis] = [one for one in known if same(one, written(value))]
        if not found[axis]:
            hint = value_meant(written(value), known)
            raise NotMeasured(f"no point has {place_of({name: value})}\n  hint: {hint}")
    return found


def chosen(
    axes: Sequence[str], points: Sequence[Mapping[str, str]], where: Mapping[str, Value]
) -> list[int]:
    """Indexes of the points at which the axes have these values.

    Raises `Unknown` if there is no such axis, and `NotMeasured` if there is no such point.
    """
    wanted = spellings(axes, points, where)
    found = [
        number
        for number, values in enumerate(points)
        if all(values[axis] in spelt for axis, spelt in wanted.items())
    ]
    if not found:
        hint = "each value exists, but not together at one point"
        raise NotMeasured(f"no point has {place_of(where)}\n  hint: {hint}")
    return found


def place_of(where: Mapping[str, Value]) -> str:
    """The values of the axes at a point, in one text."""
    return ", ".join(
        f"{shortened(axis)} = {shortened(written(value))}" for axis, value in where.items()
    )


def written(value: Value) -> str:
    """A value as text; numbers and booleans are converted."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def match_point(values: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    """True if a point has the wanted values, in any units."""
    return all(same(values[path], value) for path, value in wanted.items())
