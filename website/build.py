"""The site, built by zensical from what `stage` puts side by side."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from website.stage import stage


class BuildError(RuntimeError):
    """What zensical has to say of pages that it cannot make sense of."""


def build(folder: Path, playground: Path | None = None) -> None:
    """Build the site into `folder`, which is replaced; `BuildError` on any warning.

    The site has a copy of the folder `playground`, if it is given.
    """
    with tempfile.TemporaryDirectory() as temporary:
        project = Path(temporary) / "website"
        stage(project, playground)
        command = [sys.executable, "-m", "zensical", "build", "--strict"]
        said = subprocess.run(command, cwd=project, capture_output=True, text=True)
        if said.returncode:
            raise BuildError(said.stdout + said.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(project / "site", folder)
