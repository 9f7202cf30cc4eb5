"""The choices that the sources leave open, each answered differently."""

from __future__ import annotations

from cellrelay.studies import alternative

from .settings import ERICA, START

N_SOURCE = ("n-source.toml",)
ABR = "flow.bulk.over.abr"
THREE = ("first", "second", "third")
EIGHT = ("a1", "a2", "a3", "b1", "b2", "b3", "c", "d", "e", "f", "g", "h")


def rounded(*flows: str) -> dict[str, str]:
    """Rates in RM cells of 16 bits for these flows."""
    return {f"flow.{flow}.over.abr.rm_rate_quantise": "true" for flow in flows}


exact = alternative("exact rates in RM cells", {f"{ABR}.rm_rate_quantise": "false"}, N_SOURCE)
rounded_three = alternative("fair rates of 16 bits", rounded(*THREE), ("three-sources.toml",))
rounded_six = alternative("six links, rates of 16 bits", rounded(*EIGHT), ("six-links.toml",))
apart = alternative("starts within 1 ms", {START: '{ uniform = ["0 s", "1 ms"] }'}, N_SOURCE)
free_reverse = alternative(
    "acknowledgments without rate control", {f"{ABR}.reverse": '"ideal"'}, N_SOURCE
)
both_ways = alternative("counting both ways", {f"{ERICA}.bidirectional_counting": "true"}, N_SOURCE)
small_threshold = alternative(
    "ssthresh of 64 KB", {"flow.bulk.transport.tcp.initial_ssthresh": '"65535 B"'}, N_SOURCE
)
plain = alternative(
    "ERICA without its two parts",
    {f"{ERICA}.fair_share_first": "false", f"{ERICA}.one_feedback_per_interval": "false"},
    N_SOURCE,
)
