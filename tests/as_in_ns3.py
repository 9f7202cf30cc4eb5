"""Rules of ns-3.44 that its managed queues and its BBR have and cellrelay has not.

A test loads this file as members, in order to show what the rules change.
"""

from __future__ import annotations

import random
import runpy
from collections import deque
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from cellrelay import members

REFERENCE, UPDATE, BURST, RESET = 0.015, 0.015, 0.15, 1.5
"""Seconds: the target, the time between updates, the allowance, and the rest before a new one."""
DIVISORS = ((1e-6, 2048), (1e-5, 512), (1e-4, 128), (1e-3, 32), (1e-2, 8), (1e-1, 2))


@members.discard(name="pie_as_in_ns")
class PieAsInNs:
    """PIE behind which a device holds a packet, with the wait of the packet that came there last.

    The first packet of the queue is that of the device: the policy sees those behind it alone.
    """

    compares_vcs = True
    whole_packets = True

    def begin(self, buffer: members.Buffer) -> None:
        self.random = random.Random(buffer.seed)
        self.joined: deque[float] = deque()
        self.leaving: deque[float] = deque()
        self.now = self.due = self.wait = self.last = self.probability = self.allowance = 0.0
        self.burst, self.rests = "none", 0

    def on_join(self, vc: int, units: int) -> None:
        self.joined.append(self.now)
        if len(self.joined) == 1:
            self.wait = 0.0

    def on_leave(self, vc: int, units: int, at: float) -> None:
        self.leaving.append(at)

    def take(self, until: float) -> None:
        """Moves packets into the device, as those before them are sent."""
        while self.leaving and self.leaving[0] <= until:
            at = self.leaving.popleft()
            self.joined.popleft()
            self.wait = at - self.joined[0] if len(self.joined) > 1 else 0.0

    def update(self) -> None:
        """`CalculateP`."""
        step = 0.0
        if self.allowance > 0:
            self.probability = 0.0
        else:
            step = 0.125 * (self.wait - REFERENCE) + 1.25 * (self.wait - self.last)
            step /= next((by for bound, by in DIVISORS if self.probability < bound), 1)
        if self.probability >= 0.1:
            step = min(step, 0.02)
        probability = self.probability + step
        if self.wait == 0 and self.last == 0:
            probability *= 0.98
        self.probability = max(probability, 0.0)
        self.allowance = 0.0 if self.allowance < UPDATE else self.allowance - UPDATE
        self.follow_burst()
        self.last = self.wait

    def follow_burst(self) -> None:
        """Another burst passes after a rest without congestion."""
        is_idle = max(self.wait, self.last) < REFERENCE / 2 and self.probability == 0
        if not (is_idle and self.allowance == 0):
            self.rests = 0
        elif self.burst == "protected":
            self.burst, self.rests = "over", 0
        elif self.burst == "over":
            self.rests += 1
            if self.rests > RESET / UPDATE:
                self.burst, self.rests = "none", 0

    def drops(self) -> bool:
        """`DropEarly`."""
        if self.allowance > 0:
            return False
        if self.burst == "none":
            self.burst, self.allowance = "protected", BURST
        if self.last < REFERENCE / 2 and self.probability < 0.2:
            return False
        return len(self.joined) - 1 > 2 and self.random.random() <= self.probability

    def admit(self, offer: members.Offer) -> bool:
        while self.due <= offer.now:
            self.take(self.due)
            self.update()
            self.due += UPDATE
        self.take(offer.now)
        self.now = offer.now
        return offer.fits and not self.drops()


@members.congestion(name="sack_of_pipe")
class SackOfPipe:
    """SACK in which a loss cuts the estimate of what is in flight, not the flight size."""

    recovery = "sack"

    def begin(self, limits: members.Limits) -> None:
        self.mss, self.most = limits.mss, limits.window
        self.cwnd, self.ssthresh = float(limits.initial), float(limits.ssthresh)
        self.cuts = False

    def on_ack(self, ack: members.Ack) -> None:
        step = self.mss if self.cwnd < self.ssthresh else self.mss * self.mss / self.cwnd
        if ack.limited:
            self.cwnd = min(self.cwnd + step, self.most)

    def cut(self, flight: int) -> None:
        self.cwnd = self.ssthresh = max(flight / 2, 2 * self.mss)

    def on_loss(self, event: members.CongestionEvent) -> None:
        self.cut(event.flight)
        self.cuts = True

    def on_timeout(self, event: members.CongestionEvent) -> None:
        if not event.again:
            self.cut(event.flight)
        self.cwnd = self.mss

    def on_delivery(self, sample: members.Delivery) -> None:
        if self.cuts:
            self.cut(sample.in_flight)
            self.cuts = False


BBR = Path(__file__).parents[1] / "examples/members/bbr.py"
example: Any = runpy.run_path(str(BBR), run_name="example")["MyBbr"]


@members.congestion(name="bbr_of_segment_more")
class BbrOfSegmentMore(example):  # type: ignore[misc]
    """BBR with a delivery rate of a segment more, which paces 1 % below its estimate."""

    recovery = "sack"

    def pace(self, sample: members.Delivery) -> None:
        super().pace(sample)
        if self.pacing_rate is not None:
            self.pacing_rate *= 0.99

    def take_rate(self, sample: members.Delivery, is_limited: bool) -> None:
        names = [name for name in dir(sample) if not name.startswith("_")]
        copied: Any = SimpleNamespace(**{name: getattr(sample, name) for name in names})
        span = sample.delivered - sample.prior_delivered
        if sample.rate is not None and span > 0:
            copied.rate = sample.rate * (1 + self.mss / span)
        super().take_rate(copied, is_limited)


@members.congestion(name="bbr_as_in_ns")
class BbrAsInNs(BbrOfSegmentMore):
    """The same, with RACK, and samples of all that is sent: no mark of ProbeRTT reaches one."""

    recovery = "rack"

    def is_limited(self, sample: members.Delivery) -> bool:
        return sample.is_app_limited
