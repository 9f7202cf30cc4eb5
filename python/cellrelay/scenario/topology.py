"""The nodes and links of a scenario, with groups and named topologies expanded."""

from __future__ import annotations

from typing import NamedTuple


class Node(NamedTuple):
    """A node, by name."""

    name: str
    kind: str
    """`host`, `switch`, `router` or `edge`."""
    group: str | None
    """Group of the node, if it is a member of one."""
    number: int | None = None
    """Number of the node within its group."""


class Link(NamedTuple):
    """A link, one in each direction."""

    name: str
    ends: tuple[int, int]
    """Numbers of the two nodes of the link."""
    rate: int
    """Rate in bits per second."""
    delay: float
    """Propagation delay in seconds."""
    beyond: tuple[str, ...] = ()
    """Further components of the link, for example `loss.packet` or `credit.n23`."""


class Topology(NamedTuple):
    """Nodes, and the links between them."""

    nodes: list[Node]
    links: list[Link]

    def __repr__(self) -> str:
        return f"Topology({len(self.nodes)} nodes, {len(self.links)} links)"
