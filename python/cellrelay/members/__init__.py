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

The key of a stored run covers the whole file of the class and the modules that it imports, except
installed packages; in a notebook, the class and the names of the notebook that it uses, with the
values that they have when the class is defined. The same source, scenario and seed give the same
numbers, as long as the class draws its random numbers from the `seed` that `begin` gets, and reads
no clock and no file.
"""

from __future__ import annotations

import hashlib
import inspect
import linecache
import re
import sys
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, is_dataclass
from dataclasses import fields as dataclass_fields
from types import ModuleType
from typing import Any, NamedTuple, TypeVar, overload

from cellrelay import _core
from cellrelay.members import fields, imported, methods
from cellrelay.members.fields import Amount, BitsPerSecond, Octets, Range, Seconds, Share
from cellrelay.members.refusal import RefusedClass, place, refusal

Application = _core.Application
Ack = _core.Ack
Buffer = _core.Buffer
CongestionEvent = _core.CongestionEvent
Delivery = _core.Delivery
Echo = _core.Echo
Limits = _core.Limits
Offer = _core.Offer

__all__ = [
    "Ack",
    "Amount",
    "Application",
    "BitsPerSecond",
    "Buffer",
    "CongestionEvent",
    "Delivery",
    "Echo",
    "Limits",
    "Octets",
    "Offer",
    "Range",
    "RefusedClass",
    "RegisteredClass",
    "Seconds",
    "Share",
    "congestion",
    "discard",
    "install",
    "keys_of",
    "load",
    "registered",
    "source",
]


_Class = TypeVar("_Class", bound=type)


class RegisteredClass(NamedTuple):
    """A registered class, as plain data from which another process can define it again."""

    family: str
    name: str
    module: str
    file: str
    source: str
    uses: str = ""
    """What the class uses beside its source, as a text that changes with it."""

    @property
    def covered(self) -> str:
        """All that the key of a run covers."""
        return f"{self.source}\n# {self.uses}\n" if self.uses else self.source


_registered: dict[tuple[str, str], RegisteredClass] = {}


@overload
def discard(given: _Class) -> _Class: ...
@overload
def discard(*, name: str | None = None) -> Callable[[_Class], _Class]: ...
def discard(given: Any = None, *, name: str | None = None) -> Any:
    """Makes a class a discard policy.

    Its method `admit` gets an `Offer` and returns True to accept it. It may have `begin`, which
    gets the `Buffer` before the run, and `on_join(vc, units)` and `on_leave(vc, units, at)`, which
    follow the queue; `at` may lie in the future. `compares_vcs = True` says that it compares the
    VCs of one queue. With `whole_packets = True`, `admit` gets the first cell of each packet only,
    and the other cells follow it. `threshold_attribute = "most"` says that the object keeps in
    `most` the queue length from which it drops, in units of the buffer: a run may then set it as
    the control `threshold`.
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
    its loss recovery (`"new_reno"`, `"sack"`, `"rack"`) or a member whose recovery it uses;
    `on_delivery`, if there is one, gets a `Delivery` with every acknowledgment, and segments then
    leave at `pacing_rate` bit/s, headers included, as far as `cwnd` allows; `on_ack` is not called
    while a recovery is under way, and at its end, after an idle time and after a lost SYN the
    sender sets `cwnd` itself;
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
    acknowledged, and `next` returns None meanwhile. `begin`, if there is one, gets the
    `Application` before the run.
    """
    return _decorator("source", given, name)


def _decorator(family: str, given: Any, name: str | None) -> Any:
    if given is not None and not isinstance(given, type):
        raise TypeError(
            f"`{given!r}` is no class"
            f"\n  hint: write `@members.{family}` above a class, or"
            f' `@members.{family}(name="...")` to name it'
        )

    def decorate(cls: type) -> type:
        if not isinstance(cls, type):
            hint = f"write `@members.{family}` above a class"
            raise TypeError(f"`{cls!r}` is no class\n  hint: {hint}")
        return _register(family, cls, _snake_case(cls.__name__) if name is None else name)

    return decorate if given is None else decorate(given)


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _register(family: str, cls: type, name: str) -> type:
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ValueError(
            f"`{name}` cannot name a member\n  hint: use lower-case letters, digits and `_`"
        )
    methods.check(family, cls)
    source = _source(cls)
    made = _as_dataclass(family, cls)
    described: Any = made
    described.__cellrelay_name__ = name
    described.__cellrelay_place__ = place(cls)
    described.__cellrelay_help__ = inspect.cleandoc(cls.__doc__ or "")
    described.__cellrelay_fields__ = fields.described(family, made)
    try:
        _core.register(family, source.covered, made)
    except (TypeError, ValueError) as error:
        # The core states a hint apart from the problem, if it has one.
        problem, *hints = error.args
        raise refusal(cls, problem, *hints or [f"see `cellrelay.members.{family}`"]) from None
    _registered[family, name] = source._replace(family=family, name=name)
    return made


def _as_dataclass(family: str, cls: type) -> type:
    """The class with an `__init__` that takes its parameters."""
    try:
        made = cls if is_dataclass(cls) else dataclass(cls)
    except (TypeError, ValueError) as error:
        hint = "fields without a default come first, and a default is a number or a text"
        raise refusal(cls, str(error), hint) from None
    taken = [one.name for one in dataclass_fields(made) if one.init]
    for name in methods.FAMILIES[family].given:
        if name in taken:
            hint = f"write `{name}: float = field(init=False)`"
            raise refusal(cls, f"the run sets `{name}`, which is no parameter", hint)
    for name in (*methods.FAMILIES[family].flags, *methods.FAMILIES[family].texts):
        if name in taken:
            hint = f"write `{name} = {getattr(cls, name, True)!r}`, without a type"
            raise refusal(cls, f"`{name}` is a property of the class, and no parameter", hint)
    if inspect.isabstract(made):
        lacking = ", ".join(f"`{one}`" for one in sorted(made.__abstractmethods__))
        raise refusal(cls, f"it is abstract: it lacks {lacking}", "define them in the class")
    try:
        inspect.signature(made).bind(**dict.fromkeys(taken))
    except (TypeError, ValueError) as error:
        hint = "leave `__init__` out, and prepare the run in `begin`"
        raise refusal(cls, f"`__init__` does not take its fields: {error}", hint) from None
    return made


def _source(cls: type) -> RegisteredClass:
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
    if module and file:
        used = imported.imports(text, getattr(module, "__package__", "") or "")
    else:
        used = imported.beside(cls, module) if module else {}
    return RegisteredClass("", "", cls.__module__, file or "", text, repr(used) if used else "")


def registered() -> tuple[RegisteredClass, ...]:
    """The members that this process has registered, to be sent to others."""
    return tuple(_registered.values())


def keys_of(names: Iterable[str]) -> dict[str, str]:
    """Digests of the sources of the registered members of these names.

    The keys are the family and the name of a member, such as `discard top_drop`.
    """
    named = set(names)
    return {
        f"{family} {name}": hashlib.sha256(known.covered.encode()).hexdigest()
        for (family, name), known in sorted(_registered.items())
        if name in named
    }


def install(origins: tuple[RegisteredClass, ...]) -> None:
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
