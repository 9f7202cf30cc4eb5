"""Choices that the paper leaves open, changed one at a time."""

from __future__ import annotations

from collections.abc import Mapping

from cellrelay.results import Results
from cellrelay.studies import Table, along, alternative, average, exhibit

from .measures import carried, ratio
from .networks import LONG, SHORT, TRUNKS, Settings, at_each, tcp
from .variants import BRIEF, MIDDLE, ONCE, SCHEMES, schemes, varied

PACKETS = ("9180 B", "1500 B", "512 B")
NO_JITTER, DELAYED = "no random component", "one acknowledgment for two"
COARSE = "clock of 500 ms"
CHOICES: Mapping[str, Settings] = {
    "as chosen": {},
    **{f"packets of {packet}": tcp("packet", packet) for packet in PACKETS[1:]},
    NO_JITTER: at_each("flow", (LONG, *SHORT), "jitter", {"uniform": {"high": "0 s"}}),
    DELAYED: tcp("acknowledge", {"bsd": {}}),
    COARSE: tcp("timers", {"bsd": {"tick": "500 ms"}}),
    "Tahoe": tcp("congestion", {"tahoe_bsd": {}}),
}
"""What the paper leaves open, one choice changed at a time."""

small_packets = alternative("packets of 1500 B", CHOICES["packets of 1500 B"])
no_jitter = alternative(NO_JITTER, CHOICES[NO_JITTER])
delayed = alternative(DELAYED, CHOICES[DELAYED])
coarse = alternative(COARSE, CHOICES[COARSE])
as_in_bsd = alternative(
    "as in 4.3BSD-Reno: that clock, one acknowledgment for two",
    {**CHOICES[COARSE], **CHOICES[DELAYED]},
)
near = alternative("0.1 ms between switches", at_each("link", TRUNKS, "delay", "0.1 ms"))

choices = varied(
    "What the paper leaves open, one choice changed at a time",
    {"choice": CHOICES, "scheme": schemes(SCHEMES)},
    BRIEF,
    quick_sweep={"choice": {name: CHOICES[name] for name in ("as chosen", NO_JITTER)}},
    quick_replications=ONCE,
)


@exhibit(
    "choices",
    "What the paper leaves open, one choice changed at a time.",
    f"Buffers of {MIDDLE}; credits have the memory that they need. Long over short, and in"
    " brackets Mbit/s of user data over a link.",
)
def one_changed(choices: Results) -> Table:
    rows = []
    for choice in choices.values("choice"):
        points = along(choices, "scheme", choice=choice)
        said = (
            f"{average(ratio, points[name]):.3f} ({average(carried, points[name]):.0f})"
            for name in SCHEMES
        )
        rows.append([choice, *said])
    return Table(["choice", *SCHEMES], rows)
