"""The annotated fields of a class as parameters of a scenario."""

from __future__ import annotations

import ast
import inspect
import math
import textwrap
import typing
from dataclasses import MISSING, Field, fields
from itertools import pairwise
from typing import Annotated, Any, NamedTuple, NewType

from cellrelay import _core
from cellrelay.members.refusal import refusal

Amount = _core.Amount

Seconds = NewType("Seconds", float)
"""A time: `"5 ms"` in a scenario, 0.005 in the class."""

BitsPerSecond = NewType("BitsPerSecond", int)
"""A rate: `"10 Mbit/s"` in a scenario, 10000000 in the class."""

Octets = NewType("Octets", int)
"""A size: `"2 KiB"` in a scenario, 2048 in the class."""

Share = NewType("Share", float)
"""A share: `"50 %"` in a scenario, 0.5 in the class."""


class Range(NamedTuple):
    """The smallest and the largest number of a field: `Annotated[int, Range(1, 16)]`."""

    low: float
    high: float


class _Kind(NamedTuple):
    """The values that a field of a type may have."""

    name: str
    python: tuple[type, ...]
    low: float
    high: float
    meaning: str

    @property
    def is_number(self) -> bool:
        """True if a value is a number, which a range can bound."""
        return int in self.python


_KINDS = {
    float: _Kind("float", (int, float), -math.inf, math.inf, "a finite number"),
    int: _Kind("int", (int,), 0, 2**32 - 1, "a whole number from 0 to 4294967295"),
    bool: _Kind("bool", (bool,), 0, 1, "True or False"),
    str: _Kind("str", (str,), 0, 0, "a text"),
    Seconds: _Kind("Seconds", (int, float), 0, 1e6, "a number of seconds from 0 to 1000000"),
    BitsPerSecond: _Kind(
        "BitsPerSecond", (int,), 1, 2**63, "a whole number of bit/s from 1 on, without `e`"
    ),
    Octets: _Kind("Octets", (int,), 0, 2**63, "a whole number of octets from 0 on, without `e`"),
    Share: _Kind("Share", (int, float), 0, 1, "a share from 0 to 1"),
    Amount: _Kind("Amount", (Amount,), 0, 0, 'a level in a buffer, such as `Amount("50 %")`'),
}

Described = tuple[str, str, str, Any, tuple[float, float] | None]
"""Name, meaning, type, default and range of a field."""


def described(family: str, cls: type) -> list[Described]:
    """The fields of a dataclass that a scenario may set.

    Raises:
        TypeError: A field is no parameter, or its default is no value of its type.
    """
    try:
        hints = typing.get_type_hints(cls, include_extras=True)
    except Exception as error:
        problem = f"an annotation cannot be read: {type(error).__name__}: {error}"
        raise refusal(cls, problem, f"use one of {_known()}") from None
    helps = _docstrings(cls)
    found = [
        _described(cls, one, hints[one.name], helps.get(one.name, ""))
        for one in fields(cls)
        if one.init
    ]
    for name, _, kind, _, _ in found:
        if kind == "Amount" and family != "discard":
            problem = f"the field `{name}` of type `Amount` needs a buffer to be counted in"
            raise refusal(cls, problem, "use `Octets`")
    return found


def _known() -> str:
    return ", ".join(f"`{kind.name}`" for kind in _KINDS.values())


def _described(cls: type, one: Field[Any], hint: Any, help: str) -> Described:
    limits = None
    if typing.get_origin(hint) is Annotated:
        hint, *extras = typing.get_args(hint)
        limits = next((extra for extra in extras if isinstance(extra, Range)), None)
    kind = next((kind for known, kind in _KINDS.items() if known is hint), None)
    if kind is None:
        shown = hint.__name__ if isinstance(hint, type) else hint
        raise refusal(
            cls,
            f"the field `{one.name}` is of type `{shown}`, which no parameter has",
            f"use one of {_known()}; keep state in `field(init=False)`",
        )
    if one.default_factory is not MISSING:
        problem = f"the field `{one.name}` has a factory for its default"
        raise refusal(cls, problem, "give a number or a text")
    if limits is not None:
        _check_limits(cls, one.name, kind, limits)
    if one.default is not MISSING:
        _check_default(cls, one, kind, limits)
    default = None if one.default is MISSING else one.default
    return one.name, help, kind.name, default, limits


def _check_limits(cls: type, name: str, kind: _Kind, limits: Range) -> None:
    numbers = all(
        isinstance(limit, int | float) and not isinstance(limit, bool) for limit in limits
    )
    if not kind.is_number or not numbers or not limits.low <= limits.high:
        shown = f"Range({limits.low!r}, {limits.high!r})"
        raise refusal(
            cls,
            f"the field `{name}` of type `{kind.name}` has the range `{shown}`",
            "bound a number by two numbers, the smaller first",
        )


def _check_default(cls: type, one: Field[Any], kind: _Kind, limits: Range | None) -> None:
    value: Any = one.default
    hint = f"give {kind.meaning}"
    problem = f"the field `{one.name}` of type `{kind.name}` has the default `{value!r}`"
    if value is None:
        raise refusal(cls, problem, f"{hint}; without a default it is required")
    is_kind = isinstance(value, kind.python) and isinstance(value, bool) == (kind.name == "bool")
    if not is_kind:
        raise refusal(cls, problem, hint)
    if not kind.is_number:
        return
    if not (math.isfinite(value) and kind.low <= value <= kind.high):
        raise refusal(cls, problem, hint)
    if limits is not None and not limits.low <= value <= limits.high:
        raise refusal(cls, problem, f"its range is from {limits.low} to {limits.high}")


def _docstrings(cls: type) -> dict[str, str]:
    """The text that follows each annotated field."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    except (OSError, TypeError, SyntaxError):
        return {}
    body = typing.cast(ast.ClassDef, tree.body[0]).body
    found = {}
    for statement, after in pairwise(body):
        if (
            isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
            and isinstance(after.value.value, str)
        ):
            found[statement.target.id] = inspect.cleandoc(after.value.value)
    return found
