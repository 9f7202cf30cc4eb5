"""Sizes that are found by bisection equal those of an exhaustive search and of arithmetic."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cellrelay import Results, ScenarioError, parse, run
from cellrelay.cli.exits import BAD_INPUT, DONE, STOPPED_EARLY
from cellrelay.scenario import Replications, Scenario
from cellrelay.scenario.factors import FactorRange, factor
from cellrelay.sizing import Requirement, Sized, SizingQuestion, search
from cellrelay.statistics import Estimate, unseen

from .command import Command

BURSTS = """
duration = "20 ms"
[host.a]
count = 3
[host.b]
[switch.s]
buffer.per_output = "50 cells"
[link.in]
between = ["a", "s"]
rate = "155 Mbit/s"
[link.out]
between = ["s", "b"]
rate = "155 Mbit/s"
delay = "1 ms"
[flow.f]
from = "a"
to = "b"
source.poisson = { load = "40 Mbit/s", length.constant = "1500 B" }
transport.datagram = {}
"""
BUFFER = "switch.s.buffer.per_output"
LOST = "port s->b cell_loss_ratio"
DELAY = "link.out.delay"


def question(path: str, text: str, *requirements: str, **options: Any) -> SizingQuestion:
    varied = factor(path, text)
    assert isinstance(varied, FactorRange)
    return SizingQuestion(varied, [Requirement.parse(text) for text in requirements], **options)


def answers(asked: SizingQuestion, text: str = BURSTS, replications: int = 2) -> list[Sized]:
    def load(settings: Mapping[str, Any]) -> Scenario:
        return parse(text, settings=settings)

    def make(scenario: Scenario, rule: Replications | None = None, /) -> Results:
        return run(scenario, replications=rule or replications)

    return search(asked, load, make)


def test_the_smallest_buffer_is_that_of_an_exhaustive_search() -> None:
    (found,) = answers(question(BUFFER, "1 cells .. 300 cells", f"{LOST} <= 0"))
    assert found.answer is not None
    assert found.exceptions == []
    sizes = [f"{cells} cells" for cells in range(1, 301)]
    whole = run(parse(BURSTS, settings={f'sweep."{BUFFER}"': sizes}), replications=2)
    lost = [point.samples("cell_loss_ratio", "port s->b") for point in whole.points]
    enough = [size for size, ratios in zip(sizes, lost, strict=True) if not any(ratios)]
    assert found.answer.label == enough[0]


def test_the_longest_link_is_what_the_delay_leaves() -> None:
    asked = question(DELAY, "1 us .. 9 ms", "flow f[1] max_delay <= 2 ms", is_largest=True)
    (found,) = answers(asked, replications=1)
    assert found.answer is not None
    point = run(parse(BURSTS), replications=1).points[0]
    (longest,) = point.samples("max_delay", "flow f[1]")
    spare = 2e-3 - (longest - 1e-3)
    assert found.answer.value <= spare * 1e6
    assert found.answer.value == pytest.approx(spare * 1e6, rel=asked.resolution)


def test_each_point_of_a_sweep_has_a_size_and_the_axis_itself_is_left_out() -> None:
    rates = '"link.out.rate" = ["155 Mbit/s", "622 Mbit/s"]'
    sweep = f'[sweep]\n"{BUFFER}" = ["10 cells", "20 cells"]\n'
    text = BURSTS + sweep + rates
    slow, fast = answers(question(BUFFER, "1 cells .. 300 cells", f"{LOST} <= 0"), text)
    assert [one.point for one in (slow, fast)] == [
        {"link.out.rate": "155 Mbit/s"},
        {"link.out.rate": "622 Mbit/s"},
    ]
    assert slow.answer is not None
    assert fast.answer is not None
    assert slow.answer.value > fast.answer.value


def test_a_range_that_never_suffices_has_no_answer_and_one_that_always_does_its_end() -> None:
    asked = question(BUFFER, "1 cells .. 3 cells", f"{LOST} <= 0")
    (never,) = answers(asked)
    assert never.answer is None
    assert [trial.is_met for trial in never.trials] == [False]
    (always,) = answers(question(BUFFER, "200 cells .. 300 cells", f"{LOST} <= 100 %"))
    assert always.answer is not None
    assert always.answer.label == "200 cells"


def test_a_threshold_near_zero_is_found_to_a_thousandth_of_the_range() -> None:
    (point,) = run(parse(BURSTS, settings={DELAY: "0 us"}), replications=1).points
    (longest,) = point.samples("max_delay", "flow f[1]")
    above = question(DELAY, "0 us .. 100 us", f"flow f[1] max_delay >= {longest + 1e-12!r} s")
    (found,) = answers(above, replications=1)
    assert found.answer is not None
    assert 0 < found.answer.value <= 100 / 1000 * above.resolution
    assert len(found.trials) <= 2 + 17 + above.confirmations


def test_equal_replications_are_one_sample() -> None:
    regular = BURSTS.replace(
        'source.poisson = { load = "40 Mbit/s", length.constant = "1500 B" }',
        'source.constant_rate = { rate = "40 Mbit/s", start = "0 s" }',
    )
    (found,) = answers(question(BUFFER, "1 cells .. 300 cells", f"{LOST} <= 0"), regular)
    assert found.answer is not None
    (known,) = found.answer.found.values()
    assert (found.answer.runs, known.n, known.is_unseen) == (2, 1, False)


def test_values_beyond_the_answer_that_fail_are_told() -> None:
    """A seed has no threshold: what one seed loses says nothing about the next."""
    whole = run(parse(BURSTS, settings={"sweep.seed": list(range(1, 31))}), replications=1)
    lost = [point.samples("cell_loss_ratio", "port s->b")[0] for point in whole.points]
    bound = sorted(lost)[len(lost) // 2]
    last = max(seed for seed, ratio in enumerate(lost, 1) if ratio <= bound)
    asked = question("seed", f"1 .. {last}", f"{LOST} <= {bound!r}", confirmations=last)
    (found,) = answers(asked, replications=1)
    assert found.answer is not None
    beyond = range(int(found.answer.value) + 1, last)
    fail = [str(seed) for seed in beyond if lost[seed - 1] > bound]
    assert fail
    assert [trial.label for trial in found.exceptions] == fail


@pytest.mark.parametrize(
    "text", ["goodput", "goodput <= fast", "goodput = 3", "goodput <= 3 s", "plane a delay <= 3 s"]
)
def test_what_is_no_bound_of_a_metric_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(ScenarioError, match="hint: "):
        Requirement.parse(text)


def test_a_requirement_holds_for_the_whole_interval() -> None:
    most, least = Requirement.parse("goodput <= 10"), Requirement.parse("goodput >= 10")
    assert [most.is_met(Estimate(mean, 2.0, 5)) for mean in (7.9, 8.0, 8.1)] == [True, True, False]
    assert [least.is_met(Estimate(mean, 2.0, 5)) for mean in (11.9, 12.0)] == [False, True]
    assert most.is_met(Estimate(10.0, math.nan, 1))


def test_an_event_that_was_never_seen_meets_zero_and_any_bound_beyond_its_own() -> None:
    never = unseen(1000.0, 5, 0.95, (0.0, 1.0))
    bounds = ("0", "0.002", "0.004")
    met = [Requirement.parse(f"{LOST} <= {bound}").is_met(never) for bound in bounds]
    assert met == [True, False, True]


def test_the_command_prints_a_table_and_keeps_its_runs(command: Command, tmp_path: Path) -> None:
    (tmp_path / "bursts.toml").write_text(BURSTS, encoding="utf-8")
    asked = ["size", str(tmp_path / "bursts.toml"), "--vary", f"{BUFFER}=1 cells .. 300 cells"]
    asked += ["--require", f"{LOST} <= 0", "--replications", "2", "--out", str(tmp_path / "out")]
    ended = command(*asked)
    assert ended.code == DONE
    assert "smallest" in ended.out
    assert re.search(r"\d+ cells +< 0\.", ended.out)
    document = json.loads((tmp_path / "out" / "size.json").read_text())
    again = json.loads(command(*asked, "--json").out)
    assert again == document
    assert document["points"][0]["value"] in ended.out
    none = command(*asked, "--require", "goodput >= 1 Gbit/s")
    assert none.code == STOPPED_EARLY
    assert "no value meets the requirements" in none.out


@pytest.mark.parametrize(
    "given",
    [
        ["--vary", f"{BUFFER}=1 cells", "--require", f"{LOST} <= 0"],
        ["--vary", f'{BUFFER}=["1 cells", "2 cells"]', "--require", f"{LOST} <= 0"],
        ["--vary", "switch.s.bufer=1 cells .. 2 cells", "--require", f"{LOST} <= 0"],
        ["--vary", f"{BUFFER}=1 cells .. 9 cells", "--require", "drops <= 0"],
        ["--vary", f"{BUFFER}=1 cells .. 9 cells", "--require", f"{LOST} 0"],
        [
            "--vary",
            f"{BUFFER}=1 cells .. 9 cells",
            "--require",
            f"{LOST} <= 0",
            "--resolution",
            "2",
        ],
        [
            "--vary",
            f"{BUFFER}=1 cells .. 9 cells",
            "--require",
            f"{LOST} <= 0",
            "--confirmations",
            "-1",
        ],
    ],
)
def test_bad_questions_are_refused_before_any_run(
    command: Command, tmp_path: Path, given: list[str]
) -> None:
    (tmp_path / "bursts.toml").write_text(BURSTS, encoding="utf-8")
    ended = command("size", str(tmp_path / "bursts.toml"), *given, "--out", str(tmp_path / "out"))
    assert ended.code == BAD_INPUT
    assert "hint: " in ended.err
    assert not (tmp_path / "out" / "size.json").exists()
