"""Names of axes: whole paths in files, their last parts in front of people."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from cellrelay.printable import shortened
from cellrelay.quantity import same


class NotMeasured(LookupError):
    """What is asked for could have been measured and was not."""


def short_names(axes: Sequence[str]) -> dict[str, str]:
    """For each path its shortest ending that no other path shares.

    >>> short_names(["switch.s1.buffer.per_output", "flow.bulk.transport.tcp.packet"])
    {'switch.s1.buffer.per_output': 'per_output', 'flow.bulk.transport.tcp.packet': 'packet'}
    """
    return {path: _shortest(path, axes) for path in axes}


def resolve_axis(axes: Sequence[str], name: str) -> str:
    """The one path that ends with `name`."""
    found = [path for path in axes if path == name or name in _endings(path)]
    if len(found) == 1:
        return found[0]
    known = ", ".join(f"`{shortened(path)}`" for path in axes) or "none"
    reason = "is not an axis" if not found else "stands for several axes"
    raise LookupError(f"`{name}` {reason} of these results\n  hint: the axes are {known}")


def one_of(names: Sequence[str], most: int = 12) -> str:
    """The names to choose from, the first of them if there are many."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"one of {', '.join(f'`{shortened(name)}`' for name in names[:most])}{more}"


def match_point(values: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    """Whether a point has the wanted values, in whatever units they are written."""
    return all(same(values[path], value) for path, value in wanted.items())


def _shortest(path: str, axes: Sequence[str]) -> str:
    others = [_endings(other) for other in axes if other != path]
    for ending in _endings(path):
        if not any(ending in taken for taken in others):
            return ending
    return path


def _endings(path: str) -> list[str]:
    """Endings of a dotted path, shortest first; quoted parts stay whole."""
    parts = re.findall(r'(?:"[^"]*"|[^."])+', path)
    return [".".join(parts[start:]) for start in range(len(parts) - 1, -1, -1)]
