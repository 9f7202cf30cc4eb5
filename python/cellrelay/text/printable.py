"""Safe display of texts from scenarios, such as titles, labels and names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

from cellrelay import _core

LONGEST = 60
"""Number of characters of a name or label that messages and tables show."""


def printable(text: str) -> str:
    r"""The text on one line, with characters that act on a terminal escaped as in TOML and JSON.

    These are control characters, line separators, and characters that change the text direction.

    >>> printable("\x1b[31mred"), printable("10 µs")
    ('\\u001b[31mred', '10 µs')
    """
    # The name of a file may have octets that are not text.
    return _core.printable(text if text.isascii() else text.encode(errors="replace").decode())


def shortened(text: str, limit: int = LONGEST) -> str:
    """The text on one line, shortened if it is long.

    >>> len(shortened("label " * 1000))
    63
    """
    return _core.printable(text.encode(errors="replace").decode(), limit)


class Printable:
    """A stream that escapes control characters for the terminal, except line ends."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text with all control characters for the terminal escaped, except line ends."""
        self.stream.write("\n".join(map(printable, text.split("\n"))))
        return len(text)

    def isatty(self) -> bool:
        """False, because colours would be escaped."""
        return False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def raw(stream: TextIO) -> TextIO:
    """The underlying stream, for a progress bar."""
    return stream.stream if isinstance(stream, Printable) else stream


@contextmanager
def guarded(out: TextIO, err: TextIO) -> Iterator[None]:
    """Replace standard output and standard error by guarded streams."""
    with (
        redirect_stdout(cast(TextIO, Printable(out))),
        redirect_stderr(cast(TextIO, Printable(err))),
    ):
        yield
