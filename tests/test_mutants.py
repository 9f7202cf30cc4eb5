"""How mutants are written into the code, each behind a switch."""

from pathlib import Path

from tests.mutants.sample import ROOT, Mutant, declare_members
from tests.mutants.switches import Source, marked

CODE = """\
fn sum(a: u64, b: u64) -> u64 {
    a + b * 2
}

fn grow(a: &mut u64) {
    *a += 1;
}

const fn twice(a: u64) -> u64 {
    a * 2
}

fn judge(a: bool, b: Option<u64>) -> bool {
    match b {
        Some(b) if b > 1 => !a,
        _ => false,
    }
}
"""


def mutant(number: int, genre: str, line: int, code: str, replacement: str) -> Mutant:
    """The mutant that replaces `code`, which is once in a line."""
    column = CODE.splitlines()[line - 1].index(code) + 1
    end = (line, column + len(code))
    return Mutant(number, "a name", "models", "a.rs", genre, replacement, (line, column), end)


def written(*mutants: Mutant) -> list[str]:
    """The lines that differ from the code."""
    lines = Source(CODE.encode(), "on()").with_mutants(mutants).decode().splitlines()
    return [line.strip() for line in lines if line not in CODE.splitlines()]


def test_an_operator_is_chosen_while_the_code_runs() -> None:
    first = mutant(1, "BinaryOperator", 2, "+", "-")
    second = mutant(2, "BinaryOperator", 2, "+", "*")
    assert written(first, second) == [
        "(match on() { 1 => /*1*/ a - b * 2, 2 => /*2*/ a * b * 2, _ => a + b * 2 })"
    ]
    assert written(mutant(3, "BinaryOperator", 6, "+=", "-=")) == [
        "(match on() { 3 => /*3*/ *a -= 1, _ => *a += 1 });"
    ]


def test_what_is_within_something_else_is_switched_in_all_its_copies() -> None:
    body = mutant(1, "FnValue", 2, "a + b * 2", "0")
    plus = mutant(2, "BinaryOperator", 2, "+", "-")
    times = mutant(3, "BinaryOperator", 2, "*", "/")
    product = "(match on() { 3 => /*3*/ b / 2, _ => b * 2 })"
    assert written(times, plus, body) == [
        "if on() == 1 { /*1*/ return 0; } "
        f"(match on() {{ 2 => /*2*/ a - {product}, _ => a + {product} }})"
    ]


def test_guards_and_negations_are_switched() -> None:
    guard = mutant(4, "MatchArmGuard", 15, "b > 1", "true")
    negation = mutant(5, "UnaryOperator", 15, "!", "")
    assert written(guard, negation) == [
        "Some(b) if (if on() == 4 { /*4*/ true } else { b > 1 }) "
        "=> (if on() == 5 { /*5*/ a } else { !a }),"
    ]


def test_what_the_compiler_runs_cannot_be_switched() -> None:
    source = Source(CODE.encode(), "on()")
    assert source.site(mutant(1, "BinaryOperator", 10, "*", "+")) is None
    assert source.site(mutant(1, "MatchArm", 15, "Some(b)", "")) is None


def test_an_error_is_put_down_to_the_mutant_before_it() -> None:
    code = b"a; (match on() { 12 => /*12*/ a - b, _ => a + b })"
    assert marked(code, code.index(b"a - b")) == 12
    assert marked(code, 0) is None


def test_members_of_registries_are_declared(tmp_path: Path) -> None:
    registry = ROOT / "crates/models/src/output/mark/mod.rs"
    source = tmp_path / "mod.rs"
    source.write_text(registry.read_text(encoding="utf-8"), encoding="utf-8")
    declare_members(source)
    assert "\n#[cfg(any())]\nmod threshold;\n" in source.read_text(encoding="utf-8")
