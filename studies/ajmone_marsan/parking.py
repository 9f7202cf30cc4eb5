"""Claims 003-13 to 003-17: the parking lot, and both protocols beside each other."""

from __future__ import annotations

from itertools import combinations

from cellrelay.results import PointResult
from cellrelay.statistics import mean, paired_difference
from cellrelay.studies import Check, Outcome, above, average, claim, judge, scaled, within
from cellrelay.studies.claim import Measured

from .measures import (
    CONNECTIONS,
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
from .window import largest, relative_gain, third

LOSSY, LOADED = 40, 120
"""Mbit/s between which connections lose and still get something."""
EQUAL = 0.10
"""Most that goodputs of equal connections are apart, as a share of their mean."""
SAME = 0.05
"""The same of two networks that do the same."""
STRIKING = 0.25
"""A quarter more or less is striking, and hard to overlook in a figure of this size."""


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
    values = each("goodput", point, MBIT)
    return (max(values) - min(values)) * len(values) / sum(values)


def equal(point: PointResult, load: str) -> list[Check]:
    """Whether the goodputs of any two connections are the same."""
    of_mean = 1 / average(goodput, point)
    samples = {
        flow: scaled(of_connection("goodput", flow, MBIT), of_mean)(point) for flow in CONNECTIONS
    }
    return [
        within(
            f"{first} equal to {second} shaped, {load}",
            paired_difference(samples[first], samples[second]),
            EQUAL,
        )
        for first, second in combinations(CONNECTIONS, 2)
    ]


def over_loads(metric: str, points: Curve) -> list[float]:
    """A metric of each connection, in the mean over loads."""
    known = [each(metric, point) for point in points.values()]
    return [mean(values) for values in zip(*known, strict=True)]


@claim(
    "003-13",
    "In the parking lot without shaping the third TCP connection has the lowest goodput and"
    " efficiency; with shaping the three are equal.",
    rule=f"from {LOSSY} to {LOADED} Mbit/s: unshaped the third is below each of the others in both;"
    f" shaped, goodputs of any two are no more than {EQUAL:.0%} of the mean apart; undecided where"
    " the interval of the paired difference includes the bound",
)
def third_is_worst(measured: Measured) -> Outcome:
    plain, shaped = (lossy(tcp(measured, shaping)) for shaping in (UNSHAPED, SHAPED))
    *others, last = CONNECTIONS
    checks = []
    for load, point in plain.items():
        for metric in ("goodput", "efficiency"):
            for other in others:
                better, worse = (of_connection(metric, flow)(point) for flow in (other, last))
                gained = paired_difference(better, worse)
                checks.append(above(f"{metric} below that of {other}, {load}", gained))
    checks += [check for load, point in shaped.items() for check in equal(point, load)]
    place, widest = largest({load: spread(point) for load, point in shaped.items()})
    first, second, third = (value / MBIT for value in over_loads("goodput", plain))
    return judge(
        f"unshaped {first:.1f}, {second:.1f}, {third:.1f} Mbit/s in the mean over loads; shaped"
        f" {widest:.0%} apart at most ({place})",
        checks,
    )


def one_link(measured: Measured) -> tuple[Curve, Curve]:
    """Shaped TCP in the parking lot, and as much of it in the bottleneck."""
    parked = up_to(tcp(measured, SHAPED), 100)
    return parked, up_to(curve(measured["tcp-like-parked"], shaping=SHAPED), 100)


@claim(
    "003-14",
    "Shaped TCP does in the parking lot what it does in the bottleneck.",
    rule=f"{SMALL}, window for a third, shaped, up to 100 Mbit/s: mean goodputs within {SAME:.0%}"
    " of each other at each load; undecided where the interval of the difference includes"
    " that",
)
def only_one_link_counts(measured: Measured) -> Outcome:
    parked, single = one_link(measured)
    found = {load: relative_gain(point, single[load]) for load, point in parked.items()}
    place, _ = largest({load: change.mean for load, change in found.items()})
    return judge(
        f"at most {100 * found[place].mean:+.1f} ± {100 * found[place].half_width:.1f} % ({place}):"
        f" {series(goodput, parked)} against {series(goodput, single)}",
        [within(load, change, SAME) for load, change in found.items()],
        "where loss begins, goodput depends on how bursty the other traffic is",
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
    of_retransmissions = [
        (f"go-back-N, not selective, {shaping}", (GO_BACK_N, shaping), (SELECTIVE, shaping))
        for shaping in SHAPINGS
    ]
    of_shapings = [
        (f"shaped, not unshaped, {resent}", (resent, SHAPED), (resent, UNSHAPED))
        for resent in RETRANSMISSIONS
    ]
    for name, *pair in of_retransmissions + of_shapings:
        first, second = (parked_xtp(measured, *case) for case in pair)
        found = apart(up_to(first, 100), second, goodput, relative)
        checks += [Check(f"{name}, {load}", abs(change) <= 0.15) for load, change in found.items()]
        place, change = largest(found)
        words.append(f"{name}: up to {change:+.0%} ({place})")
    return judge(
        "\n".join(words),
        checks,
        "here selective retransmission is clearly better, as in the bottleneck; the two are alike"
        " if reports of what has already gone again are believed, but then in the bottleneck too,"
        " against 003-7",
    )


@claim(
    "003-17",
    "On the whole the two protocols perform not strikingly differently.",
    rule="bottleneck, unshaped, each size, up to 100 Mbit/s: mean goodput, and efficiency, of XTP"
    " with selective retransmission differ from those of TCP with a window for a third by at most"
    f" {STRIKING:.0%} of the latter",
)
def protocols_are_alike(measured: Measured) -> Outcome:
    checks, words = [], []
    for size in SIZES:
        of_xtp, of_tcp = up_to(xtp(measured, size, SELECTIVE), 100), third(measured, size)
        for name, measure in (("goodput", goodput), ("efficiency", efficiency)):
            found = apart(of_xtp, of_tcp, measure, relative)
            checks += [
                Check(f"{name}, {size}, {load}", abs(change) <= STRIKING)
                for load, change in found.items()
            ]
            place, change = largest(found)
            words.append(f"{name} with {size} up to {change:+.0%} ({place})")
    return judge(
        "\n".join(["XTP against TCP", *words]),
        checks,
        "what arrives is alike, what is sent for it is not: wherever anything is lost XTP sends"
        " much more for nothing",
    )
