"""Choices that the paper leaves open, and their effect on the results."""

from __future__ import annotations

from cellrelay.studies import alternative

from .groups import GROUPS

HOST_LINKS = ("from1", "from2", "from3", "to1", "to2")


def _of_tcp(path: str, value: str) -> dict[str, str]:
    return {f"flow.{group}.transport.tcp.{path}": value for group in GROUPS}


def _links(delay: str) -> dict[str, str]:
    return {f"link.{link}.delay": delay for link in HOST_LINKS}


shorter = alternative("links of 5 us", _links("5 us"))
longer = alternative("links of 40 us", _links("40 us"))
at_once = alternative("each packet acknowledged", _of_tcp("acknowledge", "{ every = {} }"))
in_order = alternative(
    "simultaneous packets in the order of the inputs",
    {f"router.{name}.ties": "in_order" for name in ("triumph1", "scorpion", "triumph2")},
)
three_packets = alternative("initial windows of three packets", _of_tcp("initial_window", "3"))
