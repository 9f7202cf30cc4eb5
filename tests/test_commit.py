"""The commit of a checkout: what it is, where it is written, and what does not depend on it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cellrelay
from cellrelay import _core
from cellrelay.cli.exits import DONE
from cellrelay.commit import compared
from cellrelay.experiment import sweep as module
from cellrelay.experiment.sweep import Progress
from cellrelay.results import commit
from cellrelay.results.files import recordings
from cellrelay.results.files.folder import read_folder, write_folder
from cellrelay.results.files.recordings import read_series
from cellrelay.scenario import parse

from .command import Command
from .scenarios import PORT

ROOT = Path(__file__).parent.parent
AUTHOR = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")


def git(tree: Path, *arguments: str) -> str:
    command = ["git", "-C", str(tree), *AUTHOR, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package in a checkout with one commit."""
    # A hook of git that starts the tests sets these for its own checkout.
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    tree = tmp_path / "tree"
    folder = tree / "python" / "cellrelay"
    folder.mkdir(parents=True)
    (folder / "samples.py").write_text("one\n")
    git(tmp_path, "init", "-q", str(tree))
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", "One")
    return folder


def head(package: Path) -> str:
    return git(package, "rev-parse", "HEAD")[:12]


def test_a_checkout_of_the_commit_of_the_core_is_clean(package: Path) -> None:
    built = head(package)
    assert compared(built, package) == built
    git(package, "tag", "-a", "v1", "-m", "A tag is no commit")
    (package / "untracked.py").write_text("two\n")
    # Only the time of the change is another one.
    (package / "samples.py").write_text("one\n")
    assert compared(built, package) == built


@pytest.mark.parametrize("is_staged", [False, True])
def test_a_checkout_that_was_changed_after_the_build_is_dirty(
    package: Path, is_staged: bool
) -> None:
    (package / "samples.py").write_text("another\n")
    if is_staged:
        git(package, "add", ".")
    assert compared(head(package), package) == f"{head(package)}-dirty"


def test_a_checkout_of_another_commit_than_that_of_the_core_is_dirty(package: Path) -> None:
    built = head(package)
    (package / "samples.py").write_text("another\n")
    git(package, "commit", "-q", "-a", "-m", "Two")
    assert compared(built, package) == f"{built}-dirty"
    (package / "samples.py").write_text("one\n")
    git(package, "commit", "-q", "-a", "-m", "The files are those of the first commit again")
    assert compared(built, package) == built
    assert compared("0123456789ab", package) == "0123456789ab-dirty"


def test_a_core_of_changed_sources_stays_dirty(package: Path) -> None:
    built = f"{head(package)}-dirty"
    assert compared(built, package) == built


def test_a_worktree_is_compared_with_its_own_files(package: Path, tmp_path: Path) -> None:
    git(package, "worktree", "add", "-q", "-b", "other", str(tmp_path / "other"))
    other = tmp_path / "other" / "python" / "cellrelay"
    built = head(package)
    assert compared(built, other) == built
    (other / "samples.py").write_text("other\n")
    assert compared(built, other) == f"{built}-dirty"
    assert compared(built, package) == built


def test_an_installed_package_has_the_commit_of_its_core(package: Path) -> None:
    """Whatever the checkout whose folders hold it, since that is another project's."""
    installed = package.parents[1] / "site-packages" / "cellrelay"
    installed.parent.mkdir()
    package.rename(installed)
    for built in ("0123456789ab", "0123456789ab-dirty", ""):
        assert compared(built, installed) == built


def test_a_commit_that_nobody_can_compare_is_not_named(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = head(package)
    assert compared("", package) == ""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert compared(built, package) == ""


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that prints what the build script of the core does of a checkout."""
    folder = tmp_path_factory.mktemp("named")
    source = folder / "named.rs"
    source.write_text(
        f"""
        #[path = "{ROOT / "crates" / "python" / "commit.rs"}"]
        mod commit;
        fn main() {{
            let tree = std::env::args_os().nth(1).unwrap();
            match commit::of(tree.as_ref()) {{
                Some(found) => println!("{{}} {{}}", found.name, found.watched.len()),
                None => println!("none"),
            }}
        }}
        """
    )
    subprocess.run(
        ["rustc", "--edition", "2024", "-o", folder / "named", source], check=True, cwd=folder
    )
    return folder / "named"


def test_the_core_has_the_commit_of_its_checkout(named: Path, package: Path) -> None:
    def built(at: Path) -> str:
        return subprocess.run([named, at], capture_output=True, text=True, check=True).stdout

    tree = package.parents[1]
    sources = tree / "crates" / "models" / "src"
    sources.mkdir(parents=True)
    (sources / "lib.rs").write_text("// one\n")
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", "Two")
    # The folder of sources, and the two files of git.
    assert built(tree) == f"{head(package)} 3\n"
    (package / "samples.py").write_text("not compiled\n")
    assert built(tree) == f"{head(package)} 3\n"
    (sources / "lib.rs").write_text("// another\n")
    assert built(tree) == f"{head(package)}-dirty 3\n"
    git(tree, "commit", "-q", "-a", "-m", "Three")
    assert built(tree) == f"{head(package)} 3\n"
    # Sources that lie in the folder of another checkout are not of its commits.
    assert built(tree / "crates") == "none\n"
    git(tree.parent, "init", "-q", "new")
    assert built(tree.parent / "new") == "none\n"


def test_this_core_has_a_commit_of_this_checkout() -> None:
    if (ROOT / ".git").exists():
        built = _core.COMMIT.removesuffix("-dirty")
        assert re.fullmatch(r"[0-9a-f]{12}", built)
        assert git(ROOT, "cat-file", "-t", built) == "commit"
        assert commit().removesuffix("-dirty") == built


def test_a_core_of_another_version_of_the_package_is_refused_at_import(tmp_path: Path) -> None:
    package = tmp_path / "cellrelay"
    shutil.copytree(Path(cellrelay.__file__).parent, package, symlinks=True)

    def imported() -> str:
        program = "import cellrelay; print(cellrelay.__version__)"
        return subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
        ).stderr

    assert imported() == ""
    stub = package / "_core.pyi"
    stub.write_text(stub.read_text().replace("def schema()", "def schema(indent: int)"))
    assert imported().endswith(
        "ImportError: the core was compiled for another version of the Python package\n"
        "  hint: compile it again, by `make .venv/.built` or `pip install .`\n"
    )
    # Packagers such as PyInstaller omit `.pyi` stubs; the import must still work.
    stub.unlink()
    assert imported() == ""


def test_results_keep_the_commit_that_gathered_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "commit", lambda: "one-dirty")
    monkeypatch.setattr(recordings, "commit", lambda: "one-dirty")
    results = cellrelay.run(
        parse(PORT, settings={"record.every": "1 ms"}), replications=1, series=tmp_path / "series"
    )
    assert results.attributes["commit"] == "one-dirty"
    assert results.to_xarray().attrs["commit"] == "one-dirty"
    write_folder(results, tmp_path / "folder")
    monkeypatch.setattr(module, "commit", lambda: "two")
    assert read_folder(tmp_path / "folder").provenance == results.provenance
    (file,) = (tmp_path / "series").glob("*.parquet")
    assert read_series(file).provenance.commit == "one-dirty"


def test_a_store_keeps_runs_from_commit_to_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store.sqlite"
    for name, found in (("one", 0), ("two", 2)):
        monkeypatch.setattr(module, "commit", lambda name=name: name)
        seen: list[Progress] = []
        results = cellrelay.run(parse(PORT), replications=2, store=store, watch=seen.append)
        assert results.provenance.commit == name
        assert seen[-1].found == found


def test_the_version_names_the_commit(command: Command) -> None:
    known = f", commit {commit()}" if commit() else ""
    assert command("--version") == (DONE, f"{cellrelay.__version__}{known}\n", "")


def test_the_version_is_told_without_the_commands() -> None:
    # In a process of its own, since this one has imported nearly everything.
    program = (
        "import sys; from cellrelay.cli import main; main(['--version']);"
        " print(*{'numpy', 'cyclopts', 'cellrelay.results'} & set(sys.modules))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ended.stdout.splitlines()[1:] == [""]
