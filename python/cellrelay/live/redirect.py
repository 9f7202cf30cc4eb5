"""A file that redirects a browser to the page, so the token is on no command line.

The address of the page holds the token, and `ps` shows the arguments of every process to every
user. The browser therefore opens a file that only its owner can read, as Jupyter does; the file is
removed when the server ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

PAGE = """\
<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={address}">
<title>cellrelay</title>
<p><a href="{address}">Watch the run</a></p>
"""


@contextmanager
def redirect_file(address: str) -> Iterator[Path]:
    """The path of a page that redirects to `address`, in a folder that only this user can enter."""
    with TemporaryDirectory(prefix="cellrelay-") as folder:
        path = Path(folder) / "watch.html"
        path.touch(mode=0o600)
        path.write_text(PAGE.format(address=escape(address)), encoding="utf-8")
        yield path
