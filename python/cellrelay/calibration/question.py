"""The question of a calibration: a scenario or a study, parameters left open, printed numbers.

A question is a TOML file:

    scenario = "ten-tcp.toml"                   # or `study`, with the name of a study

    [parameters]                                # ranges and alternatives, as for `sensitivity`
    "flow.bulk.transport.tcp.timers.bsd.deviations" = [2, 4]

    [targets."plain ATM, smallest buffer"]
    metric = "effective_throughput"
    where = { packet = "512 B", buffer = "256 cells" }
    value = 0.34
    tolerance = 0.02
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellrelay.calibration.source import ScenarioFile, StudyRuns, Subject
from cellrelay.calibration.target import PrintedTarget, known, read_target, require
from cellrelay.errors import ScenarioError
from cellrelay.scenario import factors, toml
from cellrelay.scenario.factors import Factor
from cellrelay.studies import find
from cellrelay.text.suggest import meant_or

KEYS = {
    "scenario": str,
    "study": str,
    "quick": bool,
    "files": list,
    "settings": dict,
    "parameters": dict,
    "targets": dict,
}
"""Keys of a question, with the type of each value."""


@dataclass(frozen=True)
class CalibrationQuestion:
    """A scenario or a study, its open parameters, and the printed numbers that they may explain."""

    source: Subject
    factors: tuple[Factor, ...]
    targets: tuple[PrintedTarget, ...]

    @property
    def fitted(self) -> tuple[PrintedTarget, ...]:
        """The targets that are not held back."""
        return tuple(target for target in self.targets if not target.is_held_back)

    def check(self) -> None:
        """Refuse targets and parameters that no run has, before anything runs.

        Raises:
            ScenarioError: if a target is at no point or at several, if it names something that
                does not exist, or if a parameter changes no experiment.
        """
        self.source.check(self.targets, self.factors)


def read(path: str | Path) -> CalibrationQuestion:
    """The question in a file; paths in it are relative to its folder.

    Raises:
        ScenarioError: with the place and a hint, if something is wrong or missing.
    """
    data = toml.read_file(path)
    try:
        return _question(data, Path(path).parent)
    except ScenarioError as error:
        raise ScenarioError(f"{path}: {error}") from error


def _question(data: Mapping[str, Any], folder: Path) -> CalibrationQuestion:
    known(data, KEYS, "")
    for key in ("scenario", "parameters", "targets"):
        if not data.get(key) and not (key == "scenario" and data.get("study")):
            raise ScenarioError(f"{key}: missing\n  hint: see `cellrelay calibrate --help`")
    for name, one in data["targets"].items():
        require(one, dict, f"targets.{name}")
    targets = tuple(read_target(name, one) for name, one in data["targets"].items())
    if all(target.is_held_back for target in targets):
        raise ScenarioError("targets: all are held back\n  hint: leave one to be fitted")
    return CalibrationQuestion(_source(data, folder), factors.read(data["parameters"]), targets)


def _source(data: Mapping[str, Any], folder: Path) -> Subject:
    settings = data.get("settings", {})
    if "study" not in data:
        return ScenarioFile(folder / data["scenario"], settings)
    if "scenario" in data:
        raise ScenarioError("scenario: there is a `study` too\n  hint: choose one")
    try:
        study = find(data["study"])
    except LookupError as error:
        raise ScenarioError(f"study: {error.args[0]}") from error
    files = data.get("files", [])
    for file in files:
        listed = sorted({one.file for one in study.experiments})
        if file not in listed:
            hint = meant_or(str(file), listed, f"the study has {', '.join(listed)}")
            raise ScenarioError(f"files: the study has no `{file}`\n  hint: {hint}")
    return StudyRuns(study, data.get("quick", False), settings, files)
