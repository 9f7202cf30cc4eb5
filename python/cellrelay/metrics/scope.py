"""Scopes: the object that a number or a series describes, as a value with one text for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from sys import intern
from typing import Any, NamedTuple

from cellrelay import _core


class Name(NamedTuple):
    """The name of a flow, a node or a service class, or the number of a priority.

    >>> str(Name("bulk", 3)), str(Name("s1"))
    ('bulk[3]', 's1')
    """

    group: str
    """The name that is written in the scenario."""
    number: int | None = None
    """Number of the member, if the name is that of a group."""

    def __str__(self) -> str:
        return self.group if self.number is None else f"{self.group}[{self.number}]"

    def covers(self, other: Name) -> bool:
        """True if the other name equals this name, or is the name of a member of this group."""
        return self.group == other.group and self.number in (None, other.number)

    @property
    def covering(self) -> list[Name]:
        """This name, and the name of its group if it is the name of a member."""
        return [self] if self.number is None else [self, Name(self.group)]


class Place(NamedTuple):
    """An output: the node that transmits, and the node at the far end of the link."""

    node: Name
    to: Name

    def __str__(self) -> str:
        return f"{self.node}->{self.to}"

    def covers(self, other: Place) -> bool:
        """True if both nodes of the other output are the nodes of this output, or members of their
        groups."""
        return self.node.covers(other.node) and self.to.covers(other.to)

    @property
    def covering(self) -> list[Place]:
        """This output, and each group of outputs that contains it."""
        return [Place(*nodes) for nodes in product(self.node.covering, self.to.covering)]


class Scope(NamedTuple):
    """The object that a number, a series or a gauge describes.

    >>> [str(scope) for scope in (Scope("network"), Scope.flow("bulk", 3), Scope.port("s1", "b"))]
    ['network', 'flow bulk[3]', 'port s1->b']
    """

    kind: str
    """`network`, `flow`, `port`, `class`, `link`, `priority`, `drop`, or `vc`: a virtual channel at
    a port."""
    name: Name | None = None
    """The flow, the service class, or the number of the priority."""
    place: Place | None = None
    """The output."""

    @classmethod
    def of(cls, parts: Iterable[Any]) -> Scope:
        """The scope from its parts, in the form of the core and of files.

        >>> str(Scope.of(["drop", ["f", 0], [["s1", None], ["b", None]]]))
        'drop f[0] at s1->b'
        """
        kind, name, place = parts
        # There may be many thousands of scopes of one kind and group, whose texts are kept once.
        return cls(
            intern(kind),
            None if name is None else Name(intern(name[0]), name[1]),
            None if place is None else Place(*(Name(intern(group), n) for group, n in place)),
        )

    @classmethod
    def read(cls, text: str) -> Scope:
        """The scope of a number from its text; a name without a number is that of a group.

        Raises `ScenarioError`, with the form of a scope, if the text is none.

        >>> Scope.read("drop bulk[3] at s1->b").place
        Place(node=Name(group='s1', number=None), to=Name(group='b', number=None))
        """
        return cls.of(_core.scopes(text))

    @classmethod
    def named(cls, kind: str, member: str) -> Scope:
        """The scope of a kind whose text after the kind is `member`; otherwise as `read`.

        >>> str(Scope.named("port", "s1->b"))
        'port s1->b'
        """
        return cls.read(f"{kind} {member}")

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
        (node, number), (to, other) = place
        # Next to flows most are ports, so no method makes a part of the text.
        first = node if number is None else f"{node}[{number}]"
        text = f"{first}->{to}" if other is None else f"{first}->{to}[{other}]"
        if name is None:
            return f"{kind} {text}"
        return f"port {text} of {name}" if kind == "vc" else f"{kind} {name} at {text}"

    @property
    def member(self) -> str:
        """The text without its first word, which names the kind."""
        return "".join(f"{joint}{name}" for joint, name in self._names())

    @property
    def group(self) -> Scope:
        """The scope of the whole group: the same scope without numbers."""
        name, place = self.name, self.place
        return Scope(
            self.kind,
            name and Name(name.group),
            place and Place(Name(place.node.group), Name(place.to.group)),
        )

    @property
    def stems(self) -> list[str]:
        """The groups that the scope belongs to: for each number in its text, the text up to that
        number. The shortest comes first.

        >>> Scope.flow("bulk", 3).stems
        ['flow bulk']
        """
        stems, text = [], f"{self._word} "
        for joint, name in self._names():
            if name.number is not None:
                stems.append(f"{text}{joint}{name.group}")
            text += f"{joint}{name}"
        return stems

    @property
    def title(self) -> str:
        """The text that members of one group have in common: the kind and the name of the group, or
        the whole text for a scope outside of groups.
        """
        kind, name, place = self
        if place is None:
            return f"{kind} {name[0]}" if name else kind
        if name is None and place[0][1] is not None:
            return f"{kind} {place[0][0]}"
        return next(iter(self.stems), str(self))

    @property
    def covering(self) -> list[Scope]:
        """All scopes that cover this scope: first itself, then each group that contains it.

        >>> list(map(str, Scope.flow("bulk", 3).covering))
        ['flow bulk[3]', 'flow bulk']
        """
        names = [None] if self.name is None else self.name.covering
        places = [None] if self.place is None else self.place.covering
        return [Scope(self.kind, name, place) for name, place in product(names, places)]

    def covers(self, other: Scope) -> bool:
        """True if the other scope equals this scope, or is the scope of a member of this group.

        >>> Scope.read("flow bulk").covers(Scope.flow("bulk", 3))
        True
        """
        mine, theirs = self.place, other.place
        return (
            self.kind == other.kind
            and (self.name is None or (other.name is not None and self.name.covers(other.name)))
            and (mine is None or (theirs is not None and mine.covers(theirs)))
        )

    def is_like(self, other: Scope) -> bool:
        """True if both scopes are members of one group.

        >>> Scope.flow("bulk", 3).is_like(Scope.flow("bulk", 7))
        True
        """
        mine, theirs = ([name.number is None for _, name in one._names()] for one in (self, other))
        return self.group == other.group and mine == theirs

    @property
    def _word(self) -> str:
        return "port" if self.kind == "vc" else self.kind

    def _names(self) -> list[tuple[str, Name]]:
        """The names of the scope in the order of its text, each with the text that joins it to the
        name before."""
        _, name, place = self
        output = [("", place.node), ("->", place.to)] if place else []
        if name is None:
            return output
        if place is None:
            return [("", name)]
        if self.kind == "vc":
            return [*output, (" of ", name)]
        return [("", name), (" at ", place.node), ("->", place.to)]


NETWORK = Scope("network")

ScopeLike = Scope | str
"""A scope, or its text as people write it."""


def find(scopes: Iterable[Scope], text: str) -> Scope | None:
    """The known scope with this text, or the scope of drops if no drop happened there."""
    known = list(scopes)
    return by_text(known).get(text) or _of_drops(known, text)


def find_any(scopes: Iterable[Scope], text: str) -> Scope | None:
    """The known scope, or the group of known scopes, with this text."""
    covering = (one for scope in scopes for one in scope.covering)
    return next((one for one in covering if str(one) == text), None)


def read(text: str) -> Scope | None:
    """The scope of a number from its text; `None` if the text is not that of a scope."""
    try:
        return Scope.read(text)
    except _core.ScenarioError:
        return None


def _of_drops(scopes: Sequence[Scope], text: str) -> Scope | None:
    wanted = read(text)
    if wanted is None or wanted.kind != "drop":
        return None
    is_known = any(scope.name == wanted.name for scope in scopes if scope.kind == "flow")
    outputs = (scope for scope in scopes if scope.kind in ("port", "link"))
    return wanted if is_known and any(one.place == wanted.place for one in outputs) else None


def by_text(scopes: Iterable[Scope]) -> Mapping[str, Scope]:
    """Scopes by their texts."""
    return {str(scope): scope for scope in scopes}
