"""What can be opened with a click: what the page was started with, all examples, all studies."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cellrelay import examples
from cellrelay.live.play import Play
from cellrelay.scenario import Scenario, load
from cellrelay.studies import Experiment, Study, available, find


@dataclass(frozen=True)
class Piece:
    """Something that can be opened."""

    group: str
    name: str
    title: str
    open: Callable[[], Play]


def pieces() -> list[Piece]:
    """Examples, and the scenarios and experiments of all studies."""
    return [*_of_examples(), *(piece for name in available() for piece in of_study(find(name)))]


def of_file(group: str, path: Path) -> Piece:
    """A scenario file."""
    return Piece(group, path.stem, title_of(path), lambda: open_file(path))


def of_study(study: Study) -> Iterator[Piece]:
    """The scenarios of a study as they are written, and its experiments."""
    for path in sorted(study.folder.glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        if "link" in content or "topology" in content:
            yield of_file(study.name, path)
    for experiment in study.experiments:
        yield _of_experiment(study, experiment)


def open_file(path: Path, settings: Sequence[tuple[str, str]] = ()) -> Play:
    """A scenario file; where settings replace something, its text is the resolved one."""
    scenario = load(path, settings)
    text = scenario.resolved if settings else path.read_text(encoding="utf-8-sig")
    return Play(scenario, text, path.parent)


def open_experiment(
    study: Study, experiment: Experiment, settings: Sequence[tuple[str, str]] = ()
) -> Play:
    """An experiment of a study, at full length."""
    varied = replace(experiment, settings={**experiment.settings, **dict(settings)})
    scenario: Scenario = varied.scenario(study.folder, is_quick=False)
    return Play(scenario, scenario.resolved, study.folder)


def title_of(path: Path) -> str:
    """What a scenario file says that it is about."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    return str(content.get("title") or path.stem)


def _of_examples() -> Iterator[Piece]:
    for path in examples.available().values():
        yield of_file("examples", path)


def _of_experiment(study: Study, experiment: Experiment) -> Piece:
    title = experiment.settings.get("title") or title_of(study.folder / experiment.file)
    opened = lambda: open_experiment(study, experiment)  # noqa: E731
    return Piece(study.name, experiment.name, title, opened)
