"""Titles, labels and names that anybody may write neither act on a terminal nor fill it.

What would act in a figure or a spreadsheet does not either; and files keep what was meant.
"""

from __future__ import annotations

import csv
import json
import random
import shutil
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import pytest

import cellrelay
from cellrelay.cli.exits import BAD_INPUT, DONE
from cellrelay.results import read_csv
from cellrelay.results.files.cells import as_cell, of_cell
from cellrelay.scenario import parse

from .command import Command, Ended
from .scenarios import PORT

CONTROLS = [chr(code) for code in (*range(1, 32), *range(127, 160))]
DIRECTIONS = [*"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"]
ACTING = {"\0", *CONTROLS, *DIRECTIONS, *"\u2028\u2029\ufeff\ufffe\uffff"}
HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "\x1b]0;owned\x07",
    "\x9b2J",
    "a\0b",
    "\u202erednes\u202c",
    "\u2066right\u2069 \u200eleft\u200f",
    "two\nlines\rone",
    "\u2028separated\u2029",
    "\ufeffmark\ufffe",
    "=1+1",
    "+cmd|' /C calc'!A0",
    "@SUM(1)",
    "-2+3",
    "\t=1",
    "\r=1",
    "'quoted",
    "back\\slash \\u001b",
    "<script>alert(1)</script>&amp;",
    r"$\frac{1}$",
    "$1 or $2",
    "long " * 6000,
]


def quoted(text: str) -> str:
    """A text as TOML has it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def quiet(ended: Ended) -> str:
    """What was said, in which nothing acts and no line is endless."""
    said = ended.out + ended.err
    acting = {unicodedata.name(one, hex(ord(one))) for one in said if one in ACTING - {"\n"}}
    assert not acting, f"{acting}: {said[:2000]!r}"
    assert "Traceback" not in said
    return said


def test_every_character_that_acts_is_escaped() -> None:
    shown = cellrelay.text.printable.printable
    for code in range(0x11000):
        if not 0xD800 <= code < 0xE000:
            character = chr(code)
            assert (shown(character) == character) == (character not in ACTING), hex(code)
    assert json.loads(f'"{shown("".join(ACTING))}"') == "".join(ACTING)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the sweep with hostile labels stays after it has been run."""
    return tmp_path_factory.mktemp("hostile") / "kept"


@pytest.fixture
def hostile(command: Command, kept: Path) -> list[str]:
    """A sweep with hostile labels has been run in `results/words`."""
    labels = list(dict.fromkeys(HOSTILE))
    axes = "".join(f"[sweep.case.{quoted(label)}]\nseed = {n}\n" for n, label in enumerate(labels))
    if kept.exists():
        shutil.copytree(kept, ".", dirs_exist_ok=True)
        return labels
    title = quoted("".join(HOSTILE[:9]))
    text = PORT.replace('"Two connections through one port"', title)
    Path("words.toml").write_text(text + axes, encoding="utf-8")
    for arguments in (
        ("check", "words.toml"),
        ("run", "words.toml", "--list"),
        ("run", "words.toml", "--trace", "series"),
        ("run", "words.toml", "--json"),
    ):
        ended = command(*arguments)
        assert ended.code == DONE, ended.err
        # What is for programs is whole.
        assert len(quiet(ended)) < 20_000 or arguments[0] == "check" or "--json" in arguments
    shutil.copytree(".", kept)
    return labels


def test_what_is_shown_of_hostile_labels_does_not_act(command: Command, hostile: list[str]) -> None:
    for line in (
        "run words.toml --metric goodput",
        "run words.toml --shard 1/2",
        "explain results/words",
        "explain results/words --draw limits",
        "compare results/words",
        "compare results/words --by nonsense",
        "plot results/words",
        "plot results/words --metric nonsense",
        "plot results/words --series cwnd",
        "plot results/words --series cwnd --by case --flow bulk[0]",
        "export results/words table.csv",
        "list metrics",
    ):
        said = quiet(command(*line.split()))
        # The list of metrics shows no label, and is as long as their table.
        assert len(said) < 20_000 or line == "list metrics", line
    for number, label in enumerate(hostile):
        if "\0" in label:
            continue
        for command_line in (
            ("explain", "results/words", "--where", f"case={label}"),
            ("compare", "results/words", "--to", label),
            ("plot", "results/words", "--series", "cwnd,drops", "--where", f"case={label}"),
            ("plot", "--topology", "words.toml", "results", "--where", f"case={label}"),
            ("run", "words.toml", "--set", f"title={label}", "--list"),
            ("run", "words.toml", "--metric", label),
            ("check", f"nothing-{label}"[:200]),
        )[number % 3 :: 3]:
            quiet(command(*command_line))
    figures = sorted(Path("results/words").glob("*.svg"))
    assert len(figures) >= 3
    for figure in figures:
        ElementTree.parse(figure)


def test_figures_show_labels_as_they_are_written(command: Command, hostile: list[str]) -> None:
    few = [label for label in hostile if label.startswith(("=", "$", "\x1b[", "<"))]
    text = PORT + "".join(f"[sweep.case.{quoted(label)}]\n" for label in few)
    results = cellrelay.run(parse(text), replications=1)
    from cellrelay.plot import chart, draw, save

    save(draw(chart(results, "goodput")), "chart.svg")
    shown = "".join(ElementTree.parse("chart.svg").getroot().itertext())
    for label in few:
        assert label.replace("\x1b", r"\u001b") in shown


def test_no_cell_of_a_table_is_a_formula_and_all_are_read_back(
    command: Command, hostile: list[str]
) -> None:
    assert command("export", "results/words", "table.csv").code == DONE
    for name in ("results/words/replications.csv", "results/words/scalars.csv", "table.csv"):
        with Path(name).open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                for cell in row:
                    assert not ACTING & {*cell}, cell
                    is_formula = cell.startswith(("=", "+", "-", "@"))
                    assert not is_formula or isinstance(float(cell), float), cell
    assert read_csv("table.csv").values("case") == hostile
    assert read_csv("results/words/replications.csv").values("case") == hostile


def test_any_label_is_read_back_from_a_cell() -> None:
    dice = random.Random(7)
    letters = [*"ab=+-@'\\\"u0019,;$ ", *CONTROLS, *DIRECTIONS]
    for _ in range(5000):
        label = "".join(dice.choices(letters, k=dice.randrange(12)))
        assert of_cell(as_cell(label)) == label
    assert [as_cell(number) for number in ("-5", "+3.5e4", "1e-3")] == ["-5", "+3.5e4", "1e-3"]


NAMES = [
    ("[host.sender]\ncount = 2", "[host.{}]\ncount = 2"),
    ('between = ["sender", "s1"]', "between = [{}, {}]"),
    ("[link.access]", "[link.{}]"),
    ("[flow.bulk]", "[flow.{}]"),
    ('to = "receiver"', "to = {}"),
    ('packet = "1500 B"', "packet = {}"),
    ("fabric.immediate = {}", "fabric.{} = {{}}"),
    ("over.ubr = {}", "over = {}"),
    ("over.ubr = {}", "{} = 1"),
    ("[flow.bulk.transport.tcp]", "[flow.bulk.transport.tcp]\n{} = 1"),
    ('duration = "50 ms"', "duration = {}"),
]


@pytest.mark.parametrize("word", [*HOSTILE, "n" * 20_000, "\u202e" * 10_000, "`" * 9000])
def test_what_is_wrong_is_told_without_obeying_it(command: Command, word: str) -> None:
    dice = random.Random(word)
    for before, after in NAMES:
        assert before in PORT
        text = PORT.replace(before, after.replace("{}", quoted(word)).replace("{{}}", "{}"))
        Path("words.toml").write_text(text, encoding="utf-8")
        ended = command("check", "words.toml")
        said = quiet(ended)
        assert len(said) < 15_000 or ended.code == DONE, f"{after}: {len(said)}"
        if ended.code != DONE:
            assert ended.code == BAD_INPUT
            assert all(
                line.startswith(("error: ", "  hint: ", "words.toml:", "and "))
                for line in ended.err.splitlines()
            ), ended.err[:2000]
    path = "".join(dice.sample(word, min(len(word), 50)))
    if "\0" not in path:
        assert quiet(command("run", "words.toml", "--set", f"{path}={word[:500]}"))
