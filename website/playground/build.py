"""The files of the playground."""

from __future__ import annotations

import base64
import gzip
import json
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

import cellrelay.live
from cellrelay.live.catalogue import catalogue
from cellrelay.studies import available, find
from website.playground.bundle import bundle

HERE = Path(__file__).parent
PAGE = Path(cellrelay.live.__file__).parent / "page"

STYLE = "playground.css"

BESIDE = ("beside.html", "beside.css")
"""The page of two runs side by side, and its style."""

SCRIPTS = ("core.js", "items.js", "page.js")
"""The scripts of the page beside its libraries, in the order in which they are loaded."""


POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data:; worker-src blob:; frame-src 'self'; form-action 'none'; base-uri 'none'"
)
"""The content policy of both pages: a link may carry any scenario, but no code. The worker is
started from text within the page, since a page opened from a file may start no other."""


def build(core: Path, folder: Path) -> Path:
    """Write the playground with a compiled core into a folder, and return the page in it."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "page").mkdir(parents=True)
    page, style = BESIDE
    for path in (*PAGE.glob("*.css"), HERE / STYLE, HERE / style):
        shutil.copy(path, folder / "page")
    shutil.copytree(PAGE / "vendor", folder / "page" / "vendor")
    packed = base64.b64encode(gzip.compress(core.read_bytes(), 9, mtime=0)).decode()
    written = {
        "core.js": _script(
            CELLRELAY_CORE=packed, CELLRELAY_WORKER=(HERE / "worker.js").read_text("utf-8")
        ),
        "items.js": _script(CELLRELAY_ITEMS=items()),
        "page.js": script("main", "share", "follow", "keep"),
        "beside.js": script("beside"),
        page: guarded((HERE / page).read_text("utf-8")),
        "index.html": guarded(index()),
    }
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "index.html"


def items() -> list[dict[str, Any]]:
    """The items of the catalogue with their texts, and with the figures that links may name."""
    figures = _figures()
    return [
        {
            "group": item.group,
            "name": item.name,
            "title": item.title,
            "text": item.open().text,
            "figures": figures[item.group, item.name],
        }
        for item in catalogue()
    ]


def _figures() -> defaultdict[tuple[str, str], list[str]]:
    """The figures of each study that an experiment is the first to show."""
    shown = defaultdict(list)
    for study in map(find, available()):
        for figure in study.figures:
            for name in (figure.id, *figure.joins):
                shown[study.name, study.experiment(name).name].append(name)
    return shown


def script(*entries: str) -> str:
    """Modules and what they import as one script, with the worker in place of the server."""
    sources = [*PAGE.glob("*.js"), *(path for path in HERE.glob("*.js") if path.stem != "worker")]
    modules = {path.stem: path.read_text(encoding="utf-8") for path in sources}
    return bundle(modules, *entries)


def guarded(page: str) -> str:
    """A page with the content policy, which it states itself: files have no headers."""
    charset = '<meta charset="utf-8">'
    assert charset in page, "the policy goes right after the charset"
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    return page.replace(charset, f"{charset}\n{policy}")


def index() -> str:
    """The page, which loads scripts in place of modules."""
    text = (PAGE / "index.html").read_text(encoding="utf-8")
    module = '<script src="page/main.js" type="module"></script>'
    assert module in text, "the page loads its first module"
    scripts = [f'<script src="{name}" defer></script>' for name in SCRIPTS]
    style = f'<link rel="stylesheet" href="page/{STYLE}">'
    return text.replace(module, "\n".join([style, *scripts]))


def _script(**values: Any) -> str:
    return "".join(f"globalThis.{name} = {json.dumps(value)};\n" for name, value in values.items())
