"""The studies in the folder `published`, one folder each.

In the repository `published` is a link to the folder `studies` at its root; in an installed package
it is a folder. A study consists of `study.toml` and its pages: modules whose names begin with a
digit, so that they have an order and no other module can import them.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TypeVar

from cellrelay.studies.alternative import AS_CHOSEN, Alternative
from cellrelay.studies.claim import Claim, Verdict
from cellrelay.studies.exhibit import Exhibit, Table
from cellrelay.studies.experiment import Experiment
from cellrelay.studies.given import experiment_name
from cellrelay.studies.number import Number
from cellrelay.studies.study import Study
from cellrelay.text.suggest import meant_or

PUBLISHED = Path(__file__).parent / "published"
ABOUT = "study.toml"
PAGES = "[0-9]*.py"

Defined = TypeVar("Defined")


def available() -> dict[str, Path]:
    """Folder of each study by name, in order of names; nothing is imported."""
    folders = sorted(path.parent for path in PUBLISHED.glob(f"*/{ABOUT}"))
    return {folder.name.replace("_", "-"): folder for folder in folders}


def find(name: str) -> Study:
    """The study of this name.

    Raises:
        LookupError: if there is no such study.
    """
    folders = available()
    if name not in folders:
        hint = meant_or(name, folders, f"the studies are: {', '.join(folders)}")
        raise LookupError(f"`{name}` is not a study\n  hint: {hint}")
    return read(folders[name], f"{__package__}.published.{folders[name].name}")


def read(folder: Path, package: str) -> Study:
    """The study in a folder; its modules are imported from `package`.

    Raises:
        LookupError: if `study.toml` lacks something, if two things have one name, or if a page asks
            for an experiment that no page has.
    """
    about = tomllib.loads((folder / ABOUT).read_text(encoding="utf-8"))
    for key in ("title", "reference", "summary"):
        if key not in about:
            raise LookupError(f"`{folder / ABOUT}` has no `{key}`")
    paragraphs = about["summary"].strip().split("\n\n")
    choices = about.get("choices")
    defined = _pages(folder, package)
    study = Study(
        name=folder.name.replace("_", "-"),
        folder=folder,
        title=about["title"],
        reference=" ".join(about["reference"].split()),
        summary="\n\n".join(" ".join(text.split()) for text in paragraphs),
        experiments=_of(Experiment, defined),
        figures=_of(Exhibit, defined),
        claims=_of(Claim, defined),
        choices=Table.in_markdown(folder / "README.md", choices) if choices else None,
        alternatives=_of(Alternative, defined),
        numbers=_of(Number, defined),
    )
    _check(study)
    return study


def _pages(folder: Path, package: str) -> list[object]:
    """The items that the pages of a study define, page by page, in the order of definition.

    A page may define several exhibits by one function, as a tuple.
    """
    defined: list[object] = []
    for path in sorted(folder.glob(PAGES)):
        for name, value in vars(import_module(f"{package}.{path.stem}")).items():
            for one in value if isinstance(value, tuple) else (value,):
                is_experiment = isinstance(one, Experiment)
                defined.append(replace(one, name=experiment_name(name)) if is_experiment else one)
    return defined


def _of(kind: type[Defined], defined: Sequence[object]) -> list[Defined]:
    return [one for one in defined if isinstance(one, kind)]


def _check(study: Study) -> None:
    """Refuse names with two definitions, and names without one."""
    experiments = [one.name for one in study.experiments]
    exhibits = [(one.id, one.experiments) for one in study.figures]
    claims = [(one.id, one.experiments) for one in study.claims]
    alternatives = [AS_CHOSEN, *(one.name for one in study.alternatives)]
    numbers = [(one.id, one.experiments) for one in study.numbers]
    ids = ([id for id, _ in asking] for asking in (exhibits, claims, numbers))
    for names in (experiments, *ids, alternatives):
        for name, count in Counter(names).items():
            if count > 1:
                raise LookupError(f"`{study.name}` has {count} times `{name}`")
    for one in study.claims:
        _check_claim(one, study.name)
    files = list(dict.fromkeys(one.file for one in study.experiments))
    for alternative in study.alternatives:
        for file in alternative.files:
            if file not in files:
                listed = f"the scenario files are: {', '.join(files)}"
                raise LookupError(
                    f"the alternative `{alternative.name}` of `{study.name}` names `{file}`,"
                    f" which no experiment has\n  hint: {meant_or(file, files, listed)}"
                )
    for id, asked in exhibits + claims + numbers:
        for name in asked:
            if name not in experiments:
                listed = f"the experiments are: {', '.join(experiments)}"
                raise LookupError(
                    f"`{id}` of `{study.name}` asks for the experiment `{name}`,"
                    f" which no page has\n  hint: {meant_or(name, experiments, listed)}"
                )


def _check_claim(claim: Claim, study: str) -> None:
    """Refuse a claim that does not state which of its thresholds are from the paper and which are
    ours."""
    if not claim.where:
        raise LookupError(
            f"the claim `{claim.id}` of `{study}` does not tell where the paper says it"
            "\n  hint: name the section, figure or table in `where`"
        )
    is_tested = claim.expect is not Verdict.NOT_TESTABLE
    if is_tested and not (claim.of_paper or claim.ours):
        raise LookupError(
            f"the claim `{claim.id}` of `{study}` does not tell whose thresholds its rule has"
            "\n  hint: state those of the paper in `of_paper`, and others in `ours`"
        )
