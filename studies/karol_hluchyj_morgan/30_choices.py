"""Choices that the paper leaves open, and their effect on the results."""

from __future__ import annotations

from cellrelay.studies import alternative

ORDER = "switch.crossbar.fabric.slotted.order"

in_turn = alternative("contenders served in turn", {ORDER: "round_robin"})
lowest_first = alternative("the lowest input first", {ORDER: "input"})
