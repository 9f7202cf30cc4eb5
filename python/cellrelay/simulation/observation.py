"""The numbers of a run at a pause: values by scope and name, with their units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from cellrelay import _core
from cellrelay.metrics.scope import Scope, ScopeLike, by_text
from cellrelay.text.suggest import nearest


class Reading(float):
    """A number with its unit.

    >>> queue = Reading(12.0, "cells")
    >>> queue, queue + 1
    (12.0 cells, 13.0)
    """

    __slots__ = ("unit",)
    unit: str
    """SI unit, or cells; `1` for a plain number."""

    def __new__(cls, value: float, unit: str) -> Reading:
        """A number in a unit."""
        reading = super().__new__(cls, value)
        reading.unit = unit
        return reading

    def __reduce__(self) -> tuple[Any, ...]:
        return Reading, (float(self), self.unit)

    def __repr__(self) -> str:
        return f"{float(self)!r} {self.unit}" if self.unit != "1" else repr(float(self))


class Control(NamedTuple):
    """A control of a scope, with its present value and its range."""

    value: float
    least: float
    most: float
    unit: str
    """Unit of the three numbers; `1` for a plain number."""


class NotObserved(KeyError):
    """A scope or a name that an observation does not have."""

    def __str__(self) -> str:
        # A `KeyError` shows the text as Python source.
        return str(self.args[0])


class ScopeValues(Mapping[str, Any]):
    """Values by name, of one scope."""

    def __init__(self, scope: Scope, values: Mapping[str, Any]) -> None:
        self.scope = scope
        self._values = values

    def __getitem__(self, name: str) -> Any:
        try:
            return self._values[name]
        except (KeyError, TypeError):
            raise NotObserved(_missing(f"`{self.scope}`", name, self._values)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{name}: {value!r}' for name, value in self._values.items())}}}"


class Observation(Mapping[ScopeLike, ScopeValues]):
    """Values by scope, then by name; a scope may be given by its text, such as `flow bulk[3]`."""

    def __init__(self, values: Iterable[tuple[Scope, str, Any]]) -> None:
        by_scope: dict[Scope, dict[str, Any]] = {}
        for scope, name, value in values:
            by_scope.setdefault(scope, {})[name] = value
        self._scopes = {scope: ScopeValues(scope, named) for scope, named in by_scope.items()}

    @cached_property
    def _texts(self) -> Mapping[str, Scope]:
        return by_text(self._scopes)

    def __getitem__(self, scope: ScopeLike) -> ScopeValues:
        try:
            return self._scopes[self._texts[scope] if isinstance(scope, str) else scope]
        except (KeyError, TypeError):
            raise NotObserved(_missing("the network", str(scope), self._texts)) from None

    def members(self, scope: ScopeLike, name: str) -> list[Any]:
        """Values of this name at a scope, or at all members of a group that have it."""
        wanted = Scope.read(scope) if isinstance(scope, str) else scope
        if not isinstance(wanted, Scope):
            raise NotObserved(_missing("the network", str(scope), self._texts))
        covered = [named for known, named in self._scopes.items() if wanted.covers(known)]
        found = [named[name] for named in covered if name in named]
        if not found:
            names = dict.fromkeys(name for named in covered for name in named)
            texts = dict.fromkeys(str(known.group) for known in self._scopes)
            raise NotObserved(
                _missing(f"`{scope}`", name, names)
                if covered
                else _missing("the network", str(scope), texts)
            )
        return found

    def total(self, scope: ScopeLike, name: str) -> float:
        """Sum of the values of this name at a scope, or at all members of a group."""
        return float(sum(self.members(scope, name)))

    def __iter__(self) -> Iterator[Scope]:
        return iter(self._scopes)

    def __len__(self) -> int:
        return len(self._scopes)

    def __repr__(self) -> str:
        return f"Observation({len(self)} scopes)"


def readings(values: Iterable[tuple[_core.ScopeParts, str, float, str]]) -> Observation:
    """The observation of values with units, as the core gives them."""
    return Observation(
        (Scope.of(parts), name, Reading(value, unit)) for parts, name, value, unit in values
    )


def _missing(where: str, name: object, known: Iterable[str]) -> str:
    """The message for an unknown name."""
    names = list(known)
    most = 8
    meant = nearest(str(name), names)
    if meant is not None:
        hint = f"did you mean `{meant}`?"
    else:
        more = f" and {len(names) - most} others" if len(names) > most else ""
        hint = f"it has {', '.join(f'`{one}`' for one in names[:most])}{more}"
    return f"{where} has no `{name}`\n  hint: {hint}"
