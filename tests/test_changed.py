"""What is run of the tests after a change."""

from __future__ import annotations

from tests.changed import EVERY, of_crates, of_python


def test_a_crate_has_its_own_tests() -> None:
    assert of_crates(["crates/models/src/lib.rs", "crates/models/Cargo.toml", "README.md"]) == [
        ["--package", "cellrelay-models"]
    ]
    assert of_crates(["crates/cellrelay/src/lib.rs"]) == [["--package", "cellrelay"]]


def test_changed_tests_of_scenarios_are_run_by_module() -> None:
    tests = "crates/scenario/tests"
    of_modules = of_crates([f"{tests}/knockout.rs", f"{tests}/pauses/dynamic.rs"])
    assert of_modules == [
        ["--package", "cellrelay-scenario", "--test", "all", "--", "knockout::", "pauses::"]
    ]
    for other in (f"{tests}/common/mod.rs", "crates/scenario/src/lib.rs"):
        (whole,) = of_crates([f"{tests}/knockout.rs", other])
        assert whole[2:] == ["--lib", "--test", "all"]


def test_a_module_has_the_tests_that_import_it() -> None:
    found = of_python(["python/cellrelay/text/printable.py"])
    assert found[: len(EVERY)] == list(EVERY)
    assert "tests/test_names.py" in of_python(["tests/test_names.py"])
    # By the helper `tests/command.py`.
    assert "tests/test_cli.py" in of_python(["python/cellrelay/cli/dispatch.py"])
    assert "tests/test_sizes.py" in of_python(["python/cellrelay/__init__.py"])


def test_a_page_and_a_study_have_their_own_tests() -> None:
    found = of_python(["docs/concepts/xtp.md", "studies/kung_morris/base.toml"])
    assert "tests/test_docs.py::test_links_lead_somewhere[docs/concepts/xtp.md]" in found
    assert "studies/kung_morris/test_study.py" in found
