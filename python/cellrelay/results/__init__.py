"""Results: labelled numbers with their intervals, units and provenance."""

from cellrelay.results.captures import Captures
from cellrelay.results.model import PointResult, Provenance, Results, Status, listed
from cellrelay.results.recordings import Place, Recordings, SeriesFile
from cellrelay.results.select import NotMeasured, short_names
from cellrelay.results.tidy import read_csv

__all__ = [
    "Captures",
    "NotMeasured",
    "Place",
    "PointResult",
    "Provenance",
    "Recordings",
    "Results",
    "SeriesFile",
    "Status",
    "listed",
    "read_csv",
    "short_names",
]
