"""Sensitivity analysis: which parameters of a scenario decide a metric.

Morris screening ranks many parameters with few runs; Sobol indices divide the variance of the
metric among them. Both are computed by SALib, which is imported when an analysis begins.
"""

from cellrelay.sensitivity.analysis import Sensitivity, analyse
from cellrelay.sensitivity.methods import METHODS, Method, Morris, Sobol, method

__all__ = ["METHODS", "Method", "Morris", "Sensitivity", "Sobol", "analyse", "method"]
