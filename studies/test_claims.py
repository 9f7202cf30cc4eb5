"""Tests that claims are complete, and that pages agree with the claims."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cellrelay.execute import open_pool
from cellrelay.store import Store
from cellrelay.studies import Claim, Outcome, Study, Verdict, available, find
from cellrelay.studies.reproduce import PlannedStudy
from cellrelay.studies.tally import Tally

ROOT = Path(__file__).parent.parent
VERDICTS = ROOT / "docs" / "concepts" / "verdicts.md"
RESULTS = "\n## What the whole study gives\n"
SHARE = re.compile(r"\d+ of \d+ findings that can be tested are reproduced")
PHRASES = {
    "reproduced in part|comes? out in part": Verdict.IN_PART,
    "not reproduced": Verdict.NOT_REPRODUCED,
    "not testable": Verdict.NOT_TESTABLE,
    "(is|are) reproduced": Verdict.REPRODUCED,
}
"""Phrases for verdicts on pages; the first one in a line counts."""
ROW = re.compile(r"^\| `([^`]+)` \| ([^|]+) \|", re.MULTILINE)
"""A row of the table of results: the claim, and its verdict."""
UNDER = re.compile(r" under \*(?P<alternative>[^*]+)\*")

each_study = pytest.mark.parametrize("name", available())


def as_expected(study: Study) -> Tally:
    """The tally of the verdicts that the claims expect of the whole study."""
    return Tally([(one, Outcome("", one.expect, "")) for one in study.claims])


@each_study
def test_every_alternative_changes_what_a_claim_needs(name: str) -> None:
    study = find(name)
    named = {experiment for one in study.claims for experiment in one.experiments}
    for alternative in study.alternatives:
        for is_quick in (True, False):
            laid = [
                alternative.laid_over(one, study.folder, is_quick)
                for one in study.experiments
                if one.name in named
            ]
            changed = [one for one in laid if one]
            assert changed, alternative.name
            for one in changed:
                assert one.scenario(study.folder, is_quick).points


@each_study
def test_a_page_counts_verdicts_as_claims_do(name: str) -> None:
    study = find(name)
    page = study.folder / "README.md"
    text = page.read_text(encoding="utf-8")
    told = SHARE.sub(as_expected(study).share, text)
    if os.environ.get("UPDATE_GOLDEN"):
        page.write_text(told, encoding="utf-8")
    assert told == page.read_text(encoding="utf-8"), "UPDATE_GOLDEN=1 counts anew"


def test_the_table_of_verdicts_is_that_of_the_claims() -> None:
    head, separator, rest = VERDICTS.read_text(encoding="utf-8").partition(
        "|---|---|---|---|---|\n"
    )
    _, blank, after = (
        rest.partition("\n\n") if rest.startswith("|") else ("", "\n", rest.lstrip("\n"))
    )
    told = head + separator + "".join(map(_row, available())) + "\n" + after
    if os.environ.get("UPDATE_GOLDEN"):
        VERDICTS.write_text(told, encoding="utf-8")
    assert blank
    assert told == VERDICTS.read_text(encoding="utf-8"), "UPDATE_GOLDEN=1 writes it anew"


def _row(name: str) -> str:
    study = find(name)
    tally = as_expected(study)
    untested = len(tally.findings) - tally.testable
    link = f"[{study.title}](../../studies/{study.folder.name}/README.md)"
    return f"| {link} | {tally.reproduced} | {tally.testable} | {untested} | {len(tally.aside)} |\n"


def statements(study: Study) -> Iterator[tuple[str, list[Claim], Verdict]]:
    """The statements about claims on the page of a study: each line with its verdict."""
    ids = {one.id: one for one in study.claims}
    for line in (study.folder / "README.md").read_text(encoding="utf-8").splitlines():
        named = [*re.findall(r"`([^`]+)`", line), *re.findall(r"\b\d{3}-\d+\b", line)]
        claims = [ids[id] for id in dict.fromkeys(named) if id in ids]
        told = [verdict for phrase, verdict in PHRASES.items() if re.search(phrase, line)]
        if claims and told:
            yield line, claims, told[0]


@each_study
def test_a_page_tells_verdicts_as_claims_do(name: str) -> None:
    for line, claims, verdict in statements(find(name)):
        if not UNDER.search(line):
            for one in claims:
                assert one.expect is verdict, f"{one.id}: {line}"


@each_study
def test_a_table_of_results_has_a_row_with_the_verdict_of_each_claim(name: str) -> None:
    study = find(name)
    _, _, rest = (study.folder / "README.md").read_text(encoding="utf-8").partition(RESULTS)
    told = ROW.findall(rest.partition("\n## ")[0])
    assert told == [(one.id, one.expect.value) for one in study.claims]


@each_study
def test_the_first_page_links_to_every_study(name: str) -> None:
    link = f"(studies/{find(name).folder.name}/README.md)"
    assert link in (ROOT / "README.md").read_text(encoding="utf-8")


@each_study
def test_a_page_names_alternatives_that_exist(name: str) -> None:
    study = find(name)
    names = [one.name for one in study.alternatives]
    for line, _, _ in statements(study):
        for found in UNDER.finditer(line):
            assert found["alternative"] in names, line


@pytest.mark.slow
@each_study
def test_what_a_page_says_of_alternatives_comes_out(
    name: str, stored: Callable[[str], Path]
) -> None:
    study = find(name)
    for line, claims, verdict in statements(study):
        if found := UNDER.search(line):
            told = replace(
                study,
                figures=[],
                claims=claims,
                experiments=[
                    one
                    for one in study.experiments
                    if any(one.name in claim.experiments for claim in claims)
                ],
                alternatives=[
                    one for one in study.alternatives if one.name == found["alternative"]
                ],
            )
            with open_pool() as pool, Store(stored(name)) as store:
                reproduction = PlannedStudy(told, False, store, is_mapped=True).run(pool)
            assert reproduction.verdict_map
            for claim in claims:
                (outcome,) = reproduction.verdict_map.under(claim).values()
                assert outcome.verdict is verdict, line
