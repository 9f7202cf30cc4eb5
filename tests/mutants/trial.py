"""Builds the mutants, and lets tests try to notice them."""

import json
import os
import subprocess
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.mutants.sample import Mutant
from tests.mutants.switches import ACTIVE, Source, marked

# From the bottom up; the tests of a crate notice nothing of what is above it.
CRATES = ("kernel", "models", "conformance", "scenario")

# The same cases for every mutant, none of them made smaller.
ENVIRONMENT = {
    "PROPTEST_RNG_SEED": "1",
    "PROPTEST_MAX_SHRINK_ITERS": "0",
    "RANDOM_NETWORKS": "150",
    "RUST_BACKTRACE": "0",
}

# A test that takes longer than this beyond several times its own time has met an endless loop.
PATIENCE = 20.0

# One that takes more memory than this will never have enough.
MEMORY = 4 << 30


@dataclass(frozen=True)
class Tests:
    """Tests of one executable, and how long they take where nothing is changed."""

    crate: str
    name: str
    path: str
    folder: str
    module: str = ""
    """The module whose tests they are; empty for all tests of the executable."""
    seconds: float = 0.0


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: the tests that noticed it, if any did."""

    mutant: Mutant
    noticed_by: Tests | None


class Workshop:
    """A copy of the tree with all mutants in it."""

    def __init__(self, tree: Path, environment: Mapping[str, str]) -> None:
        """Build in `tree`."""
        self.tree = tree
        self.environment = dict(environment) | ENVIRONMENT
        self.sources: dict[str, Source] = {}
        kernel = tree / "crates" / "kernel" / "src" / "lib.rs"
        kernel.write_text(kernel.read_text(encoding="utf-8") + ACTIVE, encoding="utf-8")

    def switchable(self, mutants: Iterable[Mutant]) -> list[Mutant]:
        """The mutants that can be switched on while the code runs."""
        return [mutant for mutant in mutants if self._source(mutant).site(mutant) is not None]

    def _source(self, mutant: Mutant) -> Source:
        if mutant.file not in self.sources:
            text = (self.tree / mutant.file).read_bytes()
            active = "crate::mutant()" if mutant.crate == "kernel" else "kernel::mutant()"
            self.sources[mutant.file] = Source(text, active)
        return self.sources[mutant.file]

    def viable(self, mutants: list[Mutant]) -> list[Mutant]:
        """Write all mutants into the tree, and return those that compile."""
        while True:
            for file, source in self.sources.items():
                of_file = [mutant for mutant in mutants if mutant.file == file]
                (self.tree / file).write_bytes(source.with_mutants(of_file))
            broken = self._broken()
            if not broken:
                return mutants
            mutants = [mutant for mutant in mutants if mutant.number not in broken]

    def _broken(self) -> set[int]:
        """The mutants about whose code the compiler complains."""
        broken: set[int] = set()
        for message in self._cargo("check", "--package=cellrelay-models"):
            if message["reason"] != "compiler-message" or message["message"]["level"] != "error":
                continue
            for span in message["message"]["spans"]:
                if span["is_primary"]:
                    source = (self.tree / span["file_name"]).read_bytes()
                    number = marked(source, span["byte_start"])
                    assert number is not None, message["message"]["rendered"]
                    broken.add(number)
        return broken

    def tests(self) -> list[Tests]:
        """All tests, built, and timed where nothing is changed."""
        packages = [f"--package=cellrelay-{crate}" for crate in CRATES]
        built = []
        for message in self._cargo("test", "--no-run", *packages):
            if message.get("executable") and message["profile"]["test"]:
                folder = Path(message["manifest_path"]).parent
                name, path = message["target"]["name"], message["executable"]
                # Many files of tests in one executable: a quick one may spare the slow ones.
                modules = self._modules(path) if name == "all" else [""]
                built += [Tests(folder.name, name, path, str(folder), one) for one in modules]
        return [self._timed(tests) for tests in built]

    def _modules(self, path: str) -> list[str]:
        """The modules with tests in an executable, each with the `::` that ends its name."""
        listed = subprocess.run(
            [path, "--list", "--format=terse"],
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        names = listed.stdout.splitlines()
        return list(dict.fromkeys("".join(name.partition("::")[:2]) for name in names))

    def _timed(self, tests: Tests) -> Tests:
        start = time.monotonic()
        assert not self._notice(tests, 0, 600.0), f"{tests.name} fails where nothing is changed"
        return replace(tests, seconds=time.monotonic() - start)

    def try_all(self, mutants: list[Mutant], tests: list[Tests]) -> Iterable[Verdict]:
        """Try the mutants side by side; verdicts come in order."""
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            yield from threads.map(lambda mutant: self._try(mutant, tests), mutants)

    def _try(self, mutant: Mutant, tests: list[Tests]) -> Verdict:
        above = CRATES[CRATES.index(mutant.crate) :]
        able = [one for one in tests if one.crate in above]
        for one in sorted(able, key=lambda one: (above.index(one.crate), one.seconds)):
            if self._notice(one, mutant.number, PATIENCE + 6 * one.seconds):
                return Verdict(mutant, one)
        return Verdict(mutant, None)

    def _notice(self, tests: Tests, number: int, seconds: float) -> bool:
        try:
            done = subprocess.run(
                ["prlimit", f"--as={MEMORY}", tests.path, "--quiet", *filter(None, [tests.module])],
                cwd=tests.folder,
                env=self.environment | {"MUTANT": str(number)},
                capture_output=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0

    def _cargo(self, command: str, *arguments: str) -> list[dict[str, Any]]:
        """What cargo tells, message by message."""
        told = subprocess.run(
            ["cargo", command, "--message-format=json", *arguments],
            cwd=self.tree,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=False,
        )
        return [json.loads(line) for line in told.stdout.splitlines() if line.startswith("{")]
