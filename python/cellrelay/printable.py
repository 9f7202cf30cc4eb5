"""Texts of scenarios as people are shown them: titles, labels and names that anybody may write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

from cellrelay import _core

LONGEST = 60
"""Of a longer name or label a message and a table show the beginning."""


def printable(text: str) -> str:
    r"""The text on one line, with all that acts on a terminal as TOML and JSON write it.

    Controls, line separators, and what changes the direction in which text is read.

    >>> printable("\x1b[31mred"), printable("10 µs")
    ('\\u001b[31mred', '10 µs')
    """
    # A name of a file may have octets that are no text.
    return _core.printable(text if text.isascii() else text.encode(errors="replace").decode())


def shortened(text: str, limit: int = LONGEST) -> str:
    """The text on one line, cut off if it is long.

    >>> len(shortened("label " * 1000))
    63
    """
    return _core.printable(text.encode(errors="replace").decode(), limit)


class Printable:
    """A stream through which lines pass with all that acts on a terminal escaped."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text, in which only the ends of lines act."""
        self.stream.write("\n".join(map(printable, text.split("\n"))))
        return len(text)

    def isatty(self) -> bool:
        """Never: colours would not get through."""
        return False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def raw(stream: TextIO) -> TextIO:
    """The stream itself, for what draws on a terminal and knows what it draws."""
    return stream.stream if isinstance(stream, Printable) else stream


@contextmanager
def guarded(out: TextIO, err: TextIO) -> Iterator[None]:
    """Lets nothing through to standard output and standard error that acts on a terminal."""
    with (
        redirect_stdout(cast(TextIO, Printable(out))),
        redirect_stderr(cast(TextIO, Printable(err))),
    ):
        yield
