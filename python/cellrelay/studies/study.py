"""What a study is: experiments to run, exhibits to show, claims to judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any

from cellrelay import toml
from cellrelay.plot import Bars, Chart, Diagram, Scatter, Timeline
from cellrelay.results import Results
from cellrelay.scenario import Replications, Scenario, load
from cellrelay.studies.claim import Claim, Measured
from cellrelay.topology import Topology

Sweep = Mapping[str, Sequence[Any] | Mapping[str, Mapping[str, Any]]]
"""Axes as a scenario file has them: values of a path, or points that each set several paths."""


@dataclass(frozen=True)
class Experiment:
    """A scenario file of the study, with a sweep, under a name that figures and claims use."""

    name: str
    file: str
    sweep: Sweep = field(default_factory=dict)
    """Instead of the sweep of the file."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Replace values of the file, as `--set` does."""
    quick: Mapping[str, str] = field(default_factory=dict)
    """Replace more of them for a quick look, such as the duration."""
    quick_sweep: Sweep = field(default_factory=dict)
    """Axes that are shorter in a quick look."""
    replications: Replications | None = None
    """Instead of those of the file."""
    quick_replications: Replications | None = None

    def scenario(self, folder: Path, is_quick: bool) -> Scenario:
        """Read the scenario from the folder of the study."""
        settings = {**self.settings, **(self.quick if is_quick else {})}
        sweep = {**self.sweep, **(self.quick_sweep if is_quick else {})}
        if sweep:
            settings["sweep"] = toml.inline(sweep)
        return load(folder / self.file, settings)

    def rule(self, is_quick: bool) -> Replications | None:
        """How often to replicate; None leaves it to the file."""
        return (is_quick and self.quick_replications) or self.replications


@dataclass(frozen=True)
class Table:
    """Numbers in rows, for what is read better than seen."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    @classmethod
    def in_markdown(cls, file: Path, heading: str) -> Table:
        """The first table under a heading of a Markdown file."""
        _, found, text = file.read_text(encoding="utf-8").partition(f"# {heading}\n")
        if not found:
            raise LookupError(f"{file}: no heading `{heading}`")
        lines = takewhile(_is_row, dropwhile(lambda line: not _is_row(line), text.splitlines()))
        header, _rule, *rows = ([cell.strip() for cell in line[1:-1].split("|")] for line in lines)
        return cls(header, rows)


def _is_row(line: str) -> bool:
    return line.startswith("|")


Content = Chart | Bars | Diagram | Scatter | Timeline | Topology | Table


@dataclass(frozen=True)
class Exhibit:
    """A figure or table of the report, made from the results."""

    id: str
    title: str
    caption: str
    make: Callable[[Measured], Content]
    is_printed: bool = False
    """Whether the command prints it: for a table that is the outcome of the study."""


def exhibit(
    id: str, title: str, caption: str, *, is_printed: bool = False
) -> Callable[[Callable[[Measured], Content]], Exhibit]:
    """Make an exhibit of the function that draws it."""
    return lambda make: Exhibit(id, title, caption, make, is_printed)


@dataclass(frozen=True)
class Study:
    """A published study. Its module, `study.py`, calls it `STUDY`."""

    name: str
    folder: Path
    """Where its scenario files are."""
    title: str
    reference: str
    summary: str
    """What the study asked and found, in our words; paragraphs apart by empty lines."""
    experiments: Sequence[Experiment]
    figures: Sequence[Exhibit]
    claims: Sequence[Claim]
    choices: Table | None = None
    """What the source leaves open, what was chosen, and why."""
    known_as: Mapping[str, str] = field(default_factory=dict)
    """Experiments by the figures of the paper, where one exhibit has several of these."""

    def __repr__(self) -> str:
        counts = f"{len(self.experiments)} experiments, {len(self.claims)} claims"
        return f"Study({self.name!r}, {self.title!r}, {counts})"

    def experiment(self, name: str) -> Experiment:
        """The experiment of this name, or the first that the figure of this name shows.

        Raises:
            LookupError: if there is neither.
        """
        by_name = {experiment.name: experiment for experiment in self.experiments}
        exhibits = {exhibit.id: exhibit for exhibit in self.figures}
        if name in exhibits and name not in by_name:
            name = _first_shown(exhibits[name]) or next(iter(by_name))
        name = self.known_as.get(name, name)
        if name not in by_name:
            known = [*by_name, *exhibits, *self.known_as]
            close = get_close_matches(name, known, n=1, cutoff=0.6)
            there_are = f"the experiments are: {', '.join(by_name)}"
            hint = f"did you mean `{close[0]}`?" if close else there_are
            problem = f"`{name}` is neither an experiment nor a figure of `{self.name}`"
            raise LookupError(f"{problem}\n  hint: {hint}")
        return by_name[name]


class _Asked(Exception):
    """Somebody wants the results of an experiment."""


class _Unmeasured(dict[str, Results]):
    """What an exhibit is drawn from, before there is anything."""

    def __missing__(self, name: str) -> Results:
        raise _Asked(name)


def _first_shown(exhibit: Exhibit) -> str | None:
    """The experiment that an exhibit begins with; None if it shows none."""
    try:
        exhibit.make(_Unmeasured())
    except _Asked as asked:
        return str(asked)
    return None
