"""Sizing: the smallest value of a parameter with which a scenario meets requirements.

The value is found by bisection over runs, for each point of the scenario's sweep.
"""

from cellrelay.sizing.ask import size
from cellrelay.sizing.document import document, rows
from cellrelay.sizing.question import SizingQuestion
from cellrelay.sizing.requirement import Requirement
from cellrelay.sizing.search import Sized, search
from cellrelay.sizing.trial import Trial

__all__ = ["Requirement", "Sized", "SizingQuestion", "Trial", "document", "rows", "search", "size"]
