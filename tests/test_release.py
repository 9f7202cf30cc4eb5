"""What a release changes agrees: the version, its date, and how to cite it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
CARGO = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
CITATION = yaml.load((ROOT / "CITATION.cff").read_text(encoding="utf-8"), yaml.BaseLoader)
"""All values as text: the schema takes a date as text too."""

VERSION = CARGO["package"]["version"]
SECTION = re.compile(
    r"^## \[(?P<version>\d+\.\d+\.\d+)\] - (?P<date>\d{4}-\d\d-\d\d)$", re.MULTILINE
)
REQUIRED = {"authors", "cff-version", "message", "title"}
"""Citation File Format, schema 1.2.0, `required`."""
OPTIONAL = {"abstract", "date-released", "doi", "keywords", "license", "type", "version"}
"""Some of its other keys; it refuses keys that it does not name."""
MOST_OCTETS = 12_000
"""Of the section of a version that is not yet released: a page that users read."""


def released(changelog: str) -> dict[str, str]:
    """The date of each version that a changelog has a section of, the latest first."""
    return {section["version"]: section["date"] for section in SECTION.finditer(changelog)}


def unreleased(changelog: str) -> str:
    """The section of the version that is not yet released, without its heading."""
    before, heading, after = changelog.partition("## [Unreleased]\n")
    assert heading, before
    return re.split(r"^## ", after, maxsplit=1, flags=re.MULTILINE)[0]


def kinds(changelog: str) -> set[str]:
    """The kinds of entries of that section, such as `Added`."""
    return set(re.findall(r"^### (.*)$", unreleased(changelog), re.MULTILINE))


def cited(citation: dict[str, Any], dates: dict[str, str]) -> bool:
    """Whether a citation has the date of its version, or none before the release."""
    return citation.get("date-released") == dates.get(citation["version"])


def test_the_citation_has_the_keys_of_its_schema() -> None:
    assert CITATION["cff-version"] == "1.2.0"
    assert set(CITATION) >= REQUIRED
    assert set(CITATION) <= REQUIRED | OPTIONAL
    assert CITATION["type"] == "software"
    assert CITATION["authors"]
    assert all(set(author) == {"name"} for author in CITATION["authors"])


def test_the_citation_describes_this_package() -> None:
    assert CITATION["title"] == PROJECT["name"]
    assert CITATION["abstract"] == PROJECT["description"] + "."
    assert " OR ".join(CITATION["license"]) == PROJECT["license"]
    assert CITATION["version"] == VERSION


def test_the_citation_has_the_date_of_the_changelog() -> None:
    assert cited(CITATION, released(CHANGELOG))


def test_a_date_is_refused_before_the_release_and_required_after_it() -> None:
    dates = released("## [Unreleased]\n\n## [0.2.0] - 2031-05-06\n\n## [0.1.0] - 2030-01-02\n")
    assert dates == {"0.2.0": "2031-05-06", "0.1.0": "2030-01-02"}
    assert cited({"version": "0.2.0", "date-released": "2031-05-06"}, dates)
    assert cited({"version": "0.3.0"}, dates)
    assert not cited({"version": "0.2.0"}, dates)
    assert not cited({"version": "0.2.0", "date-released": "2030-01-02"}, dates)
    assert not cited({"version": "0.3.0", "date-released": "2031-05-06"}, dates)


def test_the_sections_of_the_changelog_are_versions_in_order() -> None:
    first, *others = re.findall(r"^## (.*)$", CHANGELOG, re.MULTILINE)
    versions = [tuple(map(int, version.split("."))) for version in released(CHANGELOG)]
    assert first == "[Unreleased]"
    assert len(versions) == len(others), "a section is called `[X.Y.Z] - YYYY-MM-DD`"
    assert versions == sorted(set(versions), reverse=True)


def test_what_is_not_released_is_told_in_a_page() -> None:
    assert len(unreleased(CHANGELOG).encode()) < MOST_OCTETS


def test_nothing_has_changed_before_the_first_release() -> None:
    assert released(CHANGELOG) or kinds(CHANGELOG) == {"Added"}


def test_the_section_of_the_next_version_ends_at_that_of_the_last_one() -> None:
    changelog = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n#### Links\n\n- A line.\n"
    last = "\n## [0.1.0] - 2030-01-02\n\n### Results change\n\n- Another.\n"
    assert unreleased(changelog + last) == "\n### Added\n\n#### Links\n\n- A line.\n\n"
    assert kinds(changelog + last) == kinds(changelog) == {"Added"}
    assert kinds("## [Unreleased]\n" + last) == set()


def test_the_crates_require_each_other_in_this_version() -> None:
    within = [one for one in CARGO["dependencies"].values() if "path" in one]
    assert within
    assert {one["version"] for one in within} == {f"={VERSION}"}


@pytest.mark.parametrize(
    "crate", sorted(ROOT.glob("crates/*/Cargo.toml")), ids=lambda file: file.parent.name
)
def test_a_crate_has_the_version_of_the_workspace(crate: Path) -> None:
    package = tomllib.loads(crate.read_text(encoding="utf-8"))["package"]
    assert package["version"] == {"workspace": True}


def test_the_package_has_the_version_of_its_crate() -> None:
    assert "version" in PROJECT["dynamic"]
