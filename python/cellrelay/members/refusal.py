"""Why a class cannot be a member, and where it stands."""

from __future__ import annotations

import inspect


class RefusedClass(TypeError):
    """A class that cannot be a member."""

    def __init__(self, message: str, file: str | None) -> None:
        super().__init__(message)
        self.file = file
        """The file at whose line the message begins, if it is known."""


def place(thing: object) -> str:
    """File and line of a class or a method, as far as they are known."""
    where = _located(thing)
    return "" if where is None else f"{where[0]}:{where[1]}"


def _located(thing: object) -> tuple[str, int] | None:
    try:
        file = inspect.getsourcefile(thing)  # type: ignore[arg-type]
        return str(file), inspect.findsource(thing)[1] + 1  # type: ignore[arg-type]
    except (OSError, TypeError):
        return None


def refusal(cls: type, problem: str, hint: str, method: object = None) -> RefusedClass:
    """The error for a class, or for one of its methods."""
    where = (_located(method) if method is not None else None) or _located(cls)
    at = "" if where is None else f"{where[0]}:{where[1]}: "
    message = f"{at}`{cls.__name__}`: {problem}\n  hint: {hint}"
    return RefusedClass(message, where and where[0])
