"""Claims 003-6 to 003-11: XTP, whose rate never changes."""

from __future__ import annotations

from itertools import pairwise

from cellrelay.results import PointResult
from cellrelay.studies import Check, Outcome, average, claim, judge, known
from cellrelay.studies.claim import Measured

from .experiments import INTERVALS
from .measures import (
    LOSSLESS,
    PAYLOAD,
    Curve,
    apart,
    beyond,
    curve,
    efficiency,
    free,
    goodput,
    knee,
    relative,
    said_knee,
    series,
    up_to,
    without_loss,
)
from .transports import GO_BACK_N, LARGE, RETRANSMISSIONS, SELECTIVE, SHAPED, SIZES, SMALL, UNSHAPED
from .window import largest

TEN_KM_LOAD = 50
"""Mbit/s up to which the paper finds no loss over 10 km."""
SPOILED = 0.9
"""Efficiency below which an association does badly."""


def xtp(measured: Measured, size: str, resent: str, shaping: str = UNSHAPED) -> Curve:
    """XTP over 1000 km."""
    return curve(measured[f"xtp-{size.split()[0]}"], resent=resent, shaping=shaping)


@claim(
    "003-6",
    "At low loads XTP loses nothing; without background traffic its goodput is below the channel"
    " rate, since the output buffer is a little smaller than the path.",
    rule=f"unshaped, each frame size, both retransmissions: up to 20 Mbit/s the efficiency is at"
    f" least {LOSSLESS}; without background traffic goodput is between 0.85 and 0.99 of what 50"
    " Mbit/s of cells carry",
)
def low_loads_are_carried(measured: Measured) -> Outcome:
    checks, words = [], []
    for size in SIZES:
        for resent in RETRANSMISSIONS:
            points = xtp(measured, size, resent)
            checks += [
                Check(f"{size}, {resent}, {load}", average(efficiency, point) >= LOSSLESS)
                for load, point in up_to(points, 20).items()
            ]
            alone = points["0 Mbit/s"]
            share = average(goodput, alone) / free(0, PAYLOAD)
            checks.append(Check(f"{size}, {resent}, goodput", 0.85 <= share <= 0.99))
            if resent == SELECTIVE:
                words.append(f"{size}: {known(goodput, alone)} Mbit/s, {share:.0%}")
    return judge("\n".join(["selective, without background traffic", *words]), checks)


@claim(
    "003-7",
    "With go-back-N goodput and efficiency collapse; with selective retransmission they fall more"
    " smoothly.",
    rule="unshaped, each frame size: from 50 to 100 Mbit/s both are lower with go-back-N; the"
    " largest fall of efficiency from one load to the next is larger, too",
)
def go_back_n_collapses(measured: Measured) -> Outcome:
    checks, words = [], []
    for size in SIZES:
        collapsing, smooth = (xtp(measured, size, resent) for resent in (GO_BACK_N, SELECTIVE))
        for name, measure in (("goodput", goodput), ("efficiency", efficiency)):
            chosen = beyond(up_to(collapsing, 100), 50)
            found = apart(chosen, smooth, measure, lambda first, second: first - second)
            checks += [Check(f"{size}, {name} at {load}", d < 0) for load, d in found.items()]
        falls = [_largest_fall(points) for points in (collapsing, smooth)]
        checks.append(Check(f"{size}, the fall", falls[0] > falls[1]))
        words.append(
            f"{size} at 60 Mbit/s: {known(efficiency, collapsing['60 Mbit/s'])} against"
            f" {known(efficiency, smooth['60 Mbit/s'])}"
        )
    return judge(
        "\n".join(["efficiency of go-back-N and selective", *words]),
        checks,
        "selective retransmission is better only because a report that was on its way when the data"
        " went again is not believed; if it is, both collapse alike",
    )


def _largest_fall(points: Curve) -> float:
    values = [average(efficiency, point) for point in points.values()]
    return max(before - after for before, after in pairwise(values))


@claim(
    "003-8",
    "Over 1000 km shaping changes the performance of XTP little.",
    rule="each frame size, both retransmissions, up to 100 Mbit/s: goodput shaped and unshaped"
    " differ by at most 15 %",
)
def shaping_changes_little(measured: Measured) -> Outcome:
    checks, worst = [], {}
    for size in SIZES:
        for resent in RETRANSMISSIONS:
            shaped, plain = (xtp(measured, size, resent, s) for s in (SHAPED, UNSHAPED))
            found = apart(up_to(shaped, 100), plain, goodput, relative)
            checks += [
                Check(f"{size}, {resent}, {load}", abs(change) <= 0.15)
                for load, change in found.items()
            ]
            load, change = largest(found)
            worst[f"{size}, {resent}, {load}"] = change
    place, change = largest(worst)
    return judge(
        f"at most {change:+.0%} ({place})",
        checks,
        "large frames are bursts of 192 cells, which next to the knee decide whether the buffer"
        " holds what three of them send",
    )


@claim(
    "003-9",
    "The fewer acknowledgments are requested, the wider is the range without loss and the lower is"
    " goodput at low loads.",
    rule=f"frames of {SMALL}, both retransmissions: with each longer interval the load at which"
    f" efficiency first falls below {LOSSLESS} is not lower, with the longest it is higher than"
    " with the shortest, and goodput without background traffic is lower",
)
def fewer_requests(measured: Measured) -> Outcome:
    checks, words = [], []
    for resent in RETRANSMISSIONS:
        curves = [
            curve(measured["intervals"], resent=resent, request_interval=f"{interval}")
            for interval in INTERVALS
        ]
        knees = [knee(points)[1] for points in curves]
        alone = [average(goodput, points["0 Mbit/s"]) for points in curves]
        for place, interval in enumerate(INTERVALS[1:], 1):
            what = f"{resent}, {interval}"
            checks.append(Check(f"{what}, range", knees[place] >= knees[place - 1]))
            checks.append(Check(f"{what}, goodput", alone[place] < alone[place - 1]))
        checks.append(Check(f"{resent}, range in all", knees[-1] > knees[0]))
        words += [
            f"{resent}, {interval}: {mbit:.1f} Mbit/s alone, loss {said_knee(points)} Mbit/s"
            for interval, mbit, points in zip(INTERVALS, alone, curves, strict=True)
        ]
    return judge("\n".join(words), checks)


@claim(
    "003-10",
    "Over 10 km unshaped XTP with frames of 9140 bytes loses nothing up to about 50 Mbit/s, thanks"
    " to its handshakes, and then drops sharply; go-back-N and selective retransmission are alike.",
    rule=f"up to {TEN_KM_LOAD} Mbit/s the efficiency of every run is at least {LOSSLESS}, wherever"
    " its connections started; from 80 Mbit/s on the mean is below 0.8; at each load goodputs with"
    " the two differ by at most 15 % of that with selective",
)
def handshakes_help(measured: Measured) -> Outcome:
    curves = {
        resent: curve(measured["short"], resent=resent, shaping=UNSHAPED)
        for resent in RETRANSMISSIONS
    }
    runs = len(next(iter(curves[SELECTIVE].values())).runs)
    checks, words = [], []
    for resent, points in curves.items():
        light = {load: clean_runs(point) for load, point in up_to(points, TEN_KM_LOAD).items()}
        checks += [
            Check(f"{resent}, no loss at {load}", lossless == runs)
            for load, lossless in light.items()
        ]
        checks += [
            Check(f"{resent}, drop at {load}", average(efficiency, point) < 0.8)
            for load, point in beyond(points, 80).items()
        ]
        heavy = beyond(points, 80)
        words += [
            f"{resent}: {' '.join(map(str, light.values()))} runs of {runs} without loss at"
            f" {', '.join(light)}",
            f"{resent}: efficiency {series(efficiency, heavy, '.2f')} at {', '.join(heavy)}",
        ]
    found = apart(curves[GO_BACK_N], curves[SELECTIVE], goodput, relative)
    checks += [Check(f"alike at {load}", abs(change) <= 0.15) for load, change in found.items()]
    return judge(
        "\n".join(words),
        checks,
        "connections without loss keep it so by their handshakes, but some never get there: where"
        " the first answers come late, WTIMER is longer than RTIMER from the start, and each"
        " request starts it anew before it can expire",
    )


def clean_runs(point: PointResult) -> int:
    """Runs in which nothing is lost."""
    return len(without_loss(efficiency)(point))


@claim(
    "003-11",
    "Over 10 km shaping spoils XTP even at light loads, and so do short frames.",
    rule=f"at 20 Mbit/s the efficiency with frames of {LARGE} shaped, and with frames of {SMALL},"
    f" is below {SPOILED}, with both retransmissions",
)
def shaping_spoils(measured: Measured) -> Outcome:
    checks, words = [], []
    for resent in RETRANSMISSIONS:
        cases = {
            f"{LARGE} shaped": curve(measured["short"], resent=resent, shaping=SHAPED),
            f"{SMALL} unshaped": curve(measured["short-frames"], resent=resent),
        }
        for name, points in cases.items():
            at_light = points["20 Mbit/s"]
            checks.append(Check(f"{resent}, {name}", average(efficiency, at_light) < SPOILED))
            words.append(f"{resent}, {name}: {known(efficiency, at_light)}")
    return judge("\n".join(["efficiency at 20 Mbit/s", *words]), checks)
