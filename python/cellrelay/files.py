"""Files that are written completely or not at all, and errors that name their file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A temporary path beside `path`, which replaces it when the block ends without an error.

    The next writer replaces the file of a killed process. Only one process may write at a time.
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
    """Add the name of the file to errors of reading that lack it."""
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
