"""`cellrelay list`: studies, examples, components and metrics."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Literal

from cyclopts import Parameter

from cellrelay import _core
from cellrelay.cli.table import write_table
from cellrelay.cli.trial import ExampleSetup

What = Literal["studies", "examples", "components", "metrics"]

EXAMPLES = """\
cellrelay list studies
cellrelay list examples
cellrelay list components
"""
TRIAL = ExampleSetup.RESULTS


def command(what: Annotated[What, Parameter(name="WHAT", help="The list to print.")], /) -> None:
    """List studies, examples, components or metrics."""
    tables = {
        "studies": _studies,
        "examples": _examples,
        "components": _components,
        "metrics": _metrics,
    }
    header, rows = tables[what]()
    write_table(header, rows, sys.stdout)


def _studies() -> tuple[list[str], list[list[str]]]:
    from cellrelay.studies import available, find

    studies = [find(name) for name in available()]
    return ["study", "title"], [[study.name, study.title] for study in studies]


def _examples() -> tuple[list[str], list[list[str]]]:
    from cellrelay.scenario.examples import available, title

    return ["example", "title"], [[name, title(path)] for name, path in available().items()]


def _components() -> tuple[list[str], list[list[str]]]:
    components = json.loads(_core.components())
    return ["family", "kind", "meaning"], [
        [component["family"], _as_written(component), _first_sentence(component["help"])]
        for component in components
    ]


def _as_written(component: dict[str, str]) -> str:
    """The name of a component in a file: of a table of the scenario, its whole path."""
    is_table = component["family"] == "scenario"
    return component["path"] or "(the whole file)" if is_table else component["kind"]


def _metrics() -> tuple[list[str], list[list[str]]]:
    from cellrelay.metrics.metric import every_metric

    return ["scope", "metric", "unit", "over", "meaning"], [
        [metric.scope, metric.name, metric.unit, metric.over or "", _first_sentence(metric.help)]
        for metric in every_metric()
    ]


def _first_sentence(text: str) -> str:
    line = " ".join(text.split("\n\n")[0].split())
    return line.split(". ")[0].rstrip(".")
