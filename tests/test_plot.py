"""Figures show what was asked, the same way each time."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import cellrelay
from cellrelay.execute import open_pool
from cellrelay.experiment.sweep import sweep
from cellrelay.metrics.scope import NETWORK, Scope
from cellrelay.plot import (
    Bar,
    Bars,
    Box,
    Chart,
    Curve,
    Diagram,
    Dot,
    Panel,
    Scatter,
    chart,
    curve,
    draw,
    save,
    to_svg,
)
from cellrelay.plot.chart import AxisRange
from cellrelay.plot.select import possible_range
from cellrelay.plot.style import COLOURS, PAPER
from cellrelay.results import NotMeasured, Results, analysis, commit, origin
from cellrelay.results.origin import hash_of
from cellrelay.scenario.topology import Link, Node, Topology
from cellrelay.statistics import Estimate
from cellrelay.store import Store

from .double import queue

SWEPT = {
    "queue.load": ("0.3", "0.6", "0.9"),
    "queue.order": ("fifo", "lifo"),
    "queue.size": ("10 cells", "20 cells"),
}


@pytest.fixture(scope="module")
def results() -> Results:
    with open_pool("threads:2") as pool, Store() as store:
        return sweep(queue(SWEPT), pool, store)


def test_takes_the_axes_in_order(results: Results) -> None:
    drawn = chart(results, "mean_wait")
    assert (drawn.x_label, drawn.y_label, drawn.legend) == ("load", "mean wait (s)", "order")
    assert [panel.title for panel in drawn.panels] == ["10 cells", "20 cells"]
    assert [curve.label for curve in drawn.panels[0].curves] == ["fifo", "lifo"]
    assert drawn.panels[0].curves[0].x == (0.3, 0.6, 0.9)


@pytest.mark.parametrize("failure", [None, "switch s1: cells in = out + refused + queued"])
def test_results_without_a_finished_run_are_refused_with_the_reason(
    results: Results, failure: str | None
) -> None:
    points = tuple(replace(point, runs=(), failure=failure) for point in results.points)
    with pytest.raises(NotMeasured) as refused:
        chart(replace(results, points=points), "mean_wait")
    told = str(refused.value)
    assert told.startswith("nothing can be drawn, since no run has finished")
    assert (f"the first failure: {failure}\n" in told) == bool(failure)
    assert "\n  hint: repeat `cellrelay run`" in told


def test_words_stand_side_by_side(results: Results) -> None:
    drawn = chart(results.select(size="10 cells"), "mean_wait", x="order", by="load")
    assert drawn.x_words == ("fifo", "lifo")
    assert drawn.panels[0].curves[0].x == (0.0, 1.0)


def test_small_numbers_get_a_prefix(results: Results) -> None:
    one = chart(results.select(load="0.3"), "mean_wait", x="size")
    largest = max(y.mean for curve in one.panels[0].curves for y in curve.y)
    assert (one.y_label, largest > 1) in {("mean wait (ms)", True), ("mean wait (s)", True)}


def test_an_axis_that_is_not_shown_must_be_narrowed() -> None:
    with open_pool() as pool, Store() as store:
        wide = sweep(queue(SWEPT | {"queue.extra": ("1", "2")}), pool, store)
    with pytest.raises(LookupError, match=r"queue.extra: not shown"):
        chart(wide, "mean_wait")
    assert len(chart(wide.select(extra="1"), "mean_wait").panels) == 2


def test_an_axis_that_is_needed_for_x_is_named(results: Results) -> None:
    one = results.select(order="fifo", size="10 cells")
    with pytest.raises(LookupError, match=r"no axis is left for x\n  hint: write `--x load`"):
        chart(one, "mean_wait", by="load")
    assert chart(one, "mean_wait", x="load")


def test_names_what_can_be_drawn(results: Results) -> None:
    with pytest.raises(LookupError, match="one of `mean_wait`, `utilization`"):
        chart(results, "colour")
    with pytest.raises(LookupError, match=r"one of `flow a\[0\]`, `flow a\[1\]`"):
        chart(results, "mean_wait", scope="flow elsewhere")


def test_a_curve_has_the_intervals_of_its_points(results: Results) -> None:
    line = curve(results.select(order="fifo", size="10 cells"), "mean_wait", "load", "fifo")
    expected = results.estimate("mean_wait", load="0.6", order="fifo", size="10 cells")
    assert line.y[1] == expected


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png"])
def test_the_same_figure_gives_the_same_bytes(
    results: Results, tmp_path: Path, suffix: str
) -> None:
    paths = [tmp_path / f"{name}.{suffix}" for name in "ab"]
    for path in paths:
        save(draw(chart(results, "mean_wait")), path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert len(paths[0].read_bytes()) > 1000


TITLE = "Queues & <orders>\x1b"
SHOWN = "Queues & <orders>\\u001b"


def test_the_origin_names_each_source_once(results: Results) -> None:
    one = replace(results.provenance, title="A", version="0.1.0", model="m", seed=7, resolved="")
    text = origin(one, replace(one, title="B"))
    known = f"; commit {commit()}" if commit() else ""
    assert text == f"scenario A, B; seed 7; cellrelay 0.1.0; model m{known}; analysis {analysis()}"
    assert re.fullmatch(r"[0-9a-f]{16}", analysis())
    assert origin() == ""


def test_the_origin_names_the_commit_of_the_figure_if_it_is_another(
    results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    origins = import_module("cellrelay.results.origin")
    monkeypatch.setattr(origins, "commit", lambda: "later")
    text = origin(replace(results.provenance, commit="earlier"))
    assert text.endswith(f"; commit earlier; analysis {analysis()} of commit later")
    monkeypatch.setattr(origins, "commit", lambda: "")
    text = origin(replace(results.provenance, commit="earlier"))
    assert text.endswith(f"; commit earlier; analysis {analysis()}")
    assert "commit" not in origin(replace(results.provenance, commit=""))


def test_the_origin_tells_settings_apart(results: Results) -> None:
    settings = [replace(results.provenance, resolved=text) for text in ("seed = 1", "seed = 2")]
    told = [re.search(r"; settings ([0-9a-f]{8});", origin(one)) for one in settings]
    assert all(told)
    assert len({found[1] for found in told if found}) == 2


def test_the_hash_of_the_analysis_covers_what_makes_figures(tmp_path: Path) -> None:
    package = Path(cellrelay.__file__).parent
    copy = tmp_path / "cellrelay"
    # An installed package has the studies as files, a checkout as a link.
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("*.so", "__pycache__", "live"))
    assert hash_of(copy) == hash_of(package) == analysis()
    changed = ("results/samples.py", "plot/save.py", "studies/published/romanow_floyd/measures.py")
    for name in changed:
        text = (copy / name).read_text(encoding="utf-8")
        (copy / name).write_text(f"{text}# changed\n", encoding="utf-8")
        assert hash_of(copy) != analysis(), name
        (copy / name).write_text(text, encoding="utf-8")
    (copy / "cli/dispatch.py").write_text("", encoding="utf-8")
    assert hash_of(copy) == analysis()


def test_an_svg_file_tells_its_title_and_origin(results: Results, tmp_path: Path) -> None:
    told = origin(results.provenance)
    save(draw(chart(results, "mean_wait")), tmp_path / "figure.svg", TITLE, told)
    root = ElementTree.parse(tmp_path / "figure.svg").getroot()
    texts = [element.text for element in root.iter()]
    assert SHOWN in texts
    assert told in texts
    assert not any("date" in element.tag for element in root.iter())


def test_a_png_file_tells_its_title_and_origin(results: Results, tmp_path: Path) -> None:
    from PIL import Image

    told = origin(results.provenance)
    save(draw(chart(results, "mean_wait")), tmp_path / "figure.png", TITLE, told)
    with Image.open(tmp_path / "figure.png") as image:
        assert image.info["Title"] == SHOWN
        assert image.info["Description"] == told
        assert "Software" not in image.info


def test_a_pdf_file_tells_its_title_and_origin(results: Results, tmp_path: Path) -> None:
    save(draw(chart(results, "mean_wait")), tmp_path / "figure.pdf", "Queues", "scenario A; seed 7")
    written = (tmp_path / "figure.pdf").read_bytes()
    assert b"/Title (Queues)" in written
    assert b"/Subject (scenario A; seed 7)" in written
    assert b"CreationDate" not in written


def test_a_figure_on_a_page_tells_its_title_and_origin(results: Results) -> None:
    told = origin(results.provenance)
    svg = to_svg(draw(chart(results, "mean_wait")), "figure-1", TITLE, told)
    title, description = list(ElementTree.fromstring(svg))[:2]
    assert (title.tag.rpartition("}")[2], title.text) == ("title", SHOWN)
    assert (description.tag.rpartition("}")[2], description.text) == ("desc", told)


def test_refuses_a_format_it_does_not_write(results: Results, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"`.svg`, `.pdf`, `.png`"):
        save(draw(chart(results, "mean_wait")), tmp_path / "figure.bmp")


def test_a_figure_on_a_page_takes_its_colours_and_shares_no_names(results: Results) -> None:
    svg = to_svg(draw(chart(results, "mean_wait")), "figure-1")
    root = ElementTree.fromstring(svg)
    assert root.tag.endswith("svg")
    assert "currentColor" in svg
    assert "#24292f" not in svg
    names = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert all(name.startswith("figure-1-") for name in names)
    assert 'href="#figure-1-' in svg
    assert "<metadata>" not in svg


def test_stacked_bars_show_their_parts() -> None:
    bars = Bars((Bar("plain", {"useful": 0.6, "dead": 0.4}), Bar("EPD", {"useful": 0.98})), "share")
    svg = to_svg(draw(bars), "shares")
    assert all(word in svg for word in ("useful", "dead", "plain", "EPD"))


def test_neighbours_of_a_group_stand_over_its_name() -> None:
    bars = tuple(Bar(size, {"idle": 1.0}, group) for group in ("plain", "EPD") for size in "ab")
    figure = draw(Bars(bars, "share", unused="idle"))
    (axes,) = figure.axes
    places = axes.get_xticks()
    assert places[2] - places[1] > places[1] - places[0]
    svg = to_svg(figure, "groups")
    assert svg.count(">plain<") == svg.count(">EPD<") == 1


def test_marks_and_levels_stand_where_they_are_put(results: Results) -> None:
    asked = replace(chart(results, "mean_wait"), x_ticks=(0.3, 0.9), levels={"limit": 0.5})
    figure = draw(asked)
    assert all(list(axes.get_xticks()) == [0.3, 0.9] for axes in figure.axes)
    assert to_svg(figure, "levels").count(">limit<") == 1


def test_a_reference_takes_no_colour_from_what_was_measured() -> None:
    ends = (Estimate(2.0, math.nan, 1), Estimate(1.0, math.nan, 1))
    free = Curve("free", (0.0, 1.0), ends, is_reference=True)
    measured = Curve("measured", (0.0, 1.0), ends)
    figure = draw(Chart((Panel((free, measured)), Panel((measured, free))), "load", "goodput"))
    for axes in figure.axes:
        lines = {line.get_label(): line for line in axes.lines}
        assert lines["free"].get_linestyle() == "-."
        assert lines["free"].get_marker() == ""
        assert lines["measured"].get_color() == COLOURS[0]


def test_bands_end_where_the_quantity_does() -> None:
    known = (Estimate(0.9, 0.3, 5), Estimate(0.2, 0.3, 5))
    shown = Chart((Panel((Curve("", (0.0, 1.0), known),)),), "x", "y", possible=(0.0, 1.0))
    (band,) = draw(shown).axes[0].collections
    heights = np.asarray(band.get_paths()[0].vertices)[:, 1]
    assert (heights.min(), heights.max()) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("scope", "metric", "possible"),
    [
        (NETWORK, "fairness_index", (0.0, 1.0)),
        (NETWORK, "goodput", (0.0, None)),
        (Scope.flow("bulk"), "retransmission_ratio", (0.0, None)),
        (Scope.flow("bulk"), "limited_by_link", (0.0, 1.0)),
        (Scope.port("s1", "b"), "underway_share", (None, None)),
    ],
)
def test_a_metric_is_drawn_as_far_as_it_can_be(
    scope: Scope, metric: str, possible: AxisRange
) -> None:
    assert possible_range(scope, metric, factor=1.0) == possible


def test_a_drawn_metric_has_its_bounds_in_the_unit_of_the_axis(results: Results) -> None:
    assert chart(results, "mean_wait").possible == (0.0, None)
    assert possible_range(Scope.port("s1", "b"), "cell_loss_ratio", factor=1e-3) == (0.0, 1000.0)


def test_only_the_lowest_panels_say_what_is_across() -> None:
    line = Curve("", (0.0, 1.0), (Estimate(1.0, 0.1, 5), Estimate(2.0, 0.1, 5)))
    figure = draw(Chart((Panel((line,)),) * 5, "load", "goodput"))
    figure.draw_without_rendering()
    named = [bool(axes.get_xlabel()) for axes in figure.axes]
    assert named == [False, False, True, True, True]
    ticks = [[tick.get_text() for tick in axes.get_xticklabels()] for axes in figure.axes]
    assert [bool(any(texts)) for texts in ticks] == named


def test_a_network_is_a_figure_that_takes_the_colours_of_its_page() -> None:
    nodes = [Node("a", "host", None), Node("s", "switch", None), Node("b", "host", None)]
    links = [Link("in", (0, 1), 10**6, 0.0), Link("out", (1, 2), 10**6, 0.0)]
    svg = to_svg(draw(Topology(nodes, links)), "network")
    assert all(f">{word}<" in svg for word in ("a", "s", "b", "1 Mbit/s"))
    assert "var(--paper)" in svg
    assert PAPER not in svg


def test_a_diagram_shows_boxes_and_what_is_said_of_links() -> None:
    boxes = (Box("host", 0, 1), Box("switch", 2, 1), Box("manager", 2, 0))
    links = (("host", "switch", "155 Mbit/s"), ("switch", "manager", ""))
    svg = to_svg(draw(Diagram(boxes, links, dots=((0, 0.5),))), "network")
    assert all(f">{word}<" in svg for word in ("host", "switch", "manager", "155 Mbit/s"))


def test_dots_stand_between_two_quantities_and_are_shaded_by_a_third() -> None:
    places = {"70 %": (1.0, 60.0, 0.99), "90 %": (4.0, 80.0, 0.95)}
    dots = tuple(Dot(name, *place, group="ERICA") for name, place in places.items())
    shown = Scatter(dots, "queue", "efficiency", "fairness", is_logarithmic=True, legend="control")
    figure = draw(shown)
    drawn = figure.axes[0].collections[0]
    assert np.asarray(drawn.get_offsets()).tolist() == [[1.0, 60.0], [4.0, 80.0]]
    light = [sum(colour[:3]) for colour in drawn.to_rgba(np.asarray(drawn.get_array()))]
    assert light[0] > light[1]
    svg = to_svg(figure, "dots")
    assert all(f">{word}<" in svg for word in ("70 %", "90 %", "ERICA", "fairness", "control"))
    assert "<image" not in svg


def test_labels_of_dots_keep_apart() -> None:
    near = [(4.0, 80.0), (4.1, 80.1), (4.0, 79.9), (1.0, 60.0)]
    figure = draw(Scatter(tuple(Dot("90 %", *place, 1.0) for place in near), "x", "y", "z"))
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    assert len(boxes) == len(near)
    assert not [(a, b) for a, b in combinations(boxes, 2) if a.overlaps(b)]


@pytest.mark.parametrize(("most", "marks"), [(8.0, [1, 2, 5]), (1e4, [1, 10, 100, 1e3, 1e4])])
def test_an_axis_of_factors_has_marks_for_which_there_is_room(
    most: float, marks: list[float]
) -> None:
    dots = (Dot("a", 1.0, 0.0, 0.5), Dot("b", most, 1.0, 0.5))
    axes = draw(Scatter(dots, "x", "y", "z", is_logarithmic=True)).axes[0]
    low, high = axes.get_xlim()
    shown = [mark for mark in axes.get_xticks() if low <= mark <= high]
    assert shown == pytest.approx(marks)
    assert not any(label.get_text() for label in axes.get_xticklabels(minor=True))


def test_dots_without_a_third_quantity_have_the_colours_of_their_groups() -> None:
    dots = (
        Dot("90 %", 1.0, 2.0, group="ERICA"),
        Dot("98 %", 2.0, 3.0, group="ERICA", is_hollow=True),
        Dot("5 ms", 3.0, 4.0, group="ERICA+"),
    )
    figure = draw(Scatter(dots, "x", "y", is_joined=False))
    [axes] = figure.axes  # and no scale of shades
    assert not axes.lines
    drawn = [one for one in axes.collections if np.size(one.get_offsets())]
    full, hollow, other = (np.reshape(one.get_facecolor(), (-1, 4)) for one in drawn)
    assert not hollow.size
    assert (full != other).any()


def test_dots_of_one_shade_are_drawn_too() -> None:
    svg = to_svg(draw(Scatter((Dot("a", 1, 2, 0.5),), "x", "y", "z")), "one")
    assert ">a<" in svg


def test_matplotlib_waits_until_something_is_drawn() -> None:
    program = "import sys, cellrelay.plot; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n"
