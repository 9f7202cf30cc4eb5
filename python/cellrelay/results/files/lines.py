"""Lines of tables as `csv` writes them, where there are hundreds of thousands.

A text that many lines contain is converted once.
"""

from __future__ import annotations

import csv
import json
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import StringIO

from cellrelay import _core
from cellrelay.simulation.labels import Labels, Measures


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
"""The texts before and after the value of a metric."""

Case = tuple[str, bool, str, str]
"""The text before a value, true if the value itself is written, and the texts before and after what
the metric adds to the line."""

ALIKE: Case = ("", True, "", "")


class NumberLines:
    """The lines of the numbers of runs, which the core writes, many at a time.

    A line has a start, the text of the scope from `scopes`, and the texts of the metric, which
    `around` makes of the kind of the scope and its list of metrics. `cases` are for values that are
    finite, `nan` and infinite; with `has_no_negative_zero` a negative zero becomes zero.
    """

    def __init__(
        self,
        scopes: Texts,
        around: Callable[[str, Measures], list[Halves]],
        cases: tuple[Case, Case, Case] = (ALIKE, ALIKE, ALIKE),
        *,
        has_no_negative_zero: bool = False,
    ) -> None:
        self._scopes = scopes
        self._around = around
        self._form = (has_no_negative_zero, *cases)
        self._labels = Labels(())
        self._lists: list[list[Halves]] = []
        self._numbers: Mapping[tuple[str, Measures], int] = {}

    def of(self, start: str, labels: Labels, values: array[float]) -> Iterator[str]:
        """The lines of all numbers of a run, several in each text."""
        return self.of_blocks(start, labels, values, range(len(labels.blocks)))

    def of_blocks(
        self, start: str, labels: Labels, values: array[float], blocks: range
    ) -> Iterator[str]:
        """The lines of the numbers of some successive blocks of a run."""
        # By identity: runs share their labels, which are slow to compare.
        if labels is not self._labels:
            self._labels = labels
            self._lists = [self._around(*kind) for kind in labels.kinds]
            self._numbers = {kind: number for number, kind in enumerate(labels.kinds)}
        at, numbers, text = labels.starts, self._numbers, self._scopes
        for first in blocks[::PART]:
            some = labels.blocks[first : min(first + PART, blocks.stop)]
            scopes = [(text[scope], numbers[scope[0], measures]) for scope, measures in some]
            part = values[at[first] : at[first + len(some)]]
            # The core takes no array without numbers.
            if part:
                yield _core.number_lines(part, start, scopes, self._lists, self._form)


PART = 100
"""Number of scopes whose lines are in memory at once; runs may have many thousands."""
