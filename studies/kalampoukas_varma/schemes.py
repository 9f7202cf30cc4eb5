"""Congestion control of the network: the four schemes of the paper, and later ones.

A scheme is a set of settings of `chain.toml`, equal for all switches, links and flows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .networks import EACH, Settings, access, at_each, flows, switches, trunks

CELLS = 192
"""Cells of a packet of 9180 bytes."""
LINKS = 3
"""Links between switches."""


def buffered(cells: int, links: int = LINKS) -> dict[str, Any]:
    """An output buffer of this size at every switch; for packets the same number of octets."""
    return at_each("switch", switches(links), "buffer.per_output", f"{cells} cells")


def discard(policy: Settings, links: int = LINKS) -> dict[str, Any]:
    """A discard policy at every switch."""
    return at_each("switch", switches(links), "discard", policy)


def gateways(links: int = LINKS) -> dict[str, Any]:
    """Switches become gateways of whole packets, first in, first out."""
    return at_each("flow", flows(links), "over", {"packet": {}})


def fair_gateways() -> dict[str, Any]:
    """Gateways that serve connections in turn, one packet each."""
    in_turn = {"deficit_round_robin": {"quantum": "9180 B"}}
    return {**gateways(), **at_each("switch", switches(LINKS), "scheduler", in_turn)}


N2 = 10
"""Cells forwarded between one credit and the next."""
TRUNK_ROOM, ACCESS_ROOM = 720, 17
"""Buffer in cells, N2 + N3, of a VC behind a link between switches, and behind one from a host: N2,
and the cells that the link carries in a round trip."""


def promised(each: int = EACH) -> int:
    """Cells that an output between switches must hold, with `each` connections of a group."""
    return each * (TRUNK_ROOM + ACCESS_ROOM)


def trunk_room(cells: int, each: int = EACH) -> int:
    """The N3 on links between switches for which a buffer holds all credits."""
    return cells // each - ACCESS_ROOM - N2


def credit(links: int = LINKS, each: int = EACH, n3: int | None = None) -> dict[str, Any]:
    """Credits on every link into a switch; `n3`, if given, is the N3 of links between switches."""
    rule = {"n2": N2} if n3 is None else {"n2": N2, "n3": n3}
    return {
        **buffered(promised(each), links),
        **at_each("switch", switches(links), "scheduler", {"round_robin": {}}),
        **at_each("link", trunks(links), "credit", {"n23": rule}),
        **at_each("link", access(links), "credit", {"n23": {"n2": N2}}),
    }


def pool_in(cells: int, each: int = EACH) -> int:
    """The largest pool of a link between switches for which a buffer holds all its cells."""
    return cells - each * ACCESS_ROOM


def adaptive(cells: int, links: int = LINKS, each: int = EACH) -> dict[str, Any]:
    """Credits out of a pool on each link between switches, as large as a buffer allows."""
    rule = {"adaptive": {"n2": N2, "pool": pool_in(cells, each)}}
    return {
        **credit(links, each),
        **buffered(cells, links),
        **at_each("link", trunks(links), "credit", rule),
    }


PLAIN, EPD, DATAGRAM, CREDITS = "plain ATM", "EPD", "datagram", "credits"
ONE_FREE = {"early_packet": {"headroom": f"{CELLS} cells"}}
"""EPD as Kung and Morris (1995) describe it: a packet is dropped as a whole if "the switch does not
have roughly one packet's worth of space available"."""
HALF, TWO_FREE = "half of the buffer", "two packets below the buffer"
THRESHOLDS: Mapping[str, Settings] = {
    HALF: discard({"early_packet": {"threshold": "50 %"}}),
    "three quarters of the buffer": discard({"early_packet": {"threshold": "75 %"}}),
    "four fifths of the buffer": discard({"early_packet": {"threshold": "80 %"}}),
    TWO_FREE: discard({"early_packet": {"headroom": f"{2 * CELLS} cells"}}),
}
"""Other thresholds of EPD than a packet of 9180 bytes below the buffer; Romanow and Floyd, whose
proposal EPD is, set half of the buffer."""
FROM_HALF = {"selective_drop": {"threshold": "50 %"}}
LATER: Mapping[str, Settings] = {
    "selective drop": discard(FROM_HALF),
    "fair buffer allocation": discard({"fair_buffer_allocation": {}}),
    "fair queueing": fair_gateways(),
    "fair queueing, selective drop": {**fair_gateways(), **discard(FROM_HALF)},
}
"""Schemes that the paper did not have; the last two are gateways."""


def scheme(name: str, links: int = LINKS, each: int = EACH) -> dict[str, Any]:
    """Settings of the schemes of the paper, by their names."""
    return {
        PLAIN: discard({"tail_drop": {}}, links),
        EPD: discard(ONE_FREE, links),
        DATAGRAM: gateways(links),
        CREDITS: credit(links, each),
    }[name]
