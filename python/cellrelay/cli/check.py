"""`cellrelay check`: validate a scenario and print it with every default filled in."""

from __future__ import annotations

from cellrelay.cli.options import File, Set, settings

EXAMPLES = """\
cellrelay check scenario.toml
cellrelay check scenario.toml --set 'switch.s1.buffer.per_output=500 cells'
"""


def command(file: File, /, *, set_: Set = None) -> None:
    """Validate a scenario and print it with every default filled in.

    What is wrong is listed whole, with file, line, column and a hint; nothing is run.
    """
    from cellrelay.scenario import load

    print(load(file, settings(set_)).resolved, end="")
