"""Claims 003-13 to 003-17: the parking lot, and both protocols beside each other."""

from __future__ import annotations

from cellrelay.results import PointResult
from cellrelay.statistics import paired_difference
from cellrelay.studies import Check, Outcome, above, average, claim, judge
from cellrelay.studies.claim import Measured

from .experiments import PARKED
from .measures import (
    MBIT,
    Curve,
    apart,
    beyond,
    curve,
    each,
    efficiency,
    goodput,
    of_connection,
    relative,
    series,
    up_to,
)
from .rate import xtp
from .transports import (
    GO_BACK_N,
    RETRANSMISSIONS,
    SELECTIVE,
    SHAPED,
    SHAPINGS,
    SIZES,
    SMALL,
    UNSHAPED,
)
from .window import largest, third

LOSSY, LOADED = 40, 120
"""Mbit/s between which connections lose and still get something."""


def tcp(measured: Measured, shaping: str) -> Curve:
    """TCP in the parking lot."""
    return curve(measured["parking-tcp"], shaping=shaping)


def parked_xtp(measured: Measured, resent: str, shaping: str) -> Curve:
    """XTP in the parking lot."""
    return curve(measured["parking-xtp"], resent=resent, shaping=shaping)


def lossy(points: Curve) -> Curve:
    """The points at which connections compete for buffers."""
    return up_to(beyond(points, LOSSY), LOADED)


def spread(point: PointResult) -> float:
    """How far apart the goodputs of the three connections are, as a share of their mean."""
    values = each("goodput", PARKED, point, MBIT)
    return (max(values) - min(values)) * len(values) / sum(values)


@claim(
    "003-13",
    "In the parking lot without shaping the third TCP connection has the lowest goodput and"
    " efficiency; with shaping the three are equal.",
    rule=f"from {LOSSY} to {LOADED} Mbit/s: unshaped the third is below each of the others in both;"
    " shaped, goodputs are no more than 10 % of their mean apart; undecided where the interval of"
    " the paired difference includes zero",
)
def third_is_worst(measured: Measured) -> Outcome:
    plain, shaped = (lossy(tcp(measured, shaping)) for shaping in (UNSHAPED, SHAPED))
    *others, last = PARKED
    checks = []
    for load, point in plain.items():
        for metric in ("goodput", "efficiency"):
            for other in others:
                better, worse = (of_connection(metric, flow)(point) for flow in (other, last))
                gained = paired_difference(better, worse)
                checks.append(above(f"{metric} below that of {other}, {load}", gained))
    spreads = {load: spread(point) for load, point in shaped.items()}
    checks += [Check(f"equal shaped, {load}", value <= 0.10) for load, value in spreads.items()]
    place, widest = largest(spreads)
    example = each("goodput", PARKED, plain["60 Mbit/s"], MBIT)
    return judge(
        f"unshaped at 60 Mbit/s {', '.join(f'{value:.1f}' for value in example)} Mbit/s; shaped"
        f" {widest:.0%} apart at most ({place})",
        checks,
    )


@claim(
    "003-14",
    "Shaped TCP does in the parking lot what it does in the bottleneck.",
    rule=f"{SMALL}, window for a third, shaped, up to 100 Mbit/s: mean goodputs within 5 % of each"
    " other at each load",
)
def only_one_link_counts(measured: Measured) -> Outcome:
    parked = tcp(measured, SHAPED)
    single = curve(measured["tcp-like-parked"], shaping=SHAPED)
    found = apart(up_to(parked, 100), single, goodput, relative)
    place, most = largest(found)
    return judge(
        f"at most {most:+.1%} ({place}): {series(goodput, up_to(parked, 100))} against"
        f" {series(goodput, up_to(single, 100))}",
        [Check(load, abs(change) <= 0.05) for load, change in found.items()],
    )


@claim(
    "003-15",
    "In the parking lot the efficiency of TCP is seldom below 0.8, and that of XTP can be as low"
    " as 0.4.",
    rule="TCP: mean efficiency at least 0.8 at nine of ten points or more, shaped and unshaped;"
    " XTP: at most 0.4 at some point",
)
def window_wastes_less(measured: Measured) -> Outcome:
    of_tcp = [
        average(efficiency, point)
        for shaping in SHAPINGS
        for point in tcp(measured, shaping).values()
    ]
    lowest = {
        resent: min(
            average(efficiency, point)
            for shaping in SHAPINGS
            for point in up_to(parked_xtp(measured, resent, shaping), 100).values()
        )
        for resent in RETRANSMISSIONS
    }
    share = sum(value >= 0.8 for value in of_tcp) / len(of_tcp)
    checks = [Check("TCP", share >= 0.9), Check("XTP", min(lowest.values()) <= 0.4)]
    return judge(
        f"TCP at least {min(of_tcp):.2f}; XTP up to 100 Mbit/s at least"
        f" {', '.join(f'{value:.2f} with {name}' for name, value in lowest.items())}",
        checks,
    )


@claim(
    "003-16",
    "In the parking lot go-back-N and selective retransmission differ little, and shaping changes"
    " little.",
    rule="up to 100 Mbit/s: mean goodputs with the two differ by at most 15 % of that with"
    " selective retransmission; so do those with and without shaping",
)
def little_difference(measured: Measured) -> Outcome:
    checks, words = [], []
    comparisons = {
        **{
            f"go-back-N, {shaping}": tuple(
                parked_xtp(measured, resent, shaping) for resent in (GO_BACK_N, SELECTIVE)
            )
            for shaping in SHAPINGS
        },
        **{
            f"{resent}, shaped": tuple(
                parked_xtp(measured, resent, shaping) for shaping in (SHAPED, UNSHAPED)
            )
            for resent in RETRANSMISSIONS
        },
    }
    for name, (first, second) in comparisons.items():
        found = apart(up_to(first, 100), second, goodput, relative)
        checks += [Check(f"{name}, {load}", abs(change) <= 0.15) for load, change in found.items()]
        place, change = largest(found)
        words.append(f"{name}: up to {change:+.0%} ({place})")
    return judge(
        "; ".join(words),
        checks,
        "here selective retransmission is clearly better, as in the bottleneck; the two are alike"
        " if reports of what has already gone again are believed, but then in the bottleneck too,"
        " against 003-7",
    )


@claim(
    "003-17",
    "On the whole the two protocols perform not strikingly differently.",
    rule="bottleneck, unshaped, each size, up to 100 Mbit/s: mean goodputs of TCP with a window for"
    " a third and of XTP with selective retransmission differ by at most 25 % of that of TCP",
)
def protocols_are_alike(measured: Measured) -> Outcome:
    checks, words = [], []
    for size in SIZES:
        found = apart(
            up_to(xtp(measured, size, SELECTIVE), 100), third(measured, size), goodput, relative
        )
        checks += [Check(f"{size}, {load}", abs(change) <= 0.25) for load, change in found.items()]
        place, change = largest(found)
        words.append(f"{size}: up to {change:+.0%} ({place})")
    return judge(
        f"XTP against TCP {'; '.join(words)}",
        checks,
        "of goodput; the efficiency of XTP is far lower wherever anything is lost",
    )
