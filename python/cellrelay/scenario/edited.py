"""A scenario file with other values: its text as its author wrote it, comments and order included,
with the lines of these values changed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from cellrelay.scenario import toml

_HEADER = re.compile(r"\s*\[([^\[\]]*)\]\s*(?:#.*)?$")
_KEY = re.compile(
    r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=\s*"""
)
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_STRING = re.compile(r""""(?:\\.|[^"\\])*"|'[^']*'""")

Keys = tuple[str, ...]


def edited(text: str, settings: Iterable[tuple[str, Any]]) -> str | None:
    """The text with a value for each path, as by `--set PATH=VALUE`; `None` if a value has no
    simple place in it.

    The caller checks that the text means what it should: a value may exclude another that stays.

    >>> text = 'duration = "1 s"  # short\\n[host.a]\\n[host.b]\\ncount = 2\\n'
    >>> print(edited(text, [("duration", "2 s"), ("host.a.count", "3")]), end="")
    duration = "2 s"  # short
    [host.a]
    count = 3
    [host.b]
    count = 2
    """
    lines = text.splitlines()
    try:
        for name, value in settings:
            changed = _with(lines, _parts(name), _literal(value))
            if changed is None:
                return None
            lines = changed
        joined = "\n".join(lines) + "\n"
        tomllib.loads(joined)
    # An error of TOML is a `ValueError`, as is a number of more digits than Python converts.
    except ValueError:
        return None
    return joined


def _parts(name: str) -> Keys:
    return tuple(part.strip("\"'") for part in _PART.findall(name))


def _literal(value: Any) -> str:
    """A value of a setting as TOML; a text that is no value in TOML is a text."""
    if not isinstance(value, str):
        return toml.inline(value)
    try:
        tomllib.loads(f"value = {value}")
    except tomllib.TOMLDecodeError:
        return toml.inline(value)
    return value


class _Placed(NamedTuple):
    """A line, where it stands."""

    number: int
    table: Keys
    """The table that the line stands in, or begins."""
    key: Keys
    """The path of the value on the line; empty for headers, comments and empty lines."""
    begins: bool
    """True if the value begins on the line."""


def _placed(lines: Sequence[str]) -> Iterable[_Placed]:
    table: Keys = ()
    key: Keys = ()
    depth = 0
    for number, line in enumerate(lines):
        begins = depth == 0
        if begins:
            found = _KEY.match(line)
            if header := _HEADER.match(line):
                table = _parts(header[1])
            key = (*table, *_parts(found[1])) if found and not header else ()
        if key:
            bare = _STRING.sub('""', line).partition("#")[0]
            depth += sum(map(bare.count, "[{")) - sum(map(bare.count, "]}"))
        yield _Placed(number, table, key, begins)


def _without(lines: Sequence[str], path: Keys) -> list[str]:
    """The lines without the values at a path and below it."""
    kept = [
        lines[each.number]
        for each in _placed(lines)
        if path not in (each.key[: len(path)], each.table[: len(path)])
    ]
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def _with(lines: Sequence[str], path: Keys, value: str) -> list[str] | None:
    """The lines with a value for a path."""
    for number, _, key, begins in _placed(lines):
        if key and begins and path[: len(key)] == key:
            line = _changed(lines[number], path[len(key) :], value)
            return None if line is None else [*lines[:number], line, *lines[number + 1 :]]
    lines = _without(lines, path)
    placed = list(_placed(lines))
    tables = {each.table: each.number for each in placed if path[: len(each.table)] == each.table}
    if path == ("sweep",) or not any(tables):
        first = next((each.number for each in placed if each.table), len(lines))
        return [*lines[:first], _line(path, value), "", *lines[first:]]
    # The last line of the innermost table that holds the path, before any empty lines.
    table = max(tables, key=len)
    last = tables[table]
    while last > 0 and not lines[last].strip():
        last -= 1
    return [*lines[: last + 1], _line(path[len(table) :], value), *lines[last + 1 :]]


def _line(path: Keys, value: str) -> str:
    return f"{'.'.join(map(_quoted, path))} = {value}"


def _quoted(part: str) -> str:
    return part if re.fullmatch(r"[\w-]+", part) else toml.inline(part)


def _changed(line: str, below: Keys, value: str) -> str | None:
    """A line of one value with another value, or with another value inside its table."""
    found = _KEY.match(line)
    assert found, "the line has a key"
    old, comment = _split(line[found.end() :])
    try:
        held: Any = tomllib.loads(f"value = {old}")["value"]
    except tomllib.TOMLDecodeError:
        return None
    if below:
        if not isinstance(held, dict):
            return None
        inner = held
        for part in below[:-1]:
            inner = inner.setdefault(part, {})
            if not isinstance(inner, dict):
                return None
        inner[below[-1]] = tomllib.loads(f"value = {value}")["value"]
        value = toml.inline(held)
    return f"{line[: found.end()]}{value}{comment}"


def _split(rest: str) -> tuple[str, str]:
    """A value and what follows it on its line: spaces and a comment."""
    hidden = _STRING.sub(lambda text: "x" * len(text[0]), rest)
    end = len(hidden.partition("#")[0].rstrip())
    return rest[:end], rest[end:]
