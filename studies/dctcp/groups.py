"""The three groups of senders: what each sender gets, and what the paper prints."""

from __future__ import annotations

from cellrelay.results import PointResult
from cellrelay.statistics import mean
from cellrelay.studies import Ranged, known, of_flow, range_of, scaled

GROUPS = {"s1": 10, "s2": 20, "s3": 10}
"""Senders of each group."""
NAMES = {"s1": "S1", "s2": "S2", "s3": "S3"}
PRINTED = {"s1": 46.0, "s2": 475.0, "s3": 54.0}
"""Mbit/s of each sender in the mean: section 4.1, Multi-hop networks."""
FAIR = {"s1": 50.0, "s2": 475.0, "s3": 50.0}
"""Mbit/s of the fair shares: R1's link among twenty, and what these leave of the other."""
FRAME, DATA = 1538, 1460
"""Octets of a full packet on a link, and of user data in it."""


def user_data(group: str) -> Ranged:
    """User data that a sender of a group delivers in the mean, in Mbit/s."""
    return scaled(_of_members(group), 1e-6)


def throughput(group: str) -> Ranged:
    """What a sender of a group gets on the link in the mean, in Mbit/s."""
    return scaled(_of_members(group), FRAME / DATA / 1e6)


def _of_members(group: str) -> Ranged:
    """Mean goodput of the members of a group, in bit/s."""
    members = [of_flow("goodput", f"{group}[{member}]") for member in range(GROUPS[group])]

    def samples(point: PointResult) -> list[float]:
        return [mean(of_each) for of_each in zip(*(one(point) for one in members), strict=True)]

    return Ranged(samples, range_of(members[0]))


def stated(point: PointResult) -> str:
    """What the senders of each group get, in words."""
    words = (f"{NAMES[group]} {known(throughput(group), point)}" for group in GROUPS)
    return f"{', '.join(words)} Mbit/s"
