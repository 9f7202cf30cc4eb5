"""Groups as scopes: what the numbers of several flows come to, in Python, tables and figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cellrelay
from cellrelay.cli.exits import BAD_INPUT, DONE
from cellrelay.plot import chart, cumulative
from cellrelay.results import Results, Unknown
from cellrelay.results.files.folder import read_folder

from .command import Command

FILES = """\
duration = "200 ms"
[host.sender]
count = 3
[host.receiver]
[router.r]
buffer.per_output = "30 kB"
[link.access]
between = ["sender", "r"]
rate = "100 Mbit/s"
delay = "0.1 ms"
[link.exit]
between = ["r", "receiver"]
rate = "50 Mbit/s"
delay = "1 ms"
[flow.file]
from = "sender"
to = "receiver"
over.packet = {}
transport.tcp = { packet = "1500 B", window = "64 KiB" }
source.files = { length.exponential = { mean = "30 kB" }, count = 1000 }
[replications]
at_least = 3
"""
SWEEP = """
[sweep]
"router.r.buffer.per_output" = ["15 kB", "60 kB"]
"""
MEMBERS = [f"flow file[{member}]" for member in range(3)]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Results:
    path = tmp_path_factory.mktemp("groups") / "files.toml"
    path.write_text(FILES + SWEEP, encoding="utf-8")
    return cellrelay.run(path)


def test_counts_of_a_group_add_up(found: Results) -> None:
    for metric in ("messages", "packets_sent", "timeouts", "octets_delivered"):
        of_members = [found.estimate(metric, one, per_output="15 kB").mean for one in MEMBERS]
        of_group = found.estimate(metric, "flow file", per_output="15 kB").mean
        assert of_group == pytest.approx(sum(of_members)), metric


def test_rates_of_a_group_are_means_and_ratios_those_of_the_sums(found: Results) -> None:
    point = found.point(per_output="15 kB")
    goodputs = [point.estimate("goodput", one).mean for one in MEMBERS]
    assert point.estimate("goodput", "flow file").mean == pytest.approx(np.mean(goodputs))
    sent, delivered = (
        sum(sum(point.by_sample(metric, one)) for one in MEMBERS)
        for metric in ("octets_sent", "octets_delivered")
    )
    efficiency = point.estimate("efficiency", "flow file")
    assert efficiency.mean == pytest.approx(delivered / sent)
    assert 0.0 < efficiency.half_width < 0.5


def test_a_group_is_a_scope_of_python_and_of_figures(found: Results) -> None:
    assert "goodput" in found.metrics("flow file")
    drawn = chart(found, "p99_completion_time", scope="flow file")
    assert len(drawn.panels[0].curves[0].y) == 2
    assert found.point(per_output="60 kB").by_replication("messages", "flow file") == [
        sum(column)
        for column in zip(
            *(found.point(per_output="60 kB").by_replication("messages", one) for one in MEMBERS),
            strict=True,
        )
    ]
    assert len(found.compare("goodput", scope="flow file")) == 1
    with pytest.raises(Unknown, match="there is no `flow fil`"):
        found.estimate("goodput", "flow fil", per_output="15 kB")
    with pytest.raises(Unknown, match="`goodputs` is not a metric of `flow file`"):
        found.estimate("goodputs", "flow file", per_output="15 kB")


def test_a_group_of_one_is_a_scope(tmp_path: Path) -> None:
    path = tmp_path / "one.toml"
    path.write_text(FILES.replace("count = 3", "count = 1"), encoding="utf-8")
    results = cellrelay.run(path, replications=2)
    assert results.estimate("goodput", "flow file") == results.estimate("goodput", "flow file[0]")


def test_a_folder_of_results_has_groups_and_distributions(tmp_path: Path, command: Command) -> None:
    """The command line, and what it has written, give the numbers of a run in Python."""
    (tmp_path / "files.toml").write_text(FILES, encoding="utf-8")
    shown = command("run", "files.toml", "--metric", "flow file messages")
    assert shown.code == DONE
    results = cellrelay.run("files.toml")
    again = read_folder("results/files")
    for metric in ("messages", "goodput", "p99_delay"):
        expected = results.estimate(metric, "flow file")
        assert again.estimate(metric, "flow file") == expected
    assert f"{results.estimate('messages', 'flow file')}" in shown.out
    assert again.percentiles("completion_time", "flow file") == results.percentiles(
        "completion_time", "flow file"
    )
    times, shares = again.cdf("delay", "flow file")
    assert shares[-1] == 1.0
    assert (np.diff(times) > 0).all()


def test_a_cdf_is_drawn_with_its_interval(tmp_path: Path, command: Command) -> None:
    (tmp_path / "files.toml").write_text(FILES + SWEEP, encoding="utf-8")
    assert command("run", "files.toml").code == DONE
    drawn = command("plot", "results/files", "--cdf", "completion_time", "--scope", "flow file")
    assert drawn == (DONE, "results/files/completion_time-cdf.svg\n", "")
    one = cumulative(read_folder("results/files"), "completion_time", "flow file")
    curves = one.panels[0].curves
    assert [curve.label for curve in curves] == ["15 kB", "60 kB"]
    for curve in curves:
        means = [share.mean for share in curve.y]
        assert means == sorted(means)
        assert means[-1] == 1.0
        assert any(share.half_width > 0.01 for share in curve.y)
    missing = command("plot", "results/files", "--cdf", "delay")
    assert missing.code == BAD_INPUT
    assert "--cdf: no scope" in missing.err
