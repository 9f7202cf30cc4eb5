"""Members that go wrong in a run: the message names the member, the method and its place, and the
store keeps what it had, and nothing of the run.
"""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from cellrelay.errors import MemberError
from cellrelay.execute import open_pool
from cellrelay.experiment.sweep import sweep
from cellrelay.results import Status
from cellrelay.scenario import Scenario, parse
from cellrelay.simulation import Simulation
from cellrelay.simulation.run import Cancelled, Control, Run, Task, simulate
from cellrelay.store import Store

from .bad_members import SCENARIO, defined, load, using


class Kept(NamedTuple):
    """A store with a good run."""

    path: Path
    task: Task
    run: Run


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    path = tmp_path_factory.mktemp("kept") / "store.sqlite"
    task = Task(parse(SCENARIO), 1, 0)
    with Store(path) as store:
        store.record(task, simulate(task))
    return Kept(path, task, simulate(task))


def failure(scenario: Scenario, kept: Kept) -> str:
    """The message of a sweep with a bad run, after which the store is whole."""
    with Store(kept.path) as store:
        with open_pool("threads:1") as pool:
            point = sweep(scenario, pool, store).points[0]
        assert not point.runs
    with Store(kept.path) as store:
        assert store.rescue is None
        assert store.contents().runs == 1
        assert store.find(kept.task) == kept.run
    assert point.failure is not None
    return point.failure


@pytest.fixture(autouse=True)
def _the_next_run_of_the_thread_is_good(kept: Kept) -> Iterator[None]:
    yield
    assert simulate(kept.task).digest == kept.run.digest


RETURNED = {
    "nothing": ("discard", "admit", "(self, offer): pass", "returned `None`"),
    "a text": ("discard", "admit", "(self, offer): return 'yes'", "returned `'yes'`"),
    "a number": ("discard", "admit", "(self, offer): return 1", "return True to accept the offer"),
    "a list": ("discard", "admit", "(self, offer): return []", "returned `[]`"),
    "not a number": ("discard", "admit", "(self, offer): return math.nan", "returned `nan`"),
    "a long text": ("discard", "admit", "(self, offer): return 'a' * 999", "aaa...`"),
    "a function": ("discard", "admit", "(self, offer): return lambda: True", "returned `<function"),
    "too much": (
        "discard",
        "admit",
        "(self, offer): return True",
        "accepted a unit that does not fit\n  hint: return `offer.fits and ...`",
    ),
    "a time alone": ("source", "next", "(self): return 3", "returned `3`"),
    "an empty pair": ("source", "next", "(self): return ()", "returned `()`"),
    "one of a pair": ("source", "next", "(self): return (1,)", "returned `(1,)`"),
    "three of a pair": ("source", "next", "(self): return 1, 2, 3", "returned `(1, 2, 3)`"),
    "a list as a pair": ("source", "next", "(self): return [1.0, 5]", "returned `[1.0, 5]`"),
    "texts as a pair": ("source", "next", "(self): return 'a', 'b'", "returned `('a', 'b')`"),
    "no time": ("source", "next", "(self): return None, 3", "returned `(None, 3)`"),
    "no size": ("source", "next", "(self): return 0.1, None", "returned `(0.1, None)`"),
    "a time that is no number": ("source", "next", "(self): return math.nan, 5", "`(nan, 5)`"),
    "an endless time": ("source", "next", "(self): return math.inf, 5", "`(inf, 5)`"),
    "a time before all": ("source", "next", "(self): return -1.0, 5", "`(-1.0, 5)`"),
    "no octets": ("source", "next", "(self): return 0.1, 0", "whole number of octets from 1 on"),
    "fewer octets than none": ("source", "next", "(self): return 0.1, -5", "`(0.1, -5)`"),
    "a part of an octet": ("source", "next", "(self): return 0.1, 1.5", "`(0.1, 1.5)`"),
    "endless octets": ("source", "next", "(self): return 0.1, math.inf", "`(0.1, inf)`"),
    "too many octets": ("source", "next", "(self): return 0.1, 2**70", "1180591620717411303424)`"),
    "an earlier time": (
        "source",
        "next",
        "(self): self.n = getattr(self, 'n', 0) + 1; return 0.2 / self.n, 5",
        "returned `(0.1, 5)`, before 0.2 s\n  hint: a write is never before the last",
    ),
    "a time before the acknowledgment": (
        "source",
        "on_acknowledged",
        "(self, now): return 0.0, 5",
        "returned `(0.0, 5)`, before 0.1",
    ),
    "one time without end": (
        "source",
        "next",
        "(self): return 0.1, 1",
        "wrote 100000 times at 0.1 s\n  hint: let the time grow",
    ),
    "a time alone, once acknowledged": (
        "source",
        "on_acknowledged",
        "(self, now): return now",
        "return a time in seconds",
    ),
}

WINDOWS = {
    "nothing": ("None", "left `cwnd` at `None`"),
    "a text": ("'wide'", "left `cwnd` at `'wide'`"),
    "not a number": ("math.nan", "left `cwnd` at `nan`"),
    "a negative number": ("-1", "keep it a number of octets from 0 on"),
    "a list": ("[1]", "left `cwnd` at `[1]`"),
    "a complex number": ("1j", "left `cwnd` at `1j`"),
    "more than a float": ("10**400", "left `cwnd` at `1000"),
}
"""Values of the window."""

LEFT = {
    f"{what} as window": ("congestion", "on_ack", f"(self, ack): self.cwnd = {value}", says)
    for what, (value, says) in WINDOWS.items()
} | {
    "no window": ("congestion", "on_ack", "(self, ack): del self.cwnd", "left no `cwnd`"),
    "no threshold": (
        "congestion",
        "on_loss",
        "(self, event): self.ssthresh = None",
        "left `ssthresh` at `None`",
    ),
    "a negative threshold": (
        "congestion",
        "on_loss",
        "(self, event): self.ssthresh = -3",
        "left `ssthresh` at `-3`",
    ),
    "no window before the run": (
        "congestion",
        "begin",
        "(self, limits): self.cwnd = math.nan",
        "left `cwnd` at `nan`",
    ),
    **{
        f"a rate of {rate}": (
            "congestion",
            "on_delivery",
            f"(self, sample): self.pacing_rate = {rate}",
            "keep it a number of bit/s above 0, or None to send at once",
        )
        for rate in ("math.nan", "math.inf", "-1", "0", "'fast'", "[]")
    },
}

PROBLEMS = RETURNED | LEFT


@pytest.mark.parametrize(("family", "method", "text", "says"), PROBLEMS.values(), ids=PROBLEMS)
def test_a_wrong_value_is_told_with_the_place_of_its_method(
    family: str, method: str, text: str, says: str, kept: Kept, tmp_path: Path
) -> None:
    file = load(tmp_path, defined(family, **{method: text}))
    told = failure(using(family), kept)
    lines = file.read_text(encoding="utf-8").splitlines()
    line = next(n for n, code in enumerate(lines, 1) if f"def {method}(" in code)
    kinds = {"discard": "discard policy", "congestion": "congestion control", "source": "source"}
    assert told.startswith(f"MemberError: {file}:{line}: {kinds[family]} `bad`: `Bad.{method}` ")
    assert says in told
    assert "\n  hint: " in told


RAISED = {
    "KeyError": ("raise KeyError('x')", "KeyError: 'x'"),
    "StopIteration": ("raise StopIteration", "StopIteration"),
    "MemoryError": ("raise MemoryError", "MemoryError"),
    "a full disk": ("raise OSError(28, 'no space')", "[Errno 28] no space"),
    "SystemExit": ("raise SystemExit(3)", "SystemExit: 3"),
    "GeneratorExit": ("raise GeneratorExit", "GeneratorExit"),
    "BaseException": ("raise BaseException('base')", "BaseException: base"),
    "an exception without text": ("raise Exception", "Exception"),
    "one exception from another": ("raise ValueError from KeyError('y')", "direct cause"),
    "an exit": ("import sys; sys.exit(2)", "SystemExit: 2"),
    "endless recursion": ("return self.admit(offer)", "RecursionError"),
    "a changed offer": ("offer.size = 0", "attribute 'size' of"),
    "an unknown attribute": ("return offer.sise", "has no attribute 'sise'"),
    "a made offer": ("return members.Offer()", "cannot create"),
    "an attribute never set": ("return self.most > 0", "'Bad' object has no attribute 'most'"),
    "an assertion": ("assert offer.queued < 0", "AssertionError"),
    "a wrong call": ("return offer.fits()", "'bool' object is not callable"),
    "an unreadable exception": (
        "raise type('Odd', (Exception,), {'__str__': lambda self: 1 / 0})",
        "Odd",
    ),
    "a missing module": ("import nothing_here", "No module named 'nothing_here'"),
    "a member of its own": ("members.discard(3)", "is no class"),
    "a run inside the run": (
        "import cellrelay; cellrelay.Simulation(3)",
        "3 is no scenario",
    ),
}


@pytest.mark.parametrize(("body", "says"), RAISED.values(), ids=RAISED)
def test_an_exception_is_told_with_its_traceback(
    body: str, says: str, kept: Kept, tmp_path: Path
) -> None:
    file = load(tmp_path, defined("discard", admit=f"(self, offer): {body}"))
    told = failure(using("discard"), kept)
    assert told.startswith("MemberError: discard policy `bad`: `Bad.admit` raised an exception\n")
    assert re.search(rf'File "{file}", line \d+, in admit', told)
    assert says in told


EVERYWHERE = {
    "discard": ("begin", "admit", "on_join", "on_leave"),
    "congestion": ("begin", "on_ack", "on_loss", "on_timeout", "on_delivery"),
    "source": ("begin", "next", "on_acknowledged"),
}
ARGUMENTS = {
    "on_join": "(self, vc, units)",
    "on_leave": "(self, vc, units, at)",
    "next": "(self)",
}
METHODS = [(family, method) for family, all_ in EVERYWHERE.items() for method in all_]


@pytest.mark.parametrize(("family", "method"), METHODS)
def test_every_method_may_raise(family: str, method: str, kept: Kept, tmp_path: Path) -> None:
    methods = {method: f"{ARGUMENTS.get(method, '(self, what)')}: return 1 // 0"}
    load(tmp_path, defined(family, **methods))
    lossy = {"link__path__loss__packet": "90 %", "duration": "5 s"}
    told = failure(using(family, **(lossy if method == "on_timeout" else {})), kept)
    assert f"`Bad.{method}` raised an exception\nTraceback " in told
    assert "ZeroDivisionError" in told


UNMADE = {
    "an `__init__` that raises": (
        "@members.discard\nclass Bad:\n    def __init__(self): 1 / 0\n"
        "    def admit(self, offer): return offer.fits",
        "discard",
        "`Bad.__init__` raised an exception",
    ),
    "a check that raises": (
        "@members.discard\nclass Bad:\n    def __post_init__(self): 1 / 0\n"
        "    def admit(self, offer): return offer.fits",
        "discard",
        "`Bad.__init__` raised an exception",
    ),
    "a frozen class": (
        "@members.congestion\n@dataclass(frozen=True)\nclass Bad:\n"
        "    def on_ack(self, ack): pass\n    on_loss = on_timeout = on_ack",
        "congestion",
        "`cwnd` cannot be set",
    ),
    "a class of few attributes": (
        "@members.congestion\nclass Bad:\n    __slots__ = ('x',)\n"
        "    def on_ack(self, ack): pass\n    on_loss = on_timeout = on_ack",
        "congestion",
        "`cwnd` cannot be set",
    ),
    "a window that is computed": (
        "@members.congestion\nclass Bad:\n    cwnd = property(lambda self: 3000)\n"
        "    def on_ack(self, ack): pass\n    on_loss = on_timeout = on_ack",
        "congestion",
        "no property, no frozen class",
    ),
    "a class that makes nothing": (
        "@members.discard\nclass Bad:\n    def __new__(cls): return None\n"
        "    def admit(self, offer): return offer.fits",
        "discard",
        "`Bad.__init__` made `None`, which is no object of the class",
    ),
    "attributes that raise": (
        "@members.discard\nclass Bad:\n"
        "    def __getattribute__(self, name): raise RuntimeError(name)\n"
        "    def admit(self, offer): return offer.fits",
        "discard",
        "RuntimeError: begin",
    ),
    "a method that an object replaces": (
        "@members.discard\nclass Bad:\n    def begin(self, buffer): self.admit = lambda: True\n"
        "    def admit(self, offer): return offer.fits",
        "discard",
        "`Bad.admit` cannot be called: TypeError",
    ),
}


@pytest.mark.parametrize(("body", "family", "says"), UNMADE.values(), ids=UNMADE)
def test_an_object_that_cannot_be_made_is_told(
    body: str, family: str, says: str, kept: Kept, tmp_path: Path
) -> None:
    load(tmp_path, body)
    told = failure(using(family), kept)
    assert says in told
    assert str(tmp_path / "wrong.py") in told


def test_a_steered_run_and_a_clone_tell_it_too(tmp_path: Path) -> None:
    late = "(self, offer): return offer.fits if offer.now < 0.02 else None"
    load(tmp_path, defined("discard", admit=late))
    simulation = Simulation(using("discard"))
    simulation.run_until(0.01)
    for one in (simulation.clone(), simulation):
        with pytest.raises(MemberError, match=r"`Bad.admit` returned `None`"):
            one.run_until(0.4)


ENDLESS = {
    "discard": ("begin", "admit", "on_join"),
    "congestion": ("begin", "on_ack", "on_loss"),
    "source": ("begin", "next"),
}


@pytest.mark.parametrize(
    ("family", "method"), [(family, one) for family, all_ in ENDLESS.items() for one in all_]
)
def test_a_method_that_does_not_return_is_interrupted(
    family: str, method: str, kept: Kept, tmp_path: Path
) -> None:
    endless = f"{ARGUMENTS.get(method, '(self, what)')}:\n        while True: pass"
    load(tmp_path, defined(family, **{method: endless}))
    scenario = using(family)
    # Ctrl-C in the thread of the run, and the cancellation of a run in another thread.
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.15)
    try:
        with pytest.raises(KeyboardInterrupt):
            simulate(Task(scenario, 1, 0))
        control = Control()
        with ThreadPoolExecutor(1) as pool:
            run = pool.submit(simulate, Task(scenario, 1, 0), control)
            time.sleep(0.15)
            control.cancel()
            with pytest.raises(Cancelled):
                run.result(timeout=30)
        signal.setitimer(signal.ITIMER_REAL, 0.15)
        with Store(kept.path) as store, open_pool("threads:1") as workers:
            assert sweep(scenario, workers, store).status is Status.INTERRUPTED
    finally:
        signal.signal(signal.SIGALRM, previous)
    with Store(kept.path) as store:
        assert store.contents().runs == 1
        assert store.find(kept.task) == kept.run
