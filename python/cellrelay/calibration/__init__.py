"""Calibration: the values of open parameters with which a simulation reproduces printed numbers.

The search is optuna's, which is imported when it begins.
"""

from cellrelay.calibration.answer import Answer, Openness, answer
from cellrelay.calibration.question import CalibrationQuestion, read
from cellrelay.calibration.search import Fit, calibrate
from cellrelay.calibration.target import PrintedTarget

__all__ = [
    "Answer",
    "CalibrationQuestion",
    "Fit",
    "Openness",
    "PrintedTarget",
    "answer",
    "calibrate",
    "read",
]
