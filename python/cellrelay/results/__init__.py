"""Results: labelled numbers with their intervals, units and provenance."""

from cellrelay.results.model import PointResult, Provenance, Results, Status, listed
from cellrelay.results.select import short_names
from cellrelay.results.tidy import read_csv

__all__ = ["PointResult", "Provenance", "Results", "Status", "listed", "read_csv", "short_names"]
