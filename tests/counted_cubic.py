"""CUBIC that grows by whole acknowledgments, as in Linux 2.6.22 and so in ns-2.

A congestion control of `test_linux.py`, to show what the growth alone changes. Beside RFC 9438 it
differs in three rules: windows are whole segments, and grow by one after a whole number of
acknowledgments; the window that Reno would have grows after whole numbers, too; and the slope of
that window is the one that belongs to four fifths after a loss, whatever a loss leaves, since Linux
computes it as the module is loaded.
"""

from __future__ import annotations

from dataclasses import field

from cellrelay import members

C = 0.4
"""Steepness of the curve, in segments per cubed second: RFC 9438, section 5.1."""
EIGHTHS = 23
"""Acknowledgments for each segment of the window that Reno would have, in eighths of the window.

By RFC 9438, section 4.3, it is three windows with four fifths after a loss, 24 eighths; with 819 /
1024 in place of four fifths it is 23.97, which Linux rounds down.
"""
NEVER = 100
"""Windows of acknowledgments for a segment where the curve asks for none."""


@members.congestion
class CountedCubic:
    """CUBIC with windows and growth in whole segments."""

    recovery = "sack_proportional"
    cwnd: float = field(init=False)
    ssthresh: float = field(init=False)
    beta: float = 0.8

    def begin(self, limits: members.Limits) -> None:
        """Start with the initial window."""
        self.mss, self.most = limits.mss, limits.window // limits.mss
        self.ssthresh = limits.ssthresh
        self.before, self.epoch = 0.0, -1.0
        self.waited, self.acks = 0, 0
        self.take(limits.initial // limits.mss)

    def take(self, window: int) -> None:
        """A window of so many segments."""
        self.window = min(window, self.most)
        self.cwnd = float(self.window * self.mss)

    def on_ack(self, ack: members.Ack) -> None:
        """Slow start, and then a segment for each `per` acknowledgments."""
        if not ack.limited:
            return
        if self.cwnd < self.ssthresh:
            self.take(self.window + 1)
            return
        self.waited += 1
        if self.waited >= self.per(ack):
            self.waited = 0
            self.take(self.window + 1)

    def per(self, ack: members.Ack) -> int:
        """Acknowledgments for a segment: by the curve, or by Reno if that is faster."""
        if self.epoch < 0:
            self.epoch, self.acks, self.reno = ack.now, 0, self.window
            self.origin = max(self.before, self.window)
            self.flat = ((self.origin - self.window) / C) ** (1 / 3)
        self.acks += 1
        ahead = ack.now - self.epoch + ack.srtt - self.flat
        above = int(self.origin + C * ahead**3) - self.window
        counts = [self.window // above if above > 0 else NEVER * self.window]
        each = self.window * EIGHTHS // 8
        while self.acks > each:
            self.acks, self.reno = self.acks - each, self.reno + 1
        if self.reno > self.window:
            counts.append(self.window // (self.reno - self.window))
        return min(counts)

    def on_loss(self, event: members.CongestionEvent) -> None:
        """RFC 9438, sections 4.6 and 4.7."""
        is_lower = self.window < self.before
        self.before = self.window * (1 + self.beta) / 2 if is_lower else self.window
        self.take(max(int(self.window * self.beta), 2))
        self.ssthresh, self.epoch = self.cwnd, -1.0

    def on_timeout(self, event: members.CongestionEvent) -> None:
        """RFC 9438, section 4.8."""
        self.on_loss(event)
        self.before = 0.0
        self.take(1)
