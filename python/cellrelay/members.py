"""Members of families that are written in Python: discard policies, congestion controls, sources.

A decorator makes a class a member, and a scenario names it like any other, with its fields as its
parameters:

    from cellrelay import members
    from cellrelay.members import Share

    @members.discard
    class TopDrop:
        '''Drops what finds more than a part of the buffer occupied.'''

        part: Share = 0.8
        '''Part of the buffer that is used.'''

        def begin(self, buffer):
            self.most = self.part * buffer.capacity

        def admit(self, offer):
            return offer.fits and offer.queued + offer.size <= self.most

    cellrelay.run("policies.toml", settings={"switch.s1.discard.top_drop.part": "50 %"})

The key of a stored run covers the source of the class: the whole file, or the class alone where it
is defined in a notebook. The same source, scenario and seed give the same numbers, as long as the
class draws its random numbers from the `seed` that `begin` gets, and reads no clock and no file.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import sys
import textwrap
import typing
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from itertools import pairwise
from types import ModuleType
from typing import Annotated, Any, NamedTuple, NewType, TypeVar, overload

from cellrelay import _core

Seconds = NewType("Seconds", float)
"""A time: `"5 ms"` in a scenario, 0.005 in the class."""

BitsPerSecond = NewType("BitsPerSecond", int)
"""A rate: `"10 Mbit/s"` in a scenario, 10000000 in the class."""

Octets = NewType("Octets", int)
"""A size: `"2 KiB"` in a scenario, 2048 in the class."""

Share = NewType("Share", float)
"""A share: `"50 %"` in a scenario, 0.5 in the class."""

Application = _core.Application
Ack = _core.Ack
Buffer = _core.Buffer
CongestionEvent = _core.CongestionEvent
Delivery = _core.Delivery
Echo = _core.Echo
Limits = _core.Limits
Offer = _core.Offer


class Range(NamedTuple):
    """The smallest and the largest number of a field: `Annotated[int, Range(1, 16)]`."""

    low: float
    high: float


METHODS = {
    "discard": ("admit",),
    "congestion": ("on_ack", "on_loss", "on_timeout"),
    "source": ("next",),
}
"""Methods that a class of each family must have."""

_KINDS = {
    float: "float",
    int: "int",
    bool: "bool",
    str: "str",
    Seconds: "Seconds",
    BitsPerSecond: "BitsPerSecond",
    Octets: "Octets",
    Share: "Share",
}

_Class = TypeVar("_Class", bound=type)


class Origin(NamedTuple):
    """A registered class, as plain data from which another process can define it again."""

    family: str
    name: str
    module: str
    file: str
    source: str


_registered: dict[tuple[str, str], Origin] = {}


@overload
def discard(given: _Class) -> _Class: ...
@overload
def discard(*, name: str | None = None) -> Callable[[_Class], _Class]: ...
def discard(given: Any = None, *, name: str | None = None) -> Any:
    """Makes a class a discard policy.

    Its method `admit` gets an `Offer` and returns True to accept it. It may have `begin`, which
    gets the `Buffer` before the run, and `on_join(vc, units)` and `on_leave(vc, units, at)`, which
    follow the queue. `compares_vcs = True` says that it compares the channels of one queue,
    `whole_packets = True` that it decides about whole packets.
    """
    return _decorator("discard", given, name)


@overload
def congestion(given: _Class) -> _Class: ...
@overload
def congestion(*, name: str | None = None) -> Callable[[_Class], _Class]: ...
def congestion(given: Any = None, *, name: str | None = None) -> Any:
    """Makes a class a congestion control of TCP.

    It keeps `cwnd` and `ssthresh` in octets, which are set before `begin` is called with the
    `Limits` of the sender. `on_ack` gets an `Ack`; `on_loss`, `on_timeout` and, if there is one,
    `on_mark` get a `CongestionEvent`; `on_echo`, if there is one, gets an `Echo`. `recovery` names
    the member whose loss recovery it uses (`"new_reno"`); `on_delivery`, if there is one, gets a
    `Delivery` with every acknowledgment, and segments then leave at `pacing_rate` bit/s;
    `exact_marks = True` asks the receiver to echo each mark; `wants_samples = True` asks for a
    round-trip time with each acknowledgment.
    """
    return _decorator("congestion", given, name)


@overload
def source(given: _Class) -> _Class: ...
@overload
def source(*, name: str | None = None) -> Callable[[_Class], _Class]: ...
def source(given: Any = None, *, name: str | None = None) -> Any:
    """Makes a class a traffic source.

    Its method `next` returns the time of the next write in seconds and its octets, or None. With
    `on_acknowledged(now)`, which returns the same, it waits until all that it has written is
    acknowledged. `begin`, if there is one, gets the `Application` before the run.
    """
    return _decorator("source", given, name)


def _decorator(family: str, given: Any, name: str | None) -> Any:
    def decorate(cls: type) -> type:
        return _register(family, cls, name or _snake_case(cls.__name__))

    return decorate if given is None else decorate(given)


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _register(family: str, cls: type, name: str) -> type:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ValueError(
            f"`{name}` cannot name a member\n  hint: use lower-case letters, digits and `_`"
        )
    for method in METHODS[family]:
        if not callable(getattr(cls, method, None)):
            raise TypeError(
                f"`{cls.__name__}` has no method `{method}`"
                f"\n  hint: see `cellrelay.members.{family}`"
            )
    source = _source(cls)
    made = cls if is_dataclass(cls) else dataclass(cls)
    described: Any = made
    described.__cellrelay_name__ = name
    described.__cellrelay_help__ = inspect.cleandoc(cls.__doc__ or "")
    described.__cellrelay_fields__ = _fields(made)
    _core.register(family, source.source, made)
    _registered[family, name] = source._replace(family=family, name=name)
    return made


def _source(cls: type) -> Origin:
    """The file that defines a class, or the class alone outside files."""
    module = sys.modules.get(cls.__module__)
    file = getattr(module, "__file__", None)
    try:
        text = inspect.getsource(module if module and file else cls)
    except (OSError, TypeError):
        raise TypeError(
            f"the source of `{cls.__name__}` cannot be read"
            "\n  hint: define the class in a file or in a notebook"
        ) from None
    return Origin("", "", cls.__module__, file or "", text)


_Described = tuple[str, str, str, Any, tuple[float, float] | None]


def _fields(cls: type) -> list[_Described]:
    """Name, meaning, type, default and range of each field that a scenario may set."""
    hints = typing.get_type_hints(cls, include_extras=True)
    helps = _docstrings_of_fields(cls)
    described: list[_Described] = []
    for field in fields(cls):
        if not field.init:
            continue
        hint, limits = hints[field.name], None
        if typing.get_origin(hint) is Annotated:
            hint, *extras = typing.get_args(hint)
            limits = next((extra for extra in extras if isinstance(extra, Range)), None)
        if hint not in _KINDS:
            known = ", ".join(f"`{kind}`" for kind in _KINDS.values())
            raise TypeError(
                f"`{cls.__name__}.{field.name}` is of type `{hint}`, which no parameter has"
                f"\n  hint: use one of {known}; keep state in `field(init=False)`"
            )
        if field.default_factory is not MISSING:
            raise TypeError(
                f"`{cls.__name__}.{field.name}` has a factory for its default"
                "\n  hint: give a number or a text"
            )
        default = None if field.default is MISSING else field.default
        described.append((field.name, helps.get(field.name, ""), _KINDS[hint], default, limits))
    return described


def _docstrings_of_fields(cls: type) -> dict[str, str]:
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


def registered() -> tuple[Origin, ...]:
    """The members that this process has registered, to be sent to others."""
    return tuple(_registered.values())


def install(origins: tuple[Origin, ...]) -> None:
    """Registers members that another process has registered, by running their source again."""
    for origin in origins:
        if _registered.get((origin.family, origin.name)) == origin:
            continue
        module = ModuleType(origin.module)
        name = f"<{origin.file or origin.module} of the driver>"
        # Tracebacks and `inspect` find the source there.
        module.__file__ = name
        lines = origin.source.splitlines(keepends=True)
        linecache.cache[name] = (len(origin.source), None, lines, name)
        sys.modules.setdefault(origin.module, module)
        exec(compile(textwrap.dedent(origin.source), name, "exec"), module.__dict__)


def load(file: str) -> None:
    """Registers the members that a Python file defines.

    Raises:
        OSError: The file cannot be read.
    """
    import runpy

    runpy.run_path(file, run_name=f"members of {file}")
