"""Sizing: the smallest value of a parameter with which a scenario meets requirements.

The value is found by bisection over runs, for each point of the scenario's sweep.
"""

from cellrelay.sizing.requirement import Requirement
from cellrelay.sizing.search import Sized, SizingQuestion, Trial, size

__all__ = ["Requirement", "Sized", "SizingQuestion", "Trial", "size"]
