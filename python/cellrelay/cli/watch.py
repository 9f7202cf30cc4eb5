"""`cellrelay watch`: the live page."""

from __future__ import annotations

import contextlib
import sys
from typing import Annotated

from cyclopts import Parameter

from cellrelay.cli.options import File, Set, settings, whole
from cellrelay.scenario import load

EXAMPLES = """\
cellrelay watch scenario.toml
cellrelay watch scenario.toml --edit --open
"""

Seed = Annotated[
    int | None,
    Parameter(help="Seed, instead of the scenario's.", metavar="N", converter=whole),
]
Port = Annotated[
    int,
    Parameter(help="Port of this machine; a free one by default.", metavar="N", converter=whole),
]
Edit = Annotated[
    bool, Parameter(negative="", help="Let viewers change the scenario and run it again.")
]
Open = Annotated[bool, Parameter(name="--open", negative="", help="Open the page in a browser.")]


def command(
    file: File,
    /,
    *,
    set_: Set = None,
    seed: Seed = None,
    port: Port = 0,
    edit: Edit = False,
    open_: Open = False,
) -> None:
    """Watch a run of a scenario in a browser, as slowly as you like.

    Prints the address of a page, which only programs of this machine that know it can open. Of a
    sweep the first point is shown. Ends with Ctrl-C.
    """
    from cellrelay.live import launch

    scenario = load(file, settings(set_))
    text = file.read_text(encoding="utf-8-sig")
    # Ctrl-C is how it ends, not how it is broken off.
    with contextlib.suppress(KeyboardInterrupt):
        launch.serve(
            scenario,
            text=text,
            folder=file.parent,
            seed=seed,
            port=port,
            editing=edit,
            ready=lambda address: _ready(address, in_browser=open_),
        )


def _ready(address: str, *, in_browser: bool) -> None:
    print(address, flush=True)
    print("Ctrl-C ends it.", file=sys.stderr)
    if in_browser:
        import webbrowser

        webbrowser.open(address)
