"""Lines of tables as `csv` writes them, where there are hundreds of thousands.

A text that many lines contain is converted once.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from itertools import chain

from cellrelay.simulation.run import Label


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


Halves = tuple[str, str]
"""The texts before and after the value in the line of a number."""


class LineTexts:
    """The texts around the value of each number of a run, kept while runs share a few labels.

    `write` makes those of several labels at once, since a call for each would take as long.
    """

    def __init__(self, write: Callable[[Sequence[Label]], list[Halves]]) -> None:
        self._write = write
        self._labels: Sequence[Label] = ()
        self._known: list[Halves] = []

    def of(self, labels: Sequence[Label]) -> Iterable[Halves]:
        """The texts of each number, in order."""
        if len(labels) > MOST_KEPT:
            starts = range(0, len(labels), MOST_KEPT)
            parts = (self._write(labels[start : start + MOST_KEPT]) for start in starts)
            return chain.from_iterable(parts)
        # By identity: runs share their labels, which are slow to compare.
        if labels is not self._labels:
            self._labels, self._known = labels, self._write(labels)
        return self._known


MOST_KEPT = 1000
"""Largest number of labels whose texts are in memory at once; runs may have many thousands."""
