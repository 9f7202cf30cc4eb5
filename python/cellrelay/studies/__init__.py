"""Published studies, reproduced: their experiments, figures and claims."""

from cellrelay.studies.claim import Check, Claim, Outcome, Verdict, above, claim, judge
from cellrelay.studies.discovery import available, find
from cellrelay.studies.study import Exhibit, Experiment, Study, Table, exhibit

__all__ = [
    "Check",
    "Claim",
    "Exhibit",
    "Experiment",
    "Outcome",
    "Study",
    "Table",
    "Verdict",
    "above",
    "available",
    "claim",
    "exhibit",
    "find",
    "judge",
]
