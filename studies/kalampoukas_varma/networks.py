"""The network of `chain.toml`, longer or with more connections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Settings = Mapping[str, Any]
LONG, SHORT = "long", ("short1", "short2", "short3")
SWITCHES = ("s1", "s2", "s3", "s4")
TRUNKS = ("trunk1", "trunk2", "trunk3")
TCP = {
    "packet": "9180 B",
    "window": "64 KiB",
    "initial_ssthresh": "50 %",
    "congestion": {"reno": {"deflation": "clean"}},
    "timers": {"bsd": {"tick": "10 ms", "initial": "200 ms"}},
}
"""Settings of connections beyond those of `chain.toml`, equal to the settings there."""
EACH = 3
"""Number of long connections, and of short ones on each link."""
BOXES: Mapping[str, tuple[float, float]] = {
    **{switch: (1.6 + 2.0 * place, 0.0) for place, switch in enumerate(SWITCHES)},
    "3 long": (0.0, 0.0),
    "receivers": (9.2, 0.0),
    **{f"3 short, {place + 1}": (1.6 + 2.0 * place, 1.3) for place in range(len(TRUNKS))},
    **{f"receivers, {place + 1}": (3.6 + 2.0 * place, -1.3) for place in range(len(TRUNKS))},
}
"""Positions of the nodes in the picture of the network."""


def at_each(group: str, names: Sequence[str], key: str, value: Any) -> dict[str, Any]:
    """One value for a parameter of several switches, links or flows."""
    return {f"{group}.{name}.{key}": value for name in names}


def tcp(key: str, value: Any) -> dict[str, Any]:
    """One value for a parameter of TCP of all connections."""
    return at_each("flow", (LONG, *SHORT), f"transport.tcp.{key}", value)


def switches(links: int) -> tuple[str, ...]:
    """Switches of a chain in which long connections pass `links` links."""
    return tuple(f"s{number}" for number in range(1, max(links, len(TRUNKS)) + 2))


def trunks(links: int) -> tuple[str, ...]:
    """Links between these switches; a short chain keeps links that no long connection passes."""
    return tuple(f"trunk{number}" for number in range(1, max(links, len(TRUNKS)) + 1))


def shorts(links: int) -> tuple[str, ...]:
    """Groups of short connections that share a link with long ones."""
    return tuple(f"short{number}" for number in range(1, links + 1))


def flows(links: int) -> tuple[str, ...]:
    """All groups of connections."""
    return (LONG, *shorts(max(links, len(TRUNKS))))


def access(links: int) -> tuple[str, ...]:
    """Links from senders to switches, named after the senders."""
    return flows(links)


def chain(links: int) -> dict[str, Any]:
    """The chain in which long connections pass `links` links: longer, or left earlier."""
    settings: dict[str, Any] = {"link.far.between": [f"s{links + 1}", "far"]}
    for number in range(len(TRUNKS) + 1, links + 1):
        settings |= _added(number)
    return settings


def _added(number: int) -> dict[str, Any]:
    """One more link, the switch behind it, and the connections over it alone."""
    before, behind = f"s{number}", f"s{number + 1}"
    sender, receiver = f"short{number}", f"near{number}"
    return {
        **at_each("host", (sender, receiver), "count", EACH),
        f"switch.{behind}.buffer.per_output": "1000 cells",
        **_link(f"trunk{number}", before, behind, "1 ms"),
        **_link(sender, sender, before, "5 us"),
        **_link(receiver, behind, receiver, "5 us"),
        f"flow.{sender}.from": sender,
        f"flow.{sender}.to": receiver,
        f"flow.{sender}.jitter": {"packet_time": {}},
        **{f"flow.{sender}.transport.tcp.{key}": value for key, value in TCP.items()},
    }


def _link(name: str, here: str, there: str, delay: str) -> dict[str, Any]:
    settings = {"between": [here, there], "rate": "149.76 Mbit/s", "delay": delay}
    return {f"link.{name}.{key}": value for key, value in settings.items()}


def crowd(each: int) -> dict[str, Any]:
    """`each` long connections, and `each` short ones on every link."""
    pairs = [("long", "far"), *((f"short{n}", f"near{n}") for n in range(1, len(TRUNKS) + 1))]
    return {f"host.{host}.count": each for pair in pairs for host in pair}


def all_connections(each: int) -> int:
    """The number of all connections together."""
    return each * (1 + len(TRUNKS))
