"""The three groups of senders: the throughput of each sender, and the printed values."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cellrelay.results import PointResult
from cellrelay.statistics import mean
from cellrelay.studies import Check, Ranged, known, of_flow, printed, range_of, scaled

OfGroup = Callable[[str], Ranged]
"""A measure of the senders of a group, by its name."""

BOTTLENECKS = ("triumph1->scorpion", "triumph2->r1")
"""The outputs of 10 and of 1 Gbit/s that are congested."""
GROUPS = {"s1": 10, "s2": 20, "s3": 10}
"""Senders of each group."""
NAMES = {"s1": "S1", "s2": "S2", "s3": "S3"}
PRINTED = {"s1": 46.0, "s2": 475.0, "s3": 54.0}
"""Printed mean throughput of a sender, in Mbit/s: section 4.1, Multi-hop networks."""
FAIR = {"s1": 50.0, "s2": 475.0, "s3": 50.0}
"""Fair shares in Mbit/s: a twentieth of R1's link, and for S2 the rest of the other link."""
FRAME, DATA = 1538, 1460
"""Octets of a full packet on a link, and of user data in it."""


def user_data(group: str) -> Ranged:
    """User data that a sender of a group delivers in the mean, in Mbit/s."""
    return scaled(_of_members(group), 1e-6)


def throughput(group: str) -> Ranged:
    """Mean throughput of a sender of a group on the link, in Mbit/s."""
    return scaled(_of_members(group), FRAME / DATA / 1e6)


def _of_members(group: str) -> Ranged:
    """Mean goodput of the members of a group, in bit/s."""
    members = [of_flow("goodput", f"{group}[{member}]") for member in range(GROUPS[group])]

    def samples(point: PointResult) -> list[float]:
        return [mean(of_each) for of_each in zip(*(one(point) for one in members), strict=True)]

    return Ranged(samples, range_of(members[0]))


def stated(point: PointResult, measure: OfGroup = throughput) -> str:
    """Text with the throughput of the senders of each group."""
    words = (f"{NAMES[group]} {known(measure(group), point)}" for group in GROUPS)
    return f"{', '.join(words)} Mbit/s"


def as_printed(
    point: PointResult,
    values: Mapping[str, float],
    tolerance: float,
    measure: OfGroup = throughput,
) -> list[Check]:
    """The checks that each group gets its value, in Mbit/s; the tolerance is a share of it."""
    return [
        printed(NAMES[group], known(measure(group), point), value, tolerance * value)
        for group, value in values.items()
    ]
