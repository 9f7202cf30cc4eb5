"""One link, kept lossless by pauses or by credits, and what both reserve for it."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import Any

from cellrelay.studies import of_flow, of_port, scaled

GBITS = 400
FRAME = 4096
CELL = 256
"""Octets of a cell of the memory, and of a credit."""
METRES = 5
"""The cable within a rack, for which links are configured."""
FASTER = "800 Gbit/s"
"""An exit that is never congested."""
PAUSE = "link.cable.pause.pfc"
CREDIT = "link.cable.credit.cbfc"
EXIT = "link.exit.rate"
LOAD = "flow.data.source.poisson.load"
LINK = "link sender->leaf"

PAUSE_FRAME = 84
"""Octets of a pause frame and of a CC_Update, with preamble and gap."""
UPDATE = 8
SPACING = 6400
"""Octets of a CF_Update, and those that the link could carry from one to the next, as in SAI."""
SLOW = 905 * 64
"""Octets until a far end obeys at 400 Gbit/s: 905 quanta, the worst case that SONiC assumes."""

PAUSES = {"PFC": SLOW, "PFC at once": 0}
"""Octets until the far end obeys, by the name of a point."""
CREDITS = "CBFC"
EVERY = (*PAUSES, CREDITS)

carried = scaled(of_flow("goodput", "data"), 1 / (GBITS * 1e9))
"""Share of the link that packets fill."""
lost = of_port("packet_loss_ratio", "leaf->receiver")
control = of_port("link_control_share", "leaf->sender")


def both_ways(metres: float) -> float:
    """Octets that the link carries while a signal passes the cable twice."""
    return 2 * metres * 5e-9 * GBITS * 1e9 / 8


def packets(octets: float) -> int:
    """Octets of the packets that hold at least as many."""
    return FRAME * ceil(octets / FRAME)


def headroom(response: float, metres: float = METRES) -> int:
    """Octets that may arrive beyond xoff, as on the page on pauses: while a packet of the other
    direction, the pause frame, the cable and the response last, and a packet that has begun and one
    that crosses xoff."""
    return packets(FRAME + PAUSE_FRAME + both_ways(metres) + response + FRAME + FRAME)


def window(metres: float = METRES) -> int:
    """Octets in use that fill the link, as on the page on link credits: a packet that is sent, and
    sent on; a CF_Update, and what goes before it; the cable; and one more packet."""
    messages = SPACING + UPDATE + FRAME + PAUSE_FRAME
    return packets(2 * FRAME + messages + both_ways(metres) + FRAME)


def paused(name: str, xoff: int, room: int, xon: int | None = None) -> dict[str, Any]:
    """A link with pauses: octets of xoff, of headroom and of xon, which is half of xoff if not
    given."""
    lower = xoff // 2 if xon is None else xon
    response = f"{PAUSES[name] * 8 / GBITS:.3f} ns"
    values = {"xoff": f"{xoff} B", "xon": f"{lower} B", "headroom": f"{room} B"}
    return {PAUSE: {"priorities": [0], "response": response, **values}}


def credited(octets: int) -> dict[str, Any]:
    """A link with credits for this many octets of packets that fill their cells."""
    limit = octets // CELL
    return {CREDIT: {"priorities": [0], "credit_size": f"{CELL} B", "limit": limit}}


XOFF = 65536


def configured() -> dict[str, dict[str, Any]]:
    """The link under each kind of flow control, configured for the cable within a rack."""
    return {
        **{name: paused(name, XOFF, headroom(PAUSES[name])) for name in PAUSES},
        CREDITS: credited(window()),
    }


def sent(octets: int, flow: str = "data") -> dict[str, Any]:
    """Frames of a flow."""
    return {
        f"flow.{flow}.transport.datagram.packet": f"{octets} B",
        f"flow.{flow}.source.poisson.length.constant": f"{octets} B",
    }


def cable(metres: float) -> dict[str, Any]:
    """A cable of another length."""
    return {"link.cable.delay": f"{metres} m"}


def rates(shares: Iterable[int]) -> dict[str, dict[str, Any]]:
    """Loads in per cent of the link."""
    return {f"{share} %": {LOAD: f"{share * GBITS / 100:g} Gbit/s"} for share in shares}
