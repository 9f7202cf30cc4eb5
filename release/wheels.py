"""Wheels for other systems, all compiled on one machine with Linux: zig links them.

A wheel is for one system and for every version of Python from 3.11 on, since the core uses Python's
stable interface (abi3).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from release.cross import NoCompiler, standard_library

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class System:
    """A system that a wheel is for."""

    target: str
    """Its name for the compiler."""
    oldest: str = ""
    """The oldest C library that the wheel runs with, by its tag (PEP 600, PEP 656)."""


SYSTEMS = {
    "linux-x86_64": System("x86_64-unknown-linux-gnu", "manylinux_2_17"),
    "linux-aarch64": System("aarch64-unknown-linux-gnu", "manylinux_2_17"),
    "musl-x86_64": System("x86_64-unknown-linux-musl", "musllinux_1_2"),
    "musl-aarch64": System("aarch64-unknown-linux-musl", "musllinux_1_2"),
    "windows-x86_64": System("x86_64-pc-windows-gnu"),
    "macos-x86_64": System("x86_64-apple-darwin"),
    "macos-arm64": System("aarch64-apple-darwin"),
}


def build(system: System, folder: Path) -> None:
    """Write the wheel for a system into a folder.

    Raises:
        NoCompiler: if this machine has no compiler for the system.
        subprocess.CalledProcessError: if the wheel does not build.
    """
    with tempfile.TemporaryDirectory() as tools:
        _build(system, folder, Path(tools))


def _build(system: System, folder: Path, tools: Path) -> None:
    options, environment = standard_library(system.target, "std,panic_unwind", into=tools)
    command = [sys.executable, "-m", "maturin", "build", "--quiet", "--release", "--strip"]
    command += ["--locked", "--zig", "--target", system.target, "--out", str(folder), *options]
    if system.oldest:
        command += ["--compatibility", system.oldest]
    # Zig is a package of the environment of this program.
    folders = [Path(sys.executable).parent, tools, os.environ["PATH"]]
    programs = os.pathsep.join(map(str, folders))
    everything = os.environ | environment | {"PATH": programs}
    subprocess.run(command, cwd=ROOT, env=everything, check=True)


def main() -> None:
    """Build wheels."""
    parser = argparse.ArgumentParser(prog="python -m release.wheels", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the wheels are written")
    parser.add_argument("systems", nargs="*", choices=[*SYSTEMS, []], help="all if none is named")
    chosen = parser.parse_args()
    try:
        for name in chosen.systems or SYSTEMS:
            build(SYSTEMS[name], chosen.folder.resolve())
    except NoCompiler as missing:
        sys.exit(str(missing))
    for wheel in sorted(chosen.folder.glob("*.whl")):
        print(f"{wheel.stat().st_size / 1e6:5.2f} MB  {wheel}")


if __name__ == "__main__":
    main()
