"""Published studies, reproduced: their experiments, figures and claims."""

from cellrelay.studies.claim import Check, Claim, Outcome, Verdict, above, claim, judge, within
from cellrelay.studies.discovery import available, find
from cellrelay.studies.measure import (
    Grid,
    Measure,
    Place,
    average,
    gain,
    grid,
    known,
    of_flow,
    of_network,
    of_port,
    said,
    scaled,
    stated,
)
from cellrelay.studies.study import Exhibit, Experiment, Study, Table, exhibit

__all__ = [
    "Check",
    "Claim",
    "Exhibit",
    "Experiment",
    "Grid",
    "Measure",
    "Outcome",
    "Place",
    "Study",
    "Table",
    "Verdict",
    "above",
    "available",
    "average",
    "claim",
    "exhibit",
    "find",
    "gain",
    "grid",
    "judge",
    "known",
    "of_flow",
    "of_network",
    "of_port",
    "said",
    "scaled",
    "stated",
    "within",
]
