"""Claims 002-1 to 002-5: where throughput falls, why, and what the switch can do about it."""

from __future__ import annotations

from cellrelay.results import PointResult
from cellrelay.statistics import mean
from cellrelay.studies import (
    Check,
    Outcome,
    above,
    average,
    claim,
    gain,
    judge,
    known,
    said,
    within,
)
from cellrelay.studies.claim import Measured

from .experiments import BUFFERS, CELLS, LARGEST, LATE, LINEAR, PAPER_BUFFER, SIZES
from .measures import (
    BAD,
    GOOD,
    along,
    before_cliff,
    cliff,
    cliffs,
    damaged,
    grid,
    pause,
    paused,
    share,
    throughput,
    timeouts_of_event,
)
from .recordings import around_overflow, bursts

WINDOW, HEADER = 65536, 40
"""Octets of the window, and of each packet that are not data."""
PLACE = LARGEST, PAPER_BUFFER
"""Packets and buffer of the paper's graph over time."""


@claim(
    "002-1",
    "Whatever the size of packets, throughput is bad unless the buffer is close to the window of"
    " 64 KB, and good from slightly less on.",
    rule=f"plain ATM, each packet size: the mean share of the slow link is below {BAD} at every"
    f" buffer up to 48 KB; from some buffer above 48 KB and up to 64 KB on it is at least {GOOD}",
)
def cliff_below_the_window(measured: Measured) -> Outcome:
    points = grid(measured["plain"])
    checks = []
    for size in SIZES:
        checks += [
            Check(f"{size} at {buffer}", average(share, point) < BAD)
            for buffer, point in along(points, size).items()
            if BUFFERS[buffer] <= 48
        ]
        checks.append(Check(f"the cliff of {size}", 48 < cliff(points, size) <= 64))
    return judge(
        f"good with {cliffs(points)} on; {said(PLACE)} {known(throughput, points[PLACE])} MB/s",
        checks,
        "in cells the window takes"
        f" {', '.join(f'{taken(size):.0f} KB with {size}' for size in SIZES)}",
    )


def taken(size: str) -> float:
    """What the cells of a whole window take in the buffer, in KB."""
    packets = WINDOW // (int(size.split()[0]) - HEADER)
    return packets * CELLS[size] * 48 / 1024


@claim(
    "002-2",
    "With much less buffer, bursts of some tens of milliseconds are separated by pauses of 1.5 s:"
    " retransmission timeouts.",
    rule=f"plain ATM, {PAPER_BUFFER}, each packet size: the mean pause before a timeout is between"
    " 1.3 and 1.6 s, and pauses take at least 0.8 of the time; in the run that is drawn, of packets"
    f" of {LARGEST}, bursts last at most 0.1 s in the mean",
)
def pauses(measured: Measured) -> Outcome:
    points = grid(measured["plain"])
    checks, words = [], []
    for size in SIZES:
        point = points[size, PAPER_BUFFER]
        lengths = known(pause, point)
        checks.append(Check(f"pauses of {size}", 1.3 <= lengths.mean <= 1.6))
        checks.append(Check(f"the time in pauses of {size}", average(paused, point) >= 0.8))
        words.append(f"{size} {lengths} s")
    lasting = mean(bursts(measured["burst"].point(policy="plain ATM")))
    checks.append(Check("bursts", lasting <= 0.1))
    return judge(f"mean pauses: {', '.join(words)}; bursts {1000 * lasting:.0f} ms", checks)


@claim(
    "002-3",
    "When a window has grown too large for the buffer, a switch of cells damages two packets where"
    " a switch of packets loses one. A fast retransmission repairs one; two mean a timeout.",
    rule=f"{said(PLACE)}: the mean number of packets damaged for each loss that the sender notices"
    " is at least 1.5 for plain ATM and at most 1.25 for whole packets, and the mean number of"
    " timeouts at least 0.9 and at most 0.1; at the overflow that is drawn two packets lose cells",
)
def two_are_damaged(measured: Measured) -> Outcome:
    plain, whole = (grid(measured[name])[PLACE] for name in ("plain", "whole"))
    _, refused = around_overflow(measured["overflow"].point())
    packets = len(set(refused.values))
    checks = [
        Check("damage by cells", average(damaged, plain) >= 1.5),
        Check("damage by packets", average(damaged, whole) <= 1.25),
        Check("timeouts with cells", average(timeouts_of_event, plain) >= 0.9),
        Check("timeouts with packets", average(timeouts_of_event, whole) <= 0.1),
        Check("the overflow that is drawn", packets == 2),
    ]
    return judge(
        f"plain ATM {after_loss(plain)}; whole packets {after_loss(whole)};"
        f" at the overflow that is drawn {packets} packets",
        checks,
    )


def after_loss(point: PointResult) -> str:
    """What a loss costs, in words."""
    return f"{known(damaged, point)} packets and {known(timeouts_of_event, point)} timeouts a loss"


@claim(
    "002-4",
    "Partial packet discard has little effect.",
    rule="each packet size: the cliff is at most 4 KB from that of plain ATM, and at every buffer"
    " below both the means of the share of the link differ by at most 0.1",
)
def partial_changes_little(measured: Measured) -> Outcome:
    plain, partial = (grid(measured[name]) for name in ("plain", "partial"))
    checks, changes = [], {}
    for size in SIZES:
        moved = abs(cliff(plain, size) - cliff(partial, size))
        checks.append(Check(f"the cliff of {size}", moved <= 4))
        for buffer in before_cliff(plain, size):
            if buffer in before_cliff(partial, size):
                place = size, buffer
                changes[place] = gain(share, partial[place], plain[place])
    checks += [within(said(place), change, 0.1) for place, change in changes.items()]
    most = max(changes, key=lambda place: abs(changes[place].mean))
    return judge(
        f"good with {cliffs(partial)} on; plain ATM {cliffs(plain)}; below, the share changes by up"
        f" to {changes[most]} ({said(most)})",
        checks,
        f"good points by themselves are periodic orbits, and {without_orbits(measured)}",
    )


def without_orbits(measured: Measured) -> str:
    """What partial packet discard gives at most where hosts are not exact, in words."""
    late = grid(measured["late"])
    below = {place: late[place] for place in late if BUFFERS[place[1]] <= 48}
    most = max(below, key=lambda place: average(share, below[place]))
    return f"where packets are {LATE} the share is at most {known(share, below[most])} up to 48 KB"


@claim(
    "002-5",
    "Early packet discard does much better, since it concentrates what is lost in one packet, which"
    " a fast retransmission repairs.",
    rule=f"{said(PLACE)}: at most 1.25 packets damaged and 0.1 timeouts for each loss; a mean share"
    f" of the link of at least 0.5, and of at least {GOOD} if windows grow linearly; each packet"
    " size, at every buffer of 16 KB or more below the cliff of plain ATM: the share grows by more"
    " than 0.1",
)
def early_concentrates(measured: Measured) -> Outcome:
    plain, early = (grid(measured[name]) for name in ("plain", "early"))
    there = early[PLACE]
    linear = grid(measured["growth"], growth=LINEAR)[PLACE]
    checks = [
        Check("damage", average(damaged, there) <= 1.25),
        Check("timeouts", average(timeouts_of_event, there) <= 0.1),
        Check(f"the share of {said(PLACE)}", average(share, there) >= 0.5),
        Check("the same with linear growth", average(share, linear) >= GOOD),
    ]
    for size in SIZES:
        for buffer, point in before_cliff(plain, size).items():
            if BUFFERS[buffer] >= 16:
                gained = gain(share, early[size, buffer], point)
                checks.append(above(f"{size} at {buffer}", gained, 0.1))
    return judge(
        f"{said(PLACE)}: {known(throughput, there)} MB/s against {known(throughput, plain[PLACE])},"
        f" {after_loss(there)}; with linear growth {known(throughput, linear)} MB/s",
        checks,
        "with the S/8 that 4.3BSD-Reno adds, the windows of small packets grow by several packets"
        " at a time, and several are lost",
    )
