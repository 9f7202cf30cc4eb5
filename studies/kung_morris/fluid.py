"""The authors' sketch of an overflow, solved exactly, with a fluid in place of cells.

Time is counted in packet times of the output, and the buffer in packets. A packet comes in at
`SPEED` times the rate of the output, so that it takes a third of a packet time and leaves two
thirds of a packet in the queue. One more packet than usual comes at 7/3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

SPEED = 3
"""Rate of the input over the rate of the output."""
BUFFER = Fraction(2)
EXTRA = Fraction(7, 3)
"""Start of the packet by which the window has grown."""
STARTS = tuple(sorted([*map(Fraction, range(6)), Fraction(1, 3), EXTRA]))
"""Packets arrive one packet time apart; the second, at 1/3, keeps one queued before each."""


@dataclass(frozen=True)
class Filling:
    """Occupancy of the buffer over time, and losses."""

    corners: tuple[tuple[Fraction, Fraction], ...]
    """Times and packets in the buffer; it changes linearly in between."""
    lost: dict[Fraction, Fraction]
    """Share of each damaged packet that was lost, by its start."""
    full: Fraction | None
    """Time at which the buffer is first full and drops fluid."""


def fill(policy: str, buffer: Fraction = BUFFER, starts: Iterable[Fraction] = STARTS) -> Filling:
    """Offer packets to a buffer that is `unlimited`, or drops by the rule `plain`, `PPD` or `EPD`.

    >>> sketch = fill("plain")
    >>> str(sketch.full), {str(start): str(part) for start, part in sketch.lost.items()}
    ('5/2', {'7/3': '1/3', '3': '1/3'})
    """
    now = queue = Fraction(0)
    corners = [(now, queue)]
    lost: dict[Fraction, Fraction] = {}
    full: Fraction | None = None

    def until(time: Fraction, slope: int) -> None:
        nonlocal now, queue
        if slope < 0 and queue < time - now:
            corners.append((now + queue, Fraction(0)))
        queue = max(Fraction(0), queue + slope * (time - now))
        now = time
        corners.append((now, queue))

    for start in starts:
        until(start, -1)
        end = start + Fraction(1, SPEED)
        if policy == "EPD" and buffer - queue < 1:
            lost[start] = Fraction(1)
            until(end, -1)
            continue
        overflow = now + (buffer - queue) / (SPEED - 1)
        if policy == "unlimited" or overflow >= end:
            until(end, SPEED - 1)
            continue
        full = full or overflow
        until(overflow, SPEED - 1)
        # A full buffer accepts fluid at the rate of the output, unless the packet is being dropped.
        lost[start] = (end - overflow) * (SPEED if policy == "PPD" else SPEED - 1)
        until(end, -1 if policy == "PPD" else 0)
    return Filling(tuple(corners), lost, full)
