"""BBR against the class of `examples/members`, packet by packet."""

from __future__ import annotations

import runpy
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from benches.bbr import Course

import cellrelay
from cellrelay import members

from .test_bbr import BBR, network

WORD = 2**64


class Stream:
    """The random stream of a flow: xoshiro256++, with a key by FNV-1a, filled by SplitMix64."""

    def __init__(self, owner: str, purpose: str, seed: int = 1) -> None:
        key = 0xCBF2_9CE4_8422_2325
        for byte in (
            *seed.to_bytes(8, "little"),
            *bytes(8),
            *owner.encode(),
            0xFF,
            *purpose.encode(),
        ):
            key = (key ^ byte) * 0x100_0000_01B3 % WORD
        self.words = []
        for _ in range(4):
            key = (key + 0x9E37_79B9_7F4A_7C15) % WORD
            mixed = (key ^ key >> 30) * 0xBF58_476D_1CE4_E5B9 % WORD
            mixed = (mixed ^ mixed >> 27) * 0x94D0_49BB_1331_11EB % WORD
            self.words.append(mixed ^ mixed >> 31)

    @staticmethod
    def turned(word: int, bits: int) -> int:
        return (word << bits | word >> 64 - bits) % WORD

    def bits(self) -> int:
        a, b, c, d = self.words
        drawn = (self.turned((a + d) % WORD, 23) + a) % WORD
        c, d = c ^ a, d ^ b
        self.words = [a ^ d, b ^ c, c ^ (b << 17) % WORD, self.turned(d, 45)]
        return drawn

    def choice(self, among: list[int]) -> int:
        number = len(among)
        while True:
            product = self.bits() * number
            if product % WORD >= -number % WORD % number:
                return among[product // WORD]


def exact(seconds: float | None) -> Fraction | None:
    """A time as the whole picoseconds that the run counts."""
    return None if seconds is None else Fraction(round(seconds * 10**12), 10**12)


def register_twin() -> None:
    """Registers the class of the example as `bbr_twin`.

    It draws from the stream of the built-in, compares times exactly as that does, and states the
    slow-start threshold, which the example leaves alone.
    """
    example: Any = runpy.run_path(str(BBR), run_name="example")["MyBbr"]

    @members.congestion(name="bbr_twin")
    class Twin(example):  # type: ignore[misc]
        """The class of the example."""

        ssthresh: float

        def begin(self, limits: members.Limits) -> None:
            super().begin(limits)
            self.random = Stream("f0", "congestion control")

        def on_delivery(self, sample: members.Delivery) -> None:
            names = [name for name in dir(sample) if not name.startswith("_")]
            copied: Any = SimpleNamespace(**{name: getattr(sample, name) for name in names})
            copied.now, copied.rtt = exact(sample.now), exact(sample.rtt)
            super().on_delivery(copied)

        def change_state(self, sample: members.Delivery) -> None:
            if self.state == "startup" and self.is_filled:
                self.ssthresh = max(int(self.product(1.0)), 2 * self.mss)
            super().change_state(sample)

        def on_loss(self, event: members.CongestionEvent) -> None:
            super().on_loss(event)
            self.ssthresh = max(min(self.ssthresh, int(self.cwnd)), 2 * self.mss)

        def on_timeout(self, event: members.CongestionEvent) -> None:
            self.on_loss(event)
            super().on_timeout(event)


@pytest.mark.parametrize(
    "course",
    [Course(0.04, 1.0, 1), Course(0.02, 0.3, 1), Course(0.04, 1.0, 1, 0.01)],
    ids=["clean", "short buffer", "lossy"],
)
def test_the_class_of_the_example_sends_the_same_packets(course: Course) -> None:
    register_twin()
    both = [
        cellrelay.trace_packets(network(course, control, times=(0, 12)))
        for control in ("bbr_sack", "bbr_twin")
    ]
    assert both[0].num_rows > 5_000
    assert both[0].equals(both[1])
