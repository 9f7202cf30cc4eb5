"""BBR, version 1: a model of the path in place of losses.

Cardwell, Cheng, Gunn, Hassas Yeganeh and Jacobson, "BBR: Congestion-Based Congestion Control", ACM
Queue 14(5), 2016; Cardwell and others, "BBR Congestion Control",
draft-cardwell-iccrg-bbr-congestion-control-00, 2017, whose sections are cited.

The rates of the model are those of user data; segments leave with their headers, so the pacing
rate is larger by these. The data in flight is `Delivery.in_flight`: without what the receiver has
reported and what is lost, as in Linux.

Two rules come from Linux and not from the draft. The window has room for the data that
acknowledgments gather, and the flow finds the rate of a policer.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field

from cellrelay import members

HIGH_GAIN = 2.885
"""2 / ln 2: the least gain that doubles the sending rate each round (section 4.3.2)."""

CYCLE = (1.25, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
"""Pacing gains of PROBE_BW (section 4.3.4)."""

ROUNDS = 10
"""Rounds over which the largest delivery rate counts (section 4.1.1)."""

EXPIRY = 10.0
"""Seconds after which the smallest round-trip time is measured anew (section 4.1.2)."""

PROBE = 0.2
"""Seconds with four segments outstanding in PROBE_RTT (section 4.3.5)."""


@dataclass
class Aggregation:
    """Data that acknowledgments report at once: `bbr_update_ack_aggregation` of Linux."""

    since: float = 0.0
    acknowledged: float = 0.0
    most: tuple[float, float] = (0.0, 0.0)
    """The largest excess of the present five rounds, and of the five before them."""
    rounds: int = 0

    def take(
        self, sample: members.Delivery, starts_round: bool, rate: float, cwnd: float, mss: int
    ) -> None:
        """Take a sample, with the bandwidth in bit/s and a window in octets."""
        if sample.newly == 0 or sample.rate is None:
            return
        if starts_round:
            self.rounds += 1
            if self.rounds >= 5:
                self.rounds, self.most = 0, (0.0, self.most[0])
        expected = rate * float(sample.now - self.since) / 8
        if self.acknowledged <= expected or self.acknowledged + sample.newly >= 2**20 * mss:
            self.since, self.acknowledged, expected = sample.now, 0.0, 0.0
        self.acknowledged += sample.newly
        extra = min(self.acknowledged - expected, cwnd)
        self.most = (max(self.most[0], extra), self.most[1])

    def extra(self, rate: float) -> float:
        """Octets for which the window makes room: those of 100 ms at most."""
        return min(max(self.most), rate * 0.1 / 8)


@dataclass
class LongTerm:
    """The rate of a policer, which shows in two intervals with many losses and nearly one rate.

    `bbr_lt_bw_sampling` of Linux.
    """

    rate: float = 0.0
    is_used: bool = False
    interval: tuple[float, int, int] | None = None
    """Time, octets delivered and octets lost at the start of the present interval."""
    rounds: int = 0
    lost: int = 0
    delivered: int = 0
    delivered_at: float = 0.0

    def take(
        self, sample: members.Delivery, starts_round: bool, is_limited: bool, probes: bool
    ) -> str:
        """Take a sample; return `begins` or `ends` if the use of the rate begins or ends."""
        self.lost += sample.lost
        if sample.newly > 0:
            self.delivered, self.delivered_at = sample.delivered, sample.now
        if sample.rate is None:
            return "none"
        return self.go_on(sample.lost > 0, starts_round, is_limited, probes)

    def go_on(self, loses: bool, ends_round: bool, is_limited: bool, probes: bool) -> str:
        """Use the rate for 48 rounds, or end an interval of 4 to 16 rounds at a loss."""
        if self.is_used:
            self.rounds += probes and ends_round
            if self.rounds < 48:
                return "none"
            self.forget()
            return "ends"
        if self.interval is None and loses:
            self.begin_interval()
        if self.interval is None:
            return "none"
        self.rounds += ends_round
        if is_limited or self.rounds > 16:
            self.forget()
        elif self.rounds >= 4 and loses:
            return self.end_interval(*self.interval)
        return "none"

    def forget(self) -> None:
        """Forget the interval and the rate."""
        self.rate, self.is_used, self.interval, self.rounds = 0.0, False, None, 0

    def begin_interval(self) -> None:
        """Begin at a loss, which shows that the tokens are spent."""
        self.rounds, self.interval = 0, (self.delivered_at, self.delivered, self.lost)

    def end_interval(self, since: float, delivered: int, lost: int) -> str:
        """Count the rate of an interval that lost at least 50 octets for 256 delivered."""
        arrived, span = self.delivered - delivered, float(self.delivered_at - since)
        if arrived == 0 or self.lost - lost < 50 / 256 * arrived or span < 0.001:
            return "none"
        rate = arrived * 8 / span
        difference = abs(rate - self.rate)
        if self.rate > 0 and (difference <= 0.125 * self.rate or difference <= 4000):
            self.rate, self.is_used, self.rounds = (self.rate + rate) / 2, True, 0
            return "begins"
        self.rate = rate
        self.begin_interval()
        return "none"


@members.congestion
class MyBbr:
    """BBR, version 1: paces at the bottleneck bandwidth with two bandwidth-delay products."""

    recovery = "sack"
    cwnd: float = field(init=False)
    pacing_rate: float | None = field(init=False)

    def begin(self, limits: members.Limits) -> None:
        """Start without an estimate of the path."""
        self.mss, self.most, self.header = limits.mss, limits.window, limits.header
        self.initial = min(limits.initial, limits.window)
        self.random = random.Random(limits.seed)
        self.rates: deque[tuple[int, float]] = deque()
        self.round, self.round_ends = 0, 0
        self.rtt, self.rtt_at = float("inf"), 0.0
        self.state, self.gain, self.window_gain = "startup", HIGH_GAIN, HIGH_GAIN
        self.full, self.full_rounds, self.is_filled = 0.0, 0, False
        self.phase, self.phase_at = 0, 0.0
        self.probe_until: float | None = None
        self.probe_had_round = False
        self.probed_from, self.probed_until = float("inf"), 0.0
        self.prior, self.own, self.repair = 0.0, float(self.initial), "none"
        self.paced, self.pacing_rate = 0.0, None
        self.aggregation, self.long_term = Aggregation(), LongTerm()

    @property
    def rate(self) -> float:
        """The bottleneck bandwidth in bit/s."""
        return max((rate for _, rate in self.rates), default=0.0)

    @property
    def send_rate(self) -> float:
        """The bandwidth at which the flow sends in bit/s: that of a policer, while it is used."""
        return self.long_term.rate if self.long_term.is_used else self.rate

    def product(self, gain: float, rate: float | None = None) -> float:
        """A multiple of the bandwidth-delay product in octets (section 4.2.3)."""
        if self.rtt == float("inf"):
            return self.cwnd
        return gain * (self.rate if rate is None else rate) * self.rtt / 8 + 3 * self.mss

    def on_delivery(self, sample: members.Delivery) -> None:
        """Update the model of the path, and then the rate and the window."""
        if self.repair != "none":
            self.cwnd = self.own  # The sender sets a window at the end of a recovery.
        starts_round = self.count_rounds(sample)
        is_limited = self.is_limited(sample)
        probes = self.state == "probe_bw"
        change = self.long_term.take(sample, starts_round, is_limited, probes)
        self.police(change, sample.now)
        self.take_rate(sample, is_limited)
        self.aggregation.take(sample, starts_round, self.send_rate, self.cwnd, self.mss)
        if starts_round and not is_limited:
            self.look_for_plateau()
        self.change_state(sample)
        self.take_round_trip(sample, starts_round)
        self.pace(sample)
        self.modulate(sample, starts_round)
        self.set_window(sample)
        self.own = self.cwnd

    def is_limited(self, sample: members.Delivery) -> bool:
        """Section 4.3.5: PROBE_RTT limits the samples of what it sends, as an application does."""
        is_of_probe = self.probed_from <= sample.prior_delivered <= self.probed_until
        return sample.is_app_limited or is_of_probe

    def pace(self, sample: members.Delivery) -> None:
        """Section 4.2.1: until the pipe is full, the rate only grows."""
        if self.paced == 0:
            if sample.rtt is None:
                return
            self.paced = HIGH_GAIN * self.initial * 8 / sample.rtt
        rate = self.gain * self.send_rate
        if rate > 0 and (self.is_filled or rate > self.paced):
            self.paced = rate
        self.pacing_rate = self.paced * (self.mss + self.header) / self.mss

    def count_rounds(self, sample: members.Delivery) -> bool:
        """Section 4.1.1: a round ends when data sent after its start is delivered."""
        if sample.newly == 0 or sample.prior_delivered < self.round_ends:
            return False
        self.round_ends = sample.delivered
        self.round += 1
        return True

    def take_rate(self, sample: members.Delivery, is_limited: bool) -> None:
        """Section 4.1.1: the largest rate of the latest rounds."""
        if sample.rate is None or (is_limited and sample.rate < self.rate):
            return
        while self.rates and self.rates[-1][1] <= sample.rate:
            self.rates.pop()
        self.rates.append((self.round, sample.rate))
        while self.rates[0][0] <= self.round - ROUNDS:
            self.rates.popleft()

    def look_for_plateau(self) -> None:
        """Section 4.3.2: the pipe is full after three rounds without a quarter more."""
        if self.rate >= 1.25 * self.full:
            self.full, self.full_rounds = self.rate, 0
        else:
            self.full_rounds += 1
            self.is_filled = self.is_filled or self.full_rounds >= 3

    def change_state(self, sample: members.Delivery) -> None:
        """Sections 4.3.2 to 4.3.4: STARTUP, DRAIN and PROBE_BW."""
        if self.state == "startup" and self.is_filled:
            self.state, self.gain, self.window_gain = "drain", 1 / HIGH_GAIN, HIGH_GAIN
        if self.state == "drain" and sample.in_flight <= self.product(1.0):
            self.enter_probe_bw(sample.now)
        if self.state == "probe_bw":
            self.advance_cycle(sample)

    def enter_probe_bw(self, now: float) -> None:
        """Section 4.3.4: at a random phase, but that of the low gain."""
        self.state, self.window_gain = "probe_bw", 2.0
        self.begin_phase(now, self.random.choice([0, 2, 3, 4, 5, 6, 7]))

    def begin_phase(self, now: float, phase: int) -> None:
        """Begin a phase; behind a policer its gain is 1, since more would be dropped."""
        self.phase, self.phase_at = phase, now
        self.gain = 1.0 if self.long_term.is_used else CYCLE[phase]

    def police(self, change: str, now: float) -> None:
        """The use of the rate of a policer begins or ends."""
        if change == "begins" and self.state == "probe_bw":
            self.gain = 1.0
        elif change == "ends":
            self.enter_probe_bw(now)

    def advance_cycle(self, sample: members.Delivery) -> None:
        """Section 4.3.4."""
        is_long = sample.now - self.phase_at > self.rtt
        if self.gain > 1:
            ends = is_long and (sample.lost > 0 or sample.in_flight >= self.product(self.gain))
        elif self.gain < 1:
            ends = is_long or sample.in_flight <= self.product(1.0)
        else:
            ends = is_long
        if ends:
            self.begin_phase(sample.now, (self.phase + 1) % len(CYCLE))

    def take_round_trip(self, sample: members.Delivery, starts_round: bool) -> None:
        """Sections 4.1.2 and 4.3.5: the smallest round-trip time, and PROBE_RTT once it is old."""
        is_old = sample.now > self.rtt_at + EXPIRY
        if sample.rtt is not None and (sample.rtt <= self.rtt or is_old):
            self.rtt, self.rtt_at = sample.rtt, sample.now
        if is_old and self.state != "probe_rtt":
            self.save_window()
            self.state, self.gain, self.window_gain = "probe_rtt", 1.0, 1.0
            self.probe_until, self.probe_had_round = None, False
            self.probed_from = sample.delivered
        if self.state == "probe_rtt":
            self.probe_round_trip(sample, starts_round)

    def probe_round_trip(self, sample: members.Delivery, starts_round: bool) -> None:
        """Section 4.3.5: four segments are outstanding for 200 ms and a round."""
        self.probed_until = sample.delivered + sample.in_flight
        self.probe_had_round = self.probe_had_round or starts_round
        if self.probe_until is None:
            if sample.in_flight <= 4 * self.mss:
                self.round_ends = sample.delivered
                self.probe_until, self.probe_had_round = sample.now + PROBE, False
        elif self.probe_had_round and sample.now > self.probe_until:
            self.rtt_at = sample.now
            self.cwnd = max(self.cwnd, self.prior)
            if self.is_filled:
                self.enter_probe_bw(sample.now)
            else:
                self.state, self.gain, self.window_gain = "startup", HIGH_GAIN, HIGH_GAIN

    def save_window(self) -> None:
        """Section 4.2.3.4: a recovery or PROBE_RTT has cut the window, so the larger is kept."""
        is_cut = self.repair != "none" or self.state == "probe_rtt"
        self.prior = max(self.prior, self.cwnd) if is_cut else self.cwnd

    def modulate(self, sample: members.Delivery, starts_round: bool) -> None:
        """Section 4.2.3.4: in the first round of a recovery as much leaves as is delivered."""
        if not sample.in_recovery:
            if self.repair in ("conserving", "growing", "timed out"):
                self.cwnd = max(self.cwnd, self.prior)
            self.repair = "none"
        elif self.repair == "noticed":
            self.cwnd = sample.in_flight + max(sample.newly, self.mss)
            self.repair, self.round_ends = "conserving", sample.delivered
        else:
            if self.repair == "none" or (self.repair == "conserving" and starts_round):
                self.repair = "growing"
            self.cwnd = max(self.cwnd - sample.lost, self.mss)
        if self.repair == "conserving":
            self.cwnd = max(self.cwnd, sample.in_flight + sample.newly)

    def set_window(self, sample: members.Delivery) -> None:
        """Section 4.2.3.6."""
        rate = self.send_rate
        target = self.product(self.window_gain, rate)
        if self.is_filled:
            target += self.aggregation.extra(rate)
        if self.repair != "conserving":
            if self.is_filled:
                self.cwnd = min(self.cwnd + sample.newly, target)
            elif self.cwnd < target or sample.delivered < 10 * self.mss:
                self.cwnd += sample.newly
            self.cwnd = max(self.cwnd, 4 * self.mss)
        self.cwnd = min(self.cwnd, self.most)
        if self.state == "probe_rtt":
            self.cwnd = min(self.cwnd, 4 * self.mss)

    def on_ack(self, ack: members.Ack) -> None:
        """The window follows the delivery of data only."""

    def on_loss(self, event: members.CongestionEvent) -> None:
        """A loss alone is no sign of congestion."""
        self.save_window()
        self.own = self.cwnd
        if self.repair not in ("conserving", "growing"):
            self.repair = "noticed"

    def on_timeout(self, event: members.CongestionEvent) -> None:
        """Section 4.2.3.4: one segment, and growth from there."""
        self.save_window()
        self.cwnd = self.own = self.mss
        self.full, self.repair = 0.0, "timed out"
        self.long_term.lost += self.mss
        self.police(self.long_term.go_on(True, True, False, self.state == "probe_bw"), event.now)

    def on_mark(self, event: members.CongestionEvent) -> None:
        """Marks reduce nothing."""
