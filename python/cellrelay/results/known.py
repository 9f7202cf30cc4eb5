"""Whether what is asked for by name exists: misspelt names are refused, with what was meant."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cellrelay.metrics import renamed, units
from cellrelay.results.select import Unknown, meant, one_of
from cellrelay.simulate import Label


def require(labels: Iterable[Label], metric: str, scope: str) -> None:
    """Refuse a metric or a scope that does not exist, given what was measured.

    What exists and was not measured passes, such as the mean of what never happened.
    """
    of_scope: dict[str, dict[str, None]] = {}
    for label in labels:
        of_scope.setdefault(label.scope, {})[label.metric] = None
    measured = list(of_scope.get(scope, {}))
    if not of_scope or metric in measured:
        return
    require_scope(of_scope, scope)
    known = [*measured, *units().get(scope.partition(" ")[0], {})]
    if metric not in known:
        kinds = [f"a `{kind}`" for kind, names in units().items() if metric in names]
        of_others = f"it is a metric of {' and of '.join(kinds)}: say of which"
        now = renamed(metric)
        name_now = f"it is called `{now}` now" if now in known else None
        hint = of_others if kinds else name_now or meant(metric, known, otherwise=measured)
        raise Unknown(f"`{metric}` is not a metric of `{scope}`\n  hint: {hint}")


def require_scope(known: Iterable[str], scope: str) -> None:
    """Refuse a scope that does not exist, where these are known."""
    scopes = list(known)
    groups = {_group(one) for one in scopes}
    if scope in scopes or _may_be_dropped(groups, scope):
        return
    members = [one for one in scopes if _group(one) == scope]
    of_kind = [one for one in scopes if one.partition(" ")[0] == scope.partition(" ")[0]]
    hint = f"it is a group: {one_of(members)}" if members else meant(scope, of_kind or scopes)
    raise Unknown(f"there is no `{scope}` in these results\n  hint: {hint}")


def member_like(labels: Iterable[Label], scope: str) -> str:
    """The scope, or another member of its group where this one is not: their number may vary."""
    if _group(scope) == scope:
        return scope
    scopes = [label.scope for label in labels]
    alike = (one for one in scopes if _group(one) == _group(scope))
    return scope if scope in scopes else next(alike, scope)


def _may_be_dropped(groups: set[str], scope: str) -> bool:
    """Whether a scope is of drops which did not happen, and is therefore not in the report."""
    flow, _, output = _group(scope).removeprefix("drop ").partition(" at ")
    places = {f"port {output}", f"link {output}"}
    return scope.startswith("drop ") and f"flow {flow}" in groups and not places.isdisjoint(groups)


def _group(scope: str) -> str:
    """A scope without the numbers of members.

    >>> _group("port sender[3]->s1")
    'port sender->s1'
    """
    return re.sub(r"\[\d+\]", "", scope)
