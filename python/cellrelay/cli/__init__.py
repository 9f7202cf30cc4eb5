"""The command line: a file in `commands` for each command, beside what several of them share.

Exit codes: 0 done; 2 bad input; 3 a model invariant was violated; 4 stopped early, results kept
and flagged; 5 a sweep ended with failed points; 130 interrupted.
"""

from cellrelay.cli.main import main

__all__ = ["main"]
