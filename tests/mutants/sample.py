"""A copy of the tree, and the mutants that are tried in it."""

import json
import re
import shutil
import subprocess
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Mutant:
    """One small change of the code."""

    number: int
    name: str
    crate: str
    file: str
    genre: str
    replacement: str
    # Line and column of the code that is replaced, both from one.
    start: tuple[int, int]
    end: tuple[int, int]


def copy(tree: Path) -> None:
    """Copy all that is under version control, and let `cargo-mutants` see all of it."""
    shutil.rmtree(tree, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.split("\0"):
        source = ROOT / name
        if name and source.is_file() and not source.is_symlink():
            target = tree / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    for source in tree.glob("crates/*/src/**/*.rs"):
        declare_members(source)
    for crate in tree.glob("crates/*"):
        for folder in (crate, crate / "tests"):
            # A file stands where proptest would keep failures, so that none is tried again with
            # another mutant.
            if folder.is_dir():
                (folder / "proptest-regressions").touch()


def declare_members(source: Path) -> None:
    """Name the files that a `registry!` declares, which `cargo-mutants` would not find.

    The compiler does not look at what is configured out.
    """
    text = source.read_text(encoding="utf-8")
    registry = re.compile(r"^(?:parameters::)?registry! \{\n(.*?)^\}", re.DOTALL | re.MULTILINE)
    member = re.compile(r"^\s+(\w+) => \w+,", re.MULTILINE)
    members = [name for body in registry.findall(text) for name in member.findall(body)]
    lines = [f"#[cfg(any())]\nmod {name};\n" for name in members]
    if lines:
        source.write_text(text + "\n" + "\n".join(lines), encoding="utf-8")


def sample(
    tree: Path, environment: Mapping[str, str], size: int, seed: int
) -> tuple[int, list[Mutant]]:
    """Some `size` mutants, in the order of the files; and how many there are in all."""
    listed = subprocess.run(
        ["cargo", "mutants", "--list", "--json"],
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    mutants = json.loads(listed.stdout)
    ranks = _ranks([found["name"] for found in mutants], seed)
    last = sorted(ranks)[:size][-1]
    chosen = [found for found, rank in zip(mutants, ranks, strict=True) if rank <= last]
    return len(mutants), [_mutant(number, found) for number, found in enumerate(chosen, 1)]


def _ranks(names: list[str], seed: int) -> list[int]:
    """A random number for each mutant, which stays the same where other code changes."""
    seen: Counter[str] = Counter()
    ranks = []
    for name in names:
        place, _, change = name.partition(": ")
        what = f"{place.partition(':')[0]} {change}"
        seen[what] += 1
        ranks.append(zlib.crc32(f"{seed} {what} {seen[what]}".encode()))
    return ranks


def _mutant(number: int, found: dict[str, object]) -> Mutant:
    span = found["span"]
    assert isinstance(span, dict)
    return Mutant(
        number=number,
        name=str(found["name"]),
        crate=str(found["package"]).removeprefix("cellrelay-"),
        file=str(found["file"]),
        genre=str(found["genre"]),
        replacement=str(found["replacement"]),
        start=(span["start"]["line"], span["start"]["column"]),
        end=(span["end"]["line"], span["end"]["column"]),
    )
