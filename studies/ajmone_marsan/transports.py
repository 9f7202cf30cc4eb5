"""Settings of each protocol that the figures vary, as values by path."""

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
"""Segments of a window for a third of the link, and of one three times as large."""
TCP_HEADERS, XTP_HEADER = 40, 32
TCP, XTP = "flow.file.transport.tcp", "flow.file.transport.xtp"
BEARER = "flow.file.over"
GO_BACK_N, SELECTIVE = "go-back-N", "selective"
RETRANSMISSIONS: Mapping[str, Mapping[str, Any]] = {
    GO_BACK_N: {f"{XTP}.retransmission": {"go_back_n": {}}},
    SELECTIVE: {f"{XTP}.retransmission": {"selective": {}}},
}
UNSHAPED, SHAPED = "unshaped", "shaped"
SHAPINGS: Mapping[str, Mapping[str, Any]] = {
    UNSHAPED: {BEARER: {"ubr": {}}},
    SHAPED: {BEARER: {"ubr": {"peak": "50 Mbit/s", "cdvt": "0 s"}}},
}


def tcp(size: str, window: int) -> dict[str, str]:
    """TCP with a window of `window` segments."""
    packet = USER[size] + TCP_HEADERS
    return {f"{TCP}.packet": f"{packet} B", f"{TCP}.window": f"{window * packet} B"}


def xtp(size: str) -> dict[str, str]:
    """XTP with an output buffer of as many frames as a window of TCP has segments of that size."""
    packet = USER[size] + XTP_HEADER
    return {f"{XTP}.packet": f"{packet} B", f"{XTP}.buffer": f"{WINDOWS[THIRD][size]}"}
