"""`cellrelay check`: validate a scenario and print it with every default filled in."""

from __future__ import annotations

import sys

from cellrelay.cli.options import File, Members, Set, register, settings
from cellrelay.cli.trial import ExampleSetup

EXAMPLES = """\
cellrelay check scenario.toml
cellrelay check scenario.toml --set 'switch.s1.buffer.per_output=500 cells'
"""
TRIAL = ExampleSetup.RESULTS


def command(file: File, /, *, set_: Set = None, members: Members = None) -> None:
    """Validate a scenario and print it with every default filled in.

    Every problem is listed with file, line, column and a hint; nothing is run. Values that are
    valid but probably not intended give a warning. Comments at the end list the parameters that
    are computed from the network.
    """
    from cellrelay.scenario import load

    register(members)
    scenario = load(file, settings(set_))
    for doubt in scenario.doubts:
        print(f"warning: {doubt}", file=sys.stderr)
    print(scenario.resolved, end="")
    if scenario.computed:
        print("\n# Computed from the network:")
    for path, value in scenario.computed:
        print(f"# {path} = {value}")
