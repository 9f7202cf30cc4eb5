"""Strips over time show what was recorded, in units that read well."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

import cellrelay
from cellrelay.plot import DrawnSeries, Selection, Strip, Timeline, draw, save, timeline, to_svg
from cellrelay.plot.thin import changes, envelope
from cellrelay.results import Results
from cellrelay.scenario import parse

from .scenarios import SWEEP

SWEPT = parse(SWEEP, settings={"record.every": "0.1 ms"})


@pytest.fixture(scope="module")
def sweep() -> Results:
    return cellrelay.run(SWEPT, replications=2)


@pytest.fixture(scope="module")
def results(sweep: Results) -> Results:
    return sweep.select(per_output="200 cells", packet="1500 B")


def test_the_usual_strips_of_a_flow(results: Results) -> None:
    ((windows, timers, queue),) = timeline(results, Selection(flows=["bulk[0]"])).columns
    assert [trace.label for trace in windows.traces] == ["cwnd", "ssthresh"]
    assert (windows.title, windows.y_label) == ("flow bulk[0]", "cwnd, ssthresh (KiB)")
    assert [trace.look for trace in timers.traces] == ["steps", "steps"]
    assert timers.y_label == "srtt, rto (s)"
    assert (queue.title, queue.y_label) == ("port s1->receiver", "queue (cells)")
    assert [trace.look for trace in queue.traces] == ["line", "rug"]
    assert queue.traces[1].label == "drops of bulk[0]"


def test_curves_are_told_apart_by_flow_and_by_quantity(results: Results) -> None:
    both = Selection(strips=[["cwnd", "ssthresh"], ["cwnd"]])
    ((strip, alone),) = timeline(results, both).columns
    looks = {trace.label: (trace.rank, trace.dash) for trace in strip.traces}
    assert looks == {
        "bulk[0] cwnd": (0, 0),
        "bulk[1] cwnd": (1, 0),
        "bulk[0] ssthresh": (0, 1),
        "bulk[1] ssthresh": (1, 1),
    }
    assert strip.title == ""
    assert [trace.label for trace in alone.traces] == ["bulk[0]", "bulk[1]"]


def test_values_and_times_are_those_recorded(results: Results) -> None:
    chart = timeline(results, Selection(strips=[["cwnd"]], flows=["bulk[1]"], replication=1))
    (trace,) = chart.columns[0][0].traces
    series = results.series("cwnd", "flow bulk[1]", replication=1)
    at = np.searchsorted(trace.times, series.times * 1e3 * (1 + 1e-12), "right") - 1
    np.testing.assert_allclose(trace.values[at] * 1024, series.values)
    assert chart.x_label == "time (ms)"


def test_drops_beside_a_window_are_those_of_its_flow(results: Results) -> None:
    chart = timeline(results, Selection(strips=[["cwnd", "drops"]]))
    *_, first, second = chart.columns[0][0].traces
    assert [first.label, second.label] == ["bulk[0] drops", "bulk[1] drops"]
    assert (first.rank, second.rank) == (0, 1)
    drops = results.series("drops", "port s1->receiver")
    mine = drops.times[drops.values == 1]
    np.testing.assert_allclose(second.times, mine * 1e3)


def test_drops_alone_stand_flow_by_flow(results: Results) -> None:
    ((strip,),) = timeline(results, Selection(strips=[["drops"]], flows=["bulk[1]"])).columns
    assert strip.y_words == ("bulk[1]",)
    assert set(strip.traces[0].values) == {0.0}
    ((strip,),) = timeline(results, Selection(strips=[["drops"]])).columns
    assert strip.y_words == ("bulk[0]", "bulk[1]")
    assert set(strip.traces[0].values) == {0.0, 1.0}


def test_the_queue_of_a_vc_has_its_own_drops() -> None:
    text = SWEEP.partition("[sweep]")[0]
    settings = {"record.every": "0.1 ms", "switch.s1.scheduler": "{ round_robin = {} }"}
    results = cellrelay.run(parse(text, settings=settings), replications=1)
    ports = ["s1->receiver of bulk[0]", "s1->receiver of bulk[1]"]
    chart = timeline(results, Selection(strips=[["queue", "drops"]], ports=ports))
    *_, first, second = chart.columns[0][0].traces
    drops = results.series("drops", "port s1->receiver")
    for number, trace in enumerate((first, second)):
        np.testing.assert_allclose(trace.times, drops.times[drops.values == number] * 1e3)
    assert second.label == "s1->receiver of bulk[1] drops"


def test_a_span_of_time_begins_with_what_held_before(results: Results) -> None:
    chart = timeline(results, Selection(strips=[["cwnd", "drops"]], start=0.01234, end=0.02))
    window, *_, drops = chart.columns[0][0].traces
    assert chart.x_range == (12.34, 20.0)
    assert window.times[0] == pytest.approx(12.3)
    assert window.times[-1] == pytest.approx(20.0)
    assert all(12.34 <= time <= 20.0 for time in drops.times)


def test_an_axis_of_the_sweep_makes_curves_or_columns(sweep: Results) -> None:
    part = sweep.select(packet="512 B")
    shown = Selection(strips=[["cwnd"], ["queue"]], flows=["bulk[0]"], by="per_output")
    chart = timeline(part, shown)
    assert [trace.label for trace in chart.columns[0][0].traces] == ["200 cells", "500 cells"]
    assert chart.legend == "per output"
    columns = timeline(part, Selection(strips=[["cwnd"], ["queue"]], facet="per_output"))
    assert columns.titles == ("200 cells", "500 cells")
    assert len(columns.columns) == 2
    with pytest.raises(
        LookupError, match=r"series are of one run, and there are several values of `packet`"
    ):
        timeline(sweep, shown)


def test_more_curves_than_colours_are_refused() -> None:
    many = cellrelay.run(
        parse(
            SWEEP.partition("[sweep]")[0],
            settings={"record.every": "1 ms", "host.sender.count": "9"},
        ),
        replications=1,
    )
    with pytest.raises(LookupError, match="9 curves in one strip: more than 8"):
        timeline(many, Selection(strips=[["cwnd"]]))
    assert len(timeline(many, Selection(strips=[["queue"]])).columns[0][0].traces) == 1


def test_a_row_is_as_high_as_the_highest_of_its_columns() -> None:
    times = np.array([0.0, 1.0])
    columns = tuple((Strip((DrawnSeries("", times, height * times),), "y"),) for height in (1, 10))
    for axes in draw(Timeline(columns, "time (s)")).axes:
        assert axes.get_ylim()[0] == 0.0
        assert axes.get_ylim()[1] >= 10.0


def test_figures_of_series_are_drawn_and_are_the_same_each_time(
    sweep: Results, tmp_path: Path
) -> None:
    shown = Selection(strips=[["cwnd", "ssthresh", "drops"], ["drops"]], facet="per_output")
    paths = [tmp_path / name for name in ("a.svg", "b.svg")]
    for path in paths:
        save(draw(timeline(sweep.select(packet="512 B"), shown)), path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    svg = to_svg(draw(timeline(sweep.select(packet="512 B"), shown)), "series")
    for word in ("200 cells", "bulk[1] ssthresh", "cwnd, ssthresh (KiB)", "time (ms)"):
        assert f">{word}<" in svg


def test_a_curve_beside_many_marks_keeps_clear_of_its_legend(results: Results) -> None:
    figure = draw(timeline(results, Selection(strips=[["cwnd", "drops"]])))
    FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
    (axes,) = figure.axes
    legend = axes.get_legend()
    assert legend is not None
    assert legend.get_window_extent().x0 >= axes.get_window_extent().x1
    assert legend.get_window_extent().x1 <= figure.bbox.x1


def test_long_series_are_thinned_and_look_the_same() -> None:
    times = np.linspace(0.0, 1.0, 1_000_000)
    values = np.sin(200 * times)
    values[123_456] = 5.0
    fewer, heights = envelope(times, values)
    assert len(fewer) <= 8000
    assert heights.max() == 5.0
    assert (fewer[0], fewer[-1]) == (0.0, 1.0)
    steps = np.floor(10 * times)
    edges, levels = changes(times, steps)
    assert len(edges) == 11
    np.testing.assert_array_equal(
        levels[np.searchsorted(edges, times[:-1], "right") - 1], steps[:-1]
    )
