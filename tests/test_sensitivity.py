"""Sensitivity analysis: factors, the indices of functions that are known, and the command."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cellrelay import ScenarioError, parse, run
from cellrelay.cli.exits import BAD_INPUT, DONE
from cellrelay.scenario import factors
from cellrelay.scenario.factors import Alternatives, FactorRange, combined
from cellrelay.sensitivity import Morris, Sobol, analyse, method

from .command import Command

Array = NDArray[np.float64]

LOSSY = """
duration = "0.2 s"
[host.a]
[host.b]
[switch.s]
buffer.per_output = "50 cells"
[link.in]
between = ["a", "s"]
rate = "150 Mbit/s"
[link.out]
between = ["s", "b"]
rate = "100 Mbit/s"
delay = "1 ms"
[flow.f]
from = "a"
to = "b"
source.constant_rate = { rate = "10 Mbit/s", start = "0 s" }
transport.datagram = {}
"""
RATE = "flow.f.source.constant_rate.rate"
DELAY = "link.out.delay"


def ishigami(places: Array) -> Array:
    """Ishigami and Homma's function with a = 7 and b = 0.1, over (-pi, pi) in each coordinate."""
    x = (2 * places - 1) * np.pi
    return np.asarray(np.sin(x[:, 0]) * (1 + 0.1 * x[:, 2] ** 4) + 7 * np.sin(x[:, 1]) ** 2)


def test_sobol_indices_of_ishigamis_function_are_known() -> None:
    sobol = Sobol(4096)
    places = sobol.sample(3)
    assert places.shape == (4096 * 5, 3)
    found = sobol.indices(3, places, ishigami(places))
    # Ishigami and Homma 1990: variances in closed form.
    a, b = 7.0, 0.1
    alone = [(1 + b * np.pi**4 / 5) ** 2 / 2, a**2 / 8, 0.0]
    together = b**2 * np.pi**8 * (1 / 18 - 1 / 50)
    whole = sum(alone) + together
    for index, first, shared in zip(found, alone, (together, 0.0, together), strict=True):
        for known, exact in ((index["first"], first), (index["total"], first + shared)):
            assert known.mean == pytest.approx(exact / whole, abs=0.02)
            assert known.half_width < 0.1


def test_elementary_effects_of_a_plane_are_its_slopes() -> None:
    morris = Morris(6)
    places = morris.sample(3)
    assert places.shape == (6 * 4, 3)
    found = morris.indices(3, places, places @ np.array([5.0, -2.0, 0.0]))
    assert [index["mu_star"].mean for index in found] == pytest.approx([5.0, 2.0, 0.0])
    assert [index["mu"].mean for index in found] == pytest.approx([5.0, -2.0, 0.0])
    assert [index["sigma"].mean for index in found] == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)


def test_an_interaction_shows_in_sigma() -> None:
    morris = Morris(50)
    places = morris.sample(2)
    first, _ = morris.indices(2, places, places[:, 0] * places[:, 1])
    assert first["sigma"].mean > 0.5 * first["mu_star"].mean


def test_a_metric_that_never_changes_has_no_indices() -> None:
    sobol = Sobol(8)
    places = sobol.sample(2)
    for index in sobol.indices(2, places, np.full(len(places), 3.0)):
        assert index["first"].mean == index["total"].mean == 0


@pytest.mark.parametrize(
    ("text", "low", "middle", "high"),
    [
        ("10 cells .. 21 cells", "10 cells", "16 cells", "21 cells"),
        ("1 .. 3", 1, 2, 3),
        ("0.5 .. 1.5", 0.5, 1.0, 1.5),
        ("1 ms .. 2 ms", "1.0 ms", "1.5 ms", "2.0 ms"),
        ("100 ms .. 1 s", "100.0 ms", "550.0 ms", "1000.0 ms"),
        ("10 % .. 25 %", "10.0 %", "17.5 %", "25.0 %"),
        ("log 1 ms .. 100 ms", "1.0 ms", "10.0 ms", "100.0 ms"),
        ("log 16 KiB .. 64 KiB", "16384 B", "32768 B", "65536 B"),
        ("1 kbit/s .. 2 kbit/s", "1000 bit/s", "1500 bit/s", "2000 bit/s"),
        ("-1.5 .. 0.5", -1.5, -0.5, 0.5),
    ],
)
def test_a_range_reaches_both_ends(text: str, low: Any, middle: Any, high: Any) -> None:
    one = factors.parse("p", text)
    assert isinstance(one, FactorRange)
    assert [one.settings(place)["p"] for place in (0.0, 0.5, 1.0)] == [low, middle, high]
    assert str(one) == text


def test_alternatives_are_equally_likely() -> None:
    one = factors.parse("p", '["a", "b", "c"]')
    assert isinstance(one, Alternatives)
    places = np.linspace(0, 1, 301)
    chosen = [one.settings(float(place))["p"] for place in places]
    assert [chosen.count(name) for name in "abc"] == [100, 100, 101]


def test_a_policy_without_parameters_is_called_by_its_name() -> None:
    one = factors.parse("switch.s.discard", "[{ tail_drop = {} }, { push_out = {} }]")
    assert str(one) == "tail_drop, push_out"


def test_named_alternatives_set_several_parameters() -> None:
    one = factors.parse("both", '{ low = { x = 1, "y.z" = "2 s" }, high = { x = 3 } }')
    assert one.settings(0.2) == {"x": 1, "y.z": "2 s"}
    assert combined([one, factors.parse("w", "0 .. 1")], [0.9, 1.0]) == {"x": 3, "w": 1}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("5", "neither a range nor two alternatives"),
        ("5 .. ", "neither a range"),
        ("many .. few", "neither a range"),
        ('["one"]', "neither a range"),
        ("{ one = { x = 1 } }", "neither a range"),
        ("{ a = 1, b = 2 }", "neither a range"),
        ('["one", ', "p:"),
        ("3 .. 3", "ends before it begins"),
        ("1 ms .. 1 cells", "different units\n  hint: write both in `cells`"),
        ("1 .. 50 %", "different units\n  hint: write both in `%`"),
        ("log 0 .. 1", "begins at or below zero, where `log` is undefined"),
    ],
)
def test_a_malformed_factor_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ScenarioError, match=r"^p:(1:\d+:)? ") as raised:
        factors.parse("p", text)
    assert problem in str(raised.value)
    assert "hint: " in str(raised.value)


def reader(text: str = LOSSY) -> Callable[[Any], Any]:
    return lambda settings: parse(text, settings=settings)


def test_what_decides_a_metric_is_found_in_a_scenario() -> None:
    varied = [factors.parse(DELAY, "1 ms .. 2 ms"), factors.parse(RATE, "5 Mbit/s .. 50 Mbit/s")]
    results, found = analyse(
        reader(),
        varied,
        method("morris", 4),
        ["flow f goodput", "flow f mean_delay"],
        lambda scenario: run(scenario, replications=1),
    )
    assert results.axes == ("sample",)
    goodput, delay = found
    assert list(goodput.indices) == [RATE, DELAY]
    assert goodput.indices[RATE]["mu_star"].mean == pytest.approx(45e6, rel=0.02)
    assert list(delay.indices) == [DELAY, RATE]
    assert delay.indices[DELAY]["mu"].mean == pytest.approx(1e-3, rel=0.01)
    assert goodput.noise is None


def test_equal_samples_are_run_once() -> None:
    results, _ = analyse(
        reader(),
        [factors.parse("switch.s.buffer.per_output", '["50 cells", "60 cells"]')],
        method("morris", 20),
        ["goodput"],
        lambda scenario: run(scenario, replications=1),
    )
    assert len(results.points) == 2


@pytest.mark.parametrize(
    ("name", "text", "metrics", "problem"),
    [
        ("link.out.dealy", "1 ms .. 2 ms", ["goodput"], "did you mean `delay`"),
        (DELAY, "1 ms .. 2 ms", ["godput"], "did you mean `goodput`"),
        ("switch.s.buffer.per_output", "-5 cells .. 5 cells", ["goodput"], "per_output"),
    ],
)
def test_a_mistake_is_refused_before_anything_runs(
    name: str, text: str, metrics: list[str], problem: str
) -> None:
    def never(scenario: object) -> Any:
        raise AssertionError("a run was made")

    varied = [factors.parse(name, text)]
    with pytest.raises(ScenarioError) as raised:
        analyse(reader(), varied, method("morris", 4), metrics, never)
    assert problem in str(raised.value)


def test_a_sweep_of_its_own_must_be_narrowed() -> None:
    swept = LOSSY + '[sweep]\n"link.out.delay" = ["1 ms", "2 ms"]\n'
    varied = [factors.parse(RATE, "5 Mbit/s .. 9 Mbit/s")]
    with pytest.raises(ScenarioError, match="2 points"):
        analyse(reader(swept), varied, method("morris", 4), [], lambda scenario: run(scenario))


def test_the_command_ranks_keeps_and_continues(command: Command) -> None:
    Path("lossy.toml").write_text(LOSSY, encoding="utf-8")
    line = [
        *("sensitivity", "lossy.toml", "--samples", "3", "--replications", "1", "--metric"),
        *("flow f mean_delay", "--vary", f"{DELAY}=1 ms .. 2 ms"),
        *("--vary", f"{RATE}=5 Mbit/s .. 50 Mbit/s", "--progress", "none"),
    ]
    ended = command(*line)
    assert (ended.code, ended.err) == (DONE, "results in results/lossy-sensitivity\n")
    rows = ended.out.splitlines()
    assert rows[0] == "Morris screening: 2 parameters, 9 samples" or "samples" in rows[0]
    assert [row.split()[0] for row in rows[-2:]] == [DELAY, RATE]
    folder = Path("results/lossy-sensitivity")
    drawn = (folder / "sensitivity-flow-f-mean_delay.svg").read_text(encoding="utf-8")
    assert re.search(r"scenario .*; seed \d+; cellrelay .*; model .*; analysis ", drawn)
    document = json.loads((folder / "sensitivity.json").read_text(encoding="utf-8"))
    assert document[0]["parameters"][0]["parameter"] == DELAY
    again = command(*line, "--json")
    assert json.loads(again.out) == document


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--vary", "x"], "has no value"),
        (["--vary", "x=5"], "--vary: x: `5` is neither"),
        (["--vary", f"{DELAY}=1 ms .. 2 ms", "--samples", "1"], "--samples: `1` is too small"),
        (
            ["--vary", f"{DELAY}=1 ms .. 2 ms", "--samples", "48", "--method", "sobol"],
            "write `32` or `64`",
        ),
        (
            ["--vary", f"{DELAY}=1 ms .. 2 ms", "--vary", f"{DELAY}=1 ms .. 3 ms"],
            "a parameter is varied twice",
        ),
    ],
)
def test_the_command_refuses(command: Command, options: list[str], problem: str) -> None:
    Path("lossy.toml").write_text(LOSSY, encoding="utf-8")
    ended = command("sensitivity", "lossy.toml", *options)
    assert ended.code == BAD_INPUT
    assert problem in ended.err
