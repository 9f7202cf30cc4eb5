"""Errors, with hints, for names of metrics and scopes that do not exist."""

from __future__ import annotations

from collections.abc import Iterable

from cellrelay.metrics.metric import renamed, units
from cellrelay.metrics.scope import Scope, ScopeLike, find, read
from cellrelay.results.select import Unknown, meant
from cellrelay.simulation.labels import Labels


def require(measured: Labels, metric: str, scope: ScopeLike) -> None:
    """Raise `Unknown` for a metric or a scope that does not exist.

    A metric that exists without any observation, such as a mean pause without pauses, is no error.
    """
    if not measured.scopes:
        return
    found = measured.scope(scope)
    if found is None or found not in measured.scopes:
        found = require_scope(measured.scopes, scope)
    of_kind = units().get(found.kind, {})
    if metric in of_kind:
        return
    of_scope = measured.metrics_of(measured.within(found))
    known = [*of_scope, *of_kind]
    if metric in known:
        return
    kinds = [f"a `{kind}`" for kind, names in units().items() if metric in names]
    of_others = f"it is a metric of {' and of '.join(kinds)}: say of which"
    now = renamed(metric)
    name_now = f"it is called `{now}` now" if now in known else None
    similar = meant(metric, known, otherwise=of_scope)
    raise Unknown(
        f"`{metric}` is not a metric of `{scope}`"
        f"\n  hint: {of_others if kinds else name_now or similar}"
    )


def require_scope(known: Iterable[Scope], scope: ScopeLike) -> Scope:
    """The known scope, or group of scopes, with this text; raises `Unknown` if there is none."""
    scopes = list(known)
    found = find(scopes, str(scope))
    if found:
        return found
    asked = read(scope) if isinstance(scope, str) else scope
    if asked is not None and any(asked.covers(one) for one in scopes):
        return asked
    of_kind = [one for one in scopes if asked and one.kind == asked.kind]
    hint = meant(str(scope), list(map(str, of_kind or scopes)))
    raise Unknown(f"there is no `{scope}` in these results\n  hint: {hint}")


def member_like(measured: Labels, scope: ScopeLike) -> ScopeLike:
    """The scope, or another member of its group if a sweep varies the size of the group."""
    if isinstance(scope, str) or scope.group == scope or scope in measured.scopes:
        return scope
    return next(iter(measured.members(scope.group)), scope)
