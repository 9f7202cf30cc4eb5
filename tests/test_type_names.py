"""One name, one meaning: a public type of either language has a name of its own."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
RUST = [*sorted(ROOT.glob("crates/*/src")), ROOT / "conformance"]
PYTHON = ROOT / "python" / "cellrelay"

COMPONENT = "a component of a network, and in `spec.py` what a scenario writes about it"
PRESENTED = "the interface for Rust programs shows what a crate below it holds"
EXPERIMENT = "Python holds what the core has read or made"
HOSTED = "each host of the live page has its own: the server, and the worker of a browser"
FIELD = "one object of the field, which each layer sees in its own way"

# Names that several types share because they mean the same, each with the reason.
SAME = {
    COMPONENT: """
        Acknowledge Adaptation Allocator Arrivals Averaging Backoff Bearer BsdAcknowledge
        BsdTimers Buffer CellFormat Compress ConstantBackoff CountedGrowth DecayCount Discard
        Edge Elastic ExponentialLength Fabric FabricOutage FrameLoss GiveUp Growth Host Jitter
        Line LinuxAcknowledge LinuxPacing LinuxTimers Mark Matching MaxAlloc Memory Outage
        PacketBearer PacketFilter Patient PoissonArrivals Policer Prompt QueueCurve RandomTime
        RateStep Retransmission Router Scheduler SlowStart Source Spurious StepsRateChanges
        Switch TableRateChanges Target Timers WTimer
    """,
    PRESENTED: "Report Seed Tap Value",
    EXPERIMENT: """
        BufferLevels Bursts Cause Control Flow Followed Gauge Goal Level Metric Name NextPause
        Place Quantity Reading Replications Scenario Scope Series Simulation Topology Until
    """,
    HOSTED: "Pace Player Session",
    FIELD: "Link Node",
}


def in_rust(text: str) -> Iterator[str]:
    """The public types that a file declares outside its unit tests, in macros or not."""
    text = text.partition("#[cfg(test)]\nmod tests {")[0]
    return (m[1] for m in re.finditer(r"^ *pub (?:struct|enum|trait|type) (\w+)", text, re.M))


def in_python(text: str) -> Iterator[str]:
    """The public classes at the top of a file."""
    classes = (node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef))
    return (name for name in classes if not name.startswith("_"))


def declarations() -> dict[str, list[str]]:
    """The files that declare each name."""
    files: dict[str, list[str]] = defaultdict(list)
    sources = [(path, in_rust) for folder in RUST for path in folder.rglob("*.rs")]
    sources += [(path, in_python) for path in PYTHON.rglob("*.py") if "published" not in path.parts]
    for path, declared in sources:
        for name in declared(path.read_text(encoding="utf-8")):
            files[name].append(str(path.relative_to(ROOT)))
    return files


def test_no_public_type_name_has_two_meanings() -> None:
    files = declarations()
    assert len(files) > 1000, "the folders have moved"
    stated = [name for names in SAME.values() for name in names.split()]
    assert len(stated) == len({*stated})
    shared = {name: places for name, places in files.items() if len(places) > 1}
    assert {name: places for name, places in shared.items() if name not in stated} == {}
    assert {*stated} <= {*shared}, "a stated name has one type only"


def test_types_are_found_in_both_languages() -> None:
    rust = """
pub struct Queue<T>(T);
registry! {
    pub enum Policy {}
}
pub(crate) trait Hidden {}
pub type Label = (u8, u8);

#[cfg(test)]
mod tests {
    pub struct Other;
}
"""
    assert list(in_rust(rust)) == ["Queue", "Policy", "Label"]
    python = "class Run:\n    class Inner: ...\n\nclass _Hidden: ...\n"
    assert list(in_python(python)) == ["Run"]
