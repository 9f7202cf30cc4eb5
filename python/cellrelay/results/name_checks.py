"""Errors, with hints, for names of metrics and scopes that do not exist."""

from __future__ import annotations

from collections.abc import Iterable

from cellrelay.metrics.metric import renamed, units
from cellrelay.metrics.scope import Scope, ScopeLike, find, read
from cellrelay.results.select import Unknown, meant, one_of
from cellrelay.simulation.run import Columns


def require(measured: Columns, metric: str, scope: ScopeLike) -> None:
    """Raise `Unknown` for a metric or a scope that does not exist.

    A metric that exists without any observation, such as a mean pause without pauses, is no error.
    """
    if not measured.scopes:
        return
    found = measured.scope(scope)
    if found is None or found not in measured.scopes:
        found = require_scope(measured.scopes, scope)
    of_kind = units().get(found.kind, {})
    if metric in of_kind or metric in measured.metrics(found):
        return
    known = [*measured.metrics(found), *of_kind]
    kinds = [f"a `{kind}`" for kind, names in units().items() if metric in names]
    of_others = f"it is a metric of {' and of '.join(kinds)}: say of which"
    now = renamed(metric)
    name_now = f"it is called `{now}` now" if now in known else None
    similar = meant(metric, known, otherwise=measured.metrics(found))
    raise Unknown(
        f"`{metric}` is not a metric of `{scope}`"
        f"\n  hint: {of_others if kinds else name_now or similar}"
    )


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


def member_like(measured: Columns, scope: ScopeLike) -> ScopeLike:
    """The scope, or another member of its group if a sweep varies the size of the group."""
    if isinstance(scope, str) or scope.group == scope or scope in measured.scopes:
        return scope
    return next(iter(measured.members(scope.group)), scope)
