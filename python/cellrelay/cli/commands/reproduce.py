"""`cellrelay reproduce`: published studies, their figures and their claims."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from cellrelay.cli.options import Jobs, Json, worker_pool
from cellrelay.cli.outputs import named
from cellrelay.cli.trial import ExampleSetup

EXAMPLES = """\
cellrelay reproduce romanow-floyd --quick
cellrelay reproduce romanow-floyd --quick --map
cellrelay reproduce all --out results
"""
TRIAL = ExampleSetup.PARSED_ONLY


def command(
    name: Annotated[str, Parameter(name="NAME", help="A study, or `all`.")],
    /,
    *,
    quick: Annotated[
        bool,
        Parameter(
            negative="", help="Make fewer and shorter runs, for the same figures and claims."
        ),
    ] = False,
    map_: Annotated[
        bool | None,
        Parameter(
            name="--map",
            negative="--no-map",
            help="Also judge all claims under every alternative; the default without --quick.",
        ),
    ] = None,
    allow_dirty: Annotated[
        bool,
        Parameter(
            negative="",
            help="Run from a checkout that differs from the core's commit; the report says so.",
        ),
    ] = False,
    jobs: Jobs = None,
    out: Annotated[
        Path, Parameter(help="Folder for reports.", metavar="DIR", converter=named)
    ] = Path("results"),
    json: Json = False,
) -> int:
    """Reproduce a published study: run it, draw its figures, judge its claims.

    The command writes NAME/report.html and NAME/claims.json into the folder for reports; with
    --quick, the folder of the study is NAME-quick. The report says which claims are not reproduced;
    this does not change the exit code. The map of verdicts shows the verdict on each claim under
    other answers to the questions that the paper leaves open.

    A checkout that differs from the commit of the core is refused, because nobody can obtain its
    numbers again from the commit that the report names.
    """
    from cellrelay.cli.studies import refuse_changes, reproduce_all, studies_named

    if not allow_dirty:
        refuse_changes()
    studies = studies_named(name)
    with worker_pool("threads", jobs) as pool:
        return reproduce_all(
            studies, quick, pool, out, as_json=json, is_mapped=not quick if map_ is None else map_
        )
