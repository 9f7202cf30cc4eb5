"""Lines of tables as `csv` writes them, where there are hundreds of thousands.

A text that many lines contain is converted once.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable
from io import StringIO


def line(fields: Iterable[object]) -> str:
    """A line of a table, with its end."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue()


def beginning(fields: Iterable[object]) -> str:
    """The first fields of a line, without a line end."""
    return line([*fields, "-"])[:-2]


class Texts(dict[object, str]):
    """A cache of written texts by text or scope, so that each is converted once."""

    def __init__(self, write: Callable[[str], str]) -> None:
        super().__init__()
        self._write = write

    def __missing__(self, text: object) -> str:
        written = self[text] = self._write(str(text))
        return written


def cells() -> Texts:
    """Texts as fields of a table."""
    return Texts(lambda text: beginning([text])[:-1] if _SPECIAL.search(text) else text)


_SPECIAL = re.compile(r'[,"\r\n]')


def strings() -> Texts:
    """Texts as JSON."""
    return Texts(json.dumps)
