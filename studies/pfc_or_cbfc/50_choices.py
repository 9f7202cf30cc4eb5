"""Choices that the document leaves open, and their effect on the results."""

from __future__ import annotations

from cellrelay.studies import alternative

from .links import FRAME, sent

GAP = 20
"""Octets of the preamble and of the gap after a frame: IEEE 802.3."""

gaps = alternative(
    "preamble and gap on the link",
    {
        **sent(FRAME - GAP, "data"),
        **sent(FRAME - GAP, "against"),
        "flow.data.over.packet.framing": f"{GAP} B",
        "flow.against.over.packet.framing": f"{GAP} B",
        "router.leaf.memory.framing": f"{GAP} B",
    },
)
idle = alternative(
    "nothing in the other direction", {"flow.against.source.poisson.load": "0 bit/s"}
)
