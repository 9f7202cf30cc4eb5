"""Plain data as TOML text: the form in which the core receives scenarios made in Python."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from cellrelay import _core
from cellrelay.errors import ScenarioError
from cellrelay.files import naming


def write(data: Mapping[str, Any]) -> str:
    """A TOML document with one line per key.

    >>> print(write({"seed": 1, "host": {"a b": {"count": 2}}, "sizes": ["1 B", "2 B"]}), end="")
    seed = 1
    host = { "a b" = { count = 2 } }
    sizes = ["1 B", "2 B"]
    """
    lines = (f"{_key(key, 'scenario')} = {_value(value, key)}\n" for key, value in data.items())
    return "".join(lines)


def read(text: str | bytes, name: str) -> dict[str, Any]:
    """The plain data of a TOML text, which the core reads as it reads a scenario.

    Raises:
        ScenarioError: with the place of every mistake; messages call the text `name`.
    """
    return _core.plain(text if isinstance(text, bytes) else encoded(text, name), name)


def read_file(path: str | Path) -> dict[str, Any]:
    """The plain data of a TOML file.

    Raises:
        OSError: the file cannot be read.
        ScenarioError: with the place of every mistake.
    """
    return read(octets(path), str(path))


def octets(path: str | Path) -> bytes:
    """The content of a file, up to just beyond the limit from which the core refuses it.

    The limit also ends the reading of `/dev/zero` and its like.
    """
    with naming(path), Path(path).open("rb") as file:
        return file.read(_core.LARGEST_FILE + 1)


def encoded(text: str, name: str) -> bytes:
    """The text as UTF-8.

    Raises:
        ScenarioError: if it is no text, or has half of a surrogate pair, which no file can hold.
    """
    if not isinstance(text, str):
        raise ScenarioError(
            f"{name}: a `{type(text).__name__}` is no text\n  hint: pass a `str`, not octets"
        )
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ScenarioError(
            f"{name}: the character {error.start + 1} is half of a surrogate pair, which has no"
            " form in UTF-8\n  hint: leave it out"
        ) from None


def inline(value: Any, path: str = "value") -> str:
    """A value in one line of TOML; messages refer to it by `path`.

    >>> print(inline({"queue.size": ["1 cell", "2 cells"]}))
    { "queue.size" = ["1 cell", "2 cells"] }
    """
    return _value(value, path)


def _key(key: str, path: str) -> str:
    if not isinstance(key, str):
        raise ScenarioError(f"{path}: the key {key!r} is not a text\n  hint: write it in quotes")
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _text(key)


def _text(text: str) -> str:
    # TOML has the escapes of JSON, and requires that DEL is escaped too.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any, path: str, depth: int = 0) -> str:
    if depth > _core.DEEPEST:
        raise ScenarioError(
            f"{path[:40]}: tables and lists are nested more than {_core.DEEPEST} deep"
            "\n  hint: write the value with fewer levels"
        )
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    # Numbers of numpy are accepted too.
    if isinstance(value, Integral):
        return repr(int(value))
    if isinstance(value, Real):
        return repr(float(value))
    if isinstance(value, Mapping):
        pairs = (
            f"{_key(key, path)} = {_value(one, f'{path}.{key}', depth + 1)}"
            for key, one in value.items()
        )
        inner = ", ".join(pairs)
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, Sequence):
        return (
            f"[{', '.join(_value(one, f'{path}[{k}]', depth + 1) for k, one in enumerate(value))}]"
        )
    raise ScenarioError(
        f"{path}: a `{type(value).__name__}` cannot be a value in a scenario"
        "\n  hint: write texts, numbers, truth values, lists or tables"
    )
