"""The layers: which module may import which, in Rust and in Python."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import cellrelay

ROOT = Path(__file__).parent.parent
PACKAGE = Path(cellrelay.__file__).parent
LAYERS = tomllib.loads((Path(__file__).parent / "layers.toml").read_text(encoding="utf-8"))
ALLOWED: dict[str, list[str]] = LAYERS["python"]


def unit_of(path: Path) -> str:
    """The module or subpackage of `cellrelay` that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def sources() -> list[Path]:
    files = [path for path in PACKAGE.rglob("*.py") if "published" not in path.parts]
    return sorted(path for path in files if path.parent != PACKAGE or path.name != "__init__.py")


def imports(path: Path) -> Iterator[str]:
    """What a file imports, by full name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            module = str(node.module)
            if module == "cellrelay":
                yield from (f"cellrelay.{name.name}" for name in node.names)
            else:
                yield module


def names_imported(path: Path) -> Iterator[str]:
    """The names that a file imports from modules, which may be modules themselves."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_what_its_layer_may(path: Path) -> None:
    unit = unit_of(path)
    assert unit in ALLOWED, f"{unit} has no line in tests/layers.toml"
    for name in imports(path):
        top, _, rest = name.partition(".")
        if top == "cellrelay":
            other = rest.partition(".")[0]
            assert other == unit or other in ALLOWED[unit], (
                f"tests/layers.toml does not let {unit} import {other}"
            )
        elif top not in sys.stdlib_module_names:
            users = LAYERS["packages"].get(top, [])
            assert unit in users, f"tests/layers.toml does not let {unit} use {top}"


def assert_in_order(layers: dict[str, list[str]]) -> None:
    """Each layer must come after those that it imports."""
    seen: list[str] = []
    for name, others in layers.items():
        assert set(others) <= set(seen), f"{name} must come after what it imports"
        seen.append(name)


def test_the_table_has_no_cycles_and_no_unused_lines() -> None:
    assert_in_order(ALLOWED)
    used = {
        (unit_of(path), name.split(".")[1])
        for path in sources()
        for name in imports(path)
        if name.startswith("cellrelay.")
    }
    unused = [
        f"{unit} -> {other}"
        for unit, others in ALLOWED.items()
        for other in others
        if (unit, other) not in used
    ]
    assert unused == [], "tests/layers.toml allows imports that do not exist"


def assert_no_circle(used: dict[str, set[str]]) -> None:
    """Some module uses only modules that have been taken away, until all have been."""
    left = {name: others & used.keys() - {name} for name, others in used.items()}
    while left:
        free = {name for name, others in left.items() if not others & left.keys()}
        assert free, f"these import each other in a circle: {', '.join(left)}"
        left = {name: others for name, others in left.items() if name not in free}


@pytest.mark.parametrize("folder", ["text", "metrics", "scenario", "simulation", "experiment"])
def test_the_modules_of_a_folder_import_each_other_in_no_circle(folder: str) -> None:
    used: dict[str, set[str]] = {}
    for path in (PACKAGE / folder).rglob("*.py"):
        if path.name != "__init__.py" and "published" not in path.parts:
            name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
            used[name] = set(imports(path)) | set(names_imported(path))
    assert_no_circle(used)


SRC = ROOT / "crates"
MODELS = SRC / "models" / "src"


def model_imports(path: Path) -> set[str]:
    """The modules of `models` that a file names, its own apart."""
    text = path.read_text(encoding="utf-8")
    own = path.relative_to(MODELS).parts[0].removesuffix(".rs")
    return set(re.findall(r"crate::(\w+)", text)) - {own}


def test_a_model_uses_only_what_its_layer_may() -> None:
    used: dict[str, set[str]] = {name: set() for name in LAYERS["models"]}
    for path in MODELS.rglob("*.rs"):
        if path != MODELS / "lib.rs":
            used[path.relative_to(MODELS).parts[0].removesuffix(".rs")] |= model_imports(path)
    assert used == {name: set(others) for name, others in LAYERS["models"].items()}
    assert_in_order(LAYERS["models"])


OUTPUT, LINK = MODELS / "output", MODELS / "link"


def imports_within(folder: Path, path: Path) -> set[str]:
    """The modules of a folder that the code of a file names, its own and its tests apart."""
    text = path.read_text(encoding="utf-8").partition("#[cfg(test)]\nmod tests {")[0]
    text = re.sub(r"//.*", "", text)
    # A file beside the modules, or the root of one, names the others by `super`.
    at_root = path.parent == folder or (path.parent.parent == folder and path.name == "mod.rs")
    place = f"crate::{folder.name}"
    root = rf"(?<!:)\b(?:{place}|super)" if at_root else rf"\b{place}"
    return set(re.findall(rf"{root}::([a-z]\w*)", text))


@pytest.mark.parametrize("folder", [LINK, OUTPUT], ids=lambda folder: folder.name)
def test_a_part_of_a_link_or_an_output_uses_only_what_its_layer_may(folder: Path) -> None:
    used: dict[str, set[str]] = {
        path.stem: set() for path in folder.iterdir() if path.name != "mod.rs"
    }
    for path in folder.rglob("*.rs"):
        own = path.relative_to(folder).parts[0].removesuffix(".rs")
        if own in used:
            used[own] |= imports_within(folder, path) - {own}
    assert used == {name: set(others) for name, others in LAYERS[folder.name].items()}
    assert_in_order(LAYERS[folder.name])


def named_in(crate: str, word: str) -> list[Path]:
    """The files of a crate whose code names a word, unit tests and comments apart."""
    found = []
    for path in (SRC / crate / "src").rglob("*.rs"):
        text = re.split(r"#\[cfg\(test\)\]\nmod tests \{", path.read_text(encoding="utf-8"))[0]
        if path.name != "tests.rs" and re.search(rf"\b{word}\b", re.sub(r"//.*", "", text)):
            found.append(path.relative_to(SRC / crate / "src"))
    return found


@pytest.mark.parametrize("word", LAYERS["between_the_ends_of_a_link"])
def test_only_a_link_names_what_its_ends_say_to_each_other(word: str) -> None:
    folders = [Path(name) for name in LAYERS["between_the_ends_of_a_link"][word]]
    of_models = named_in("models", word)
    assert of_models, f"no code has {word}"
    elsewhere = [path for path in of_models if not any(path.is_relative_to(one) for one in folders)]
    others = {crate: named_in(crate, word) for crate in other_crates()}
    assert elsewhere == [], f"{word} is named outside the link layer"
    assert not any(others.values()), f"{word} is named in another crate: {others}"


def other_crates() -> list[str]:
    return [path.name for path in SRC.iterdir() if path.is_dir() and path.name != "models"]


def modules(crate: str) -> list[str]:
    """The modules of a crate, without those that only its unit tests have."""
    text = (SRC / crate / "src" / "lib.rs").read_text(encoding="utf-8")
    text = re.sub(r"#\[cfg\(test\)\]\nmod \w+;", "", text)
    return re.findall(r"^(?:pub )?mod (\w+);", text, re.MULTILINE)


def exported(crate: str) -> dict[str, str]:
    """The names that a crate exports at its root, each with its module."""
    text = (SRC / crate / "src" / "lib.rs").read_text(encoding="utf-8")
    groups = re.findall(r"pub use (\w+)::(\{[^}]*\}|\w+);", text)
    return {name: module for module, names in groups for name in re.findall(r"\w+", names)}


def crate_imports(path: Path, names: dict[str, str]) -> set[str]:
    """The modules of its crate that the code of a file names, unit tests and comments apart."""
    text = path.read_text(encoding="utf-8").partition("#[cfg(test)]\nmod tests {")[0]
    text = re.sub(r"//.*", "", text)
    root = r"(?:crate|super)" if path.parent.name == "src" else "crate"
    # A name with `!` is a macro, which the root of the crate exports.
    found = re.findall(rf"\b{root}::(\w+)(?![\w!])", text)
    for group in re.findall(rf"\b{root}::\{{([^;]*)\}};", text):
        found += re.findall(r"(\w+)", re.sub(r"::(\{[^}]*\}|\w+)", "", group))
    return {names.get(name, name) for name in found}


def imports_of_crate(crate: str) -> dict[str, set[str]]:
    """The other modules of a crate that each of its modules names."""
    names = exported(crate)
    used: dict[str, set[str]] = {module: set() for module in modules(crate)}
    folder = SRC / crate / "src"
    for path in folder.rglob("*.rs"):
        own = path.relative_to(folder).parts[0].removesuffix(".rs")
        if own in used and path.name != "tests.rs":
            used[own] |= crate_imports(path, names) - {own}
    return used


@pytest.mark.parametrize("crate", ["kernel", "parameters", "scenario"])
def test_a_module_of_a_crate_uses_only_what_its_layer_may(crate: str) -> None:
    used = imports_of_crate(crate)
    assert used == {name: set(others) for name, others in LAYERS[crate].items()}
    assert_in_order(LAYERS[crate])


# Modules of a crate that may use each other: a scenario is loaded, and makes a simulation.
TOGETHER = {"cellrelay": {"load", "scenario", "simulation"}}


@pytest.mark.parametrize("crate", ["browser", "cellrelay", "live", "python"])
def test_the_modules_of_a_small_crate_use_each_other_in_no_circle(crate: str) -> None:
    together = TOGETHER.get(crate, set())
    used = imports_of_crate(crate)
    assert_no_circle(
        {name: used[name] - (together if name in together else set()) for name in used}
    )


@pytest.mark.parametrize(
    "folder",
    [
        "models/src/wire",
        *(f"scenario/src/{name}" for name in ("document", "run", "scenario", "spec")),
    ],
)
def test_the_modules_of_a_folder_of_a_crate_use_each_other_in_no_circle(folder: str) -> None:
    used: dict[str, set[str]] = {}
    for path in (SRC / folder).rglob("*.rs"):
        text = re.sub(r"//.*", "", path.read_text(encoding="utf-8").partition("\n#[cfg(test)]")[0])
        own = path.relative_to(SRC / folder).parts[0].removesuffix(".rs")
        if own != "mod":
            root = rf"(?:crate::{Path(folder).name}|super)"
            used.setdefault(own, set()).update(re.findall(rf"\b{root}::(\w+)", text))
    assert_no_circle(used)


def families() -> list[Path]:
    return [path for path in MODELS.rglob("mod.rs") if "registry!" in path.read_text("utf-8")]


@pytest.mark.parametrize("family", families(), ids=lambda path: path.parent.name)
def test_a_member_of_a_family_knows_no_sibling(family: Path) -> None:
    members = {path.stem for path in family.parent.glob("*.rs")} - {"mod"}
    for member in members:
        text = (family.parent / f"{member}.rs").read_text(encoding="utf-8")
        named = set(re.findall(rf"(?:super|{family.parent.name})::(\w+)", text))
        assert not named & (members - {member}), f"{member} names a sibling"


CRATES = {path.parent.name: path for path in ROOT.glob("crates/*/Cargo.toml")}
CRATES["benches"] = ROOT / "benches" / "Cargo.toml"


@pytest.mark.parametrize("crate", LAYERS["cargo"])
def test_a_crate_depends_only_on_the_layers_below(crate: str) -> None:
    manifest = tomllib.loads(CRATES[crate].read_text(encoding="utf-8"))
    tables = ("dependencies", "dev-dependencies", "build-dependencies")
    ours = {name for table in tables for name in manifest.get(table, {})} & set(LAYERS["cargo"])
    assert ours <= set(LAYERS["cargo"][crate])


def test_every_crate_has_a_line() -> None:
    assert set(CRATES) == set(LAYERS["cargo"])


def code_map() -> dict[str, list[list[str]]]:
    """The lines of each list of the code map, by folder; a line begins with names of folders."""
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    sections = re.findall(r"^### `([^`]+)`: [^\n]*\n(.*?)(?=^##)", page, re.MULTILINE | re.DOTALL)
    return {
        place: [
            re.findall(r"`([^`]+)/`", head)
            for head in re.findall(r"^- ((?:`[^`]+/`(?:, )?)+):", section, re.MULTILINE)
        ]
        for place, section in sections
    }


PLACES = {f"crates/{crate}": f"crates/{crate}/src" for crate in sorted(CRATES.keys() - {"benches"})}
PLACES["python/cellrelay"] = "python/cellrelay"


def test_the_code_map_has_a_section_for_every_crate_and_the_package() -> None:
    assert code_map().keys() == PLACES.keys()


@pytest.mark.parametrize("place", PLACES)
def test_the_code_map_names_every_folder(place: str) -> None:
    named = [name for names in code_map()[place] for name in names]
    assert len(named) == len(set(named)), "a folder has one line"
    assert all((ROOT / PLACES[place] / name).is_dir() for name in named)
    roots = [
        *(ROOT / PLACES[place]).glob("*/mod.rs"),
        *(ROOT / PLACES[place]).glob("*/__init__.py"),
    ]
    missing = {root.parent.name for root in roots} - {*named}
    assert not missing, f"ARCHITECTURE.md has no line for these folders of {place}: {missing}"


@pytest.mark.parametrize("place", PLACES)
def test_the_code_map_walks_from_the_bottom_up(place: str) -> None:
    at = {name: line for line, names in enumerate(code_map()[place]) for name in names}
    if place == "python/cellrelay":
        used = {name: set(others) for name, others in ALLOWED.items()}
    else:
        used = imports_of_crate(place.removeprefix("crates/"))
    for name, line in at.items():
        late = [other for other in used[name] if at.get(other, 0) > line]
        assert not late, f"{name} stands above {late}, which it uses"


def test_the_drawing_of_an_output_has_its_folders() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    drawing = page.partition("### An output\n")[2].partition("```text\n")[2].partition("```")[0]
    drawn = set(re.findall(r"\b(\w+)/", drawing))
    assert drawn == {path.name for path in OUTPUT.iterdir() if path.is_dir()}
