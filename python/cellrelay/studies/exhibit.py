"""Figures and tables of a study's report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile, takewhile
from pathlib import Path

from cellrelay.plot import Bars, Chart, Diagram, Scatter, Timeline
from cellrelay.scenario.topology import Topology
from cellrelay.studies.given import Measured, hand, needed


@dataclass(frozen=True)
class Table:
    """A table of numbers or words."""

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
    make: Callable[..., Content]
    """The function that makes the exhibit from results; its parameters name experiments."""
    is_printed: bool = False
    """True if the command prints the exhibit: a table with the main result of the study."""
    joins: Mapping[str, str] = field(default_factory=dict)
    """Figures of the paper that are panels of this figure, each with the experiment that it shows.
    """

    @property
    def experiments(self) -> tuple[str, ...]:
        """The experiments that the exhibit shows."""
        return needed(self.make)

    def content(self, measured: Measured) -> Content:
        """The figure or table of these results.

        Raises:
            NotMeasured: if an experiment or a point is missing.
        """
        return hand(self.make, measured)


def exhibit(
    id: str,
    title: str,
    caption: str,
    *,
    is_printed: bool = False,
    joins: Mapping[str, str] | None = None,
) -> Callable[[Callable[..., Content]], Exhibit]:
    """Make an exhibit from the function that draws it; the parameters of the function name
    experiments."""
    return lambda make: Exhibit(id, title, caption, make, is_printed, joins or {})
