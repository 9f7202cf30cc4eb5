"""Scopes: whose a number or a series is, as a value; its text is made here, for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple


class Name(NamedTuple):
    """The name of a flow, a node or a service class.

    >>> str(Name("bulk", 3)), str(Name("s1"))
    ('bulk[3]', 's1')
    """

    group: str
    """The name that is written in the scenario."""
    number: int | None = None
    """Number of a member, where that name stands for several."""

    def __str__(self) -> str:
        return self.group if self.number is None else f"{self.group}[{self.number}]"


class Place(NamedTuple):
    """An output: the node that it belongs to, and the node that its link leads to."""

    node: Name
    to: Name

    def __str__(self) -> str:
        return f"{self.node}->{self.to}"


class Scope(NamedTuple):
    """Whose a number, a series or a gauge is.

    >>> [str(scope) for scope in (Scope("network"), Scope.flow("bulk", 3), Scope.port("s1", "b"))]
    ['network', 'flow bulk[3]', 'port s1->b']
    """

    kind: str
    """`network`, `flow`, `port`, `class`, `link`, `drop`, or `vc`: a virtual channel at a port."""
    name: Name | None = None
    """The flow or the service class."""
    place: Place | None = None
    """The output."""

    @classmethod
    def of(cls, parts: Iterable[Any]) -> Scope:
        """The scope from its parts, as the core tells them and files keep them.

        >>> str(Scope.of(["drop", ["f", 0], [["s1", None], ["b", None]]]))
        'drop f[0] at s1->b'
        """
        kind, name, place = parts
        return cls(
            kind,
            None if name is None else Name(*name),
            None if place is None else Place(*(Name(*node) for node in place)),
        )

    @classmethod
    def flow(cls, group: str, number: int | None = None) -> Scope:
        """A flow, or a group of flows."""
        return cls("flow", Name(group, number))

    @classmethod
    def port(cls, node: str, to: str) -> Scope:
        """An output of a node that is no member of a group, to another such node."""
        return cls("port", None, Place(Name(node), Name(to)))

    def __str__(self) -> str:
        return "".join(f"{text}{_number(number)}" for text, number in self._pieces())

    @property
    def member(self) -> str:
        """The text without the word for its kind, which others of the kind share."""
        return str(self)[len(self._word) + 1 :]

    @property
    def group(self) -> Scope:
        """The scope of all members alike: without their numbers."""
        name, place = self.name, self.place
        return Scope(
            self.kind,
            name and Name(name.group),
            place and Place(Name(place.node.group), Name(place.to.group)),
        )

    @property
    def stems(self) -> list[str]:
        """The texts before each number, the shortest first: the names of its groups.

        >>> Scope.flow("bulk", 3).stems
        ['flow bulk']
        """
        stems, before = [], ""
        for text, number in self._pieces():
            before += text
            if number is not None:
                stems.append(before)
            before += _number(number)
        return stems

    def is_of(self, text: str) -> bool:
        """Whether a text names it, or a group of its members."""
        return text == str(self) or text in self.stems

    def like(self, text: str) -> Scope | None:
        """The member of the same group that a text names, which may not exist.

        >>> Scope.flow("bulk", 3).like("flow bulk[7]")
        Scope(kind='flow', name=Name(group='bulk', number=7), place=None)
        """
        pieces = list(self._pieces())
        form = "".join(
            re.escape(piece) + ("" if number is None else r"\[(\d+)\]") for piece, number in pieces
        )
        found = re.fullmatch(form, text)
        if not found:
            return None
        numbers = map(int, found.groups())
        known = [None if number is None else next(numbers) for _, number in pieces]
        if self.kind == "vc":
            known = [*known[2:], *known[:2]]
        name = self.name and Name(self.name.group, known.pop(0))
        place = self.place and Place(
            *(Name(node.group, number) for node, number in zip(self.place, known, strict=True))
        )
        return Scope(self.kind, name, place)

    @property
    def _word(self) -> str:
        return "port" if self.kind == "vc" else self.kind

    def _pieces(self) -> Iterator[tuple[str, int | None]]:
        """The text in pieces, each with the number that follows it."""
        if self.kind == "network":
            yield self.kind, None
            return
        before = f"{self._word} "
        if self.name and self.kind != "vc":
            yield f"{before}{self.name.group}", self.name.number
            before = " at "
        if self.place:
            yield f"{before}{self.place.node.group}", self.place.node.number
            yield f"->{self.place.to.group}", self.place.to.number
        if self.name and self.kind == "vc":
            yield f" of {self.name.group}", self.name.number


def _number(number: int | None) -> str:
    return "" if number is None else f"[{number}]"


NETWORK = Scope("network")

ScopeLike = Scope | str
"""A scope, or its text as people write it."""


def find(scopes: Iterable[Scope], text: str) -> Scope | None:
    """The known scope with this text, or that of drops which did not happen."""
    known = list(scopes)
    return by_text(known).get(text) or _of_drops(known, text)


def _of_drops(scopes: Sequence[Scope], text: str) -> Scope | None:
    outputs = dict.fromkeys(scope.place for scope in scopes if scope.kind in ("port", "link"))
    places = [place for place in outputs if text.endswith(f" at {place}")]
    flows = [scope for scope in scopes if scope.kind == "flow"]
    drops = (Scope("drop", flow.name, place) for place in places for flow in flows)
    return next((drop for drop in drops if str(drop) == text), None)


def by_text(scopes: Iterable[Scope]) -> Mapping[str, Scope]:
    """Scopes by their texts."""
    return {str(scope): scope for scope in scopes}
