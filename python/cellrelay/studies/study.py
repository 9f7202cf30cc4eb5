"""A study: experiments, exhibits and claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cellrelay.studies.alternative import Alternative
from cellrelay.studies.claim import Claim
from cellrelay.studies.exhibit import Exhibit, Table
from cellrelay.studies.experiment import Experiment
from cellrelay.studies.number import Number
from cellrelay.text.suggest import meant_or


@dataclass(frozen=True)
class Study:
    """A published study."""

    name: str
    folder: Path
    """Folder of the scenario files."""
    title: str
    reference: str
    summary: str
    """The question of the paper and its findings, in our words; empty lines separate paragraphs."""
    experiments: Sequence[Experiment]
    figures: Sequence[Exhibit]
    claims: Sequence[Claim]
    choices: Table | None = None
    """The questions that the paper leaves open, the chosen answers, and the reasons."""
    alternatives: Sequence[Alternative] = ()
    """Other answers that are as plausible."""
    numbers: Sequence[Number] = ()
    """The numbers that a calibration can fit."""

    def __repr__(self) -> str:
        counts = f"{len(self.experiments)} experiments, {len(self.claims)} claims"
        return f"Study({self.name!r}, {self.title!r}, {counts})"

    def experiment(self, name: str) -> Experiment:
        """The experiment of this name, or the first that the figure of this name shows.

        Raises:
            LookupError: if there is neither an experiment nor a figure of this name.
        """
        by_name = {experiment.name: experiment for experiment in self.experiments}
        first = next(iter(by_name))
        shown = {one.id: next(iter(one.experiments), first) for one in self.figures}
        joined = {name: shows for one in self.figures for name, shows in one.joins.items()}
        name = joined.get(name, name)
        if name not in by_name:
            name = shown.get(name, name)
        if name not in by_name:
            there_are = f"the experiments are: {', '.join(by_name)}"
            hint = meant_or(name, [*by_name, *shown, *joined], there_are)
            problem = f"`{name}` is neither an experiment nor a figure of `{self.name}`"
            raise LookupError(f"{problem}\n  hint: {hint}")
        return by_name[name]

    @cached_property
    def judged(self) -> frozenset[str]:
        """The names of the experiments that claims need."""
        return frozenset(name for claim in self.claims for name in claim.experiments)

    def claim(self, id: str) -> Claim:
        """The claim of this id."""
        return next(claim for claim in self.claims if claim.id == id)
