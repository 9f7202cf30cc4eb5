"""One value for several points of a sweep, and bounds on the share of runs that fail."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import pytest

import cellrelay
from cellrelay import ScenarioError
from cellrelay.cli.exits import BAD_INPUT, DONE
from cellrelay.sizing import Sized
from cellrelay.statistics import most_failures, runs_needed

from .command import Command
from .test_sizing import BUFFER, BURSTS, LOST

LENGTH = "flow.f.source.poisson.length.constant"
LENGTHS = f'\n[sweep]\n"{LENGTH}" = ["500 B", "1500 B", "4000 B"]\n'


@pytest.fixture
def bursts(tmp_path: Path) -> Path:
    file = tmp_path / "bursts.toml"
    file.write_text(BURSTS + LENGTHS, encoding="utf-8")
    return file


def smallest(found: Sized) -> float:
    assert found.answer is not None
    return found.answer.value


def test_the_size_across_an_axis_is_the_largest_of_its_points(bursts: Path) -> None:
    asked = (BUFFER, "1 cells .. 900 cells", f"{LOST} <= 0")
    each = cellrelay.size(bursts, *asked, replications=2)
    (together,) = cellrelay.size(bursts, *asked, replications=2, across=LENGTH)
    sizes = {one.point[LENGTH]: smallest(one) for one in each}
    assert len(set(sizes.values())) == 3
    assert smallest(together) == max(sizes.values())
    worst = max(sizes, key=lambda length: sizes[length])
    assert together.point == {}
    assert [dict(point) for point in together.limits] == [{LENGTH: worst}]


@pytest.mark.parametrize("axis", ["packet", BUFFER])
def test_an_axis_that_does_not_exist_is_refused_with_those_that_do(bursts: Path, axis: str) -> None:
    with pytest.raises(ScenarioError, match=f"no axis of the sweep\n  hint: name one of `{LENGTH}"):
        cellrelay.size(bursts, BUFFER, "1 cells .. 9 cells", f"{LOST} <= 0", across=axis)


def test_bounds_of_the_share_of_failing_runs_are_those_of_clopper_and_pearson() -> None:
    """Binomial tails by hand: with the bound as the share, so few runs fail in 5 % of all cases."""
    for failed, runs in [(0, 1), (0, 20), (1, 2), (3, 40)]:
        share = most_failures(failed, runs)
        ways = (
            math.comb(runs, k) * share**k * (1 - share) ** (runs - k) for k in range(failed + 1)
        )
        assert math.fsum(ways) == pytest.approx(0.05, rel=1e-6)
    assert most_failures(2, 2) == 1.0
    # A textbook value: 10 of 100, one-sided at 97.5 %, is the upper end of the 95 % interval.
    assert most_failures(10, 100, 0.975) == pytest.approx(0.1762, abs=5e-5)
    assert 0.95 ** runs_needed(0.05) <= 0.05 < 0.95 ** (runs_needed(0.05) - 1)


def test_a_risk_is_met_by_the_value_at_which_so_few_runs_lose(tmp_path: Path) -> None:
    """The runs of the value found, and those of the value below it, made without the search."""
    file = tmp_path / "bursts.toml"
    file.write_text(BURSTS.replace("20 ms", "5 ms"), encoding="utf-8")
    needed = runs_needed(0.1)
    assert needed == 29
    asked = (BUFFER, "50 cells .. 500 cells", f"{LOST} <= 0")
    (found,) = cellrelay.size(file, *asked, risk=0.1)
    value = smallest(found)

    def losing(cells: float) -> int:
        results = cellrelay.run(file, {BUFFER: f"{cells:.0f} cells"}, replications=needed)
        return sum(ratio > 0 for ratio in results.points[0].samples("cell_loss_ratio", "port s->b"))

    assert losing(value) == 0
    assert losing(value - 1) > 0
    assert found.answer is not None
    assert (found.answer.runs, found.answer.failed) == (needed, 0)
    assert found.answer.risk == pytest.approx(1 - 0.05 ** (1 / needed))
    # A buffer that nearly every run overflows is refused after two runs.
    assert found.trials[0].runs == 2
    (loose,) = cellrelay.size(file, *asked, risk=0.1, replications=80)
    assert loose.answer is not None
    assert loose.answer.runs == 80
    assert most_failures(loose.answer.failed, 80) <= 0.1


def test_a_risk_that_so_few_runs_cannot_show_is_refused_before_any_run(bursts: Path) -> None:
    with pytest.raises(
        ScenarioError, match="5 replications, even if no run fails\n  hint: make 59"
    ):
        cellrelay.size(
            bursts, BUFFER, "1 cells .. 9 cells", f"{LOST} <= 0", risk=0.05, replications=5
        )


def test_a_scenario_without_chance_needs_no_more_than_two_runs(tmp_path: Path) -> None:
    regular = BURSTS.replace(
        'source.poisson = { load = "40 Mbit/s", length.constant = "1500 B" }',
        'source.constant_rate = { rate = "40 Mbit/s", start = "0 s" }',
    )
    (tmp_path / "regular.toml").write_text(regular, encoding="utf-8")
    asked = (tmp_path / "regular.toml", BUFFER, "1 cells .. 300 cells", f"{LOST} <= 0")
    (found,), (plain,) = (cellrelay.size(*asked, risk=risk) for risk in (0.01, None))
    assert smallest(found) == smallest(plain)
    assert all(trial.runs == 2 and math.isnan(trial.risk) for trial in found.trials)


def test_the_neighbour_of_the_value_is_tried_too(bursts: Path) -> None:
    asked = (bursts, BUFFER, "1 cells .. 900 cells", f"{LOST} <= 0")
    for one in cellrelay.size(*asked, replications=1):
        value = smallest(one)
        tried = {trial.value: trial.is_met for trial in one.trials}
        assert tried[value - 1] is False
        assert tried[value + 1] is True


def test_the_command_writes_the_trials_as_json_and_as_csv(command: Command, bursts: Path) -> None:
    folder = bursts.parent / "out"
    ended = command(
        *("size", str(bursts), "--vary", f"{BUFFER}=1 cells .. 900 cells"),
        *("--require", f"{LOST} <= 0", "--across", LENGTH, "--risk", "0.5", "--out", str(folder)),
    )
    assert ended.code == DONE
    assert "0 of 5, < 45 %" in ended.out
    assert f"limited by {LENGTH}=4000 B" in ended.out
    document = json.loads((folder / "size.json").read_text())
    (point,) = document["points"]
    assert point["limits"] == [{LENGTH: "4000 B"}]
    with (folder / "size.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row[BUFFER] for row in rows] == [trial["value"] for trial in point["trials"]]
    (answer,) = [row for row in rows if row["is_answer"] == "True"]
    assert answer[BUFFER] == point["value"]
    assert float(answer["risk"]) == pytest.approx(1 - 0.05 ** (1 / 5))


@pytest.mark.parametrize(
    "given", [["--risk", "1.5"], ["--confidence", "95"], ["--across", "packet"], ["--risk", "0"]]
)
def test_bad_options_are_refused_with_a_hint(
    command: Command, bursts: Path, given: list[str]
) -> None:
    asked = ("--vary", f"{BUFFER}=1 cells .. 9 cells", "--require", f"{LOST} <= 0")
    ended = command("size", str(bursts), *asked, *given, "--out", str(bursts.parent / "out"))
    assert ended.code == BAD_INPUT
    assert "hint: " in ended.err


def test_the_command_says_from_where_on_no_value_tried_fails(
    command: Command, tmp_path: Path
) -> None:
    """A seed has no threshold: what one seed loses says nothing about the next."""
    file = tmp_path / "bursts.toml"
    file.write_text(BURSTS, encoding="utf-8")
    results = cellrelay.run(file, {"sweep.seed": list(range(1, 31))}, replications=1)
    lost = [point.samples("cell_loss_ratio", "port s->b")[0] for point in results.points]
    bound = sorted(lost)[len(lost) // 2]
    last = max(seed for seed, ratio in enumerate(lost, 1) if ratio <= bound)
    worse = max(seed for seed, ratio in enumerate(lost[: last - 1], 1) if ratio > bound)
    ended = command(
        *("size", str(file), "--vary", f"seed=1 .. {last}", "--require", f"{LOST} <= {bound!r}"),
        *("--replications", "1", "--confirmations", str(last), "--out", str(tmp_path / "out")),
    )
    assert "there is no single threshold" in ended.out
    assert f"hint: choose a range that begins at {worse}\n" in ended.out
