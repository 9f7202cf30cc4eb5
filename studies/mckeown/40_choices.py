"""Choices that the papers leave open, and their effect on the results."""

from __future__ import annotations

from cellrelay.studies import alternative

ties_at_random = alternative("order of one instant at random", {"switch.crossbar.ties": "random"})
later = alternative("twice the warm-up", {"warm_up": "8 ms"})
