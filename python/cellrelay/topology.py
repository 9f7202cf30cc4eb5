"""The nodes and links of a scenario, with groups and named topologies taken apart."""

from __future__ import annotations

from typing import NamedTuple


class Node(NamedTuple):
    """A node, by name."""

    name: str
    kind: str
    """`host`, `switch`, `router` or `edge`."""
    group: str | None
    """The group that it is a member of, if it is one of several."""


class Link(NamedTuple):
    """A link, one in each direction."""

    name: str
    ends: tuple[int, int]
    """Its two nodes, by number."""
    rate: int
    """Bits a second."""
    delay: float
    """Propagation, in seconds."""
    beyond: tuple[str, ...] = ()
    """What else was said of it: `loss.packet`, `credit.n23`."""


class Topology(NamedTuple):
    """Nodes, and the links between them."""

    nodes: list[Node]
    links: list[Link]

    def __repr__(self) -> str:
        return f"Topology({len(self.nodes)} nodes, {len(self.links)} links)"
