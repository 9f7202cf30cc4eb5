"""Topologies: what a scenario says of its network, and pictures of it."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from cellrelay.plot import draw_topology
from cellrelay.scenario import parse
from cellrelay.scenario.topology import Topology

from .command import Command

LINES = 'access.rate = "1 Gbit/s", switch.buffer.per_output = "100 cells"'
TRUNK = f'{LINES}, trunk = {{ rate = "155.52 Mbit/s", delay = "1000 km" }}'

EDGES = """
[host]
a = {}
b = {}
[router.r1]
buffer.per_output = "1 MB"
[edge]
e1 = { queue = "100 cells" }
e2 = { queue = "100 cells" }
[switch.s1]
buffer.per_output = "100 cells"
[link]
near = { between = ["a", "r1"], rate = "100 Mbit/s" }
into = { between = ["r1", "e1"], rate = "100 Mbit/s" }
first = { between = ["e1", "s1"], rate = "155.52 Mbit/s", delay = "3 us" }
second = { between = ["s1", "e2"], rate = "155.52 Mbit/s", delay = "3 us" }
far = { between = ["e2", "b"], rate = "100 Mbit/s" }
"""

DUAL = """
[host]
a = { count = 3 }
b = {}
[switch]
left.buffer.per_output = "100 cells"
right.buffer.per_output = "100 cells"
core.buffer.per_output = "100 cells"
[link]
first = { between = ["a", "left"], rate = "1 Gbit/s" }
second = { between = ["a", "right"], rate = "1 Gbit/s" }
rail = { between = ["b", "core"], rate = "1 Gbit/s" }
other = { between = ["b", "core"], rate = "1 Gbit/s" }
up1 = { between = ["left", "core"], rate = "1 Gbit/s" }
up2 = { between = ["right", "core"], rate = "1 Gbit/s" }
"""

NETWORKS = {
    "bottleneck": (f"topology.bottleneck = {{ pairs = 10, {TRUNK} }}", "sender", "receiver"),
    "chain": (f"topology.chain = {{ switches = 6, hosts = 2, {TRUNK} }}", "h1", "h6"),
    "parking_lot": (
        f"topology.parking_lot = {{ switches = 4, cross = 3, {TRUNK} }}",
        "sender",
        "receiver",
    ),
    "star": (f"topology.star = {{ hosts = 20, {LINES} }}", "host[0]", "host[7]"),
    "fat_tree": (f"topology.fat_tree = {{ ports = 4, {LINES} }}", "host[0]", "host[9]"),
    "edges": (EDGES, "a", "b"),
    "dual": (DUAL, "a", "b"),
}


def network(name: str) -> str:
    """A scenario with this network and a flow."""
    text, begin, end = NETWORKS[name]
    return f"""
duration = "1 s"
{text}
[flow.f]
from = "{begin}"
to = "{end}"
transport.tcp = {{}}
"""


def topology(name: str) -> Topology:
    return parse(network(name)).topology


def test_a_scenario_tells_its_nodes_and_links() -> None:
    chain = topology("chain")
    kinds = [node.kind for node in chain.nodes]
    assert (kinds.count("host"), kinds.count("switch")) == (12, 6)
    assert chain.nodes[0] == ("h1[0]", "host", "h1", 0)
    trunk = next(link for link in chain.links if link.name == "trunk1")
    assert [chain.nodes[end].name for end in trunk.ends] == ["s1", "s2"]
    assert (trunk.rate, trunk.delay) == (155_520_000, 5e-3)


def test_equal_hosts_with_several_links_are_drawn_as_one() -> None:
    text = network("dual").replace("count = 3", "count = 30")
    figure = draw_topology(parse(text).topology)
    assert "a[0..29]" in {text.get_text() for text in figure.axes[0].texts}


@pytest.mark.parametrize("name", NETWORKS)
def test_a_picture_names_every_node_and_hides_none(name: str) -> None:
    known = topology(name)
    figure = draw_topology(known)
    figure.draw_without_rendering()
    axes = figure.axes[0]
    boxes = [text for text in axes.texts if text.get_zorder() == 3]
    drawn = {text.get_text() for text in boxes}
    for node in known.nodes:
        stem = node.name.partition("[")[0]
        assert node.name in drawn or any(one.startswith(f"{stem}[") for one in drawn), node
    extents = [box.get_bbox_patch().get_window_extent() for box in boxes]  # type: ignore[union-attr]
    for first, second in combinations(extents, 2):
        assert not first.overlaps(second)
    inside = figure.bbox
    assert all(inside.x0 <= one.x0 and one.x1 <= inside.x1 for one in extents)


def test_a_wide_network_is_no_thin_strip() -> None:
    large = NETWORKS["fat_tree"][0].replace("ports = 4", "ports = 12")
    text = network("fat_tree").replace(NETWORKS["fat_tree"][0], large)
    width, height = draw_topology(parse(text).topology).get_size_inches()
    assert width < 5 * height


def test_what_a_link_loses_and_owes_is_told() -> None:
    trunk = f'{TRUNK[:-2]}, loss.packet = "1 %", credit.n23 = {{}} }}'
    text = network("bottleneck").replace(TRUNK, trunk)
    text = text.replace("switch.buffer", "switch.scheduler.round_robin = {}, switch.buffer")
    figure = draw_topology(parse(text.replace("100 cells", "10000 cells")).topology)
    told = {text.get_text() for text in figure.axes[0].texts}
    assert "155.52 Mbit/s\n5 ms\nloss.packet\ncredit.n23" in told


def test_links_are_labelled_or_told_in_a_legend() -> None:
    few = draw_topology(topology("bottleneck"))
    assert "155.52 Mbit/s\n5 ms" in {text.get_text() for text in few.axes[0].texts}
    many = draw_topology(topology("fat_tree"))
    assert "1 Gbit/s" not in {text.get_text() for text in many.axes[0].texts}
    assert "1 Gbit/s" in {text.get_text() for text in many.texts}


def test_the_command_draws_a_scenario(command: Command) -> None:
    Path("lot.toml").write_text(network("parking_lot"), encoding="utf-8")
    assert command("plot", "--topology", "lot.toml") == (0, "lot.svg\n", "")
    assert Path("lot.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert command("plot", "--topology", "lot.toml", "-o", "out.pdf") == (0, "out.pdf\n", "")
    assert Path("out.pdf").exists()


SWEPT = """
[sweep]
"topology.parking_lot.trunk.delay" = ["5 ms", "10 ms"]
"flow.f.transport.tcp.window" = ["16 KiB", "64 KiB"]
"""


def test_a_point_of_a_sweep_is_drawn_and_told(command: Command) -> None:
    Path("swept.toml").write_text(network("parking_lot") + SWEPT, encoding="utf-8")
    first = command("plot", "--topology", "swept.toml")
    assert (first.code, first.out) == (0, "swept.svg\n")
    assert (
        first.err == "the network at delay=5 ms, window=16 KiB: choose another point with --where\n"
    )
    # Where only what is no part of the picture varies, nothing is to be told.
    assert command("plot", "--topology", "swept.toml", "--where", "delay=10 ms").err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "RESULTS: missing"),
        (["results", "--topology", "lot.toml"], "--topology: a scenario and RESULTS"),
        (["--topology", "none.toml"], "none.toml"),
        (["--topology", "lot.toml", "-o", "lot.gif"], "not a format for figures"),
        (["--topology", "lot.toml", "--metric", "goodput"], "--metric: the option is for a metric"),
        (["--topology", "lot.toml", "--series", "cwnd"], "--series: the option is for series"),
        (["--topology", "lot.toml", "--where", "rate=1"], "`rate` is not an axis"),
        (["--topology", "swept.toml", "--where", "delay=7 ms"], "no point has delay = 7 ms"),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    command: Command, arguments: list[str], message: str
) -> None:
    Path("results").mkdir()
    Path("lot.toml").write_text(network("parking_lot"), encoding="utf-8")
    Path("swept.toml").write_text(network("parking_lot") + SWEPT, encoding="utf-8")
    ended = command("plot", *arguments)
    assert ended.code == 2
    assert message in ended.err
