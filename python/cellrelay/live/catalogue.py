"""The catalogue: examples, and the scenarios and experiments of studies, to open with a click."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cellrelay.errors import ScenarioError
from cellrelay.live.opened import OpenedScenario
from cellrelay.scenario import Scenario, examples, load, parse
from cellrelay.scenario.edited import edited
from cellrelay.studies import Experiment, Study, available, find
from cellrelay.text.printable import printable


@dataclass(frozen=True)
class Item:
    """An item of the catalogue."""

    group: str
    name: str
    title: str
    open: Callable[[], OpenedScenario]


def catalogue() -> list[Item]:
    """Items for all examples, and for the scenarios and experiments of all studies."""
    return [*_of_examples(), *(item for name in available() for item in of_study(find(name)))]


def of_file(group: str, path: Path) -> Item:
    """The item of a scenario file."""
    return Item(group, path.stem, title_of(path), lambda: open_file(path))


def of_study(study: Study) -> Iterator[Item]:
    """Items for the scenario files of a study, and for its experiments."""
    for path in sorted(study.folder.glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        if "link" in content or "topology" in content:
            yield of_file(study.name, path)
    for experiment in study.experiments:
        yield _of_experiment(study, experiment)


def open_file(path: Path, settings: Sequence[tuple[str, str]] = ()) -> OpenedScenario:
    """Open a scenario file; with settings, the text has their values."""
    scenario = load(path, settings)
    return OpenedScenario(scenario, _written(path, dict(settings), scenario), path.parent)


def _written(path: Path, settings: Mapping[str, Any], scenario: Scenario) -> str:
    """The text of a file with the values of settings; the resolved scenario if they have no simple
    place in it."""
    written = path.read_text(encoding="utf-8-sig")
    text = edited(written, settings.items()) if settings else written
    if text is None:
        return scenario.resolved
    try:
        means_the_same = parse(text, path.name, folder=path.parent).resolved == scenario.resolved
    except ScenarioError:
        means_the_same = False
    return text if means_the_same else scenario.resolved


def open_experiment(
    study: Study, experiment: Experiment, settings: Sequence[tuple[str, str]] = ()
) -> OpenedScenario:
    """Open an experiment of a study, at full length."""
    varied = replace(experiment, settings={**experiment.settings, **dict(settings)})
    scenario: Scenario = varied.scenario(study.folder, is_quick=False)
    text = _written(study.folder / varied.file, varied.changes(is_quick=False), scenario)
    return OpenedScenario(scenario, text, study.folder)


def title_of(path: Path) -> str:
    """Title in a scenario file, or the name of the file."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    return printable(str(content.get("title") or path.stem))


def _of_examples() -> Iterator[Item]:
    for path in examples.available().values():
        yield of_file("examples", path)


def _of_experiment(study: Study, experiment: Experiment) -> Item:
    title = printable(experiment.settings.get("title") or title_of(study.folder / experiment.file))
    opened = lambda: open_experiment(study, experiment)  # noqa: E731
    return Item(study.name, experiment.name, title, opened)
