"""`python -m tests.changed` runs the tests that belong to what has changed since a commit.

A crate has its own tests, and a file of Python the tests that import it; what only a whole run of
the suite shows is left to `make test`.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
EVERY = ("tests/test_sizes.py", "tests/test_imports.py", "tests/test_heads.py")
"""Tests that read all sources, in seconds."""

SHARED = ("all.rs", "common", "golden", "outside", "random_networks")
"""What is no module of the tests of scenarios, or is used by many."""

OF_A_PAGE = (
    *("test_examples_do_what_the_page_says", "test_links_lead_somewhere"),
    *("test_files_and_tests_that_are_named_exist", "test_a_line_holds_one_sentence"),
)


def changed(since: str) -> list[str]:
    """Files that differ from those of a commit, also before they are committed."""
    lines: list[str] = []
    for command in (["diff", "--name-only", since], ["ls-files", "--others", "--exclude-standard"]):
        done = subprocess.run(
            ["git", *command], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
        )
        lines += done.stdout.splitlines()
    return sorted(set(lines))


def of_crates(files: Iterable[str]) -> list[list[str]]:
    """The arguments of `cargo test`, for each crate."""
    by_crate: dict[str, list[Path]] = {}
    for file in map(Path, files):
        match file.parts:
            case ("crates", crate, _, *_):
                by_crate.setdefault(crate, []).append(Path(*file.parts[2:]))
    return [
        ["--package", "cellrelay" if crate == "cellrelay" else f"cellrelay-{crate}"]
        + (of_scenarios(within) if crate == "scenario" else [])
        for crate, within in sorted(by_crate.items())
    ]


def of_scenarios(within: Iterable[Path]) -> list[str]:
    """What is run of the tests of scenarios: without the random networks, which take a minute."""
    modules = set()
    for file in within:
        if file.parts[0] != "tests" or file.parts[1] in SHARED:
            return ["--lib", "--test", "all"]
        modules.add(f"{file.parts[1].removesuffix('.rs')}::")
    return ["--test", "all", "--", *sorted(modules)]


def of_python(files: Iterable[str]) -> list[str]:
    """The arguments of pytest: tests that have changed or import what has, and those of pages."""
    found = dict.fromkeys(EVERY)
    for file in files:
        path = Path(file)
        if path.suffix == ".md" and (ROOT / path).exists():
            found |= dict.fromkeys(f"tests/test_docs.py::{test}[{file}]" for test in OF_A_PAGE)
        elif path.parts[0] == "studies" and len(path.parts) > 2:
            study = f"{path.parts[0]}/{path.parts[1]}/test_study.py"
            found |= dict.fromkeys([study] if (ROOT / study).exists() else [])
        elif path.suffix == ".py":
            names = {name_of(path), name_of(path.parent) if path.parent.name else ""}
            tests = (test for test in test_files() if test == file or names & imported(test))
            found |= dict.fromkeys(tests)
    return list(found)


def name_of(path: Path) -> str:
    """The name of a module; none of the root of the package, which every test imports."""
    parts = [*path.with_suffix("").parts]
    parts = parts[parts[:1] == ["python"] :]
    parts = parts[:-1] if parts[-1:] == ["__init__"] else parts
    return ".".join(parts) if len(parts) > 1 else ""


@cache
def test_files() -> list[str]:
    """All files of tests."""
    found = [*ROOT.glob("tests/**/test_*.py"), *ROOT.glob("studies/**/test_*.py")]
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


@cache
def imported(file: str) -> frozenset[str]:
    """The modules that a file imports, and those that the helpers of tests import for it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        names |= set(imports(node, Path(file).parent))
    helpers = [ROOT / f"{name.replace('.', '/')}.py" for name in names if name.startswith("tests.")]
    for helper in helpers:
        if helper.exists():
            names |= imported(helper.relative_to(ROOT).as_posix())
    return frozenset(names - {""})


def imports(node: ast.AST, folder: Path) -> Iterator[str]:
    """The modules, and the names in them, that a statement imports into a file of a folder."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = folder.parts[: len(folder.parts) - node.level + 1] if node.level else ()
        module = ".".join([*above, *([node.module] if node.module else [])])
        yield module
        yield from (f"{module}.{alias.name}" for alias in node.names)


def main() -> None:
    """Run the tests, or list them."""
    parser = argparse.ArgumentParser(prog="python -m tests.changed", description=__doc__)
    parser.add_argument("since", nargs="?", default="HEAD", help="a commit; by default the last")
    parser.add_argument("--list", action="store_true", help="print the commands, and run nothing")
    options = parser.parse_args()
    files = changed(options.since)
    commands = [["cargo", "test", "--quiet", *crate] for crate in of_crates(files)]
    commands.append([sys.executable, "-m", "pytest", "-n", "2", *of_python(files)])
    for command in commands:
        print(f"$ {' '.join(command)}", flush=True)
    failed = not options.list and [
        command for command in commands if subprocess.run(command, cwd=ROOT, check=False).returncode
    ]
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
