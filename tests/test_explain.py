"""`cellrelay explain`: what is told of runs of which it is known what is wrong with them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest

import cellrelay
from cellrelay.cli.exits import BAD_INPUT, DONE
from cellrelay.explain import Explanation, along, explain, flows, sweep
from cellrelay.explain.advice import discard_whole_packets
from cellrelay.explain.longest_silence import longest_silence
from cellrelay.explain.settings import settings_of
from cellrelay.explain.sweep import told
from cellrelay.metrics.cause import every_cause
from cellrelay.metrics.names import DropMetric, FlowMetric
from cellrelay.metrics.scope import Name, Place
from cellrelay.results import Results

from . import snapshot
from .command import Command


def test_every_limit_and_every_cause_of_drops_has_words() -> None:
    page = "python/cellrelay/explain/flows.py"
    words = [cause.word for cause in every_cause() if cause.is_counted]
    limits = {name for name in get_args(FlowMetric) if name.startswith("limited_by_")}
    assert limits == {f"limited_by_{limit}" for limit in flows.LIMITS}, f"name the limits in {page}"
    assert words == list(get_args(DropMetric))
    assert set(words) == set(flows.CAUSES)
    assert all(cause.short for cause in flows.CAUSES.values())


ALONE = """
duration = "2 s"
warm_up = "0.5 s"
[host.a]
[host.b]
[switch.s]
buffer.per_output = "1000 cells"
[link.a]
between = ["a", "s"]
rate = "100 Mbit/s"
delay = "5 ms"
[link.b]
between = ["s", "b"]
rate = "100 Mbit/s"
delay = "5 ms"
[flow.bulk]
from = "a"
to = "b"
transport.tcp = { packet = "1500 B", window = "64 KiB" }
[replications]
at_least = 1
"""
"""One flow, of which nothing is lost."""

CROWD = """
title = "Five senders before a small buffer"
duration = "3 s"
[host.sender]
count = 5
[host.receiver]
[switch.s1]
buffer.per_output = "300 cells"
[link.access]
between = ["sender", "s1"]
rate = "155.52 Mbit/s"
delay = "3 us"
[link.exit]
between = ["s1", "receiver"]
rate = "155.52 Mbit/s"
delay = "3 us"
[flow.bulk]
from = "sender"
to = "receiver"
source.greedy = { start = { uniform = ["0 s", "0.1 s"] } }
jitter.packet_time = {}
[flow.bulk.transport.tcp]
packet = "9180 B"
window = "64 KiB"
timers.bsd = { tick = "100 ms", initial = "0.5 s" }
[replications]
at_least = 2
"""
"""Flows that lose whole windows, and have coarse timers."""

CIRCLING = """
duration = "5 s"
warm_up = "1 s"
[host.a]
[host.b]
[router.r]
buffer.per_output = "25 kB"
[link.a]
between = ["a", "r"]
rate = "1 Gbit/s"
[link.b]
between = ["r", "b"]
rate = "100 Mbit/s"
delay = "10 ms"
[flow.bulk]
from = "a"
to = "b"
over.packet = {}
transport.tcp = { packet = "1500 B", window = "2 MiB", congestion.tahoe_gbn = {} }
[replications]
at_least = 1
"""
"""One flow whose transport goes round in circles."""

SWEEP = CROWD + '[sweep]\n"switch.s1.buffer.per_output" = ["300 cells", "10000 cells"]\n'


def run(text: str, **settings: str) -> Results:
    scenario = cellrelay.parse(
        text, settings=[(k.replace("__", "."), v) for k, v in settings.items()]
    )
    return cellrelay.run(scenario)


def rules(known: Explanation) -> list[str]:
    return [finding.rule for finding in known.findings]


def test_the_shares_of_every_flow_add_up_to_one() -> None:
    for flow in explain(run(CROWD)).flows:
        assert sum(flow.limits.values()) == pytest.approx(1.0)


def test_a_small_window_is_found_and_the_link_that_it_leaves_idle() -> None:
    known = explain(run(ALONE))
    assert rules(known) == ["window"]
    found = known.findings[0]
    assert "`bulk` was limited by the receiver's window for 71 %" in found.text
    assert "With a round trip of 2" in found.text
    assert found.settings == ("flow.bulk.transport.tcp.window=128 KiB",)


def test_what_is_advised_takes_the_cause_away() -> None:
    before = explain(run(ALONE))
    path, _, value = before.findings[0].settings[0].partition("=")
    scenario = cellrelay.parse(ALONE, settings=[(path, value)])
    after = explain(cellrelay.run(scenario))
    assert after.flows[0].get("goodput") > 1.8 * before.flows[0].get("goodput")


def test_timers_are_found_with_where_the_cells_died() -> None:
    known = explain(run(CROWD))
    found = next(finding for finding in known.findings if finding.rule == "timeouts")
    text = found.text
    assert "of the time for its retransmission timer, its group" in text
    assert "of its drops were at s1->receiver (buffer full)" in text
    assert found.settings == ("switch.s1.discard={ early_packet = {} }",)
    assert {drop.cause for drop in known.drops} == {"overflow"}


@pytest.mark.parametrize(
    ("policy", "drops_cells"),
    [
        ("partial_packet = {}", True),
        ("push_out = {}", True),
        ('partial_buffer_sharing = { threshold = "100 %" }', True),
        ('random_early = { unit = "cell" }', True),
        ("random_early = {}", False),
        ("selective_drop = {}", False),
    ],
)
def test_whole_packets_are_advised_where_single_cells_are_dropped(
    policy: str, drops_cells: bool
) -> None:
    results = run(CROWD, switch__s1__discard=f"{{ {policy} }}", duration="20 ms")
    place = Place(Name("s1"), Name("receiver"))
    drop = flows.Drop(Name("bulk", 0), place, "overflow", 1.0)
    advised = discard_whole_packets(settings_of(results, results.points[0]), [drop])
    assert bool(advised) == drops_cells


def test_nothing_is_wrong_with_who_has_nothing_to_send() -> None:
    known = explain(
        run(ALONE, flow__bulk__source='{ telnet = { gap = "50 ms", message = "64 B" } }')
    )
    assert not known.findings
    assert any("mostly by application" in note.text for note in known.notes)


def test_marks_that_nothing_sets_are_told() -> None:
    known = explain(run(ALONE, flow__bulk__transport__tcp__congestion="{ dctcp = {} }"))
    assert rules(known)[0] == "warning"
    assert (
        "`bulk`: `dctcp` reacts to congestion marks, and no switch or router"
        in known.findings[0].text
    )


def test_repetitions_are_told() -> None:
    """Go-back-N without its guard feeds on its own repetitions."""
    known = explain(run(CIRCLING))
    assert rules(known)[0] == "warning"
    assert (
        "it sent almost as many retransmissions as new packets, or more" in known.findings[0].text
    )
    text = next(finding.text for finding in known.findings if finding.rule == "sent again")
    assert text.startswith("`bulk` had sent 50 % of its packets before: 0 timeouts and")


def test_a_timer_that_has_not_expired_at_the_end_is_named() -> None:
    """Its wait counts for the timer, not for the window, which lets ten times as much through."""
    patient = "{ rfc6298 = { min = '20 s', initial = '20 s' } }"
    lossy = {"link__b__loss": "{ packet = '5 %' }", "duration": "8 s"}
    known = explain(run(ALONE, **lossy, flow__bulk__transport__tcp__timers=patient))
    assert rules(known)[0] == "pending timeout"
    first = known.findings[0]
    assert "waited for the retransmission timer, which had not expired yet" in first.text
    assert first.text.count("the silence is counted as retransmission timer") == 1
    assert known.flows[0].limits["timeout"] > 0.5
    assert first.settings == ("flow.bulk.transport.tcp.timers={ rfc6298 = {} }",)
    windows = {"window", "slow start", "congestion window"}
    assert not windows & set(rules(known))
    # With the advice the timer expires within the run, and its time counts as its own.
    assert "pending timeout" not in rules(explain(run(ALONE, **lossy)))


def test_losses_on_a_link_are_no_congestion() -> None:
    known = explain(run(ALONE, link__b__loss="{ packet = '2 %' }"))
    assert {drop.cause for drop in known.drops} == {"lost"}
    assert "lost on the link" in rules(known)


@pytest.mark.parametrize(
    ("settings", "rule"),
    [
        (
            {
                "flow__bulk__over": '{ abr = { pcr = "2 Mbit/s" } }',
                "switch__s__rate": "{ erica = {} }",
            },
            "ACR",
        ),
        ({"flow__bulk__over": '{ cbr = { rate = "2 Mbit/s" } }'}, "contract"),
        (
            {
                "link__a__credit": "{ n23 = { n2 = 1, n3 = 10 } }",
                "switch__s__scheduler": "{ round_robin = {} }",
                "switch__s__buffer__per_output": "100000 cells",
            },
            "credit",
        ),
        (
            {"flow__bulk__transport": '{ xtp = { rate = "5 Mbit/s", buffer = 500 } }'},
            "rate control",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_holds_a_flow_back_is_found(settings: dict[str, str], rule: str) -> None:
    known = explain(run(ALONE, **settings))
    assert rules(known) == [rule]
    assert known.findings[0].figure == "limits"


def test_a_flow_that_waits_for_pulls_has_no_window() -> None:
    settings = {"flow__bulk__transport": '{ pull = { packet = "1500 B", initial_window = 1 } }'}
    (found,) = explain(run(ALONE, **settings)).findings
    assert "waited for the receiver to pull a packet" in found.text
    assert "window" not in found.text
    assert not found.settings


def test_a_sweep_tells_where_the_limiter_changes() -> None:
    results = run(SWEEP)
    found = along(results)
    assert found[0].group.limiter == "timeout"
    assert found[1].group.limiter != "timeout"
    assert len(told(results, found)) == 1


def test_of_many_changes_the_first_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    results = run(SWEEP)
    monkeypatch.setattr(sweep, "MOST_CHANGES", 0)
    assert told(results, along(results)) == ["and 1 more such changes: `--json` has every point"]


def test_where_nothing_changes_that_is_said() -> None:
    results = run(SWEEP)
    assert told(results, along(results)[:1]) == [
        "the same limit applies for the longest time at every point"
    ]


def test_the_longest_silence_lies_within_the_moment() -> None:
    results = run(CROWD, record__every="0.5 ms")
    known = explain(results)
    found = next(finding for finding in known.findings if finding.figure == "moment")
    moment = longest_silence(known.point, found.about)
    assert moment is not None
    assert 0.3 < moment.end - moment.start <= 3.0


def test_a_flow_of_which_nothing_arrives_is_silent_for_the_whole_run() -> None:
    results = run(ALONE, record__every="1 ms", link__b__loss="{ packet = '100 %' }")
    moment = longest_silence(results.points[0], "bulk")
    assert moment is not None
    assert moment.start <= 0.5
    assert moment.end == pytest.approx(2.0, abs=0.01)


def test_the_command_tells_flows_drops_and_findings(command: Command) -> None:
    Path("crowd.toml").write_text(CROWD)
    assert command("run", "crowd.toml").code == DONE
    ended = command("explain", "results/crowd")
    assert (ended.code, ended.err) == (DONE, "")
    snapshot.check("explain-point.txt", ended.out)
    drawn = sorted(path.name for path in Path("results/crowd").glob("explain-*.svg"))
    assert drawn
    assert all(f"results/crowd/{name}" in ended.out for name in drawn)


def test_the_command_tells_how_a_sweep_changes(command: Command) -> None:
    Path("crowd.toml").write_text(SWEEP)
    assert command("run", "crowd.toml").code == DONE
    ended = command("explain", "results/crowd")
    assert (ended.code, ended.err) == (DONE, "")
    snapshot.check("explain-sweep.txt", ended.out)
    document = json.loads(command("explain", "results/crowd", "--json").out)
    assert document[0]["limiter"] == "timeout"


def test_json_has_what_is_shown(command: Command) -> None:
    Path("alone.toml").write_text(ALONE)
    command("run", "alone.toml")
    document = json.loads(command("explain", "results/alone", "--json").out)
    assert document["flows"][0]["limiter"] == "receiver_window"
    assert document["findings"][0]["rule"] == "window"
    assert not list(Path("results/alone").glob("*.svg"))


@pytest.mark.parametrize("name", ["limits", "capacity", "goodput", "drops"])
def test_each_figure_is_drawn_by_itself(command: Command, name: str) -> None:
    Path("crowd.toml").write_text(CROWD)
    command("run", "crowd.toml")
    ended = command("explain", "results/crowd", "--draw", name)
    assert ended == (DONE, f"results/crowd/explain-{name}.svg\n", "")
    drawn = Path(f"results/crowd/explain-{name}.svg").read_text(encoding="utf-8")
    assert re.search(r"scenario .*; seed \d+; cellrelay .*; model .*; analysis ", drawn)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("nowhere",), "nowhere: no results"),
        (("results/alone", "--draw", "drops"), "nothing was dropped"),
        (("results/alone", "--draw", "moment"), "no series were recorded"),
        (("results/alone", "--where", "size=1"), "`size` is not an axis"),
        (("results/alone", "--draw", "everything"), "--draw"),
        (("results/alone", "--draw", "held"), "it is called `limits` now"),
    ],
)
def test_what_cannot_be_explained_is_refused(
    command: Command, options: tuple[str, ...], said: str
) -> None:
    Path("alone.toml").write_text(ALONE)
    command("run", "alone.toml")
    ended = command("explain", *options)
    assert (ended.code, ended.out) == (BAD_INPUT, "")
    assert said in ended.err
    assert "hint: " in ended.err
