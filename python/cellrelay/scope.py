"""Scopes: whose a number or a series is, as a value; its text is made here, for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
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
        kind, name, place = self
        if place is None:
            # Most scopes are flows, and there may be many thousands.
            if name is None:
                return kind
            group, member = name
            return f"{kind} {group}" if member is None else f"{kind} {group}[{member}]"
        text = ""
        for piece, number in self._pieces():
            text += piece if number is None else f"{piece}[{number}]"
        return text

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
        for piece, number in self._pieces():
            before += piece
            if number is not None:
                stems.append(before)
                before += f"[{number}]"
        return stems

    @property
    def title(self) -> str:
        """The first of its stems, or its text where it has no number."""
        kind, name, place = self
        if place is None:
            return f"{kind} {name[0]}" if name else kind
        return next(iter(self.stems), str(self))

    def is_of(self, text: str) -> bool:
        """Whether a text names it, or a group of its members."""
        return text == str(self) or text in self.stems

    def like(self, text: str) -> Scope | None:
        """The member of the same group that a text names, which may not exist.

        >>> Scope.flow("bulk", 3).like("flow bulk[7]")
        Scope(kind='flow', name=Name(group='bulk', number=7), place=None)
        """
        pieces = self._pieces()
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

    def _pieces(self) -> list[tuple[str, int | None]]:
        """The text in pieces, each with the number that follows it."""
        kind, name, place = self
        if place is None:
            return [(f"{kind} {name.group}", name.number) if name else (kind, None)]
        (node, first), (to, second) = place
        if name is None:
            return [(f"{kind} {node}", first), (f"->{to}", second)]
        if kind == "vc":
            return [
                (f"port {node}", first),
                (f"->{to}", second),
                (f" of {name.group}", name.number),
            ]
        return [(f"{kind} {name.group}", name.number), (f" at {node}", first), (f"->{to}", second)]


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
