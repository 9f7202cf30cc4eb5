"""The compilation of the core to WebAssembly, with a compiler that this machine has.

A compiler of `rustup` has the target if it was added. Debian's compiler has no standard library for
it that is new enough, and builds one from its source.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
TARGET = "wasm32-unknown-unknown"
PROFILE = "browser"

DEBIAN = Path("/usr/bin/rustc")
LIBRARY = Path("/usr/lib/rustlib/src/rust/library/std/Cargo.toml")
LINKER = "wasm-ld-22"

MISSING = f"""\
No compiler on this machine makes WebAssembly. Install one, and repeat the command:
  rustup target add {TARGET}
or, on Debian:
  apt-get install --yes --no-install-recommends rustc-web rust-web-src lld-22"""


class NoCompiler(Exception):
    """This machine has no compiler for WebAssembly; the message says how to install one."""


def compiled() -> Path:
    """The compiled core, which is up to date.

    Raises:
        NoCompiler: if this machine has no compiler for WebAssembly.
        subprocess.CalledProcessError: if the core does not compile.
    """
    options, environment = _compiler()
    command = ["cargo", "build", "--quiet", "--locked", "--package", "cellrelay-browser", "--lib"]
    command += ["--target", TARGET, "--profile", PROFILE, *options]
    subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=True, stdout=sys.stderr)
    folder = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return folder / TARGET / PROFILE / "cellrelay_browser.wasm"


def _compiler() -> tuple[list[str], dict[str, str]]:
    """Options for cargo, and its environment."""
    if _has_target():
        return [], {}
    if DEBIAN.exists() and LIBRARY.exists() and shutil.which(LINKER):
        environment = {
            "RUSTC": str(DEBIAN),
            # To build the standard library is an unstable feature of cargo.
            "RUSTC_BOOTSTRAP": "1",
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER": LINKER,
        }
        return ["-Zbuild-std=std,panic_abort"], environment
    raise NoCompiler(MISSING)


def _has_target() -> bool:
    command = ["rustc", "--print", "target-libdir", "--target", TARGET]
    asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return asked.returncode == 0 and any(Path(asked.stdout.strip()).glob("libstd-*.rlib"))
