"""Choices that the paper leaves open, and their effect on the results."""

from __future__ import annotations

from cellrelay.studies import alternative

from .reads import PACKET, TCP

in_order = alternative(
    "simultaneous packets in the order of the inputs", {"router.switch.ties": "in_order"}
)
continued = alternative("windows continue after an idle time", {f"{TCP}.idle_restart": "never"})
guarded = alternative("no second fast retransmit", {f"{TCP}.repeated_fast_retransmit": "guarded"})
wider = alternative("windows of 40 packets", {f"{TCP}.window": f"{40 * PACKET} B"})
delayed = alternative(
    "delayed acknowledgments", {f"{TCP}.acknowledge": {"rfc5681": {"delay": "40 ms"}}}
)
