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
from typing import Generic, TypeVar

from cellrelay import _core
from cellrelay.results.estimates import Estimates
from cellrelay.simulation.labels import Label, Labels, Measures
from cellrelay.statistics import Estimate


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


Around = TypeVar("Around", bound=tuple[str, ...])
"""The texts of a metric around the numbers of a line."""


class _Lines(Generic[Around]):
    """The lines of the numbers of runs, which the core writes, many at a time.

    A line has a start, the text of the scope from `scopes`, and the texts of the metric, which
    `around` makes of the kind of the scope and its list of metrics.
    """

    def __init__(self, scopes: Texts, around: Callable[[str, Measures], list[Around]]) -> None:
        self._scopes = scopes
        self._around = around
        self._labels = Labels(())
        self._lists: list[list[Around]] = []
        self._numbers: Mapping[tuple[str, Measures], int] = {}

    def _parts(self, labels: Labels) -> Iterator[tuple[slice, list[tuple[str, int]]]]:
        """The columns of some scopes at a time, with the text and the list of each scope."""
        # By identity: runs share their labels, which are slow to compare.
        if labels is not self._labels:
            self._labels = labels
            self._lists = [self._around(*kind) for kind in labels.kinds]
            self._numbers = {kind: number for number, kind in enumerate(labels.kinds)}
        at, numbers, text = labels.starts, self._numbers, self._scopes
        for first in range(0, len(labels.blocks), PART):
            some = labels.blocks[first : first + PART]
            columns = slice(at[first], at[first + len(some)])
            # The core takes no array without numbers.
            if columns.start < columns.stop:
                yield columns, [(text[scope], numbers[scope[0], one]) for scope, one in some]


class NumberLines(_Lines[tuple[str, str]]):
    """The lines of values, with the texts of the metric before and after the value."""

    def of(self, start: str, labels: Labels, values: array[float]) -> Iterator[str]:
        """The lines of all numbers of a run, several in each text."""
        for columns, scopes in self._parts(labels):
            yield _core.number_lines(values[columns], start, scopes, self._lists)


AroundMean = tuple[str, str, str]
"""The texts of a metric before the mean, after it, and at the end of the line."""


class EstimateLines(_Lines[AroundMean]):
    """The lines of means with their intervals."""

    def __init__(
        self,
        scopes: Texts,
        around: Callable[[str, Measures], list[AroundMean]],
        form: tuple[bool, str, str, tuple[str, str], tuple[str, str]],
    ) -> None:
        """`form`: true if a mean that is not finite is written, the texts before the mean and the
        number of samples, and those before the ends of the interval, each with the text in place of
        an end that does not exist."""
        super().__init__(scopes, around)
        self._form = form

    def of(
        self, start: str, known: Estimates, apart: Callable[[Label, Estimate], str]
    ) -> Iterator[str]:
        """The lines of all numbers of a point, several in each text.

        `apart` writes the line of an estimate of which more is known than mean and interval.
        """
        for columns, scopes in self._parts(known.labels):
            intervals = known.counts[columns], known.lows[columns], known.highs[columns]
            alone = {
                place: apart(known.labels[column], known.apart[column])
                for place, column in enumerate(range(columns.start, columns.stop))
                if column in known.apart
            }
            yield _core.interval_lines(
                known.means[columns],
                intervals if known.counts else None,
                start,
                scopes,
                self._lists,
                self._form,
                alone,
            )


PART = 100
"""Number of scopes whose lines are in memory at once; runs may have many thousands."""
