"""Calibration: which values of parameters left open make printed numbers come out.

The search is optuna's, which is imported when it begins.
"""

from cellrelay.calibration.question import Question, Target, read
from cellrelay.calibration.search import Fit, calibrate
from cellrelay.calibration.verdict import Openness, Verdict, judge

__all__ = ["Fit", "Openness", "Question", "Target", "Verdict", "calibrate", "judge", "read"]
