"""How each protocol is set up: what figures vary, as parts of scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

USER = {"9140 B": 9140, "4570 B": 4570, "1142 B": 1142}
"""User data of a segment or frame, in octets."""
SIZES = tuple(USER)
LARGE, MIDDLE, SMALL = SIZES
THIRD, TRIPLE = "a third of the link", "three thirds"
WINDOWS: Mapping[str, Mapping[str, int]] = {
    THIRD: {LARGE: 6, MIDDLE: 12, SMALL: 48},
    TRIPLE: {LARGE: 18, MIDDLE: 36, SMALL: 144},
}
"""Segments of a window that suffices for so much of the link, and for three times that."""
TCP_HEADERS, XTP_HEADER = 40, 32
GO_BACK_N, SELECTIVE = "go-back-N", "selective"
RETRANSMISSIONS: Mapping[str, Mapping[str, Any]] = {
    GO_BACK_N: {"go_back_n": {}},
    SELECTIVE: {"selective": {}},
}
RATE = "50 Mbit/s"
"""What XTP keeps to and what shapers let through, in cells."""
UNSHAPED, SHAPED = "unshaped", "shaped"
SHAPINGS: Mapping[str, Mapping[str, Any]] = {
    UNSHAPED: {"ubr": {}},
    SHAPED: {"ubr": {"peak": RATE, "cdvt": "0 s"}},
}
RENO: Mapping[str, Any] = {"reno": {"deflation": "clean"}}
SACK: Mapping[str, Any] = {"sack": {}}


def tcp(size: str, window: int, congestion: Mapping[str, Any] = RENO) -> dict[str, Any]:
    """TCP with a window of `window` segments."""
    packet = USER[size] + TCP_HEADERS
    return {
        "tcp": {
            "packet": f"{packet} B",
            "window": f"{window * packet} B",
            "initial_ssthresh": "50 %",
            "congestion": congestion,
            "timers": {"bsd": {"tick": "1 ms", "deviations": 4}},
            "acknowledge": {"every": {}},
        }
    }


def xtp(
    size: str,
    buffer: int,
    retransmission: str,
    *,
    interval: int = 1,
    initial: str = "20 ms",
    repeated_nak: str = "guarded",
) -> dict[str, Any]:
    """XTP with an output buffer of `buffer` frames; WTIMER is `initial` until it has measured."""
    return {
        "xtp": {
            "packet": f"{USER[size] + XTP_HEADER} B",
            "rate": RATE,
            "buffer": buffer,
            "request_interval": interval,
            "retransmission": RETRANSMISSIONS[retransmission],
            "repeated_nak": repeated_nak,
            "wtimer": {"initial": initial},
        }
    }
