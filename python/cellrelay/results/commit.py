"""The git commit of the sources of the package."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

DIRTY = "-dirty"
"""End of the commit of a checkout with changes that are not committed."""


@cache
def commit() -> str:
    """The commit of the checkout that the package runs from, read once in a process.

    The text is that of `commit_of`: empty for an installed package, whose version identifies it.
    """
    return commit_of(Path(__file__).parents[1])


def commit_of(package: Path) -> str:
    """First twelve digits of the commit of the checkout that holds a package in `python`.

    `DIRTY` follows if a file that git tracks differs from the commit. The text is empty without a
    checkout, without a commit, or without git.
    """
    tree = package.parents[1]
    # An installed package may lie in somebody else's checkout, whose commit says nothing about it.
    if package.parent.name != "python" or not (tree / ".git").exists():
        return ""
    of_tree = [f"--git-dir={tree / '.git'}", f"--work-tree={tree}"]
    describe = ["describe", "--always", f"--dirty={DIRTY}", "--abbrev=12", "--exclude=*"]
    # Without `--no-optional-locks`, git would write its index.
    command = ["git", "--no-optional-locks", *of_tree, *describe]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout.strip() if answer.returncode == 0 else ""
