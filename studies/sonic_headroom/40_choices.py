"""Choices that the tables leave open, and their effect on the results."""

from __future__ import annotations

from cellrelay.studies import alternative

from .links import answered
from .tables import INTERFACES, QUANTA

GAP = "20 B"
"""Octets of the preamble and of the gap after a frame: IEEE 802.3."""

gaps = alternative(
    "preamble and gap on the link",
    {
        "flow.data.over.packet.framing": GAP,
        "flow.against.over.packet.framing": GAP,
        "router.leaf.memory.framing": GAP,
    },
)
slower = alternative("a response of 394 quanta", answered(INTERFACES + 64 * QUANTA[100], 100))
shorter = alternative(
    "packets of 1500 octets in the other direction",
    {"flow.against.transport.datagram.packet": "1500 B"},
)
