"""The page for evaluators: its table of studies repeats what the page of each study says."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from .test_release import CHANGELOG, released

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reference" / "artefact.md"
STUDIES = sorted(file.parent for file in ROOT.glob("studies/*/study.toml"))
HEAD = "| command | expected output | claims | quick look | whole study |\n|---|---|---|---|---|\n"
RESULTS = "## What the whole study gives\n"
CLAIM = re.compile(r"^\| `[^`]+` \| [^|]+ \|", re.MULTILINE)
WHOLE = re.compile(r"The whole study takes ([^,;]+?) of processor time")
QUICK = re.compile(r"a quick look takes ([^,;]+)\.$", re.MULTILINE)
ROUGHLY = re.compile(r"with `--quick` in ([^,;]+)\.$", re.MULTILINE)
TAG = re.compile(r"\bv\d+\.\d+\.\d+\b")


def row(page: str, folder: str) -> str:
    """The row of a study, from its page."""
    results = page.partition(RESULTS)[2].partition("\n## ")[0]
    claims, whole = CLAIM.findall(results), WHOLE.search(page)
    quick = QUICK.search(page) or ROUGHLY.search(page)
    assert claims, "no table of results"
    assert whole, "no time of the whole study"
    assert quick, "no time of a quick look"
    command = f"`cellrelay reproduce {folder.replace('_', '-')}`"
    link = f"[its table](../../studies/{folder}/README.md#what-the-whole-study-gives)"
    return f"| {command} | {link} | {len(claims)} | {quick[1]} | {whole[1]} |\n"


def test_the_table_says_what_the_pages_of_studies_say() -> None:
    text = PAGE.read_text(encoding="utf-8")
    before, head, rest = text.partition(HEAD)
    after = re.sub(r"\A(\|.*\n)*", "", rest)
    rows = [row((one / "README.md").read_text(encoding="utf-8"), one.name) for one in STUDIES]
    today = before + head + "".join(rows) + after
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(today, encoding="utf-8")
    assert head
    assert rows
    assert today == text, "UPDATE_GOLDEN=1 writes the table anew"


def unknown_tags(page: str) -> list[str]:
    """The tags of versions that a page names and the repository does not have."""

    def exists(tag: str) -> bool:
        command = ["git", "rev-parse", "--verify", "--quiet", f"refs/tags/{tag}"]
        return subprocess.run(command, cwd=ROOT, capture_output=True).returncode == 0

    return [tag for tag in TAG.findall(page) if not exists(tag)]


def test_the_page_names_no_tag_and_no_release_that_there_is_not() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert not unknown_tags(text)
    assert ("No version is released yet" in text) == (not released(CHANGELOG))


def test_a_tag_that_does_not_exist_is_found() -> None:
    assert unknown_tags("A version has a tag, such as `v0.0.0`, and since 1.0.0.") == ["v0.0.0"]


STUDY = """
`cellrelay reproduce two-queues` makes all runs and the report; with `--quick` in about a minute.

## What the whole study gives

| claim | verdict | checks that hold |
|---|---|---|
| `a` | reproduced | 2 of 2 |
| `b` | not testable here | none |

The whole study takes 3 min of processor time, without the map of verdicts.

## Results

| `c` | 5 | 6 |
"""


def test_a_row_has_the_claims_and_the_times_of_the_page() -> None:
    link = "[its table](../../studies/two_queues/README.md#what-the-whole-study-gives)"
    command = "`cellrelay reproduce two-queues`"
    assert row(STUDY, "two_queues") == f"| {command} | {link} | 2 | about a minute | 3 min |\n"
    measured = STUDY.replace("map of verdicts.", "map of verdicts; a quick look takes 57 s.")
    assert row(measured, "two_queues") == f"| {command} | {link} | 2 | 57 s | 3 min |\n"


@pytest.mark.parametrize(
    "missing", ["The whole study takes", "with `--quick`", "## What the whole"]
)
def test_a_page_without_a_number_is_refused(missing: str) -> None:
    with pytest.raises(AssertionError, match="no t"):
        row(STUDY.replace(missing, ""), "two_queues")
