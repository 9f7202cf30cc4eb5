"""Newer dependencies: which there are, and whether all tests pass with those that are allowed.

Everything happens in a clone of the last commit, `out/upgrade`. If its tests pass, its `Cargo.lock`
and its `requirements-dev.txt` can be copied from there.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
CLONE = ROOT / "out" / "upgrade"
LOCK = "requirements-dev.txt"
LOCKS = {LOCK: "dev", "requirements-wheels.txt": "wheels", "requirements-release.txt": "release"}
"""The locks of Python packages, each with the group that it holds."""

Versions = Mapping[str, set[str]]
"""The versions of each package; a lock may hold several of one."""


def lock(folder: Path, *options: str) -> None:
    """Write the locks of Python packages; locked versions stay if they may."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal"]
    command += ["--python-version", "3.11", "--generate-hashes", "--no-header", "--no-annotate"]
    for name, group in LOCKS.items():
        of_group = ["--group", group, *options, "--output-file", name]
        subprocess.run([*command, *of_group], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def python(text: str) -> Versions:
    """The versions in a lock of Python packages."""
    lines = [line.removesuffix("\\") for line in text.splitlines() if not line.startswith(" ")]
    pinned = [Requirement(line) for line in lines]
    return _collected((each.name, next(iter(each.specifier)).version) for each in pinned)


def rust(text: str) -> Versions:
    """The versions in a `Cargo.lock`, without the crates of the workspace."""
    packages = tomllib.loads(text)["package"]
    return _collected((each["name"], each["version"]) for each in packages if "source" in each)


def _collected(pairs: Iterable[tuple[str, str]]) -> Versions:
    versions: dict[str, set[str]] = {}
    for name, version in pairs:
        versions.setdefault(name, set()).add(version)
    return versions


def changed(before: Versions, after: Versions) -> list[str]:
    """A line for each package whose versions differ."""
    names = sorted(name for name in {**before, **after} if before.get(name) != after.get(name))
    return [f"{name:32} {_listed(before, name):20} {_listed(after, name)}" for name in names]


def _listed(versions: Versions, name: str) -> str:
    return ", ".join(sorted(versions.get(name, ()))) or "none"


def _versions(folder: Path) -> tuple[Versions, Versions]:
    locked, cargo = folder / LOCK, folder / "Cargo.lock"
    return python(locked.read_text(encoding="utf-8")), rust(cargo.read_text(encoding="utf-8"))


def upgrade(folder: Path) -> None:
    """Lock the newest versions that `pyproject.toml` and each `Cargo.toml` allow."""
    lock(folder, "--upgrade")
    subprocess.run(["cargo", "update", "--quiet"], cwd=folder, check=True)


def beyond(folder: Path) -> Versions:
    """The versions of crates without regard to the requirements of each `Cargo.toml`."""
    # An unstable option, which changes the requirements too: hence in a copy.
    copy = folder.with_name(f"{folder.name}-beyond")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("target", ".venv", ".git"))
    command = ["cargo", "update", "--quiet", "--breaking", "-Zunstable-options"]
    subprocess.run(command, cwd=copy, env=os.environ | {"RUSTC_BOOTSTRAP": "1"}, check=True)
    versions = rust((copy / "Cargo.lock").read_text(encoding="utf-8"))
    shutil.rmtree(copy)
    return versions


def _told(title: str, lines: Sequence[str]) -> None:
    print(f"{title}: {len(lines)}", *lines, sep="\n  ", flush=True)


def main() -> None:
    """Tell what is newer, and pass all tests with it unless only a list is wanted."""
    parser = argparse.ArgumentParser(prog="python -m release.upgrades", description=__doc__)
    parser.add_argument("--list", action="store_true", help="run no tests")
    parser.add_argument("--lock", action="store_true", help=f"only write {LOCK}")
    chosen = parser.parse_args()
    if chosen.lock:
        return lock(ROOT)
    shutil.rmtree(CLONE, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(CLONE)], check=True)
    before = _versions(CLONE)
    upgrade(CLONE)
    after = _versions(CLONE)
    lines = [changed(*pair) for pair in zip(before, after, strict=True)]
    _told("Python packages with a newer version", lines[0])
    _told("crates with a newer version", lines[1])
    _told("crates with one that a Cargo.toml does not allow", changed(after[1], beyond(CLONE)))
    if chosen.list or not any(lines):
        return None
    # The tests of the clone set up an environment of their own.
    outside = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    tested = subprocess.run(["make", "test"], cwd=CLONE, env=outside, check=False)
    passed = tested.returncode == 0
    print(f"With these versions {'all tests pass' if passed else 'a test fails'}: {CLONE}")
    sys.exit(tested.returncode)


if __name__ == "__main__":
    main()
