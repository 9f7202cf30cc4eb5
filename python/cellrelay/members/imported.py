"""What a member uses beside its own source: modules that it imports, and names of its notebook.

Runs are kept under a key that covers all of it, since a change there changes their numbers. The
standard library, installed packages and cellrelay itself count by their versions, not here.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import sysconfig
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, resolve_name
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

_INSTALLED = tuple(
    Path(sysconfig.get_path(name)).resolve()
    for name in ("stdlib", "platstdlib", "purelib", "platlib")
)
_OURS = Path(__file__).resolve().parents[1]


def imports(text: str, package: str = "") -> dict[str, str]:
    """The sum of each module that a source imports, directly or through another such module.

    `package` is the package of the source, from which its relative imports start.
    """
    found: dict[str, str] = {}
    waiting = [(text, package)]
    while waiting:
        source, home = waiting.pop()
        for name in _named(source, home):
            spec = _spec(name)
            if name in found or spec is None or spec.origin is None or not _is_foreign(spec.origin):
                continue
            content = Path(spec.origin).read_bytes()
            found[name] = hashlib.sha256(content).hexdigest()
            if spec.origin.endswith(".py"):
                inner = name if spec.submodule_search_locations is not None else spec.parent
                waiting.append((content.decode(errors="replace"), inner or ""))
    return dict(sorted(found.items()))


def _named(source: str, package: str) -> Iterator[str]:
    """Full names of the modules that a source may import."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _with_parents(alias.name)
        elif isinstance(node, ast.ImportFrom):
            try:
                base = resolve_name("." * node.level + (node.module or ""), package or None)
            except (ImportError, ValueError):
                continue
            yield from _with_parents(base)
            # What is imported from a package may be a module of it.
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    yield from (".".join(parts[: count + 1]) for count in range(len(parts)))


def _spec(name: str) -> ModuleSpec | None:
    try:
        return find_spec(name)
    except (ImportError, AttributeError, ValueError):
        return None


def _is_foreign(origin: str) -> bool:
    """True for a file that comes neither with Python, nor from a package, nor from here."""
    path = Path(origin).resolve()
    known = any(path.is_relative_to(folder) for folder in (*_INSTALLED, _OURS))
    return path.is_file() and not known


def beside(cls: type, module: ModuleType) -> dict[str, str]:
    """What a class outside files uses of its module: functions, classes, values and modules.

    The sources of functions and classes, and the values of all else, as they are now.
    """
    found: dict[str, str] = {}
    waiting: list[Any] = [cls]
    while waiting:
        for name in sorted(_globals_in(waiting.pop())):
            if name in found or name not in vars(module):
                continue
            value = vars(module)[name]
            if isinstance(value, ModuleType):
                found[name] = repr(imports(f"import {value.__name__}"))
            elif isinstance(value, FunctionType | type):
                if value.__module__ == module.__name__:
                    found[name] = _source(value)
                    waiting.append(value)
                else:
                    found[name] = repr(imports(f"import {value.__module__}"))
            else:
                found[name] = repr(value)
    return dict(sorted(found.items()))


def _source(value: FunctionType | type) -> str:
    try:
        return inspect.getsource(value)
    except (OSError, TypeError):
        return repr(value)


def _globals_in(value: FunctionType | type) -> set[str]:
    """Names that the code of a function, or of the methods of a class, may look up."""
    members = vars(value).values() if isinstance(value, type) else (value,)
    unwrapped = (getattr(one, "__func__", getattr(one, "fget", one)) for one in members)
    names: set[str] = set()
    codes = [one.__code__ for one in unwrapped if isinstance(one, FunctionType)]
    while codes:
        code = codes.pop()
        names.update(code.co_names)
        codes += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
    return names
