"""Numbers of claims by verdict, separately for findings and for other statements of a paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from cellrelay.studies.claim import Claim, Outcome, Standing, Verdict

ASIDE = "conjectures and statements about other work"
"""Standings of statements that are no findings."""


@dataclass(frozen=True)
class Tally:
    """The claims of a study with their outcomes, counted."""

    outcomes: Sequence[tuple[Claim, Outcome]]

    @property
    def findings(self) -> Sequence[tuple[Claim, Outcome]]:
        """Claims that the authors measured."""
        return [one for one in self.outcomes if one[0].standing is Standing.FINDING]

    @property
    def aside(self) -> Sequence[tuple[Claim, Outcome]]:
        """Conjectures, and reports of the work of others."""
        return [one for one in self.outcomes if one[0].standing is not Standing.FINDING]

    @property
    def reproduced(self) -> int:
        """Number of findings that are reproduced."""
        return counts(self.findings)[Verdict.REPRODUCED]

    @property
    def testable(self) -> int:
        """Number of findings that can be tested."""
        return len(self.findings) - counts(self.findings)[Verdict.NOT_TESTABLE]

    @property
    def share(self) -> str:
        """The share of findings that are reproduced, in words."""
        return f"{self.reproduced} of {self.testable} findings that can be tested are reproduced"

    def __str__(self) -> str:
        """All counts in words; empty without claims."""
        parts = [counted(self.findings)]
        if self.aside:
            parts.append(f"{ASIDE}: {counted(self.aside)}")
        return "; ".join(filter(None, parts))

    def __bool__(self) -> bool:
        return bool(self.outcomes)


def counts(outcomes: Sequence[tuple[Claim, Outcome]]) -> Counter[Verdict]:
    """Number of claims by verdict."""
    return Counter(outcome.verdict for _, outcome in outcomes)


def counted(outcomes: Sequence[tuple[Claim, Outcome]]) -> str:
    """The counts in words, without verdicts that no claim has."""
    found = counts(outcomes)
    return ", ".join(f"{found[verdict]} {verdict.value}" for verdict in Verdict if found[verdict])
