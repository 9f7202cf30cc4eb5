"""Statements of the paper about XTP as numbers, which a calibration compares.

The paper prints few of them. The others are the worst case of a sentence over sizes, loads and
shapings; `calibration.toml` has a bound for each.
"""

from __future__ import annotations

from cellrelay.results import Results
from cellrelay.studies import average, number

from .measures import (
    ByLoad,
    apart,
    by_load,
    by_size,
    distance,
    efficiency,
    goodput,
    largest_fall,
    relative,
    third,
    up_to,
    xtp_by_load,
)
from .transports import GO_BACK_N, RETRANSMISSIONS, SELECTIVE, SHAPED, SHAPINGS, UNSHAPED

LIGHT, HEAVY = 20, 100
"""Largest light load, and largest load at which curves are compared, in Mbit/s, as in claims."""


def changed(first: ByLoad, second: ByLoad) -> float:
    """The distance between two curves of goodput, in the mean over loads, as in claims."""
    return distance(apart(up_to(first, HEAVY), second, goodput, relative))


def widest(first: ByLoad, second: ByLoad) -> float:
    """The largest difference between two goodputs at one load, relative to the second."""
    return max(
        abs(change) for change in apart(up_to(first, HEAVY), second, goodput, relative).values()
    )


@number("light-efficiency")
def light_efficiency(xtp_9140: Results, xtp_4570: Results, xtp_1142: Results) -> float:
    """The lowest efficiency at light loads."""
    return min(
        average(efficiency, point)
        for results in (xtp_9140, xtp_4570, xtp_1142)
        for resent in RETRANSMISSIONS
        for point in up_to(xtp_by_load(results, resent), LIGHT).values()
    )


@number("fall")
def fall(xtp_9140: Results, xtp_4570: Results, xtp_1142: Results) -> float:
    """The largest fall with selective retransmission, divided by that with go-back-N."""
    return max(
        largest_fall(measure, xtp_by_load(results, SELECTIVE))
        / largest_fall(measure, xtp_by_load(results, GO_BACK_N))
        for results in (xtp_9140, xtp_4570, xtp_1142)
        for measure in (goodput, efficiency)
    )


@number("shaping")
def shaping(xtp_9140: Results, xtp_4570: Results, xtp_1142: Results) -> float:
    """Largest relative change of a curve of goodput by shaping over 1000 km."""
    return max(
        changed(xtp_by_load(results, resent, SHAPED), xtp_by_load(results, resent))
        for results in (xtp_9140, xtp_4570, xtp_1142)
        for resent in RETRANSMISSIONS
    )


@number("parked-efficiency")
def parked_efficiency(parking_xtp: Results) -> float:
    """The lowest efficiency in the parking lot."""
    return min(
        average(efficiency, point)
        for resent in RETRANSMISSIONS
        for shaping in SHAPINGS
        for point in up_to(by_load(parking_xtp, resent=resent, shaping=shaping), HEAVY).values()
    )


@number("parked-retransmission")
def parked_retransmission(parking_xtp: Results) -> float:
    """Largest relative difference of curves between go-back-N and selective in the parking lot."""
    return max(
        changed(
            *(by_load(parking_xtp, resent=resent, shaping=shaping) for resent in RETRANSMISSIONS)
        )
        for shaping in SHAPINGS
    )


@number("parked-shaping")
def parked_shaping(parking_xtp: Results) -> float:
    """Largest relative change of a curve of goodput by shaping in the parking lot."""
    return max(
        changed(*(by_load(parking_xtp, resent=resent, shaping=one) for one in (SHAPED, UNSHAPED)))
        for resent in RETRANSMISSIONS
    )


@number("beside-tcp")
def beside_tcp(
    tcp_third: Results, xtp_9140: Results, xtp_4570: Results, xtp_1142: Results
) -> float:
    """The largest relative difference between XTP with selective retransmission and TCP."""
    of_size = by_size(xtp_9140, xtp_4570, xtp_1142)
    return max(
        widest(xtp_by_load(results, SELECTIVE), third(tcp_third, size))
        for size, results in of_size.items()
    )
