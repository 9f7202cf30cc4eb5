"""Files that are either there whole or not at all, and have a name when they go wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A temporary path beside `path`, which takes its place when the block ends well.

    What a process leaves that is killed meanwhile is replaced by the next: one may write at a time.
    """
    target = Path(path)
    temporary = target.with_name(f".{target.stem}.part{target.suffix}")
    try:
        yield temporary
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Names the file in what goes wrong while it is read, where the system leaves that out."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, as UTF-8 with plain line ends."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
