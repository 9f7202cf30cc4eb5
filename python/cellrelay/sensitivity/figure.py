"""The figure of a sensitivity analysis: factors from the most to the least influential."""

from __future__ import annotations

from cellrelay.plot import Ranking
from cellrelay.sensitivity.analysis import Sensitivity
from cellrelay.sensitivity.methods import METHODS
from cellrelay.text.quantity import scale

LABELS = {
    "mu_star": "mean size of the effect (mu*)",
    "sigma": "standard deviation of the effect (sigma)",
    "first": "alone (first order)",
    "total": "with all interactions (total)",
}
"""The indices that are drawn, with their names in the legend."""


def ranking(found: Sensitivity, method: str) -> Ranking:
    """The chart of the indices of a metric by a method."""
    what = str(found.goal).replace("_", " ")
    factor, label = 1.0, f"share of the variance of {what}"
    if METHODS[method].has_units:
        largest = max(abs(one.mean) for of in found.indices.values() for one in of.values())
        factor, unit = scale(largest, found.unit)
        label = f"effect on {what} ({unit})" if unit else f"effect on {what}"
    items = {
        name: {
            LABELS[index]: known.scaled(factor)
            for index, known in indices.items()
            if index in LABELS
        }
        for name, indices in found.indices.items()
    }
    return Ranking(items, label)
