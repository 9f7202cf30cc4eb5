"""Errors, with hints, for names of metrics and scopes that do not exist."""

from __future__ import annotations

from collections.abc import Iterable

from cellrelay.metrics.metric import renamed, units
from cellrelay.metrics.scope import Scope, ScopeLike, find, read
from cellrelay.results.select import Unknown, meant, one_of
from cellrelay.simulation.run import Label


def require(labels: Iterable[Label], metric: str, scope: ScopeLike) -> None:
    """Raise `Unknown` for a metric or a scope that does not exist; `labels` are the measured ones.

    A metric that exists without any observation, such as a mean pause without pauses, is no error.
    """
    of_scope: dict[Scope, dict[str, None]] = {}
    for label in labels:
        of_scope.setdefault(label.scope, {})[label.metric] = None
    if not of_scope:
        return
    found = require_scope(of_scope, scope)
    measured = list(of_scope.get(found, {}))
    known = [*measured, *units().get(found.kind, {})]
    if metric not in known:
        kinds = [f"a `{kind}`" for kind, names in units().items() if metric in names]
        of_others = f"it is a metric of {' and of '.join(kinds)}: say of which"
        now = renamed(metric)
        name_now = f"it is called `{now}` now" if now in known else None
        hint = of_others if kinds else name_now or meant(metric, known, otherwise=measured)
        raise Unknown(f"`{metric}` is not a metric of `{scope}`\n  hint: {hint}")


def require_scope(known: Iterable[Scope], scope: ScopeLike) -> Scope:
    """The known scope with this text; raises `Unknown` if there is none."""
    scopes = list(known)
    found = find(scopes, str(scope))
    if found:
        return found
    members = [one for one in scopes if str(one.group) == str(scope)]
    asked = read(scope) if isinstance(scope, str) else scope
    of_kind = [one for one in scopes if asked and one.kind == asked.kind]
    texts = list(map(str, members or of_kind or scopes))
    hint = f"it is a group: {one_of(texts)}" if members else meant(str(scope), texts)
    raise Unknown(f"there is no `{scope}` in these results\n  hint: {hint}")


def member_like(labels: Iterable[Label], scope: ScopeLike) -> ScopeLike:
    """The scope, or another member of its group if a sweep varies the size of the group."""
    scopes = list(dict.fromkeys(label.scope for label in labels))
    if isinstance(scope, str) or scope.group == scope or scope in scopes:
        return scope
    alike = (one for one in scopes if one.group == scope.group)
    return next(alike, scope)
