"""Scenarios, as the core reads them."""

from __future__ import annotations

import pickle
import threading
import time
import tomllib
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

import cellrelay
from cellrelay.errors import ScenarioError
from cellrelay.scenario import Replications, Scenario, build, load, parse
from cellrelay.simulation.run import Cancelled, Control, Task, simulate

from .patience import PATIENCE, wait_until
from .scenarios import PORT, SWEEP


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "port.toml"
    path.write_text(SWEEP, encoding="utf-8")
    return path


def test_reads_a_file_with_its_sweep(file: Path) -> None:
    scenario = load(file)
    assert scenario.title == "Two connections through one port"
    assert (scenario.seed, scenario.duration) == (1, 0.05)
    assert scenario.replications == Replications.exactly(2)
    buffer, packet = scenario.axes
    assert (buffer, packet) == ("switch.s1.buffer.per_output", "flow.bulk.transport.tcp.packet")
    assert [list(point.values()) for point in scenario.points] == [
        ["200 cells", "512 B"],
        ["200 cells", "1500 B"],
        ["500 cells", "512 B"],
        ["500 cells", "1500 B"],
    ]
    assert all(list(point) == [buffer, packet] for point in scenario.points)


def test_settings_replace_values(file: Path) -> None:
    scenario = load(file, {"duration": "1 s", "host.sender.count": "3"})
    assert scenario.duration == 1.0
    assert tomllib.loads(scenario.resolved)["host"]["sender"]["count"] == 3


@pytest.mark.parametrize("table", ["", "[host.a]\n"])
def test_many_unknown_keys_are_told_in_a_time_that_grows_with_their_number(table: str) -> None:
    def seconds(count: int) -> float:
        keys = "\n".join(f"a{number} = 1" for number in range(count))
        began = time.thread_time()
        with pytest.raises(ScenarioError, match="unknown key"):
            parse(f'duration = "1 s"\n{table}{keys}')
        return time.thread_time() - began

    # Sixteen times as many: by their square it would be 256 times as long.
    few, many = (min(seconds(count) for _ in range(3)) for count in (1500, 24_000))
    assert many < 64 * few


def test_a_scenario_of_too_many_nodes_is_refused_at_any_point() -> None:
    sweep = f'{PORT}\n[sweep]\n"host.sender.count" = [2, 50000]\n'
    assert len(parse(sweep, most_nodes=100_000).points) == 2
    with pytest.raises(ScenarioError, match="the network has more than 1000 nodes"):
        parse(sweep, most_nodes=1000)


def test_what_is_resolved_resolves_to_itself(file: Path) -> None:
    scenario = load(file)
    again = parse(scenario.resolved)
    assert again.resolved == scenario.resolved
    assert again.points == scenario.points


def test_the_key_is_of_what_decides_a_run() -> None:
    key = parse(PORT).key
    assert parse(PORT.replace("Two connections", "A pair")).key == key
    assert parse(PORT, settings={"seed": "7", "replications.at_least": "9"}).key == key
    assert parse(PORT, settings={"duration": "0.05 s"}).key == key
    assert parse(PORT, settings={"duration": "51 ms"}).key != key
    points = [parse(SWEEP).point(index) for index in range(4)]
    assert len({point.key for point in points}) == 4
    assert parse(PORT, settings={"flow.bulk.transport.tcp.packet": "512 B"}).key == points[2].key


def test_plain_data_is_a_scenario_as_well() -> None:
    assert build(tomllib.loads(SWEEP)).resolved == parse(SWEEP).resolved


def test_says_where_and_how_to_mend_a_mistake(file: Path) -> None:
    file.write_text(PORT.replace("duration", "duratoin").replace("500 cells", "500"))
    with pytest.raises(ScenarioError) as caught:
        load(file)
    message = str(caught.value)
    assert f"{file}:2:1: duratoin: " in message
    assert "switch.s1.buffer.per_output: `500` has no unit" in message
    assert message.count("hint: ") >= 2
    assert {problem["path"] for problem in caught.value.problems} >= {
        "duratoin",
        "switch.s1.buffer.per_output",
    }


@pytest.mark.parametrize("content", [b"\xff\xfe", b"title = 'caf\xe9'\n"])
def test_a_file_that_is_no_text_is_refused_with_its_place(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(ScenarioError, match=r"port\.toml:1:\d+: byte 0x\w\w is not UTF-8 text"):
        load(file)


def test_a_file_may_begin_with_a_byte_order_mark(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + PORT.encode())
    assert load(file).title == "Two connections through one port"


def test_runs_are_the_same_wherever_they_are_made() -> None:
    task = Task(parse(PORT), seed=3, replication=1)
    sent = pickle.loads(pickle.dumps(task))
    with ThreadPoolExecutor(3) as executor:
        runs = list(executor.map(simulate, [task, sent, task]))
    assert runs[0] == runs[1] == runs[2]
    assert simulate(Task(parse(PORT), 3, 2)).digest != runs[0].digest
    assert simulate(Task(parse(PORT), 4, 1)).digest != runs[0].digest


def test_a_run_can_be_stopped_and_tells_how_far_it_is() -> None:
    control = Control()
    endless = parse(PORT, settings={"duration": "1 h"})
    ended: list[BaseException] = []

    def run() -> None:
        try:
            simulate(Task(endless, 1, 0), control)
        except Cancelled as error:
            ended.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    wait_until(lambda: control.fraction > 0.0)
    assert 0.0 < control.fraction < 1.0
    control.cancel()
    thread.join(PATIENCE)
    assert control.cancelled
    assert len(ended) == 1


def test_the_package_runs_a_file_and_keeps_what_it_ran(file: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    results = cellrelay.run(file, {"duration": "20 ms"}, replications=3, jobs=2, store=store)
    assert [len(point.runs) for point in results.points] == [3, 3, 3, 3]
    known = results.estimate("effective_throughput", per_output="500 cells", packet="1500 B")
    assert 0.5 < known.mean < 1.0
    assert results.provenance.version == cellrelay.__version__
    with ThreadPoolExecutor(1) as executor:
        again = cellrelay.run(load(file, {"duration": "20 ms"}), replications=3, executor=executor)
    assert again.to_json() == results.to_json()


def test_runs_can_be_made_by_other_processes(file: Path) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        apart = cellrelay.run(file, {"duration": "5 ms"}, replications=1, executor=executor)
    assert apart.to_json() == cellrelay.run(file, {"duration": "5 ms"}, replications=1).to_json()


def test_settings_belong_to_a_file(file: Path) -> None:
    with pytest.raises(ScenarioError, match="pass them to `load`"):
        cellrelay.run(load(file), {"duration": "1 s"})


def test_an_interrupted_run_of_the_package_is_an_interrupt() -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cellrelay.run(parse(PORT), watch=interrupt)


def test_the_package_offers_what_it_says() -> None:
    assert all(hasattr(cellrelay, name) for name in cellrelay.__all__)
    with pytest.raises(AttributeError, match="no attribute `sweep_all`"):
        cellrelay.sweep_all  # noqa: B018
    assert isinstance(parse(PORT), Scenario)


TRACE = """
duration = "1 s"
[host.a]
[host.b]
[link.ab]
between = ["a", "b"]
rate = "10 Mbit/s"
[flow.video]
from = "a"
to = "b"
source.trace = { file = "sent/frames.txt" }
transport.datagram = { header = "0 B" }
over.packet = {}
"""


def test_a_trace_is_looked_for_beside_the_scenario_and_kept_in_it(tmp_path: Path) -> None:
    (tmp_path / "sent").mkdir()
    (tmp_path / "sent" / "frames.txt").write_text("0 1000\n0.5 250\n", encoding="utf-8")
    file = tmp_path / "video.toml"
    file.write_text(TRACE, encoding="utf-8")
    scenario = load(file)
    (tmp_path / "sent" / "frames.txt").unlink()
    run = simulate(Task(pickle.loads(pickle.dumps(scenario)), seed=1, replication=0))
    goodput = [
        value
        for (scope, metric, _), value in zip(run.labels, run.values, strict=True)
        if (str(scope), metric) == ("flow video", "goodput")
    ]
    assert goodput == [1250 * 8]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("bad.txt", "0 1000\n1 x\n", "bad.txt:2:1: flow.video.source.trace.file: `x` is not"),
        ("none.txt", None, "video.toml:11:25: flow.video.source.trace.file: `none.txt` cannot be"),
        (".", None, "it is no file"),
        ("/etc/hostname", None, "it is outside the folder of the scenario"),
        ("../../../../../../../../etc/passwd", None, "it is outside the folder of the scenario"),
        ("sent/../../none.txt", None, "it is outside the folder of the scenario"),
        ("huge.txt", "#" * (5 << 20), "larger than `4 MiB`"),
        ("latin.txt", b"\xff", "not UTF-8"),
    ],
)
def test_a_trace_that_is_none_is_refused(
    tmp_path: Path, name: str, content: str | bytes | None, message: str
) -> None:
    if content is not None:
        octets = content.encode() if isinstance(content, str) else content
        (tmp_path / name).write_bytes(octets)
    file = tmp_path / "video.toml"
    file.write_text(TRACE.replace("sent/frames.txt", name), encoding="utf-8")
    with pytest.raises(ScenarioError, match="hint: ") as refused:
        load(file)
    assert message in str(refused.value)


def test_a_link_does_not_lead_a_trace_out_of_the_folder(tmp_path: Path) -> None:
    folder, other = tmp_path / "mine", tmp_path / "mine-not"
    folder.mkdir()
    other.mkdir()
    (other / "frames.txt").write_text("secret words\n", encoding="utf-8")
    file = folder / "video.toml"
    file.write_text(TRACE, encoding="utf-8")
    (folder / "sent").symlink_to(other)
    with pytest.raises(ScenarioError) as refused:
        load(file)
    place = "video.toml:11:25: flow.video.source.trace.file: `sent/frames.txt` cannot be read"
    assert f"{place}: it is outside the folder of the scenario\n  hint: " in str(refused.value)
    assert "secret" not in str(refused.value)
    # Where a link stays in the folder, and where the folder itself is a link, all is well.
    (folder / "sent").unlink()
    (folder / "all").mkdir()
    (folder / "all" / "frames.txt").write_text("0 1000\n", encoding="utf-8")
    (folder / "sent").symlink_to("all")
    (tmp_path / "link").symlink_to(folder)
    assert load(file).resolved == load(tmp_path / "link" / "video.toml").resolved
