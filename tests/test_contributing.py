"""Adding a component is what CONTRIBUTING says it is: one file and one line of a registry.

A member of each of several families is added to a copy of the crates. They have to build, to pass
their own tests and the laws of TCP, to run in a scenario, and to appear in the generated files.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from tests.markdown import blocks

ROOT = Path(__file__).parent.parent
ADDED = ROOT / "tests" / "contributing"


class Member(NamedTuple):
    """A member that is added to a family."""

    family: str
    """The folder of the family in `crates/models/src`."""
    name: str
    """The name of the member: of its file, and in scenarios."""
    default: str
    """The default member of the family, with which the registry ends."""
    test: str
    """A test in the file of the member."""
    help: str
    """The description in the reference."""

    line: str
    """The line of the registry."""

    @property
    def type(self) -> str:
        """The name of its type."""
        return self.name.title().replace("_", "")


MEMBERS = [
    Member(
        "transport/tcp/congestion",
        "scalable",
        "tahoe_bsd",
        "grows_and_shrinks_by_shares_of_the_window",
        "Scalable TCP, which grows and shrinks by fixed shares",
        "scalable => Scalable,",
    ),
    Member("traffic", "burst", "greedy", "writes_once", "Sends one message", "burst => Burst,"),
    Member(
        "bearer",
        "ethernet",
        "ubr",
        "a_frame_takes_more_than_its_packet_and_84_octets_at_least",
        "Whole packets in Ethernet frames",
        "ethernet => Ethernet,",
    ),
    Member(
        "output/discard",
        "dynamic_threshold",
        "tail_drop",
        "a_vc_may_queue_as_much_as_is_free",
        "Dynamic threshold: drops cells or packets of virtual channels whose queue has reached",
        "dynamic_threshold => DynamicThreshold,",
    ),
    Member(
        "output/scheduler",
        "shortest_first",
        "fifo",
        "the_shortest_of_the_first_packets_leaves_next",
        "the shortest of their first packets leaves next",
        "shortest_first => ShortestFirst,",
    ),
]
SHOWN = MEMBERS[0]
"""The member that CONTRIBUTING shows."""
IN_SCENARIOS = (
    "what_a_loss_costs_is_what_the_parameter_says",
    "a_source_and_a_bearer_run_in_a_scenario",
    "a_discard_policy_limits_a_queue_in_a_scenario",
    "a_scheduler_orders_the_packets_of_a_scenario",
)
"""The tests of `scenario.rs`, in which each member runs."""
SOURCES = "crates/models/src"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
COPY = TARGET / "contributing"
"""Always in the same place, so that a second time only what has changed is built."""

QUICKLY = "".join(
    f"[profile.dev.package.cellrelay-{name}]\nopt-level = 0\n"
    for name in ("kernel", "parameters", "models", "scenario")
)
"""Built in a third of the time."""


def copy() -> None:
    """The crates with a file and a line more for each member, and a test of scenarios."""
    shutil.rmtree(COPY, ignore_errors=True)
    COPY.mkdir(parents=True)
    shutil.copy2(ROOT / "Cargo.lock", COPY / "Cargo.lock")
    # Of another version, or cargo would take what is built here for what is built there.
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    renamed = re.sub(r'(\bversion = "=?\d+\.\d+\.\d+)"', r'\1-contributing"', manifest)
    assert renamed != manifest
    (COPY / "Cargo.toml").write_text(renamed + QUICKLY, encoding="utf-8")
    for crates in ("crates", "benches", "conformance"):
        shutil.copytree(ROOT / crates, COPY / crates)
    scenario = COPY / "crates" / "scenario"
    shutil.copy2(ADDED / "scenario.rs", scenario / "tests" / "added.rs")
    with (scenario / "Cargo.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[test]]\nname = "added"\n')
    for member in MEMBERS:
        add(member)
    for name in ("schema", "docs/reference", "python/cellrelay"):
        (COPY / name).mkdir(parents=True)


def add(member: Member) -> None:
    """Add a member to its family: a file and a line."""
    folder = COPY / SOURCES / member.family
    shutil.copy2(ADDED / f"{member.name}.rs", folder / f"{member.name}.rs")
    registry = folder / "mod.rs"
    newer = max(registry.stat().st_mtime_ns, Path(__file__).stat().st_mtime_ns)
    text = registry.read_text(encoding="utf-8")
    before, end, after = text.partition(f"    }} default {member.default}")
    assert end, "the registry ends otherwise"
    registry.write_text(f"{before}        {member.line}\n{end}{after}", encoding="utf-8")
    os.utime(registry, ns=(newer, newer))


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
        (ADDED / f"{SHOWN.name}.rs").read_text(encoding="utf-8").partition("\n#[cfg(test)]")
    )
    assert tests
    assert file == whole
    assert line.strip() == SHOWN.line
    assert f"`{SOURCES}/{SHOWN.family}/mod.rs`" in page


def test_a_component_is_one_file_and_one_line() -> None:
    copy()
    laws = ("everything_arrives_exactly_once", "a_congestion_control_keeps_its_bounds")
    names = (*(member.test for member in MEMBERS), *laws)
    said = cargo("test", "-p", "cellrelay-models", "--lib", "--test", "tcp", "--", *names)
    for name in names:
        assert f"{name} ... ok" in said
    said = cargo("test", "-p", "cellrelay-scenario", "--test", "added")
    for name in IN_SCENARIOS:
        assert f"{name} ... ok" in said
    cargo("run", "-p", "cellrelay-scenario", "--bin", "generate")
    for member in MEMBERS:
        assert f'"{member.name}"' in generated("schema/scenario.schema.json")
        assert f"class {member.type}" in generated("python/cellrelay/scenario/spec.py")
        assert member.help in generated("docs/reference/parameters.md")
