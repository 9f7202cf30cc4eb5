"""One script of the modules of the page: a browser loads no module from a plain folder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from graphlib import TopologicalSorter
from itertools import pairwise

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)


def bundle(modules: Mapping[str, str], *entries: str) -> str:
    """The text of a script that evaluates `entries` and all modules that they import, each once.

    Raises:
        KeyError: if a module imports one that is missing.
        graphlib.CycleError: if modules import each other in a circle.
    """
    needed: dict[str, list[str]] = {}
    todo = list(entries)
    while todo:
        name = todo.pop()
        if name not in needed:
            needed[name] = [other for _, other in _IMPORT.findall(modules[name])]
            todo += needed[name]
    # An entry comes after those before it.
    for before, entry in pairwise(entries):
        needed[entry].append(before)
    order = TopologicalSorter(needed).static_order()
    return '"use strict";\n' + "".join(_wrapped(name, modules[name]) for name in order)


def _wrapped(name: str, text: str) -> str:
    """A module as a function that is called at once, so that its names are its own."""
    exported = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(r"const {\1} = module_\2;\n", text))
    if re.search(r"^(?:import|export)\b", body, re.MULTILINE):
        raise ValueError(f"{name}.js has an import or an export of another form")
    return f"const module_{name} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();\n"
