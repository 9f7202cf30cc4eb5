"""The command line: a file in `commands` for each command, beside what several of them share.

Exit codes: 0 done; 2 bad input; 3 a model invariant was violated; 4 stopped early, results kept
and flagged; 5 a sweep ended with failed points; 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cellrelay.cli.version import version

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if list(words) == ["--version"]:
        # The commands take longer to import than anything that is printed here.
        print(version())
        return 0
    from cellrelay.cli.dispatch import main as with_commands

    return with_commands(arguments)
