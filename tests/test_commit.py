"""The commit of a checkout: what it is, where it is written, and what does not depend on it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import cellrelay
from cellrelay import sweep as module
from cellrelay.cli.exits import DONE
from cellrelay.results import commit
from cellrelay.results.commit import commit_of
from cellrelay.results.files import recordings
from cellrelay.results.files.folder import read_folder, write_folder
from cellrelay.results.files.recordings import read_series
from cellrelay.scenario import parse
from cellrelay.sweep import Progress

from .command import Command
from .scenarios import PORT

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


def test_a_checkout_has_its_commit(package: Path) -> None:
    whole = git(package, "rev-parse", "HEAD")
    assert commit_of(package) == whole[:12]
    git(package, "tag", "-a", "v1", "-m", "A tag is no commit")
    (package / "untracked.py").write_text("two\n")
    assert commit_of(package) == whole[:12]


@pytest.mark.parametrize("is_staged", [False, True])
def test_a_changed_checkout_is_dirty(package: Path, is_staged: bool) -> None:
    (package / "samples.py").write_text("another\n")
    if is_staged:
        git(package, "add", ".")
    assert commit_of(package) == git(package, "rev-parse", "HEAD")[:12] + "-dirty"


def test_a_worktree_has_its_own_commit(package: Path, tmp_path: Path) -> None:
    git(package, "worktree", "add", "-q", "-b", "other", str(tmp_path / "other"))
    other = tmp_path / "other" / "python" / "cellrelay"
    (other / "samples.py").write_text("other\n")
    git(other, "commit", "-q", "-a", "-m", "Two")
    assert commit_of(other) == git(other, "rev-parse", "HEAD")[:12] != commit_of(package)


def test_an_installed_package_has_no_commit(package: Path) -> None:
    """Not even in the folders of a checkout that tracks it, since that is another project's."""
    installed = package.parents[1] / "site-packages" / "cellrelay"
    installed.parent.mkdir()
    package.rename(installed)
    assert commit_of(installed) == ""


def test_no_git_and_no_commits_are_no_commit(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "-q", str(tmp_path / "new"))
    assert commit_of(tmp_path / "new" / "python" / "cellrelay") == ""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert commit_of(package) == ""


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
