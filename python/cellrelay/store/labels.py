"""The labels of the numbers of a run as a text, which stays short for thousands of equal flows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cellrelay.metrics.scope import Name, Place, Scope
from cellrelay.simulation.labels import Label, Labels, in_columns, labels_of

Form = tuple[Any, ...]
"""A scope without its numbers: its kind, true if it has a name, and each group with true if its
members have numbers."""


def write_labels(labels: Sequence[Label]) -> str:
    """Labels as JSON: each scope by its form, its list of metrics, and the numbers of its members.

    >>> write_labels([Label(Scope.flow("f", member), "goodput", "bit/s") for member in range(2)])
    '{"measured":[[["goodput","bit/s"]]],"forms":[["flow",true,["f",true]]],"scopes":[[0,0,0],[0,0,1]]}'
    """
    lists: dict[tuple[tuple[str, str], ...], int] = {}
    forms: dict[Form, int] = {}
    scopes = []
    for scope, measured in in_columns(labels).blocks:
        form, numbers = _apart(scope)
        scopes.append(
            [forms.setdefault(form, len(forms)), lists.setdefault(measured, len(lists)), *numbers]
        )
    known = {"measured": list(lists), "forms": list(forms), "scopes": scopes}
    return json.dumps(known, ensure_ascii=False, separators=(",", ":"))


def _apart(scope: Scope) -> tuple[Form, list[int]]:
    """A scope split into its text without numbers and its member numbers."""
    kind, name, place = scope
    if name is not None and place is None and name[1] is not None:
        # There may be many thousands of flows.
        return (kind, True, (name[0], True)), [name[1]]
    form: list[Any] = [kind, name is not None]
    numbers = []
    for group, number in (*((name,) if name else ()), *(place or ())):
        form.append((group, number is not None))
        if number is not None:
            numbers.append(number)
    return tuple(form), numbers


def read_labels(text: str) -> Labels:
    """Read labels from the text of `write_labels`."""
    known = json.loads(text)
    lists = [[(metric, unit) for metric, unit in measured] for measured in known["measured"]]
    scopes = [
        (_together(known["forms"][form], numbers), measured)
        for form, measured, *numbers in known["scopes"]
    ]
    return labels_of(lists, scopes)


def _together(form: Sequence[Any], numbers: Sequence[int]) -> Scope:
    """The scope of a form with these numbers."""
    kind, has_name, *groups = form
    rest = iter(numbers)
    names = [Name(group, next(rest) if is_numbered else None) for group, is_numbered in groups]
    name = names.pop(0) if has_name else None
    return Scope(kind, name, Place(*names) if names else None)
