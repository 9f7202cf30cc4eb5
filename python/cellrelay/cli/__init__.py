"""The command line: one file per command.

Exit codes: 0 done; 2 bad input; 3 a model invariant was violated; 4 stopped early, results kept
and flagged; 5 a sweep ended with failed points; 130 interrupted.
"""

from cellrelay.cli.main import main

__all__ = ["main"]
