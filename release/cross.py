"""Compilation for another system, with a compiler that this machine has."""

from __future__ import annotations

import shutil
import subprocess
import sys
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


def standard_library(
    target: str, crates: str, *packages: str, into: Path | None = None
) -> tuple[list[str], dict[str, str]]:
    """Options of cargo and variables of its environment, by which it compiles for `target`.

    A compiler of `rustup` to which the target was added needs no options. Debian's compiler builds
    the standard library from its source, `crates` with a comma between them; `packages` of Debian
    are needed beside it. If a folder is given, programs and libraries that Debian's compiler lacks
    for other systems are written `into` it; it has to be on the path of programs.

    Raises:
        NoCompiler: if there is neither.
    """
    if _has(target):
        return [], {}
    if DEBIAN.exists() and LIBRARY.exists():
        # To build the standard library is an unstable feature of cargo.
        environment = {"RUSTC": str(DEBIAN), "RUSTC_BOOTSTRAP": "1"}
        if into is not None:
            environment["RUSTFLAGS"] = f"-Lnative={_stand_ins(into)}"
        return [f"-Zbuild-std={crates}"], environment
    raise NoCompiler(target, *packages)


def _stand_ins(folder: Path) -> Path:
    """Write programs and libraries into a folder that Debian's compiler lacks for other systems.

    The compiler strips a library for macOS with `rust-objcopy`, which Debian calls otherwise, and
    links a library for Windows with one of GCC, of which code linked by zig needs nothing. It has
    a function that maturin 1.16 asks for, which takes the path of the module for its name.
    """
    if strip := shutil.which("llvm-objcopy"):
        (folder / "rust-objcopy").symlink_to(strip)
    source, compiled = folder / "module.c", folder / "module.o"
    source.write_text(
        'void module(void) __asm__("PyInit_cellrelay._core");\nvoid module(void) {}\n'
    )
    zig = [sys.executable, "-m", "ziglang"]
    target = ["-target", "x86_64-windows-gnu"]
    subprocess.run([*zig, "cc", *target, "-c", str(source), "-o", str(compiled)], check=True)
    archive = folder / "libssp_nonshared.a"
    subprocess.run([*zig, "ar", "rcs", str(archive), str(compiled)], check=True)
    return folder


def _has(target: str) -> bool:
    command = ["rustc", "--print", "target-libdir", "--target", target]
    asked = subprocess.run(command, capture_output=True, text=True, check=False)
    return asked.returncode == 0 and any(Path(asked.stdout.strip()).glob("libstd-*.rlib"))
