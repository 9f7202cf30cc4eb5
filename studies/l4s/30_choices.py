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
slow_start = alternative(
    "slow start where the window equals ssthresh",
    {
        "flow.classic.transport.tcp.congestion": {"sack": {}},
        "flow.scalable.transport.tcp.congestion": {"dctcp": {}},
    },
)
slower = alternative(
    "alpha over more round trips",
    {
        "flow.scalable.transport.tcp.congestion": {
            "dctcp": {"gain": 0.01, "growth": {"at_ssthresh": "linear"}}
        }
    },
)
