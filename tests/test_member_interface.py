"""What members in Python are given: their objects, units, loss recoveries and pacing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cellrelay import members
from cellrelay.errors import MemberError
from cellrelay.scenario import Scenario, Settings, parse
from cellrelay.scenario import load as load_scenario
from cellrelay.simulation.run import Run, Task, simulate

from .bad_members import SCENARIO, defined, load, using

BEGUN: list[object] = []
"""The objects whose `begin` was called, with what they were given."""

ASKED: set[int] = set()
"""Of these, the numbers of those that decided."""


@members.discard
class Noted:
    """Accepts what fits."""

    def begin(self, buffer: members.Buffer) -> None:
        self.number = len(BEGUN)
        BEGUN.append(buffer)

    def admit(self, offer: members.Offer) -> bool:
        ASKED.add(self.number)
        return offer.fits


@members.congestion
class NotedWindow:
    """Grows and halves as Reno does."""

    def begin(self, limits: members.Limits) -> None:
        BEGUN.append(limits)
        self.mss = limits.mss

    def on_ack(self, ack: members.Ack) -> None:
        self.cwnd: float = self.cwnd + self.mss * self.mss / self.cwnd

    def on_loss(self, event: members.CongestionEvent) -> None:
        self.cwnd = self.ssthresh = max(self.cwnd / 2, 2 * self.mss)

    def on_timeout(self, event: members.CongestionEvent) -> None:
        self.cwnd = self.mss


@members.source
class NotedWrites:
    """Writes once."""

    def begin(self, application: members.Application) -> None:
        BEGUN.append(application)
        self.writes = [(0.01, 5000)]

    def next(self) -> tuple[float, int] | None:
        return self.writes.pop() if self.writes else None


NETWORK = """
title = "Two senders and a switch"
duration = "0.3 s"
[host.a]
count = 2
[host.b]
[switch.s]
buffer.per_output = "100 cells"
[link.in]
between = ["a", "s"]
rate = "100 Mbit/s"
[link.out]
between = ["s", "b"]
rate = "10 Mbit/s"
[flow.f]
from = "a"
to = "b"
source.greedy = {}
transport.tcp = {}
"""


@pytest.fixture(autouse=True)
def nothing_begun() -> Iterator[None]:
    BEGUN.clear()
    ASKED.clear()
    yield
    BEGUN.clear()


def ran(settings: Settings) -> dict[str, float]:
    """One run; its numbers by scope and metric."""
    run = simulate(Task(parse(NETWORK, settings=settings), 1, 0))
    pairs = zip(run.labels, run.values, strict=True)
    return {f"{label.scope} {label.metric}": value for label, value in pairs}


@pytest.mark.parametrize(
    ("buffer", "begun"),
    [
        ('{ per_output = "100 cells" }', 3),
        ('{ shared = { size = "100 cells" } }', 3),
        ('{ per_vc = "50 cells" }', 3),
        ('{ per_class = { ubr = "100 cells" } }', 15),
    ],
)
def test_an_output_has_a_policy_for_each_of_its_buffers(buffer: str, begun: int) -> None:
    scheduler = {3: "round_robin", 15: "strict_priority"}[begun]
    settings = {"switch.s.buffer": buffer, "switch.s.discard.noted": "{}"}
    if "shared" not in buffer and "per_output" not in buffer:
        settings[f"switch.s.scheduler.{scheduler}"] = "{}"
    ran(settings)
    # Three outputs: the receiver's, and two for acknowledgments. Of five class buffers, one gets
    # cells.
    assert len(BEGUN) == begun
    assert len(ASKED) == 3


def test_a_flow_has_a_congestion_control_and_a_source_of_its_own() -> None:
    ran({"flow.f.transport.tcp.congestion.noted_window": "{}"})
    assert len(BEGUN) == 2
    BEGUN.clear()
    ran({"flow.f.source.noted_writes": "{}"})
    assert [one.flow for one in BEGUN] == ["f[0]", "f[1]"]  # type: ignore[attr-defined]


def test_each_connection_of_a_flow_has_a_congestion_control() -> None:
    source = '{ arrivals.poisson = { gap = "20 ms" }, size.constant = "20 kB" }'
    settings = {
        "flow.f.source": f"{{ connections = {source} }}",
        "flow.f.transport.tcp.congestion.noted_window": "{}",
    }
    numbers = ran(settings)
    opened = sum(
        numbers[f"flow f[{flow}] {group}"]
        for flow in range(2)
        for group in ("open_connections", "short_connections")
    )
    assert opened > 10
    assert len(BEGUN) == opened


def test_limits_have_the_octets_of_headers() -> None:
    tcp = '{ packet = "1500 B", timestamps = "rfc7323", timers.rfc6298 = {} }'
    ran({"flow.f.transport.tcp": tcp, "flow.f.transport.tcp.congestion.noted_window": "{}"})
    limits = BEGUN[0]
    assert isinstance(limits, members.Limits)
    assert (limits.mss, limits.header) == (1500 - 40 - 12, 52)


def test_each_flow_has_a_seed_of_its_own_stream() -> None:
    settings = {"flow.f.transport.tcp.congestion.noted_window": "{}"}
    ran(settings)
    seeds = [one.seed for one in BEGUN if isinstance(one, members.Limits)]
    assert len(seeds) == len(set(seeds)) == 2
    BEGUN.clear()
    simulate(Task(parse(NETWORK, settings=settings), 1, 1))
    others = [one.seed for one in BEGUN if isinstance(one, members.Limits)]
    assert not set(seeds) & set(others)


def goodput(scenario: Scenario) -> float:
    run = simulate(Task(scenario, 1, 0))
    return next(
        value
        for label, value in zip(run.labels, run.values, strict=True)
        if str(label.scope) == "flow f" and label.metric == "goodput"
    )


def constant(tmp_path: Path, begin: str) -> float:
    """The goodput of a constant window and pacing rate, over 10 Mbit/s and 4 ms."""
    methods = {
        "begin": f"(self, limits): {begin}",
        "on_ack": "(self, ack): pass",
        "on_loss": "(self, event): pass",
        "on_timeout": "(self, event): pass",
        "on_delivery": "(self, sample): pass",
    }
    load(tmp_path, defined("congestion", **methods))
    return goodput(using("congestion", duration="10 s"))


def test_a_paced_segment_leaves_at_the_rate_with_its_headers(tmp_path: Path) -> None:
    begin = "self.cwnd = limits.window; self.pacing_rate = 4e6"
    assert constant(tmp_path, begin) == pytest.approx(4e6 * 1460 / 1500, rel=0.002)
    # The rate of user data, with the octets of a packet over those of its data.
    begin = "self.cwnd = limits.window; " + (
        "self.pacing_rate = 4e6 * (limits.mss + limits.header) / limits.mss"
    )
    assert constant(tmp_path, begin) == pytest.approx(4e6, rel=0.002)


def test_the_window_limits_a_paced_sender_too(tmp_path: Path) -> None:
    unpaced = constant(tmp_path, "self.cwnd = 2 * limits.mss; self.pacing_rate = None")
    # Two segments a round trip: two delays of 2 ms, and the transmissions.
    assert unpaced < 2 * 1460 * 8 / 4e-3
    begin = "self.cwnd = 2 * limits.mss; self.pacing_rate = 100e6"
    assert constant(tmp_path, begin) == pytest.approx(unpaced, rel=0.01)
    assert constant(tmp_path, begin.replace("2 *", "4 *")) > 1.5 * unpaced


def test_a_pacing_rate_that_paces_nothing_is_refused(tmp_path: Path) -> None:
    load(tmp_path, defined("congestion", begin="(self, limits): self.pacing_rate = 1e6"))
    with pytest.raises(MemberError, match=r"`Bad\.begin` left a `pacing_rate`") as raised:
        goodput(using("congestion"))
    assert "\n  hint: write `def on_delivery(self, sample):`" in str(raised.value)


STUDY = Path(__file__).parents[1] / "crates/scenario/tests/common/ten-tcp.toml"


@members.discard
class WholeEarly:
    """Early packet discard."""

    whole_packets = True

    def admit(self, offer: members.Offer) -> bool:
        return offer.fits and 2 * offer.queued < offer.capacity


@members.discard
class Alternating:
    """Would accept one cell and drop the next."""

    whole_packets = True

    def begin(self, buffer: members.Buffer) -> None:
        self.offers = BEGUN_PACKETS.setdefault(len(BEGUN_PACKETS), [])

    def admit(self, offer: members.Offer) -> bool:
        self.offers.append((offer.vc, offer.packet))
        return offer.fits and len(self.offers) % 2 == 0


BEGUN_PACKETS: dict[int, list[tuple[int, int | None]]] = {}
"""By output, the packets about which `Alternating` was asked."""


def of_study(policy: str, **settings: str) -> Run:
    scenario = load_scenario(
        STUDY, settings={"duration": "2 s", f"switch.s1.discard.{policy}": "{}"} | settings
    )
    return simulate(Task(scenario, 1, 0))


@pytest.mark.parametrize("capacity", ["1000 cells", "60 cells"])
def test_a_twin_of_early_packet_discard_gives_its_numbers(capacity: str) -> None:
    # A short buffer overflows in the middle of packets.
    short = {"switch.s1.buffer.per_output": capacity}
    assert of_study("whole_early", **short).digest == of_study("early_packet", **short).digest


def test_a_class_that_decides_about_whole_packets_cannot_split_one() -> None:
    BEGUN_PACKETS.clear()
    run = of_study("alternating", **{"switch.s1.buffer.per_output": "10000 cells"})
    totals = {
        metric: sum(
            value
            for label, value in zip(run.labels, run.values, strict=True)
            if label.metric == metric
        )
        for metric in ("packets_damaged", "remainder", "threshold")
    }
    assert totals["packets_damaged"] == totals["remainder"] == 0
    assert totals["threshold"] > 0
    asked = [offers for offers in BEGUN_PACKETS.values() if offers]
    assert asked
    for offers in asked:
        assert len(set(offers)) == len(offers)


HALVING = {
    "begin": "(self, limits): self.mss, self.most = limits.mss, limits.window",
    "on_ack": """(self, ack):
        step = self.mss if self.cwnd <= self.ssthresh else max(self.mss**2 // self.cwnd, 1)
        self.cwnd = min(self.cwnd + step, self.most)""",
    "cut": """(self, event):
        if not event.again:
            self.ssthresh = max(min(event.flight, self.cwnd) // 2, 2 * self.mss)""",
    "on_loss": """(self, event):
        self.ssthresh = max(min(event.flight, self.cwnd) // 2, 2 * self.mss)
        self.cwnd = self.ssthresh""",
    "on_timeout": "(self, event): self.cut(event); self.cwnd = self.mss",
}
"""The window of the built-in `sack`."""


@pytest.mark.parametrize(
    ("recovery", "pipe"),
    [
        ("sack", "rfc6675"),
        ("sack_proportional", "proportional"),
        ("rack", "rack"),
        ("rack_proportional", "rack_proportional"),
    ],
)
def test_a_class_may_have_every_loss_recovery(recovery: str, pipe: str, tmp_path: Path) -> None:
    load(tmp_path, f"{defined('congestion', **HALVING)}\n    recovery = {recovery!r}")
    settings = {"duration": "20 s", "link__path__loss__packet": "1 %"}
    own = simulate(Task(using("congestion", **settings), 1, 0))
    twin = {path.replace("__", "."): value for path, value in settings.items()}
    twin["flow.f.transport.tcp.congestion.sack.pipe"] = pipe
    twin["flow.f.transport.tcp.congestion.sack.growth.increment"] = "octets"
    built_in = simulate(Task(parse(SCENARIO, settings=twin), 1, 0))
    assert own.digest == built_in.digest
    resent = [
        value
        for label, value in zip(own.labels, own.values, strict=True)
        if label.metric == "packets_retransmitted"
    ]
    assert resent
    assert min(resent) > 10
