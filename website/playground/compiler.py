"""The compilation of the core to WebAssembly, with a compiler that this machine has."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from release.cross import NoCompiler, standard_library

ROOT = Path(__file__).parent.parent.parent
TARGET = "wasm32-unknown-unknown"
SHIPPED, DRAFT = "browser", "draft"
"""Profiles of cargo: for the site, and for tests, which compiles in less time."""

LINKER, LINKER_PACKAGE = "wasm-ld-22", "lld-22"


def compiled(profile: str = SHIPPED) -> Path:
    """The core compiled with a profile, which is up to date.

    Raises:
        NoCompiler: if this machine has no compiler for WebAssembly.
        subprocess.CalledProcessError: if the core does not compile.
    """
    options, environment = _compiler()
    command = ["cargo", "build", "--quiet", "--locked", "--package", "cellrelay-browser", "--lib"]
    command += ["--target", TARGET, "--profile", profile, *options]
    subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=True, stdout=sys.stderr)
    folder = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return folder / TARGET / profile / "cellrelay_browser.wasm"


def _compiler() -> tuple[list[str], dict[str, str]]:
    """Options for cargo, and its environment."""
    options, environment = standard_library(TARGET, "std,panic_abort", LINKER_PACKAGE)
    if not options:
        return options, environment
    if not shutil.which(LINKER):
        raise NoCompiler(TARGET, LINKER_PACKAGE)
    return options, environment | {"CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER": LINKER}
