"""Writes mutants into the code, each behind a switch."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import tree_sitter
import tree_sitter_rust

from tests.mutants.sample import Mutant

# What is around something else of the same extent comes first.
ORDER = ("FnValue", "MatchArmGuard", "UnaryOperator", "BinaryOperator")

# Appended to the kernel, which all other crates use.
ACTIVE = """
/// Number of the mutant that is switched on.
#[inline]
pub fn mutant() -> u32 {
    static ACTIVE: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {
        let number = std::env::var("MUTANT").ok();
        number.and_then(|text| text.parse().ok()).unwrap_or(0)
    });
    *ACTIVE
}
"""

# Renders the code from one byte to another.
Render = Callable[[int, int], bytes]


@dataclass
class Site:
    """Code that mutants replace, which may contain other sites."""

    genre: str
    start: int
    end: int
    # Where the operator begins and ends, if it is replaced.
    operator: tuple[int, int] = (0, 0)
    mutants: list[Mutant] = field(default_factory=list)

    def write(self, source: bytes, active: bytes, render: Render) -> bytes:
        """The code with switches; `render` writes what is in it."""
        if self.genre == "FnValue":
            returns = [
                _if(active, mutant, b"return " + _value(mutant) + b";") for mutant in self.mutants
            ]
            return b" ".join(returns) + b" " + render(self.start, self.end)
        if self.genre == "BinaryOperator":
            left = render(self.start, self.operator[0])
            right = render(self.operator[1], self.end)
            arms = [
                b"%d => %b%b%b%b" % (m.number, _mark(m), left, m.replacement.encode(), right)
                for m in self.mutants
            ]
            kept = b"_ => " + left + source[slice(*self.operator)] + right
            return b"(match " + active + b" { " + b", ".join([*arms, kept]) + b" })"
        mutant = self.mutants[0]
        if self.genre == "UnaryOperator":
            operand = render(self.start + 1, self.end)
            kept = source[self.start : self.start + 1] + operand
            return b"(" + _if(active, mutant, operand) + b" else { " + kept + b" })"
        kept = render(self.start, self.end)
        return b"(" + _if(active, mutant, _value(mutant)) + b" else { " + kept + b" })"


def _mark(mutant: Mutant) -> bytes:
    """What tells in the error of a compiler whose code it is about."""
    return b"/*%d*/ " % mutant.number


def _value(mutant: Mutant) -> bytes:
    return b"" if mutant.replacement == "()" else mutant.replacement.encode()


def _if(active: bytes, mutant: Mutant, code: bytes) -> bytes:
    return b"if %b == %d { %b%b }" % (active, mutant.number, _mark(mutant), code)


def marked(source: bytes, position: int) -> int | None:
    """The mutant whose code is at a position of what was written, if that is any's."""
    marks = re.findall(rb"/\*(\d+)\*/", source[:position])
    return int(marks[-1]) if marks else None


class Source:
    """A file of the code, into which mutants can be written."""

    def __init__(self, text: bytes, active: str) -> None:
        """Parse `text`, in which the expression `active` is the number that is switched on."""
        self.text = text
        self.active = active.encode()
        language = tree_sitter.Language(tree_sitter_rust.language())
        self.root = tree_sitter.Parser(language).parse(text).root_node
        self.lines = text.decode().splitlines(keepends=True)

    def with_mutants(self, mutants: Iterable[Mutant]) -> bytes:
        """The file with all of `mutants`; those that have no site are left out."""
        sites: dict[tuple[int, int, str], Site] = {}
        for mutant in mutants:
            site = self.site(mutant)
            if site is not None:
                known = sites.setdefault((site.start, site.end, site.genre), site)
                known.mutants.append(mutant)
        ordered = sorted(
            sites.values(), key=lambda site: (site.start, -site.end, ORDER.index(site.genre))
        )
        return self._render(0, len(self.text), ordered)

    def _render(self, start: int, end: int, sites: list[Site]) -> bytes:
        written, at = b"", start
        while sites:
            site, *others = sites
            inside = [other for other in others if other.end <= site.end]
            sites = [other for other in others if other.end > site.end]

            def render(start: int, end: int, inside: list[Site] = inside) -> bytes:
                within = [one for one in inside if start <= one.start and one.end <= end]
                return self._render(start, end, within)

            written += self.text[at : site.start] + site.write(self.text, self.active, render)
            at = site.end
        return written + self.text[at:end]

    def site(self, mutant: Mutant) -> Site | None:
        """Where a mutant is written; nowhere, if it cannot be switched while the code runs."""
        start, end = self._offset(mutant.start), self._offset(mutant.end)
        if mutant.genre not in ORDER or self._is_fixed(mutant, start):
            return None
        if mutant.genre == "BinaryOperator":
            return self._binary(start)
        if mutant.genre == "UnaryOperator":
            operand = self.root.descendant_for_byte_range(start, end)
            parent = operand.parent if operand is not None else None
            if parent is None or parent.type != "unary_expression":
                return None
            end = parent.end_byte
        return Site(mutant.genre, start, end)

    def _binary(self, start: int) -> Site | None:
        operator = self.root.descendant_for_byte_range(start, start + 1)
        parent = operator.parent if operator is not None else None
        if operator is None or parent is None:
            return None
        is_chain = b"let " in self.text[parent.start_byte : parent.end_byte]
        if parent.type not in {"binary_expression", "compound_assignment_expr"} or is_chain:
            return None
        place = (operator.start_byte, operator.end_byte)
        return Site("BinaryOperator", parent.start_byte, parent.end_byte, place)

    def _is_fixed(self, mutant: Mutant, position: int) -> bool:
        """Whether the code is run by the compiler, or returns a type that only the code names."""
        node = self.root.descendant_for_byte_range(position, position + 1)
        while node is not None and node.type not in {"function_item", "const_item", "static_item"}:
            node = node.parent
        if node is None or node.type != "function_item":
            return True
        head, _, rest = self.text[node.start_byte : node.end_byte].partition(b"fn ")
        signature = rest.partition(b"{")[0]
        return b"const" in head or (mutant.genre == "FnValue" and b"-> impl " in signature)

    def _offset(self, place: tuple[int, int]) -> int:
        line, column = place
        before = sum(len(text.encode()) for text in self.lines[: line - 1])
        return before + len(self.lines[line - 1][: column - 1].encode())
