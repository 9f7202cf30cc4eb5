"""Compilation for another system, with a compiler that this machine has."""

from __future__ import annotations

import subprocess
from pathlib import Path

DEBIAN = Path("/usr/bin/rustc")
LIBRARY = Path("/usr/lib/rustlib/src/rust/library/std/Cargo.toml")


class NoCompiler(Exception):
    """This machine cannot compile for a system; the message says how to change that."""

    def __init__(self, target: str, *packages: str) -> None:
        debian = " ".join(("rustc-web", "rust-web-src", *packages))
        super().__init__(
            f"No compiler on this machine compiles for {target}. Install one, and repeat the"
            f" command:\n  rustup target add {target}\nor, on Debian:\n  apt-get install --yes"
            f" --no-install-recommends {debian}"
        )


def standard_library(target: str, crates: str, *packages: str) -> tuple[list[str], dict[str, str]]:
    """Options of cargo and variables of its environment, by which it compiles for `target`.

    A compiler of `rustup` to which the target was added needs no options. Debian's compiler builds
    the standard library from its source, `crates` with a comma between them; `packages` of Debian
    are needed beside it.

    Raises:
        NoCompiler: if there is neither.
    """
    if _has(target):
        return [], {}
    if DEBIAN.exists() and LIBRARY.exists():
        # To build the standard library is an unstable feature of cargo.
        return [f"-Zbuild-std={crates}"], {"RUSTC": str(DEBIAN), "RUSTC_BOOTSTRAP": "1"}
    raise NoCompiler(target, *packages)


def _has(target: str) -> bool:
    command = ["rustc", "--print", "target-libdir", "--target", target]
    asked = subprocess.run(command, capture_output=True, text=True, check=False)
    return asked.returncode == 0 and any(Path(asked.stdout.strip()).glob("libstd-*.rlib"))
