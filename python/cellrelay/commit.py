"""The git commit of the sources of the core and the package.

It stands by itself, so that `cellrelay --version` imports neither results nor numpy.
"""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

from cellrelay import _core

DIRTY = "-dirty"
"""End of the commit of a core or a checkout with changes that the commit lacks."""


@cache
def commit() -> str:
    """The commit that the core was compiled from, compared with the checkout once in a process.

    The text is that of `compared`: empty where the core was compiled without a checkout.
    """
    return compared(_core.COMMIT, Path(__file__).parent)


def compared(built: str, package: Path) -> str:
    """The commit of a core, with `DIRTY` if the checkout of the package differs from the commit.

    A checkout differs if a file that git tracks does, be it that the file was changed or that
    another commit was checked out since the core was compiled. A package that is not in the folder
    `python` of a checkout is installed, and has the commit of its core. The text is empty where
    git, which compares them, is missing.
    """
    tree = package.parents[1]
    # An installed package may lie in somebody else's checkout, whose commit says nothing about it.
    is_installed = package.parent.name != "python" or not (tree / ".git").exists()
    if not built or built.endswith(DIRTY) or is_installed:
        return built
    of_tree = [f"--git-dir={tree / '.git'}", f"--work-tree={tree}"]
    # Without `--no-optional-locks`, git would write its index.
    command = ["git", "--no-optional-locks", *of_tree, "diff", "--quiet", built, "--"]
    try:
        answer = subprocess.run(command, capture_output=True, check=False, timeout=10, cwd=tree)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return built if answer.returncode == 0 else f"{built}{DIRTY}"
