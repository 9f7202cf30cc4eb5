"""Why a class cannot be a member, and where it stands."""

from __future__ import annotations

import inspect


def place(thing: object) -> str:
    """File and line of a class or a method, as far as they are known."""
    try:
        file = inspect.getsourcefile(thing)  # type: ignore[arg-type]
        return f"{file}:{inspect.findsource(thing)[1] + 1}"  # type: ignore[arg-type]
    except (OSError, TypeError):
        return ""


def refusal(cls: type, problem: str, hint: str, method: object = None) -> TypeError:
    """The error for a class, or for one of its methods."""
    where = (place(method) if method is not None else "") or place(cls)
    at = f"{where}: " if where else ""
    return TypeError(f"{at}`{cls.__name__}`: {problem}\n  hint: {hint}")
