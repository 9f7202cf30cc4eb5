"""The labels of the numbers of a run: scope, metric and unit of each.

A run of many flows has millions of numbers, so labels are kept in columns: each scope with the
list of its metrics, which thousands of flows share. A label by itself is made on request.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, groupby
from operator import eq, itemgetter
from sys import intern
from typing import NamedTuple, overload

from cellrelay import _core
from cellrelay.metrics.scope import Scope, ScopeLike, by_text
from cellrelay.scenario import Goal


class Label(NamedTuple):
    """Scope, metric and unit of a number."""

    scope: Scope
    metric: str
    unit: str


Measures = tuple[tuple[str, str], ...]
"""Metrics of a scope, with their units."""

Block = tuple[Scope, Measures]
"""A scope with the metrics that were measured of it, in succession."""


class Labels(Sequence[Label]):
    """The labels of the numbers of a run, in the order of the report, and the column of each.

    Every question is answered by an index that is made once, since a question is asked of each of
    many thousand scopes.
    """

    def __init__(self, blocks: Iterable[Block]) -> None:
        self.blocks: tuple[Block, ...] = tuple(blocks)
        self._asked: tuple[Sequence[Scope], list[tuple[Mapping[str, int], list[int]]]] = (), []

    def __reduce__(self) -> tuple[Callable[[Iterable[Block]], Labels], tuple[Iterable[Block]]]:
        # An index is not sent from a worker to the driver.
        return Labels, (self.blocks,)

    def __repr__(self) -> str:
        return f"Labels({len(self)} of {len(self.scopes)} scopes)"

    @cached_property
    def starts(self) -> Sequence[int]:
        """The column of the first number of each block, and the number of all columns."""
        return list(accumulate((len(measures) for _, measures in self.blocks), initial=0))

    def __len__(self) -> int:
        return self.starts[-1]

    @overload
    def __getitem__(self, place: int) -> Label: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Label, ...]: ...
    def __getitem__(self, place: int | slice) -> Label | tuple[Label, ...]:
        if isinstance(place, slice):
            return tuple(map(self.__getitem__, range(len(self))[place]))
        place = range(len(self))[place]
        block = bisect_right(self.starts, place) - 1
        scope, measures = self.blocks[block]
        return Label(scope, *measures[place - self.starts[block]])

    def __iter__(self) -> Iterator[Label]:
        # `tuple` makes a label in half the time of `Label`, and there may be millions.
        make = tuple.__new__
        for scope, measures in self.blocks:
            for metric, unit in measures:
                yield make(Label, (scope, metric, unit))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Labels):
            return self is other or self.blocks == other.blocks
        if isinstance(other, Sequence):
            return len(self) == len(other) and all(map(eq, self, other))
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def kinds(self) -> Mapping[tuple[str, Measures], None]:
        """The different lists of metrics, each with the kind of its scopes, in order."""
        return dict.fromkeys([(scope[0], measures) for scope, measures in self.blocks])

    @cached_property
    def scopes(self) -> Mapping[Scope, int]:
        """The scopes, in the order of the labels, each with the number of its first block."""
        blocks = enumerate(self.blocks)
        found: dict[Scope, int] = {}
        for place, (scope, _) in blocks:
            found.setdefault(scope, place)
        return found

    @cached_property
    def _later(self) -> Mapping[Scope, list[int]]:
        """The further blocks of scopes that have several, as in joined labels of runs."""
        found: dict[Scope, list[int]] = {}
        if len(self.scopes) < len(self.blocks):
            for place, (scope, _) in enumerate(self.blocks):
                if self.scopes[scope] != place:
                    found.setdefault(scope, []).append(place)
        return found

    @cached_property
    def _offsets(self) -> Sequence[Mapping[str, int]]:
        """The place of each metric within its block, by block."""
        known: dict[Measures, Mapping[str, int]] = {}
        for _, measures in self.kinds:
            known[measures] = {metric: place for place, (metric, _) in enumerate(measures)}
        return [known[measures] for _, measures in self.blocks]

    @cached_property
    def _texts(self) -> Mapping[str, Scope]:
        return by_text(self.scopes)

    @cached_property
    def _members(self) -> Mapping[Scope, list[Scope]]:
        found: dict[Scope, list[Scope]] = {}
        for scope in self.scopes:
            found.setdefault(scope.group, []).append(scope)
        return found

    def members(self, group: Scope) -> Sequence[Scope]:
        """The scopes of a group, in the order of the labels."""
        return self._members.get(group, ())

    def column(self, scope: Scope, metric: str) -> int | None:
        """The column of the number; `None` if it was not measured."""
        block = self.scopes.get(scope)
        if block is None:
            return None
        offset = self._offsets[block].get(metric)
        if offset is not None:
            return self.starts[block] + offset
        for later in self._later.get(scope, ()):
            if metric in self._offsets[later]:
                return self.starts[later] + self._offsets[later][metric]
        return None

    def columns(self, metric: str, scopes: Sequence[Scope]) -> list[int | None]:
        """The columns of a metric, one for each of the scopes; `None` where it was not measured."""
        if self._later:
            return [self.column(scope, metric) for scope in scopes]
        asked, parts = self._asked
        # Of one group after another, each metric is asked for.
        if asked is not scopes:
            parts = self._parted(scopes)
            self._asked = scopes, parts
        found: list[int | None] = []
        for offsets, starts in parts:
            offset = offsets.get(metric)
            found += [None] * len(starts) if offset is None else [one + offset for one in starts]
        return found

    def _parted(self, scopes: Sequence[Scope]) -> list[tuple[Mapping[str, int], list[int]]]:
        """The columns at which the scopes begin, with the place of each metric of their list, by
        successive scopes of one list."""
        starts, offsets = self.starts, self._offsets
        parts: list[tuple[Mapping[str, int], list[int]]] = []
        for block in map(self.scopes.get, scopes):
            of_block = _NOTHING if block is None else offsets[block]
            if not parts or parts[-1][0] is not of_block:
                parts.append((of_block, []))
            parts[-1][1].append(0 if block is None else starts[block])
        return parts

    def places(self, metric: str, scopes: Sequence[Scope]) -> list[int]:
        """The columns of a metric, one for each of the scopes that have it."""
        return [column for column in self.columns(metric, scopes) if column is not None]

    def where(self, is_wanted: Callable[[str, str], bool]) -> list[int]:
        """The columns of the numbers of which kind of scope and metric are wanted."""
        wanted = {
            (kind, measures): [
                place for place, (metric, _) in enumerate(measures) if is_wanted(kind, metric)
            ]
            for kind, measures in self.kinds
        }
        blocks = zip(self.blocks, self.starts, strict=False)
        return [
            start + place
            for (scope, measures), start in blocks
            for place in wanted[scope[0], measures]
        ]

    def columns_of(self, labels: Labels) -> list[int]:
        """The column here of each of other labels; -1 where it was not measured."""
        found: list[int] = []
        for scope, measures in labels.blocks:
            if self.has_block(scope, measures):
                block = self.scopes[scope]
                found += range(self.starts[block], self.starts[block + 1])
                continue
            columns = (self.column(scope, metric) for metric, _ in measures)
            found += [-1 if column is None else column for column in columns]
        return found

    def having(self, metric: str, scopes: Iterable[Scope]) -> list[Scope]:
        """Those of the scopes that have a metric."""
        return [scope for scope in scopes if self.column(scope, metric) is not None]

    def has_block(self, scope: Scope, measures: Measures) -> bool:
        """True if these metrics of the scope are here, in succession, and no others of it."""
        block = self.scopes.get(scope)
        is_only = block is not None and scope not in self._later
        return is_only and self.blocks[self.scopes[scope]][1] == measures

    def measures(self, scope: Scope) -> Measures:
        """The metrics that were measured of a scope, with their units."""
        block = self.scopes.get(scope)
        if block is None:
            return ()
        blocks = [block, *self._later.get(scope, ())]
        return tuple([measure for one in blocks for measure in self.blocks[one][1]])

    def metrics(self, scope: Scope) -> Sequence[str]:
        """The metrics that were measured of a scope."""
        return [metric for metric, _ in self.measures(scope)]

    def metrics_of(self, scopes: Sequence[Scope]) -> list[str]:
        """The metrics that were measured of any of the scopes, in the order of the labels."""
        if self._later:
            return list(dict.fromkeys(name for one in scopes for name in self.metrics(one)))
        lists = dict.fromkeys([self.blocks[self.scopes[scope]][1] for scope in scopes])
        return list(dict.fromkeys(metric for measures in lists for metric, _ in measures))

    def within(self, scope: Scope) -> list[Scope]:
        """The scopes that a scope covers, in the order of the labels."""
        return [one for one in self.members(scope.group) if scope.covers(one)]

    def covered(self, goal: Goal) -> list[Scope]:
        """The scopes that have the metric of the goal, and that the goal covers."""
        return self.having(goal.metric, self.within(goal.scope))

    def scope(self, scope: ScopeLike) -> Scope | None:
        """The scope, or the known scope with this text."""
        return self._texts.get(scope) if isinstance(scope, str) else scope

    def get(self, scope: ScopeLike, metric: str) -> int | None:
        """The column of the number; `None` if it was not measured."""
        known = self.scope(scope)
        return None if known is None else self.column(known, metric)


def in_columns(labels: Sequence[Label]) -> Labels:
    """Labels in columns, in which the core and the store give them."""
    if isinstance(labels, Labels):
        return labels
    # By identity: runs share their labels, which are long and slow to compare.
    known = _COLUMNS.get(id(labels))
    if known is None or known[0] is not labels:
        if len(_COLUMNS) >= MOST_KEPT:
            _COLUMNS.clear()
        known = _COLUMNS[id(labels)] = labels, Labels(_blocks(labels))
    return known[1]


def _blocks(labels: Iterable[Label]) -> Iterator[Block]:
    for scope, of_scope in groupby(labels, key=itemgetter(0)):
        yield scope, tuple([(metric, unit) for _, metric, unit in of_scope])


def joined(lists: Sequence[Sequence[Label]]) -> Labels:
    """The labels of several runs: all of the first, then what each further run adds."""
    first, *others = map(in_columns, lists)
    more: dict[Label, None] = {}
    for labels in others:
        for scope, measures in labels.blocks:
            if first.has_block(scope, measures):
                continue
            known = first.measures(scope)
            more |= {Label(scope, *one): None for one in measures if one not in known}
    return Labels([*first.blocks, *_blocks(more)])


def labels_of(
    lists: Sequence[Sequence[tuple[str, str]]], scopes: Iterable[tuple[_core.ScopeParts, int]]
) -> Labels:
    """The labels of numbers, from the scopes, each with the index of its list of metrics.

    Equal labels are kept once, because thousands of runs of a scenario share them.

    >>> labels = labels_of([[("goodput", "bit/s")]], [(Scope.flow(name), 0) for name in "ab"])
    >>> [str(label.scope) for label in labels]
    ['flow a', 'flow b']
    """
    measured = [tuple((intern(metric), intern(unit)) for metric, unit in one) for one in lists]
    blocks = tuple([(Scope.of(parts), measured[number]) for parts, number in scopes])
    known = _LABELS.get(blocks)
    if known is None:
        if len(_LABELS) >= MOST_KEPT:
            _LABELS.clear()
        known = _LABELS[blocks] = Labels(blocks)
    return known


_NOTHING: Mapping[str, int] = {}
"""The places of the metrics of a scope that was not measured."""

MOST_KEPT = 64
"""Number of lists of labels that are cached."""
_LABELS: dict[tuple[Block, ...], Labels] = {}
_COLUMNS: dict[int, tuple[Sequence[Label], Labels]] = {}
