"""Classes that cannot be members, and values that a scenario cannot give them.

Each is refused before a run, with its place and what to write in its stead.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cellrelay import members
from cellrelay.errors import ScenarioError
from cellrelay.simulation.run import Task, simulate

from .bad_members import HEAD, defined, load, using
from .command import Command

ADMIT = "    def admit(self, offer): return offer.fits"


def with_field(text: str) -> str:
    return f"@members.discard\nclass Bad:\n    {text}\n{ADMIT}"


METHODS = {
    "no method": ("@members.discard\nclass Bad: pass", "has no method `admit`"),
    "no source": ("@members.source\nclass Bad: pass", "has no method `next`"),
    "a method missing": (defined("congestion", on_loss=""), "has no method `on_loss`"),
    "a misspelt method": (
        defined("congestion", on_timeout="", on_timout="(self, event): pass"),
        "rename `on_timout` to `on_timeout`",
    ),
    "several methods missing": (
        "@members.congestion\nclass Bad:\n    def on_ack(self, ack): pass",
        "it has no methods `on_loss`, `on_timeout`\n  hint: write `def on_loss(self, event):`;"
        " write `def on_timeout(self, event):`",
    ),
    "a method missing beside a misspelt one": (
        defined("congestion", on_loss="", on_timeout="", on_timout="(self, event): pass"),
        "it has no methods `on_loss`, `on_timeout`\n  hint: write `def on_loss(self, event):`;"
        " rename `on_timout` to `on_timeout`",
    ),
    "a misspelt optional method": (
        defined("discard", on_leaves="(self, vc, units, at): pass"),
        "the run does not know `on_leaves`\n  hint: did you mean `on_leave` for `on_leaves`?"
        " if not, begin a name of your own with `_`",
    ),
    "a misspelt method of a source": (
        defined("source", on_ack="(self, now): return None"),
        "did you mean `on_acknowledged` for `on_ack`?",
    ),
    "a misspelt static method": (
        "@members.congestion\nclass Bad:\n    def on_ack(self, ack): pass\n"
        "    on_loss = on_timeout = on_ack\n    @staticmethod\n    def onMark(event): pass",
        "did you mean `on_mark` for `onMark`?",
    ),
    "an inherited misspelt method": (
        "class Base:\n    def beginn(self, buffer): pass\n"
        f"@members.discard\nclass Bad(Base):\n{ADMIT}",
        "did you mean `begin` for `beginn`?",
    ),
    "a misspelt flag": (
        with_field("whole_packet = True"),
        "did you mean `whole_packets` for `whole_packet`?",
    ),
    "a misspelt flag of a type": (
        f"from typing import ClassVar\n{with_field('compare_vcs: ClassVar[bool] = True')}",
        "did you mean `compares_vcs` for `compare_vcs`?",
    ),
    "a misspelt recovery": (
        defined("congestion") + "\n    recover = 'sack'",
        "did you mean `recovery` for `recover`?",
    ),
    "two misspelt names": (
        defined("congestion", on_ecno="(self, echo): pass") + "\n    want_samples = True",
        "the run does not know `on_ecno` and `want_samples`\n  hint: did you mean `on_echo` for"
        " `on_ecno`, `wants_samples` for `want_samples`?",
    ),
    "a flag as a parameter": (
        with_field("whole_packets: bool = True"),
        "is a property of the class, and no parameter\n  hint: write `whole_packets = True`",
    ),
    "a recovery as a parameter": (
        defined("congestion") + "\n    recovery: str = 'sack'",
        "write `recovery = 'sack'`, without a type",
    ),
    "a number for a method": (
        "@members.discard\nclass Bad:\n    admit = 3",
        "`admit` is `3`, and no method",
    ),
    "a property for a method": (
        f"@members.discard\nclass Bad:\n    @property\n{ADMIT}",
        "and no method",
    ),
    "a number for an optional method": (
        "@members.discard\nclass Bad:\n    begin = 3\n" + ADMIT,
        "write `def begin(self, buffer):`",
    ),
    "no argument": (defined("discard", admit="(self): return True"), "too many positional"),
    "too many arguments": (
        defined("discard", admit="(self, offer, queue): return True"),
        "`admit(self, offer, queue)`: missing a required argument: 'queue'",
    ),
    "no `self`": (defined("source", next="(): return None"), "write `def next(self):`"),
    "a keyword only": (
        defined("discard", admit="(self, *, offer): return True"),
        "write `def admit(self, offer):`",
    ),
    "a static method": (
        "@members.discard\nclass Bad:\n    @staticmethod\n    def admit(): return True",
        "write `def admit(self, offer):`",
    ),
    "two of three arguments": (
        defined("discard", on_leave="(self, vc, units): pass"),
        "write `def on_leave(self, vc, units, at):`",
    ),
    "`begin` without its argument": (
        defined("congestion", begin="(self): pass"),
        "write `def begin(self, limits):`",
    ),
    "an optional event without its argument": (
        defined("congestion", on_delivery="(self): pass"),
        "write `def on_delivery(self, sample):`",
    ),
    "an acknowledgment without its time": (
        defined("source", on_acknowledged="(self): return None"),
        "write `def on_acknowledged(self, now):`",
    ),
    "a generator": (defined("source", next="(self): yield 1.0, 5"), "`next` is a generator"),
    "an asynchronous method": (
        "@members.discard\nclass Bad:\n    async def admit(self, offer): return True",
        "`admit` is asynchronous",
    ),
    "an asynchronous generator": (
        "@members.source\nclass Bad:\n    async def next(self): yield 1",
        "`next` is asynchronous",
    ),
    "an abstract method": (
        f"import abc\n@members.discard\nclass Bad(abc.ABC):\n    @abc.abstractmethod\n{ADMIT}",
        "it is abstract: it lacks `admit`",
    ),
    "an `__init__` that wants more": (
        defined("discard", __init__="(self, buffer): pass"),
        "prepare the run in `begin`",
    ),
    "an `__init__` without the parameter": (
        with_field("x: int = 3\n    def __init__(self): pass"),
        "prepare the run in `begin`",
    ),
    "a word for a flag": (with_field("compares_vcs = 'yes'"), "write `compares_vcs = True`"),
    "nothing for a flag": (with_field("whole_packets = None"), "`whole_packets` is `None`"),
    "a number for a flag": (
        defined("congestion") + "\n    exact_marks = 1",
        "write `exact_marks = True`",
    ),
    "a word for samples": (
        defined("congestion") + "\n    wants_samples = 'yes'",
        "write `wants_samples = True`",
    ),
    "a truth value for the threshold": (
        with_field("threshold_attribute = True"),
        'write a name, such as `threshold_attribute = "most"`',
    ),
    "a level without a buffer": (
        defined("congestion") + "\n    x: Amount = Amount('50 %')",
        "the field `x` of type `Amount` needs a buffer to be counted in\n  hint: use `Octets`",
    ),
    "a number for a recovery": (
        defined("congestion") + "\n    recovery = 3",
        "`recovery` is `3`",
    ),
    "an unknown recovery": (
        defined("congestion") + "\n    recovery = 'fack'",
        "no loss recovery `fack`\n  hint: one of ",
    ),
}

FIELDS = {
    "a list": ("x: list = None", "is of type `list`, which no parameter has"),
    "an option": ("x: int | None = None", "is of type `int | None`, which no parameter has"),
    "an unknown type": ("x: 'Nothing' = 3", "an annotation cannot be read: NameError"),
    "a list of types": ("x: [int] = 3", "which no parameter has"),
    "a factory": ("x: int = field(default_factory=int)", "has a factory for its default"),
    "a list as default": ("x: list = []", "mutable default"),
    "no default after one": ("x: int = 3\n    y: int", "fields without a default come first"),
    "a text for a level": (
        "x: Amount = '50 %'",
        'give a level in a buffer, such as `Amount("50 %")`',
    ),
    "a range of levels": ("x: Annotated[Amount, Range(1, 3)] = Amount('2 B')", "bound a number"),
    "a text for a number": ("x: int = 'a'", "of type `int` has the default `'a'`"),
    "a truth value for a number": ("x: int = True", "has the default `True`"),
    "a number for a truth value": ("x: bool = 1", "give True or False"),
    "a number for a text": ("x: str = 3", "give a text"),
    "nothing for a number": ("x: int = None", "without a default it is required"),
    "a negative number": ("x: int = -1", "give a whole number from 0 to 4294967295"),
    "a huge number": ("x: int = 2**40", "give a whole number from 0 to 4294967295"),
    "not a number": ("x: float = math.nan", "give a finite number"),
    "an infinite number": ("x: float = math.inf", "give a finite number"),
    "a negative time": ("x: Seconds = -1.0", "give a number of seconds from 0"),
    "a time that is no number": ("x: Seconds = math.nan", "has the default `nan`"),
    "an endless time": ("x: Seconds = math.inf", "has the default `inf`"),
    "a huge time": ("x: Seconds = 1e30", "has the default `1e+30`"),
    "a text for a time": ("x: Seconds = '5 ms'", "give a number of seconds"),
    "no rate": ("x: BitsPerSecond = 0", "from 1 on"),
    "a negative rate": ("x: BitsPerSecond = -1", "from 1 on"),
    "a rate with an exponent": ("x: BitsPerSecond = 1e6", "without `e`"),
    "a negative size": ("x: Octets = -1", "from 0 on"),
    "a huge size": ("x: Octets = 2**70", "from 0 on"),
    "more than all": ("x: Share = 2.0", "give a share from 0 to 1"),
    "a default out of range": ("x: Annotated[int, Range(1, 3)] = 7", "its range is from 1 to 3"),
    "a range of texts": ("x: Annotated[str, Range(1, 3)] = 'a'", "bound a number"),
    "a range upside down": ("x: Annotated[int, Range(3, 1)] = 2", "the smaller first"),
    "texts as a range": ("x: Annotated[int, Range('a', 'b')] = 3", "by two numbers"),
}

GIVEN = {
    "the window": ("cwnd", "write `cwnd: float = field(init=False)`"),
    "the threshold": ("ssthresh", "the run sets `ssthresh`, which is no parameter"),
}

REFUSED = (
    METHODS
    | {f"a field with {name}": (with_field(text), says) for name, (text, says) in FIELDS.items()}
    | {
        f"{name} as a parameter": (f"{defined('congestion')}\n    {field}: float = 3.0", says)
        for name, (field, says) in GIVEN.items()
    }
    | {
        "the name of a member in the tree": (
            f"@members.discard\nclass TailDrop:\n{ADMIT}",
            "`tail_drop` is a member in the tree\n  hint: choose another name",
        )
    }
)

HELPERS = {
    "methods and a constant of any name": (
        defined("congestion", smooth="(self, rtt): pass", on_round="(self): pass")
        + "\n    pacing_gain = 2.89\n    name = 'gain'\n    is_fast = True"
    ),
    "a method near one that the class has": defined(
        "discard", on_joins="(self): pass", on_join="(self, vc, units): pass"
    ),
    "a private name": defined("discard", _on_joins="(self): pass"),
    "a method near a flag": defined("discard", whole_packet="(self, offer): pass"),
    "a parameter near a flag": with_field("whole_packet: bool = True"),
    "state near a flag": with_field("whole_packet: bool = field(init=False, default=False)"),
    "a flag of a type": (
        f"from typing import ClassVar\n{with_field('whole_packets: ClassVar[bool] = True')}"
    ),
    "a class that extends one of Python": f"@members.discard\nclass Bad(dict):\n{ADMIT}",
}
"""Classes whose own names are near to those of methods or flags, and mean something else."""

NAMELESS = {
    "a function": ("@members.discard\ndef bad(offer): return True", "is no class"),
    "a number": ("members.discard(3)", "`3` is no class"),
    "a name without its word": (
        f"@members.discard('bad')\nclass Bad:\n{ADMIT}",
        '`@members.discard(name="...")`',
    ),
    "a name with a space": (f"@members.discard(name='a b')\nclass Bad:\n{ADMIT}", "lower-case"),
    "an empty name": (f"@members.discard(name='')\nclass Bad:\n{ADMIT}", "cannot name a member"),
    "a number as a name": (f"@members.discard(name=3)\nclass Bad:\n{ADMIT}", "`3` cannot name"),
    "a class without its file": (
        f"exec({defined('discard')!r}, {{'members': members, '__name__': 'nowhere'}})",
        "define the class in a file or in a notebook",
    ),
}


@pytest.mark.parametrize(("body", "says"), REFUSED.values(), ids=REFUSED)
def test_a_class_is_refused_at_its_place(body: str, says: str, tmp_path: Path) -> None:
    known = members.registered()
    with pytest.raises((TypeError, ValueError)) as raised:
        load(tmp_path, body)
    told = str(raised.value)
    assert says in told
    assert "\n  hint: " in told
    place, _, problem = told.partition(": `")
    file, _, line = place.rpartition(":")
    assert file == str(tmp_path / "wrong.py")
    assert 0 < int(line) - HEAD.count("\n") <= body.count("\n") + 1
    assert problem.startswith(("Bad`", "TailDrop`"))
    assert members.registered() == known


@pytest.mark.parametrize("body", HELPERS.values(), ids=HELPERS)
def test_a_class_may_have_names_of_its_own(body: str, tmp_path: Path) -> None:
    load(tmp_path, body)
    family = body.partition("@members.")[2].partition("\n")[0]
    assert simulate(Task(using(family), 1, 0)).digest


@pytest.mark.parametrize(("body", "says"), NAMELESS.values(), ids=NAMELESS)
def test_what_is_no_class_is_refused(body: str, says: str, tmp_path: Path) -> None:
    known = members.registered()
    with pytest.raises((TypeError, ValueError)) as raised:
        load(tmp_path, body)
    assert says in str(raised.value)
    assert "\n  hint: " in str(raised.value)
    assert members.registered() == known


VALUES = {
    "a part of a number": ("{ x = 1.5 }", "`1.5` is not a whole number"),
    "a text": ('{ x = "a" }', "`a` is not a whole number"),
    "a negative number": ("{ x = -1 }", "`-1` is out of range"),
    "a number past the range": ("{ x = 4 }", "`x` is from `1` to `3`"),
    "a huge number": ("{ x = 99999999999 }", "is out of range"),
    "no number": ("{ x = nan }", "`NaN` is not a whole number"),
    "a table": ("{ x = {} }", "`{}` is not a whole number"),
    "an unknown field": ("{ y = 1 }", "unknown key `y`"),
    "no table": ("3", "expected a table of parameters, found `3`"),
    "a field without annotation": ("{ free = 1 }", "unknown key `free`"),
}


@pytest.mark.parametrize(("values", "says"), VALUES.values(), ids=VALUES)
def test_a_value_is_refused_at_its_place(values: str, says: str, tmp_path: Path) -> None:
    load(tmp_path, with_field("x: Annotated[int, Range(1, 3)] = 2\n    free = 3"))
    with pytest.raises(ScenarioError) as raised:
        using("discard", values)
    told = str(raised.value)
    assert says in told
    assert "router.r.discard.bad" in told
    assert "\n  hint: " in told
    assert simulate(Task(using("discard"), 1, 0)).digest


def test_a_field_without_default_is_required(tmp_path: Path) -> None:
    load(tmp_path, with_field("x: int"))
    with pytest.raises(ScenarioError, match="`x` is missing\n  hint: write for example `x = "):
        using("discard")


FILES = {
    "no Python": ("def (:", "SyntaxError", 6),
    "a missing module": ("import nothing_here", "No module named 'nothing_here'", 6),
    "a division by zero": ("\n1 / 0", "ZeroDivisionError: division by zero", 7),
    "an exit": ("import sys\nsys.exit(0)", "SystemExit: 0", 7),
    "a relative import": ("from . import other", "ModuleNotFoundError", 6),
}


@pytest.mark.parametrize(("body", "says", "line"), FILES.values(), ids=FILES)
def test_the_command_line_names_the_line_at_which_a_file_fails(
    body: str, says: str, line: int, command: Command, tmp_path: Path
) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(HEAD + body + "\n", encoding="utf-8")
    ended = command("check", "policies", "--members", str(file))
    assert ended.code == 2
    assert ended.err.startswith(f"error: {file}:{line}: ")
    assert says in ended.err


def test_ctrl_c_while_a_file_is_read_interrupts(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    assert command("check", "policies", "--members", str(file)).code == 130
