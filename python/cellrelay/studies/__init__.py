"""Published studies, reproduced: their experiments, figures and claims."""

from cellrelay.studies.claim import Check, Claim, Outcome, Verdict, above, claim, judge, within
from cellrelay.studies.discovery import available, find
from cellrelay.studies.exhibit import Exhibit, Table, exhibit
from cellrelay.studies.experiment import Experiment, Sweep, experiment, named
from cellrelay.studies.given import Measured
from cellrelay.studies.measure import (
    Grid,
    Measure,
    Place,
    Ranged,
    along,
    average,
    curve,
    gain,
    grid,
    known,
    of_flow,
    of_network,
    of_port,
    percent,
    range_of,
    said,
    scaled,
    stated,
)
from cellrelay.studies.study import Study

__all__ = [
    "Check",
    "Claim",
    "Exhibit",
    "Experiment",
    "Grid",
    "Measure",
    "Measured",
    "Outcome",
    "Place",
    "Ranged",
    "Study",
    "Sweep",
    "Table",
    "Verdict",
    "above",
    "along",
    "available",
    "average",
    "claim",
    "curve",
    "exhibit",
    "experiment",
    "find",
    "gain",
    "grid",
    "judge",
    "known",
    "named",
    "of_flow",
    "of_network",
    "of_port",
    "percent",
    "range_of",
    "said",
    "scaled",
    "stated",
    "within",
]
