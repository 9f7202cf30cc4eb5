"""Members of families that are written in Python."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import field
from pathlib import Path
from typing import Annotated

import pytest

from cellrelay import _core, members
from cellrelay.errors import MemberError, ScenarioError
from cellrelay.execute import open_pool
from cellrelay.experiment.sweep import sweep
from cellrelay.members import Octets, Range, Seconds, Share
from cellrelay.scenario import Scenario, load, parse
from cellrelay.simulation.run import Cancelled, Control, Task, simulate
from cellrelay.store import Store

from .command import Command

STUDY = Path(__file__).parent.parent / "crates/scenario/tests/common/ten-tcp.toml"
DISCARD = "switch.s1.discard"
CONGESTION = "flow.bulk.transport.tcp.congestion"


@members.discard
class TopDrop:
    """Drops what finds more than a part of the buffer occupied."""

    part: Share = 1.0  # type: ignore[assignment]
    """Part of the buffer that is used."""

    def begin(self, buffer: members.Buffer) -> None:
        self.most = self.part * buffer.capacity

    def admit(self, offer: members.Offer) -> bool:
        return offer.fits and offer.queued + offer.size <= self.most


@members.congestion
class RenoAgain:
    """Reno, in octets."""

    recovery = "reno"
    cwnd: float = field(init=False)
    ssthresh: float = field(init=False)

    def begin(self, limits: members.Limits) -> None:
        self.mss, self.most = limits.mss, limits.window

    def on_ack(self, ack: members.Ack) -> None:
        slow_start = self.cwnd <= self.ssthresh
        step = self.mss if slow_start else max(self.mss * self.mss // self.cwnd, 1)
        self.cwnd = min(self.cwnd + step, self.most)

    def on_loss(self, event: members.CongestionEvent) -> None:
        self.cut()
        self.cwnd = max(self.ssthresh, self.mss)

    def on_timeout(self, event: members.CongestionEvent) -> None:
        self.cut()
        self.cwnd = self.mss

    def cut(self) -> None:
        halved = min(self.cwnd, self.most) // 2 // self.mss
        self.ssthresh = max(halved, 2) * self.mss


@members.source
class Clock:
    """Writes at equal intervals."""

    every: Seconds = 0.01  # type: ignore[assignment]
    """Time between writes."""

    octets: Octets = 1000  # type: ignore[assignment]
    """Octets of a write."""

    writes: Annotated[int, Range(1, 100)] = 5
    """Number of writes."""

    def begin(self, application: members.Application) -> None:
        self.written = 0

    def next(self) -> tuple[float, int] | None:
        self.written += 1
        return (self.written * self.every, self.octets) if self.written <= self.writes else None


@members.discard
class Divides:
    """Divides by zero once the queue has twenty cells."""

    def admit(self, offer: members.Offer) -> bool:
        return offer.fits and 1 // (offer.queued - 20) is not None


@members.discard
class NeverReturns:
    """Does not return once the queue has twenty cells."""

    def admit(self, offer: members.Offer) -> bool:
        while offer.queued >= 20:
            pass
        return offer.fits


@members.discard
class TooMuch:
    """Accepts what does not fit."""

    def admit(self, offer: members.Offer) -> bool:
        return True


def study(**settings: str) -> Scenario:
    by_path = {path.replace("__", "."): value for path, value in settings.items()}
    return load(STUDY, settings={"duration": "1 s", **by_path})


def of(place: str, member: str, values: str = "{}") -> Scenario:
    return load(STUDY, settings={"duration": "1 s", f"{place}.{member}": values})


def digest(scenario: Scenario) -> str:
    return simulate(Task(scenario, 1, 0)).digest


@pytest.mark.parametrize(
    ("place", "own", "ours"),
    [(DISCARD, "tail_drop", "top_drop"), (CONGESTION, "reno", "reno_again")],
)
def test_a_twin_of_a_member_gives_the_same_numbers(place: str, own: str, ours: str) -> None:
    assert digest(of(place, ours)) == digest(of(place, own))


def test_its_fields_are_parameters() -> None:
    half = of(DISCARD, "top_drop", '{ part = "50 %" }')
    assert 'part = "50 %"' in half.resolved
    assert digest(half) != digest(of(DISCARD, "top_drop"))
    with pytest.raises(ScenarioError, match="did you mean `part`"):
        of(DISCARD, "top_drop", "{ parts = 1 }")
    with pytest.raises(ScenarioError, match="`writes` is from `1` to `100`"):
        of("flow.bulk.source", "clock", "{ writes = 101 }")
    with pytest.raises(ScenarioError, match="did you mean `top_drop`"):
        of(DISCARD, "top_drip")


def test_a_source_writes_what_it_says() -> None:
    run = simulate(Task(of("flow.bulk.source", "clock"), 1, 0))
    delivered = [
        value
        for label, value in zip(run.labels, run.values, strict=True)
        if label.metric == "goodput" and str(label.scope).startswith("flow bulk")
    ]
    assert sum(delivered) == pytest.approx(10 * 5 * 1000 * 8)


def test_the_key_covers_the_source() -> None:
    key = of(DISCARD, "top_drop")._core.key()

    @members.discard(name="top_drop")
    class Other:
        """Another policy of that name."""

        part: Share = 1.0  # type: ignore[assignment]

        def admit(self, offer: members.Offer) -> bool:
            return offer.fits

    _core.register("discard", "other source", Other)
    try:
        assert of(DISCARD, "top_drop")._core.key() != key
    finally:
        known = members._source(TopDrop)._replace(family="discard", name="top_drop")
        _core.register("discard", known.covered, TopDrop)
        members._registered["discard", "top_drop"] = known
    assert of(DISCARD, "top_drop")._core.key() == key


def test_an_exception_ends_its_run_with_its_own_traceback() -> None:
    with pytest.raises(MemberError, match="ZeroDivisionError") as raised:
        simulate(Task(of(DISCARD, "divides"), 1, 0))
    assert "test_members.py" in str(raised.value)
    assert "in admit" in str(raised.value)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    # The next run of the thread does not see it.
    assert digest(of(DISCARD, "tail_drop"))


def test_an_exception_ends_no_other_run_of_a_sweep() -> None:
    axis = '{ good = { "switch.s1.discard" = { top_drop = {} } }, bad = '
    axis += '{ "switch.s1.discard" = { divides = {} } } }'
    scenario = load(STUDY, settings={"duration": "1 s", "sweep.policy": axis})
    with open_pool("threads:2") as pool, Store() as store:
        results = sweep(scenario, pool, store)
        assert store.contents().runs >= 1
    failures = [point.failure for point in results.points]
    assert failures[0] is None
    assert "ZeroDivisionError" in str(failures[1])


def test_what_does_not_fit_cannot_be_accepted() -> None:
    with pytest.raises(MemberError, match="does not fit"):
        simulate(Task(of(DISCARD, "too_much"), 1, 0))


def test_a_cancelled_run_interrupts_a_method_that_does_not_return() -> None:
    control, seen = Control(), []

    def run() -> None:
        try:
            simulate(Task(of(DISCARD, "never_returns"), 1, 0), control)
        except Cancelled as error:
            seen.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(0.3)
    assert thread.is_alive()
    control.cancel()
    thread.join(timeout=30)
    assert len(seen) == 1


def test_ctrl_c_interrupts_a_method_that_does_not_return() -> None:
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            simulate(Task(of(DISCARD, "never_returns"), 1, 0))
    finally:
        signal.signal(signal.SIGALRM, previous)


def test_another_process_defines_the_members_again(tmp_path: Path) -> None:
    task = Task(of(DISCARD, "top_drop", '{ part = "50 %" }'), 1, 0)
    sent = tmp_path / "task"
    sent.write_bytes(pickle.dumps(task))
    code = "import pickle, sys; from cellrelay.simulation.run import simulate;"
    code += " print(simulate(pickle.load(open(sys.argv[1], 'rb'))).digest)"
    printed = subprocess.run(
        [sys.executable, "-c", code, str(sent)], stdout=subprocess.PIPE, text=True, check=True
    )
    assert printed.stdout.strip() == digest(task.point)


def test_a_watched_run_has_members_too() -> None:
    def to_the_end(_: object) -> tuple[float, float]:
        return 10.0, 1.0

    watched = of(DISCARD, "top_drop")._core.watch(1, 0, to_the_end)
    assert watched.digest == digest(of(DISCARD, "tail_drop"))
    with pytest.raises(MemberError, match="ZeroDivisionError"):
        of(DISCARD, "divides")._core.watch(1, 0, to_the_end)


def test_the_command_line_refuses_what_is_no_file_of_members(
    command: Command, tmp_path: Path
) -> None:
    def refusal(file: str) -> str:
        ended = command("check", str(STUDY), "--members", file)
        assert ended.code == 2
        return ended.err

    assert "no such file" in refusal(str(tmp_path / "none.py"))
    assert "SyntaxError" in refusal(written(tmp_path, "def"))
    assert "`A`: it has no method `admit`" in refusal(
        written(tmp_path, "@members.discard\nclass A: pass")
    )


def written(tmp_path: Path, body: str) -> str:
    file = tmp_path / "wrong.py"
    head = "from cellrelay import members\n"
    file.write_text(head + textwrap.dedent(body), encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("@members.discard\nclass A: pass", "`A`: it has no method `admit`"),
        ("@members.source\nclass A:\n    next = 3", "`A`: `next` is `3`, and no method"),
        (
            "@members.discard\nclass A:\n    x: list = None\n    def admit(self, o): return 1",
            "which no parameter has",
        ),
        ("@members.discard\nclass TailDrop:\n    def admit(self, o): return 1", "in the tree"),
        (
            "@members.discard(name='a b')\nclass A:\n    def admit(self, o): return 1",
            "cannot name a member",
        ),
        (
            "@members.congestion\nclass A:\n    recovery = 'none'\n"
            "    def on_ack(self, a): pass\n    on_loss = on_timeout = on_ack",
            "no loss recovery `none`",
        ),
    ],
)
def test_a_class_that_cannot_be_a_member_is_refused(tmp_path: Path, body: str, says: str) -> None:
    with pytest.raises((TypeError, ValueError), match=says):
        members.load(written(tmp_path, body))


LOSSY = """
title = "A lossy path"
duration = "20 s"
warm_up = "5 s"
[host.a]
[host.b]
[router.r]
buffer.per_output = "250 kB"
[link.access]
between = ["a", "r"]
rate = "100 Mbit/s"
[link.path]
between = ["r", "b"]
rate = "10 Mbit/s"
delay = "50 ms"
loss.packet = "0.001 %"
[flow.f]
from = "a"
to = "b"
transport.tcp = { packet = "1500 B", window = "1 MiB", window_scaling = true, initial_window = 10, \
acknowledge.every = {}, timers.rfc6298 = { min = "200 ms" } }
over.packet = {}
""".replace("\\\n", "")


def over_lossy_path(congestion: str, loss: str) -> dict[str, float]:
    settings = {
        "flow.f.transport.tcp.congestion": f"{{ {congestion} = {{}} }}",
        "link.path.loss.packet": loss,
    }
    run = simulate(Task(parse(LOSSY, settings=settings), 1, 0))
    pairs = zip(run.labels, run.values, strict=True)
    return {label.metric: value for label, value in pairs if str(label.scope) == "flow f"}


def test_bbr_keeps_the_rate_of_a_lossy_path_and_an_empty_queue() -> None:
    # ACM Queue 14(5), 2016: throughput over random losses, and the standing queue.
    members.load(str(STUDY.parents[4] / "examples/members/bbr.py"))
    for loss in ("0.001 %", "0.1 %"):
        assert over_lossy_path("my_bbr", loss)["goodput"] > 0.9 * 10e6
    assert over_lossy_path("cubic", "0.1 %")["goodput"] < 0.8 * 10e6
    base = 0.1
    standing = [over_lossy_path(one, "0.001 %")["mean_rtt"] - base for one in ("my_bbr", "cubic")]
    # A packet in transmission and three that wait are 5 ms; one round trip of eight adds a quarter
    # of the path's 100 ms: 3 ms.
    assert standing[0] < 0.009
    assert standing[0] < 0.15 * standing[1]
