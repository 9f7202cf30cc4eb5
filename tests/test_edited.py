"""Scenario files with other values keep what their author wrote."""

from __future__ import annotations

import pytest

from cellrelay.live.catalogue import open_experiment, open_file
from cellrelay.scenario import examples, parse
from cellrelay.scenario.edited import edited
from cellrelay.studies import available, find

TEXT = """\
# What is it about?
title = "Two hosts"
duration = "1 s"               # short

[host.a]
[host.b]

[switch.s]
buffer.per_output = "10 cells"
discard.early_packet.threshold = "50 %"    # half

[sweep]
"host.a.count" = [
    1,
    2,  # two
]
"""


@pytest.mark.parametrize(
    ("path", "value", "before", "after"),
    [
        ("duration", "2 s", '"1 s"               # short', '"2 s"               # short'),
        ("seed", 7, "\n[host.a]", "\nseed = 7\n\n[host.a]"),
        ("host.b.count", "3", "[host.b]\n", "[host.b]\ncount = 3\n"),
        (
            "switch.s.discard",
            "{ tail_drop = {} }",
            'discard.early_packet.threshold = "50 %"    # half',
            "discard = { tail_drop = {} }",
        ),
        (
            "sweep",
            '{ seed = ["1", "2"] }',
            '\n[sweep]\n"host.a.count" = [\n    1,\n    2,  # two\n]\n',
            "",
        ),
    ],
)
def test_only_the_lines_of_a_value_change(
    path: str, value: object, before: str, after: str
) -> None:
    text = edited(TEXT, [(path, value)])
    assert text is not None
    if path == "sweep":
        text = text.replace('sweep = { seed = ["1", "2"] }\n\n', "")
    assert text == TEXT.replace(before, after)


def test_a_value_inside_a_table_on_one_line_changes_there() -> None:
    text = "[flow.f]\ntransport.tcp = { packet = '512 B', window = '8 KiB' }  # small\n"
    wanted = '[flow.f]\ntransport.tcp = { packet = "1 kB", window = "8 KiB" }  # small\n'
    assert edited(text, [("flow.f.transport.tcp.packet", "1 kB")]) == wanted


def test_a_number_of_very_many_digits_is_no_error_of_python() -> None:
    # `tomllib` reads no more than 4,300 digits, and says so by a `ValueError`.
    assert edited("a = 1\n", [("a", "9" * 5000)]) is None


def test_a_value_without_a_simple_place_has_none() -> None:
    assert edited("host = [\n    1,\n]\n", [("host.a", "1")]) is None


@pytest.mark.parametrize("name", available())
def test_an_experiment_is_shown_as_it_was_written(name: str) -> None:
    study = find(name)
    for experiment in study.experiments[:2]:
        opened = open_experiment(study, experiment)
        written = (study.folder / experiment.file).read_text(encoding="utf-8")
        comments = [line for line in written.splitlines() if line.startswith("#")]
        assert [line for line in opened.text.splitlines() if line.startswith("#")] == comments
        shown = parse(opened.text, folder=study.folder)
        assert shown.resolved == opened.scenario.resolved


def test_a_file_with_a_setting_keeps_its_comments() -> None:
    path = examples.available()["scene-drops"]
    assert open_file(path).text == path.read_text(encoding="utf-8")
    settings = [("flow.bulk.transport.tcp.packet", "944 B")]
    opened = open_file(path, settings)
    assert '"944 B"               # with the 8 octets of AAL5, ten cells' in opened.text
    assert parse(opened.text).resolved == opened.scenario.resolved
