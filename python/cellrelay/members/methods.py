"""The methods and attributes that a class of each family may have."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from cellrelay.members.refusal import refusal
from cellrelay.text.suggest import nearest


class Family(NamedTuple):
    """The methods and flags that a family asks of a class."""

    required: tuple[str, ...]
    """Methods that it must have."""
    methods: dict[str, tuple[str, ...]]
    """Arguments of each method."""
    flags: tuple[str, ...] = ()
    """Attributes that are true or false."""
    texts: Mapping[str, str] = MappingProxyType({})
    """Attributes that are words, each with an example."""
    given: tuple[str, ...] = ()
    """Attributes that the run sets."""


FAMILIES = {
    "discard": Family(
        ("admit",),
        {
            "begin": ("buffer",),
            "admit": ("offer",),
            "on_join": ("vc", "units"),
            "on_leave": ("vc", "units", "at"),
        },
        flags=("compares_vcs", "whole_packets"),
        texts={"threshold_attribute": "most"},
    ),
    "congestion": Family(
        ("on_ack", "on_loss", "on_timeout"),
        {
            "begin": ("limits",),
            "on_ack": ("ack",),
            "on_loss": ("event",),
            "on_timeout": ("event",),
            "on_mark": ("event",),
            "on_echo": ("echo",),
            "on_delivery": ("sample",),
        },
        flags=("exact_marks", "wants_samples"),
        texts={"recovery": "new_reno"},
        given=("cwnd", "ssthresh"),
    ),
    "source": Family(
        ("next",), {"begin": ("application",), "next": (), "on_acknowledged": ("now",)}
    ),
}


def check(family: str, cls: type) -> None:
    """Look at all methods and attributes of a class.

    Raises:
        TypeError: A method is missing or misspelt, or cannot be called as the run calls it.
    """
    asked = FAMILIES[family]
    _check_presence(asked, cls)
    _check_names(asked, cls)
    for name, arguments in asked.methods.items():
        if _has(cls, name):
            _check_method(cls, name, arguments)
    for name in asked.flags:
        if not isinstance(getattr(cls, name, False), bool):
            problem = f"`{name}` is `{getattr(cls, name)!r}`"
            raise refusal(cls, problem, f"write `{name} = True` or `{name} = False`")
    for name, example in asked.texts.items():
        if not isinstance(getattr(cls, name, ""), str):
            problem = f"`{name}` is `{getattr(cls, name)!r}`"
            raise refusal(cls, problem, f'write a name, such as `{name} = "{example}"`')


def _check_presence(asked: Family, cls: type) -> None:
    missing = [name for name in asked.required if not _has(cls, name)]
    if not missing:
        return
    own = [name for name in _of_users(cls) if name not in asked.methods]
    # A name is meant once.
    renamed: dict[str, str] = {}
    for name in missing:
        meant = nearest(name, [one for one in own if one not in renamed.values()])
        if meant is not None:
            renamed[name] = meant
    hints = [
        f"rename `{renamed[name]}` to `{name}`"
        if name in renamed
        else f"write `{_definition(name, asked.methods[name])}`"
        for name in missing
    ]
    names = ", ".join(f"`{name}`" for name in missing)
    problem = f"it has no method{'s' if len(missing) > 1 else ''} {names}"
    raise refusal(cls, problem, "; ".join(hints))


def _check_names(asked: Family, cls: type) -> None:
    """Refuse names that are nearly those of a method or of a flag that the class does not have."""
    meant = {}
    for name, value in _of_users(cls).items():
        if isinstance(value, bool):
            known: tuple[str, ...] = asked.flags
        elif isinstance(value, str):
            known = tuple(asked.texts)
        elif inspect.isroutine(value) or isinstance(value, staticmethod | classmethod):
            known = tuple(asked.methods)
        else:
            continue
        if name not in known:
            near = nearest(name, [one for one in known if not _has(cls, one)])
            if near is not None:
                meant[name] = near
    if not meant:
        return
    names = " and ".join(f"`{name}`" for name in meant)
    hints = ", ".join(f"`{known}` for `{name}`" for name, known in meant.items())
    problem = f"the run does not know {names}"
    keep = "begin a name of your own with `_`"
    raise refusal(cls, problem, f"did you mean {hints}? if not, {keep}")


def _of_users(cls: type) -> dict[str, Any]:
    """Public attributes of a class and of those that it extends, without the parameters."""
    found: dict[str, Any] = {}
    for one in reversed(cls.__mro__):
        if one.__module__ != "builtins":
            found |= vars(one)
    fields = {
        name
        for one in cls.__mro__
        for name, hint in inspect.get_annotations(one).items()
        if "ClassVar" not in str(hint)
    }
    return {
        name: value
        for name, value in found.items()
        if not name.startswith("_") and name not in fields
    }


def _has(cls: type, name: str) -> bool:
    return inspect.getattr_static(cls, name, None) is not None


def _definition(name: str, arguments: tuple[str, ...]) -> str:
    return f"def {name}({', '.join(('self', *arguments))}):"


def _check_method(cls: type, name: str, arguments: tuple[str, ...]) -> None:
    static, value = inspect.getattr_static(cls, name), getattr(cls, name)
    hint = f"write `{_definition(name, arguments)}`"
    if not callable(value):
        raise refusal(cls, f"`{name}` is `{value!r}`, and no method", hint)
    if inspect.iscoroutinefunction(value) or inspect.isasyncgenfunction(value):
        raise refusal(cls, f"`{name}` is asynchronous, and a run does not wait", hint, value)
    if inspect.isgeneratorfunction(value):
        hint = f"write `return` in place of `yield` in `{name}`"
        raise refusal(cls, f"`{name}` is a generator", hint, value)
    try:
        signature = inspect.signature(value)
    except ValueError:
        # A function in C says nothing of its arguments.
        return
    given: tuple[Any, ...] = (cls, *arguments) if inspect.isfunction(static) else arguments
    try:
        signature.bind(*given)
    except TypeError as error:
        problem = f"`{name}` is defined as `{name}{_names(signature)}`: {error}"
        raise refusal(cls, problem, hint, value) from None


def _names(signature: inspect.Signature) -> str:
    """The arguments without their types."""
    bare = [
        one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()
    ]
    return str(inspect.Signature(bare))
