"""Results: labelled numbers with their intervals, units and provenance."""

from cellrelay.commit import commit
from cellrelay.results.compare import Comparison, Comparisons
from cellrelay.results.files.captures import Captures
from cellrelay.results.files.recordings import Recordings, RunLabel, SeriesFile
from cellrelay.results.files.tidy import read_csv
from cellrelay.results.files.traces import Traces
from cellrelay.results.model import Provenance, Results, Status, listed
from cellrelay.results.origin import analysis, origin
from cellrelay.results.point import PointResult
from cellrelay.results.select import NotMeasured, Unknown, short_names
from cellrelay.results.transients import Transient, measured_throughout, transients

__all__ = [
    "Captures",
    "Comparison",
    "Comparisons",
    "NotMeasured",
    "PointResult",
    "Provenance",
    "Recordings",
    "Results",
    "RunLabel",
    "SeriesFile",
    "Status",
    "Traces",
    "Transient",
    "Unknown",
    "analysis",
    "commit",
    "listed",
    "measured_throughout",
    "origin",
    "read_csv",
    "short_names",
    "transients",
]
