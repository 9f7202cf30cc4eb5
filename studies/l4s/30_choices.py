"""Choices that the RFC leaves open, and their effect on the results."""

from __future__ import annotations

from cellrelay.studies import alternative

cubic = alternative(
    "CUBIC as the classic sender", {"flow.classic.transport.tcp.congestion": {"cubic": {}}}
)
delayed = alternative(
    "delayed acknowledgments",
    {
        f"flow.{kind}.transport.tcp.acknowledge": {"rfc5681": {"delay": "40 ms"}}
        for kind in ("classic", "scalable")
    },
)
SCALABLE = "flow.scalable.transport.tcp.congestion"
dctcp = alternative(
    "DCTCP as the scalable sender", {SCALABLE: {"dctcp": {"growth": {"at_ssthresh": "linear"}}}}
)
slow_start = alternative(
    "DCTCP, and slow start where a window equals ssthresh",
    {SCALABLE: {"dctcp": {}}, "flow.classic.transport.tcp.congestion": {"sack": {}}},
)
