"""The causes of the goodput of flows: their limits, their drops, and findings to look at first."""

from cellrelay.explain.explanation import Explanation, explain
from cellrelay.explain.figures import FIGURES, figure
from cellrelay.explain.findings import Finding
from cellrelay.explain.flows import LIMITS, Drop, MeasuredFlow, MeasuredGroup
from cellrelay.explain.ports import MeasuredPort
from cellrelay.explain.sweep import Along, along

__all__ = [
    "FIGURES",
    "LIMITS",
    "Along",
    "Drop",
    "Explanation",
    "Finding",
    "MeasuredFlow",
    "MeasuredGroup",
    "MeasuredPort",
    "along",
    "explain",
    "figure",
]
