"""What the numbers of runs are, as a text that is short however many there are of a kind."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby

from cellrelay.scope import Scope
from cellrelay.simulate import Label, labels_of


def write_labels(labels: Sequence[Label]) -> str:
    """Each scope by its parts, with the number of the list of what is measured there.

    >>> write_labels([Label(Scope.flow(name), "goodput", "bit/s") for name in "ab"])
    '{"measured":[[["goodput","bit/s"]]],"scopes":[[["flow",["a",null],null],0],[["flow",["b",null],null],0]]}'
    """
    numbers: dict[tuple[tuple[str, str], ...], int] = {}
    scopes = []
    for scope, of_scope in groupby(labels, key=_scope):
        measured = tuple((metric, unit) for _, metric, unit in of_scope)
        scopes.append((scope, numbers.setdefault(measured, len(numbers))))
    known = {"measured": list(numbers), "scopes": scopes}
    return json.dumps(known, ensure_ascii=False, separators=(",", ":"))


def _scope(label: Label) -> Scope:
    return label.scope


def read_labels(text: str) -> tuple[Label, ...]:
    """What `write_labels` wrote."""
    known = json.loads(text)
    lists = [[(metric, unit) for metric, unit in measured] for measured in known["measured"]]
    return labels_of(lists, [(Scope.of(scope), number) for scope, number in known["scopes"]])
