"""Where commands write: they replace no file that cellrelay did not write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from cyclopts import Token

from cellrelay.cli.exits import Refusal

_TABLES = (
    "replications.csv",
    "replications.scopes.json",
    "scalars.csv",
    "results.json",
    "scenario.toml",
    "SHA256SUMS",
    "size.json",
    "size.csv",
    "sensitivity.json",
    "calibration.json",
    "best.toml",
    "claims.json",
    "report.html",
)
_FOLDERS = ("series", "captures", "packets", "connections", "figures", "replications", "scenarios")
"""Names of the files and folders that commands write into a folder of results."""

_COLUMNS = b"scope,metric,value,unit"
"""The last columns of a table that `export` wrote."""


def named(_: object, tokens: Sequence[Token]) -> Path:
    """The path of `--out`; an empty text comes from a shell variable without value."""
    if not tokens[0].value:
        raise Refusal("--out: the name is empty\n  hint: write a name, or leave it out")
    return Path(tokens[0].value)


def results_folder(out: Path | None, default: str, read: Iterable[Path] = ()) -> Path:
    """The folder of results of `--out`, or `results/DEFAULT`.

    Raises `Refusal` if the results would replace one of the files that are `read`, or any other
    file that cellrelay did not write, or that has changed since.
    """
    from cellrelay.results.files.folder import SCENARIO, STORE
    from cellrelay.results.files.sums import is_changed
    from cellrelay.store import is_store

    folder = out if out is not None else Path("results") / default
    names = [name for name in _TABLES if (folder / name).is_file()]
    names += [name for name in _FOLDERS if _has_files(folder / name)]
    for name in names:
        if any(file.exists() and file.samefile(folder / name) for file in read):
            raise _refusal(folder / name, "the file that is read")
    if names and not is_store(folder / STORE):
        raise _refusal(folder / names[0], "a file that cellrelay did not write")
    if is_changed(folder / SCENARIO):
        raise _refusal(folder / SCENARIO, "a file that has changed since cellrelay wrote it")
    return folder


def result_file(path: Path, option: str) -> Path:
    """The figure or table that a command is asked to write.

    Raises `Refusal` if there is a file of this name that cellrelay did not write.
    """
    if path.is_file() and path.stat().st_size and not _is_ours(path):
        hint = "choose another name, or remove the file first"
        raise Refusal(
            f"{option}: `{path}` would replace a file that cellrelay did not write\n  hint: {hint}"
        )
    return path


def _refusal(path: Path, what: str) -> Refusal:
    hint = "choose another folder, or move the file away"
    return Refusal(f"--out: the results would replace `{path}`, {what}\n  hint: {hint}")


def _has_files(folder: Path) -> bool:
    return folder.is_dir() and any(folder.iterdir())


def _is_ours(path: Path) -> bool:
    """True for a figure or a table with the mark that cellrelay leaves in it."""
    content = path.read_bytes()
    if path.suffix.lower() == ".csv":
        return content.partition(b"\n")[0].rstrip().endswith(_COLUMNS)
    # The origin of the numbers, in the metadata of figures and tables.
    return b"cellrelay" in content or b"; analysis " in content
