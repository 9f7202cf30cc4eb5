"""`cellrelay check`: validate a scenario and print it with every default filled in."""

from __future__ import annotations

import sys

from cellrelay.cli.options import File, Set, settings

EXAMPLES = """\
cellrelay check scenario.toml
cellrelay check scenario.toml --set 'switch.s1.buffer.per_output=500 cells'
"""


def command(file: File, /, *, set_: Set = None) -> None:
    """Validate a scenario and print it with every default filled in.

    What is wrong is listed whole, with file, line, column and a hint; nothing is run.
    What can be run and hardly can be meant is told as a warning.
    """
    from cellrelay.scenario import load

    scenario = load(file, settings(set_))
    for doubt in scenario.doubts:
        print(f"warning: {doubt}", file=sys.stderr)
    print(scenario.resolved, end="")
