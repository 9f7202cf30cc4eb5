"""Adding a component is what CONTRIBUTING says it is: one file and one line of a registry.

A congestion control is added to a copy of the crates. It has to build, to pass its own test and the
laws of TCP, to run in a scenario, and to turn up in what is generated.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from tests.markdown import blocks

ROOT = Path(__file__).parent.parent
ADDED = ROOT / "tests" / "contributing"
FAMILY = "crates/models/src/transport/tcp/congestion"
LINE = "scalable => Scalable,"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
COPY = TARGET / "contributing"
"""Always in the same place, so that a second time only what has changed is built."""

QUICKLY = "".join(
    f"[profile.dev.package.cellrelay-{name}]\nopt-level = 0\ndebug = false\n"
    for name in ("kernel", "parameters", "models", "scenario")
)
"""Built in a third of the time."""


def copy() -> None:
    """The crates with one file and one line more, and a test of a scenario."""
    shutil.rmtree(COPY, ignore_errors=True)
    COPY.mkdir(parents=True)
    shutil.copy2(ROOT / "Cargo.lock", COPY / "Cargo.lock")
    # Of another version, or cargo would take what is built here for what is built there.
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    renamed = re.sub(r'^(version = ".*)"$', r'\1-contributing"', manifest, flags=re.MULTILINE)
    assert renamed != manifest
    (COPY / "Cargo.toml").write_text(renamed + QUICKLY, encoding="utf-8")
    for crates in ("crates", "benches", "conformance"):
        shutil.copytree(ROOT / crates, COPY / crates)
    shutil.copy2(ADDED / "scalable.rs", COPY / FAMILY / "scalable.rs")
    shutil.copy2(ADDED / "scenario.rs", COPY / "crates" / "scenario" / "tests" / "scalable.rs")
    registry = COPY / FAMILY / "mod.rs"
    newer = max(registry.stat().st_mtime_ns, Path(__file__).stat().st_mtime_ns)
    before, end, after = registry.read_text(encoding="utf-8").partition("    } default tahoe_bsd\n")
    assert end, "the registry ends otherwise"
    registry.write_text(f"{before}        {LINE}\n{end}{after}", encoding="utf-8")
    os.utime(registry, ns=(newer, newer))
    for name in ("schema", "docs/reference", "python/cellrelay"):
        (COPY / name).mkdir(parents=True)


def cargo(*arguments: str) -> str:
    """What cargo prints; packages that others need as well are not built again."""
    done = subprocess.run(
        ["cargo", *arguments],
        cwd=COPY,
        env=os.environ | {"CARGO_TARGET_DIR": str(TARGET), "CARGO_NET_OFFLINE": "true"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def generated(name: str) -> str:
    return (COPY / name).read_text(encoding="utf-8")


def test_the_page_shows_the_file_and_the_line() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    file, line = (block.text for block in blocks(page) if block.language == "rust")
    whole, tests, _ = (
        (ADDED / "scalable.rs").read_text(encoding="utf-8").partition("\n#[cfg(test)]")
    )
    assert tests
    assert file == whole
    assert line.strip() == LINE
    assert f"`{FAMILY}/mod.rs`" in page


def test_a_congestion_control_is_one_file_and_one_line() -> None:
    copy()
    laws = ("everything_arrives_exactly_once", "a_congestion_control_keeps_its_bounds")
    names = ("congestion::scalable", *laws)
    said = cargo("test", "-p", "cellrelay-models", "--lib", "--test", "tcp", "--", *names)
    for name in ("grows_and_shrinks_by_shares_of_the_window", *laws):
        assert f"{name} ... ok" in said
    said = cargo("test", "-p", "cellrelay-scenario", "--test", "scalable")
    assert "what_a_loss_costs_is_what_the_parameter_says ... ok" in said
    cargo("run", "-p", "cellrelay-scenario", "--bin", "generate")
    assert '"scalable"' in generated("schema/scenario.schema.json")
    assert "class Scalable" in generated("python/cellrelay/spec.py")
    what_it_is = "Scalable TCP, which grows and shrinks by fixed shares"
    assert what_it_is in generated("docs/reference/parameters.md")
