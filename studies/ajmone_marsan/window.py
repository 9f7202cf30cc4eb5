"""Claims 003-1 to 003-5 and 003-12: TCP, whose window must be right."""

from __future__ import annotations

import math
from itertools import pairwise

from cellrelay.results import PointResult
from cellrelay.statistics import Estimate, mean
from cellrelay.studies import Check, Outcome, above, average, claim, gain, judge, known, scaled
from cellrelay.studies.claim import Measured

from .experiments import LARGE_WINDOW, LOADS, STOP_AND_WAIT
from .measures import (
    LOSSLESS,
    MBIT,
    PAYLOAD,
    Curve,
    apart,
    beyond,
    curve,
    each,
    efficiency,
    free,
    goodput,
    knee,
    refused,
    relative,
    said_knee,
    series,
    up_to,
)
from .transports import LARGE, SHAPED, SIZES, SMALL, THIRD, TRIPLE, UNSHAPED

LIGHT = 20
"""Mbit/s of other traffic up to which nothing is lost."""
KNEE = (30, 55)
"""Mbit/s of other traffic between which losses begin."""
A_LOT = 0.10
"""More goodput, as a share."""
NEAR = 0.15
"""How far from the free capacity, as a share of it, is near: light load, and buffers half full."""


def third(measured: Measured, size: str, shaping: str = UNSHAPED) -> Curve:
    """TCP with a window for a third of the link."""
    return curve(measured["tcp-third"], size=size, shaping=shaping)


def triple(measured: Measured, size: str, shaping: str = UNSHAPED) -> Curve:
    """TCP with a window three times as large."""
    return curve(measured["tcp-triple"], size=size, shaping=shaping)


@claim(
    "003-1",
    "With a window for a third of the link, TCP takes nearly all that light background traffic"
    " leaves, with an efficiency of 1; at higher loads both drop sharply.",
    rule=f"unshaped, each segment size: up to {LIGHT} Mbit/s the efficiency is at least {LOSSLESS}"
    f" and goodput within {NEAR:.0%} of the user data that a third of the free capacity may carry;"
    f" it falls below {LOSSLESS} between {KNEE[0]} and {KNEE[1]} Mbit/s; at 60 Mbit/s goodput is"
    " less than 0.8 of what the free capacity carries",
)
def light_load_is_carried(measured: Measured) -> Outcome:
    checks, words = [], []
    for size in SIZES:
        points = third(measured, size)
        for load, point in up_to(points, LIGHT).items():
            most = free(LOADS[load], PAYLOAD)
            checks.append(Check(f"{size}, {load}, loss", average(efficiency, point) >= LOSSLESS))
            is_near = abs(relative(average(goodput, point), most)) <= NEAR
            checks.append(Check(f"{size}, {load}, goodput", is_near))
        before, after = knee(points)
        is_there = before >= LIGHT and KNEE[0] <= after <= KNEE[1]
        checks.append(Check(f"knee of {size}", is_there))
        loaded = points["60 Mbit/s"]
        is_low = average(goodput, loaded) < 0.8 * free(60, PAYLOAD)
        checks.append(Check(f"{size}, the drop", is_low))
        words.append(f"{size}: loss begins {said_knee(points)} Mbit/s")
    shown = up_to(third(measured, LARGE), 60)
    return judge(
        "\n".join(
            [*words, f"goodput with {LARGE} at {', '.join(shown)}: {series(goodput, shown)}"]
        ),
        checks,
    )


@claim(
    "003-2",
    "Each connection is within 1 or 2 % of the mean of the three.",
    rule="TCP with a window for a third of the link, unshaped, each segment size and load: no"
    " goodput of a connection over the whole run is more than 2 % from the mean",
)
def connections_are_alike(measured: Measured) -> Outcome:
    checks: list[Check] = []
    light = heavy = 0.0
    for size in SIZES:
        for load, point in third(measured, size).items():
            values = each("goodput", point, MBIT)
            mean = sum(values) / len(values)
            off = max(abs(relative(value, mean)) for value in values)
            checks.append(Check(f"{size}, {load}", off <= 0.02))
            if LOADS[load] <= LIGHT:
                light = max(light, off)
            else:
                heavy = max(heavy, off)
    return judge(
        f"up to {LIGHT} Mbit/s {light:.1%} from the mean at most, beyond {heavy:.0%}",
        checks,
        "where connections lose, how far they are from their mean depends on how long one looks",
    )


@claim(
    "003-3",
    "A window three times as large does much worse, and loses even without background traffic.",
    rule="unshaped, each segment size: without background traffic the bottleneck refuses packets;"
    " up to 30 Mbit/s goodput is less than 0.85 of that with the smaller window",
)
def large_windows_do_badly(measured: Measured) -> Outcome:
    checks, words = [], []
    for size in SIZES:
        small, large = third(measured, size), triple(measured, size)
        alone = large["0 Mbit/s"]
        checks.append(Check(f"{size}, loss", average(refused, alone) > 0))
        losses = apart(up_to(large, 30), small, goodput, relative)
        checks += [Check(f"{size}, {load}", loss < -0.15) for load, loss in losses.items()]
        words.append(
            f"{size} alone: {known(goodput, alone)} Mbit/s instead of"
            f" {known(goodput, small['0 Mbit/s'])}, efficiency {known(efficiency, alone)}"
        )
    return judge("\n".join(words), checks)


@claim(
    "003-4",
    "The segment size hardly changes goodput; the smaller it is, the better the efficiency in"
    " overload.",
    rule="window for a third, unshaped: from 60 to 100 Mbit/s goodputs of any two sizes differ by"
    " at most 15 % of the larger size's, and the efficiency grows with each smaller size",
)
def segment_size(measured: Measured) -> Outcome:
    curves = {size: beyond(up_to(third(measured, size), 100), 60) for size in SIZES}
    checks = []
    for larger, smaller in ((LARGE, SIZES[1]), (SIZES[1], SMALL), (LARGE, SMALL)):
        changes = apart(curves[smaller], curves[larger], goodput, relative)
        checks += [
            Check(f"goodput of {smaller} against {larger}, {load}", abs(change) <= 0.15)
            for load, change in changes.items()
        ]
    for larger, smaller in pairwise(SIZES):
        for load, point in curves[smaller].items():
            gain = average(efficiency, point) - average(efficiency, curves[larger][load])
            checks.append(Check(f"efficiency of {smaller} against {larger}, {load}", gain > 0))
    words = (
        f"{size}: {known(goodput, points['80 Mbit/s'])} Mbit/s,"
        f" efficiency {known(efficiency, points['80 Mbit/s'])}"
        for size, points in curves.items()
    )
    return judge("\n".join(["at 80 Mbit/s", *words]), checks)


@claim(
    "003-5",
    "Shaping does not make TCP better in the bottleneck; it may be slightly worse.",
    rule="window for a third, each segment size and load: goodput shaped is at most 5 % above"
    " goodput unshaped",
)
def shaping_does_not_help(measured: Measured) -> Outcome:
    checks: list[Check] = []
    changes: dict[tuple[str, str], float] = {}
    for size in SIZES:
        found = apart(third(measured, size, SHAPED), third(measured, size), goodput, relative)
        changes |= {(size, load): change for load, change in found.items()}
        checks += [Check(f"{size}, {load}", change <= 0.05) for load, change in found.items()]
    best, worst = max(changes, key=changes.__getitem__), min(changes, key=changes.__getitem__)
    return judge(
        f"from {changes[worst]:+.0%} ({', '.join(worst)}) to {changes[best]:+.0%}"
        f" ({', '.join(best)})",
        checks,
        "where a window just fills the buffer, three bursts at once overflow it and evenly spaced"
        " cells do not; with three times the window and no other traffic, shaped sources just fill"
        " the link and lose nothing",
    )


@claim(
    "003-12",
    "Over 10 km TCP does very badly with a large window, and perfectly with two segments of 1142"
    " bytes, almost as a stop-and-wait protocol.",
    rule=f"{STOP_AND_WAIT}: efficiency at least {LOSSLESS} and goodput at least 0.8 of what the"
    f" free capacity carries, at each load; {LARGE_WINDOW}: efficiency at most 0.9 at each load",
)
def stop_and_wait(measured: Measured) -> Outcome:
    small = curve(measured["short-tcp"], window=STOP_AND_WAIT)
    large = curve(measured["short-tcp"], window=LARGE_WINDOW)
    checks = []
    for load, point in small.items():
        most = free(LOADS[load], PAYLOAD)
        checks.append(Check(f"loss at {load}", average(efficiency, point) >= LOSSLESS))
        checks.append(Check(f"goodput at {load}", average(goodput, point) >= 0.8 * most))
    checks += [
        Check(f"{LARGE_WINDOW} at {load}", average(efficiency, point) <= 0.9)
        for load, point in large.items()
    ]
    lowest = min(average(efficiency, point) for point in small.values())
    return judge(
        f"{STOP_AND_WAIT}: efficiency at least {lowest:.3f}, goodput at {', '.join(small)}"
        f" {series(goodput, small)}; {LARGE_WINDOW}: efficiency {series(efficiency, large, '.2f')}",
        checks,
    )


@claim(
    "003-18",
    "Selective acknowledgments, which the authors left out, could do a lot over long paths.",
    rule=f"TCP unshaped, both windows, each segment size, from 40 to 100 Mbit/s: goodput with SACK"
    f" is more than {A_LOT:.0%} above that of Reno; undecided where the interval of the paired"
    " difference includes that",
)
def selective_acknowledgments(measured: Measured) -> Outcome:
    checks, words = [], []
    for name, window in (("third", THIRD), ("triple", TRIPLE)):
        for size in SIZES:
            reno, sack = (
                beyond(up_to(curve(measured[one], size=size, shaping=UNSHAPED), 100), 40)
                for one in (f"tcp-{name}", f"sack-{name}")
            )
            gains = {load: relative_gain(point, reno[load]) for load, point in sack.items()}
            checks += [
                above(f"{size}, {window}, {load}", gain, A_LOT) for load, gain in gains.items()
            ]
            all_in_all = mean([gain.mean for gain in gains.values()])
            words.append(f"{size}, {window}: {all_in_all:+.0%} in the mean over loads")
    return judge("\n".join(words), checks)


def relative_gain(point: PointResult, base: PointResult) -> Estimate:
    """How much more goodput there is at a point, as a share of that at another."""
    of_base = average(goodput, base)
    return gain(scaled(goodput, 1 / of_base), point, base)


def largest(values: dict[str, float]) -> tuple[str, float]:
    """The value that is furthest from zero, and where it is."""
    place = max(values, key=lambda name: abs(values[name]), default="")
    return place, values.get(place, math.nan)
