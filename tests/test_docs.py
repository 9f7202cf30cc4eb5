"""Documentation: what it shows is run, what it quotes is in the code, what it points to is there.

On each page the blocks share a folder, in order. A `toml` block that begins with the name of a
file is that file; any other is laid over the last of them, or over `examples/policies.toml`, and
checked; a `Cargo.toml` is left to the tests in Rust. In a `console` block lines after `$ ` are run,
and the output shown below them must be what they print; `make` is only looked up. `python` blocks
are run, as doctests if they have prompts. `rust` blocks are quotations.

`UPDATE_GOLDEN=1` writes the output of commands anew.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

import cellrelay
from cellrelay.cli.dispatch import COMMANDS, app
from cellrelay.scenario import toml
from tests.debian import require
from tests.markdown import Block, anchors, blocks, commands, inline_code, links, prose
from tests.patience import PATIENCE
from tests.slurm import slurm

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("studies/*/README.md"),
        *ROOT.glob("benches/*.md"),
    ]
)
GENERATED = ROOT / "docs" / "reference" / "parameters.md"


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


each_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


LONG = (
    "docs/concepts/input-queued-switches.md",
    "docs/guides/design-an-explicit-rate-switch.md",
    "docs/guides/explain-a-slow-flow.md",
    "docs/guides/find-what-matters.md",
    "docs/guides/from-one-run-to-a-cluster.md",
    "docs/guides/look-at-incast.md",
    "docs/guides/size-a-credit-link.md",
    "docs/guides/size-headroom.md",
    "docs/guides/watch-a-window.md",
    "docs/guides/what-will-p99-be.md",
    "docs/guides/write-your-own-policy.md",
    "docs/labs/why-58-percent-answers.md",
    "docs/labs/why-58-percent.md",
    "docs/labs/why-early-packet-discard-answers.md",
    "docs/labs/why-early-packet-discard.md",
    "docs/labs/why-tcp-waits-answers.md",
    "docs/labs/why-tcp-waits.md",
)
"""Pages whose examples take a quarter of a minute, which `make soak` carries out; otherwise their
scenarios are read, and their commands and their Python are understood."""

each_example = pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.slow if name_of(page) in LONG else ()) for page in PAGES],
    ids=name_of,
)


class Session:
    """The blocks of one page, carried out in one folder."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = os.environ | environment
        self.scenario = ROOT / "examples" / "policies.toml"
        self.behind: list[int] = []
        self.names: dict[str, Any] = {}
        for shared in ("examples", "studies"):
            (folder / shared).symlink_to(ROOT / shared)

    def toml(self, block: Block) -> str:
        """The block as it should be."""
        named = re.match(r"# ([\w./-]+\.toml)\n", block.text)
        if named and named[1] == "Cargo.toml":
            # `crates/cellrelay/tests/interface/examples.rs` builds a program with it.
            return block.text
        if named and "scenario" in tomllib.loads(block.text):
            # A question for `calibrate`, which reads it when it is run.
            (self.folder / named[1]).write_text(block.text, encoding="utf-8")
            return block.text
        if named:
            self.scenario = self.folder / named[1]
            if (ROOT / named[1]).exists():
                # The name of a file of the repository stands in front of what it holds.
                assert read(ROOT / named[1]) == block.text[named.end() :].lstrip("\n")
            else:
                self.scenario.write_text(block.text, encoding="utf-8")
        # A part says what it would be without the sweep, which may set the same.
        part = leaves({"sweep": {}} | tomllib.loads(block.text))
        settings = [] if named else [*part, *self.links(tomllib.loads(block.text))]
        cellrelay.load(self.scenario, settings)
        return block.text

    def links(self, part: dict[str, Any]) -> list[tuple[str, str]]:
        """Settings that link the nodes of a part to the scenario, if only the part has them."""
        known = tomllib.loads(read(self.scenario))
        hub = next(iter(known.get("switch") or known.get("router") or {"": {}}))
        return [
            (f"link.to_{name}", f'{{ between = ["{hub}", "{name}"], rate = "1 Mbit/s" }}')
            for family in ("switch", "router")
            for name in part.get(family, {})
            if hub and name not in known.get(family, {})
        ]

    def console(self, block: Block) -> str:
        """The block with what its commands print today."""
        said = ""
        for command in commands(block.text):
            said += f"$ {command.text}\n"
            if command.text.startswith("make "):
                target = command.text.split()[1]
                assert re.search(rf"^{target}:", read(ROOT / "Makefile"), re.MULTILINE)
                said += command.shown
            elif command.text.startswith("cellrelay watch ") and "--help" not in command.text:
                self.watch(command.text)
                said += command.shown
            else:
                if re.search(r"(^|\| )tshark ", command.text):
                    require("tshark", package="tshark")
                printed = self.execute(command.text, shown=command.shown)
                said += printed if command.shown else ""
        return said

    def start(self, command: str) -> subprocess.Popen[str]:
        scripts = Path(sys.executable).parent
        return subprocess.Popen(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment | {"PATH": f"{scripts}:{os.environ['PATH']}", "COLUMNS": "100"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def execute(self, command: str, *, shown: str) -> str:
        shell = self.start(command)
        if command.endswith("&"):
            self.behind.append(shell.pid)
        try:
            out, err = shell.communicate(timeout=PATIENCE)
        except BaseException:
            os.killpg(shell.pid, signal.SIGKILL)
            raise
        # Whoever shows a command that fails shows how; nobody else may.
        assert shell.returncode == 0 or shown, err
        return out if shell.returncode == 0 else err

    def watch(self, command: str) -> None:
        """Start a live page, and end it as Ctrl-C does once it tells its address."""
        # No browser is opened where nobody looks. Who runs the tests may do without Ctrl-C.
        shell = self.start(f"exec env --default-signal=INT {command}".replace(" --open", ""))
        assert shell.stdout
        address = shell.stdout.readline()
        shell.send_signal(signal.SIGINT)
        _, err = shell.communicate(timeout=PATIENCE)
        assert shell.returncode == 0, err
        assert re.match(r"http://127\.0\.0\.1:\d+/", address), address

    def close(self) -> None:
        """End what commands left behind, if a later one has not."""
        for group in self.behind:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)

    def python(self, block: Block) -> str:
        """The block with what its examples give today; one that begins with its name is a file."""
        if named := re.match(r"# (\w+\.py)\n", block.text):
            (self.folder / named[1]).write_text(block.text, encoding="utf-8")
            return block.text
        if ">>> " not in block.text:
            exec(block.text, self.names)
            return block.text
        test = doctest.DocTestParser().get_doctest(block.text, self.names, "page", None, 0)
        runner = Examples()
        runner.run(test, clear_globs=False)
        self.names.update(test.globs)
        lines = block.text.splitlines(keepends=True)
        for example, got in reversed(runner.changed):
            start = example.lineno + example.source.count("\n")
            lines[start : start + example.want.count("\n")] = [got]
        return "".join(lines)


class Examples(doctest.DocTestRunner):
    """Notes which examples give something else than is shown."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.changed: list[tuple[doctest.Example, str]] = []

    def report_failure(
        self, out: Any, test: doctest.DocTest, example: doctest.Example, got: str
    ) -> None:
        self.changed.append((example, got))

    def report_unexpected_exception(
        self, out: Any, test: doctest.DocTest, example: doctest.Example, exc_info: Any
    ) -> None:
        raise exc_info[1]


def leaves(table: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """A table as settings: path and value of everything in it; a sweep is one value."""
    for name, value in table.items():
        if isinstance(value, dict) and value and name != "sweep":
            yield from leaves(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", toml.inline(value)


def needed(text: str, folder: Path) -> AbstractContextManager[dict[str, str]]:
    """A Slurm for pages that submit to it; what commands must find in their environment."""
    return slurm(folder) if "$ sbatch " in text else nullcontext({})


def carried_out(text: str, session: Session) -> str:
    """A page as it should be today."""
    today = text
    for block in blocks(text):
        match block.language:
            case "console":
                today = today.replace(block.text, session.console(block))
            case "toml":
                today = today.replace(block.text, session.toml(block))
            case "python":
                today = today.replace(block.text, session.python(block))
            case "rust":
                assert is_quoted(block.text), f"not in the sources:\n{block.text}"
            case other:
                assert other == "text", f"`{other}` blocks are not checked"
    return today


@each_example
def test_examples_do_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = read(page)
    folder, services = tmp_path / "page", tmp_path / "services"
    for new in (folder, services):
        new.mkdir()
    monkeypatch.chdir(folder)
    with (
        needed(text, services) as environment,
        closing(Session(folder, environment)) as session,
    ):
        today = carried_out(text, session)
    if os.environ.get("UPDATE_GOLDEN"):
        page.write_text(today, encoding="utf-8")
    assert today == text, "UPDATE_GOLDEN=1 writes the output of commands anew"


SHELL = ("|", "&", "&&", ">", "2>", "2>&1")
"""What ends the arguments of a command."""


@pytest.mark.parametrize("page", LONG)
def test_examples_of_a_long_page_are_understood(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    session = Session(tmp_path, {})
    for block in blocks(read(ROOT / page)):
        match block.language:
            case "console":
                for command in commands(block.text):
                    understand(command.text)
            case "toml":
                session.toml(block)
            case "python" if ">>> " in block.text:
                for example in doctest.DocTestParser().get_examples(block.text):
                    compile(example.source, page, "single")
            case "python":
                compile(block.text, page, "exec")


def understand(command: str) -> None:
    """Read the arguments of our command in a line of a shell, and run nothing."""
    name, *words = takewhile(lambda word: word not in SHELL, shlex.split(command))
    if name == "cellrelay" and "--help" not in words:
        app().parse_args(words, exit_on_error=False, print_error=False)


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(read(page)):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link} leads nowhere"
        assert not anchor or anchor in anchors(target), f"{link} has no such heading"


@cache
def sources() -> str:
    files = [
        path
        for folder in ("crates", "conformance", "python", "tests", "studies", "benches")
        for ending in ("rs", "py", "toml")
        for path in sorted((ROOT / folder).rglob(f"*.{ending}"))
    ]
    return "\n".join(squeezed(read(path)) for path in files)


@cache
def words() -> frozenset[str]:
    """The words of the sources, among which one is found without reading them all again."""
    return frozenset(re.findall(r"\w+", sources()))


def squeezed(text: str) -> str:
    """A text without indentation and empty lines."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def is_quoted(text: str) -> bool:
    """Whether a quotation is in the sources; `// ...` stands for anything."""
    return all(part.strip() in sources() for part in squeezed(text).split("// ..."))


@each_page
def test_files_and_tests_that_are_named_exist(page: Path) -> None:
    for code in inline_code(read(page)):
        if re.fullmatch(r"[\w.-]+/[\w./-]+\.(rs|py|toml|md|json|csv)", code):
            assert (ROOT / code).exists() or code.startswith("results/"), f"no file {code}"
        if re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+){3,}", code):
            assert code in words(), f"{code} is nowhere in the sources"


@each_page
def test_a_line_holds_one_sentence(page: Path) -> None:
    for line in prose(read(page)).splitlines():
        line = re.sub(r"^ *\d+\. ", "", line)
        if page != GENERATED and not line.startswith(("|", "#")):
            assert not re.search(r"[a-z0-9)`]\. [A-Z`]", line), f"two sentences:\n{line}"


def test_the_reference_has_a_section_for_every_command() -> None:
    page = read(ROOT / "docs" / "reference" / "command-line.md")
    sections = re.findall(r"^\$ cellrelay ([\w-]+) --help$", page, re.MULTILINE)
    assert sorted(sections) == sorted(COMMANDS), "a command needs a section in command-line.md"


def test_the_readme_names_two_commands() -> None:
    consoles = [block for block in blocks(read(ROOT / "README.md")) if block.language == "console"]
    assert [command.text for command in commands(consoles[0].text)] == ["make run", "make test"]
