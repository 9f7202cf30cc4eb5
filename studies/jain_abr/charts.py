"""What the figures share."""

from __future__ import annotations

from cellrelay.plot import Curve
from cellrelay.results import PointResult
from cellrelay.studies import Measure, known


def curve(label: str, found: dict[float, PointResult], measure: Measure) -> Curve:
    """A measure over what is varied."""
    return Curve(label, tuple(found), tuple(known(measure, one) for one in found.values()))
