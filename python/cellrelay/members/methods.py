"""The methods and attributes that a class of each family may have."""

from __future__ import annotations

import inspect
from typing import Any, NamedTuple

from cellrelay.members.refusal import refusal
from cellrelay.suggest import nearest


class Family(NamedTuple):
    """The methods and flags that a family asks of a class."""

    required: tuple[str, ...]
    """Methods that it must have."""
    methods: dict[str, tuple[str, ...]]
    """Arguments of each method."""
    flags: tuple[str, ...] = ()
    """Attributes that are true or false."""
    texts: tuple[str, ...] = ()
    """Attributes that are words."""
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
        texts=("recovery",),
        given=("cwnd", "ssthresh"),
    ),
    "source": Family(
        ("next",), {"begin": ("application",), "next": (), "on_acknowledged": ("now",)}
    ),
}


def check(family: str, cls: type) -> None:
    """Look at all methods and attributes of a class.

    Raises:
        TypeError: A method is missing, or cannot be called as the run calls it.
    """
    asked = FAMILIES[family]
    for name in asked.required:
        if inspect.getattr_static(cls, name, None) is None:
            meant = nearest(name, [one for one in vars(cls) if one not in asked.methods])
            hint = f"see `cellrelay.members.{family}`"
            if meant is not None:
                hint = f"rename `{meant}` to `{name}`"
            raise refusal(cls, f"it has no method `{name}`", hint)
    for name, arguments in asked.methods.items():
        if inspect.getattr_static(cls, name, None) is not None:
            _check_method(cls, name, arguments)
    for name in asked.flags:
        if not isinstance(getattr(cls, name, False), bool):
            problem = f"`{name}` is `{getattr(cls, name)!r}`"
            raise refusal(cls, problem, f"write `{name} = True` or `{name} = False`")
    for name in asked.texts:
        if not isinstance(getattr(cls, name, ""), str):
            problem = f"`{name}` is `{getattr(cls, name)!r}`"
            raise refusal(cls, problem, f'write a name, such as `{name} = "new_reno"`')


def _check_method(cls: type, name: str, arguments: tuple[str, ...]) -> None:
    static, value = inspect.getattr_static(cls, name), getattr(cls, name)
    wanted = f"def {name}({', '.join(('self', *arguments))}):"
    hint = f"write `{wanted}`"
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
