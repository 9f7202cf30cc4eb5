"""`cellrelay watch`: the live page."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from cellrelay.cli.exits import Refusal
from cellrelay.cli.options import Members, Set, Where, register, selection, settings, whole
from cellrelay.cli.trial import ExampleSetup
from cellrelay.text.suggest import meant_or

if TYPE_CHECKING:
    from cellrelay.live.opened import OpenedScenario

EXAMPLES = """\
cellrelay watch scenario.toml
cellrelay watch scenario.toml --edit --open
cellrelay watch romanow-floyd figure-5 --where 'packet=9180 B'
cellrelay watch results/scenario --replication 3
"""
TRIAL = ExampleSetup.PARSED_ONLY

What = Annotated[
    str,
    Parameter(
        name="WHAT",
        help="A scenario file, the name of an example or a study, or a folder that `run` wrote.",
    ),
]
Experiment = Annotated[
    str | None,
    Parameter(
        name="EXPERIMENT",
        help="An experiment or a figure of the study; by default, its first experiment.",
    ),
]
Seed = Annotated[
    int | None,
    Parameter(help="Seed to use instead of the scenario's.", metavar="N", converter=whole),
]
Replication = Annotated[
    int,
    Parameter(help="Number of the replication; the first is 0.", metavar="K", converter=whole),
]
Port = Annotated[
    int,
    Parameter(
        help="TCP port on this machine; by default, a free one.", metavar="N", converter=whole
    ),
]
Edit = Annotated[
    bool, Parameter(negative="", help="Let viewers change the scenario and run it again.")
]
Open = Annotated[bool, Parameter(name="--open", negative="", help="Open the page in a browser.")]


def command(
    what: What,
    experiment: Experiment = None,
    /,
    *,
    where: Where = None,
    replication: Replication = 0,
    set_: Set = None,
    members: Members = None,
    seed: Seed = None,
    port: Port = 0,
    edit: Edit = False,
    open_: Open = False,
) -> None:
    """Watch a new or a stored run in a browser, at any speed.

    The command prints the address of a page. Only programs on this machine that know the address
    can open it.
    For a sweep, the first point is shown, or the point of --where. A stored run is made again, and
    compared with the stored results at its end. Ctrl-C ends the command.
    """
    from cellrelay.live import launch
    from cellrelay.live.limits import Rejected

    register(members)
    pairs = settings(set_) + ([("seed", str(seed))] if seed is not None else [])
    opened = _open(what, experiment, pairs)
    # Ctrl-C is the regular end of the command.
    with contextlib.suppress(KeyboardInterrupt), contextlib.ExitStack() as until_the_end:
        try:
            launch.serve(
                opened,
                name=experiment or Path(what).stem,
                point=_point(opened, selection(where)),
                replication=replication,
                port=port,
                editing=edit,
                ready=lambda address: _ready(address, until_the_end if open_ else None),
            )
        except Rejected as rejected:
            raise Refusal(f"{what}: {rejected}") from rejected


def _open(what: str, name: str | None, pairs: Sequence[tuple[str, str]]) -> OpenedScenario:
    """Open the scenario, study or results to show."""
    from cellrelay import studies
    from cellrelay.live.catalogue import open_experiment, open_file
    from cellrelay.live.opened import read_stored
    from cellrelay.scenario import examples

    path = Path(what)
    is_study = not path.exists() and what in studies.available()
    if name is not None and not is_study:
        raise Refusal(f"`{what}` is not a study and has no experiment `{name}`")
    if path.is_dir():
        if pairs:
            hint = "leave out --set and --seed, or name the file scenario.toml in it"
            raise Refusal(f"{what}: settings cannot change stored results\n  hint: {hint}")
        return read_stored(path)
    if is_study:
        study = studies.find(what)
        try:
            experiment = study.experiments[0] if name is None else study.experiment(name)
        except LookupError as error:
            raise Refusal(str(error.args[0])) from error
        return open_experiment(study, experiment, pairs)
    if path.exists() or path.suffix or path.name != what:
        return open_file(path, pairs)
    return open_file(_named(what, examples.available(), studies.available()), pairs)


def _named(what: str, files: dict[str, Path], studies: dict[str, Path]) -> Path:
    """The file of an example."""
    if what in files:
        return files[what]
    listed = "`cellrelay list examples` and `cellrelay list studies` print the names"
    hint = meant_or(what, [*files, *studies], listed)
    raise Refusal(f"`{what}` is neither a file or folder, an example nor a study\n  hint: {hint}")


def _point(opened: OpenedScenario, where: dict[str, str]) -> int:
    try:
        return opened.find(where)
    except LookupError as error:
        raise Refusal(f"--where: {error.args[0]}") from error


def _ready(address: str, until_the_end: contextlib.ExitStack | None) -> None:
    """Print the address, and open the page in a browser if an exit stack is given."""
    print(address, flush=True)
    print("Press Ctrl-C to end.", file=sys.stderr)
    if until_the_end is not None:
        import webbrowser

        from cellrelay.live.redirect import redirect_file

        webbrowser.open(until_the_end.enter_context(redirect_file(address)).as_uri())
