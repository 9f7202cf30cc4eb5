"""Plain data as TOML text: how a scenario made in Python is handed to the core."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any


def write(data: Mapping[str, Any]) -> str:
    """A TOML document, a line for each key.

    >>> print(write({"seed": 1, "host": {"a b": {"count": 2}}, "sizes": ["1 B", "2 B"]}), end="")
    seed = 1
    host = { "a b" = { count = 2 } }
    sizes = ["1 B", "2 B"]
    """
    return "".join(f"{_key(key)} = {_value(value, key)}\n" for key, value in data.items())


def inline(value: Any) -> str:
    """A value as it stands to the right of an equals sign.

    >>> print(inline({"queue.size": ["1 cell", "2 cells"]}))
    { "queue.size" = ["1 cell", "2 cells"] }
    """
    return _value(value, "value")


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _text(key)


def _text(text: str) -> str:
    # JSON's escapes are TOML's as well, but for DEL, which TOML wants escaped too.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any, path: str) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        pairs = (f"{_key(key)} = {_value(one, f'{path}.{key}')}" for key, one in value.items())
        inner = ", ".join(pairs)
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, Sequence):
        return f"[{', '.join(_value(one, f'{path}[{k}]') for k, one in enumerate(value))}]"
    raise TypeError(
        f"{path}: a `{type(value).__name__}` has no place in a scenario"
        "\n  hint: texts, numbers, truth values, lists and tables have"
    )
