"""Mutants: copies of the code with one small change each, which some test has to notice.

A sample of the mutants that `cargo-mutants` makes of the kernel, the outputs, the credits and the
transports is tried: every n-th of them, in the order of the files, so that the sample is the same
each time. A mutant meets the tests of its own crate; if it survives those, it meets the tests of
whole scenarios. What survives both is listed. It is answered by a test, or by a line of
`.cargo/mutants.toml` that says why no test can tell it from the code.

The code is changed in a copy of the tree.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]

# Stages: the mutants of a stage are those that survived the one before it.
OWN_CRATE: list[str] = []
WHOLE_SCENARIOS = ["--test-package=cellrelay-scenario"]

ENVIRONMENT = {
    # The same cases for every mutant, and none of them made smaller.
    "PROPTEST_RNG_SEED": "1",
    "PROPTEST_MAX_SHRINK_ITERS": "0",
    "RUST_BACKTRACE": "0",
}


def main() -> int:
    """Try a sample, and tell what survived; 0 if enough of it was caught."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=330, help="about how many are tried")
    parser.add_argument(
        "--least", type=float, default=95.0, help="percentage that has to be caught"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "target" / "mutants")
    options = parser.parse_args()
    tree = options.out / "tree"
    copy(tree)
    environment = os.environ | ENVIRONMENT | {"CARGO_TARGET_DIR": str(options.out / "target")}
    run = Run(tree, options.out, environment)
    shards = max(1, len(run.listed()) // options.sample)
    run.stage(OWN_CRATE, shards)
    first = run.outcomes()
    run.stage([*WHOLE_SCENARIOS, "--iterate"], shards)
    second = run.outcomes()
    return told(first, second, options.least)


class Run:
    """`cargo-mutants` in a copy of the tree."""

    def __init__(self, tree: Path, out: Path, environment: dict[str, str]) -> None:
        """Runs in `tree`, and keeps what was found in `out`."""
        self.tree = tree
        self.out = out
        self.environment = environment

    def listed(self) -> list[object]:
        """All mutants that there are."""
        told = self._cargo(["--list", "--json"], capture=True)
        mutants = json.loads(told)
        assert isinstance(mutants, list)
        return mutants

    def stage(self, arguments: list[str], shards: int) -> None:
        """Tries every `shards`-th mutant."""
        sample = [f"--shard=0/{shards}", "--sharding=round-robin", "--no-shuffle"]
        self._cargo(["--in-place", "--colors=never", *sample, *arguments])

    def outcomes(self) -> dict[str, list[str]]:
        """The mutants that were tried last, by what became of them."""
        text = (self.out / "mutants.out" / "outcomes.json").read_text(encoding="utf-8")
        found: dict[str, list[str]] = {}
        for outcome in json.loads(text)["outcomes"]:
            if outcome["scenario"] != "Baseline":
                name = outcome["scenario"]["Mutant"]["name"]
                found.setdefault(outcome["summary"], []).append(name)
        return found

    def _cargo(self, arguments: list[str], *, capture: bool = False) -> str:
        command = ["cargo", "mutants", f"--output={self.out}", *arguments]
        done = subprocess.run(
            command,
            cwd=self.tree,
            env=self.environment,
            stdout=subprocess.PIPE if capture else None,
            text=True,
            check=False,
        )
        # 2 and 3 tell of mutants that survived, and of those that were not done in time.
        if done.returncode not in {0, 2, 3}:
            sys.exit(f"{' '.join(command)} failed: {done.returncode}")
        return done.stdout or ""


def copy(tree: Path) -> None:
    """Copies all that is under version control, and lets `cargo-mutants` see all of it."""
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
            # No failure is kept and tried with other mutants: a file stands where its folder would.
            if folder.is_dir():
                (folder / "proptest-regressions").touch()


def declare_members(source: Path) -> None:
    """Names the files that a `registry!` declares, which `cargo-mutants` would not find.

    The compiler does not look at what is configured out.
    """
    text = source.read_text(encoding="utf-8")
    registries = re.findall(
        r"^(?:parameters::)?registry! \{\n(.*?)^\}", text, re.DOTALL | re.MULTILINE
    )
    members = [
        name
        for registry in registries
        for name in re.findall(r"^\s+(\w+) => \w+,", registry, re.MULTILINE)
    ]
    lines = [f"#[cfg(any())]\nmod {name};\n" for name in members]
    if lines:
        source.write_text(text + "\n" + "\n".join(lines), encoding="utf-8")


def told(
    first: dict[str, list[str]],
    second: dict[str, list[str]],
    least: float,
) -> int:
    """Tells what became of the mutants of both stages; 0 if enough of them were caught."""
    counts = Counter({what: len(mutants) for what, mutants in first.items()})
    survived = second.get("MissedMutant", [])
    viable = counts["CaughtMutant"] + counts["Timeout"] + counts["MissedMutant"]
    caught = viable - len(survived)
    share = 100 * caught / max(1, viable)
    print(f"{counts['Unviable']} mutants did not compile, {viable} did")
    print(f"{viable - counts['MissedMutant']} were caught by the tests of their crate")
    print(f"{counts['MissedMutant'] - len(survived)} more by those of whole scenarios")
    print(f"{caught} of {viable} were caught: {share:.1f} %")
    for name in survived:
        print(f"survived: {name}")
    return 0 if share >= least else 1


if __name__ == "__main__":
    sys.exit(main())
