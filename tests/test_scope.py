"""Scopes: values with one text each, which files keep by their parts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cellrelay
from cellrelay.errors import ScenarioError
from cellrelay.metrics.scope import NETWORK, Name, Place, Scope, find, find_any
from cellrelay.results import read_csv
from cellrelay.scenario import examples, load
from cellrelay.simulation.run import Task, simulate

AT = Place(Name("s1"), Name("sender", 2))
TEXTS = {
    "network": NETWORK,
    "flow bulk[3]": Scope.flow("bulk", 3),
    "port s1->sender[2]": Scope("port", None, AT),
    "port s1->sender[2] of bulk[3]": Scope("vc", Name("bulk", 3), AT),
    "class abr at s1->sender[2]": Scope("class", Name("abr"), AT),
    "link s1->sender[2]": Scope("link", None, AT),
    "priority 3 at s1->sender[2]": Scope("priority", Name("3"), AT),
    "drop bulk[3] at s1->sender[2]": Scope("drop", Name("bulk", 3), AT),
}
"""A scope of each kind."""


@pytest.mark.parametrize("text", TEXTS)
def test_a_scope_has_one_text_and_is_found_by_it(text: str) -> None:
    scope = TEXTS[text]
    assert str(scope) == text
    assert find(TEXTS.values(), text) == scope
    assert Scope.of(json.loads(json.dumps(scope))) == scope
    assert text.endswith(scope.member)
    assert scope.kind == "vc" or Scope.read(text) == scope
    assert scope.is_like(scope)


def test_drops_that_did_not_happen_are_found_at_a_known_output() -> None:
    known = [Scope.flow("f", 0), Scope.flow("f", 1), Scope.port("s1", "b")]
    assert find(known, "drop f[1] at s1->b") == Scope("drop", Name("f", 1), known[2].place)
    assert find(known, "drop f[2] at s1->b") is None
    assert find(known, "drop f[1] at s2->b") is None


def test_a_text_names_a_scope_or_a_group_that_covers_it() -> None:
    known = list(TEXTS.values())
    for text in ("flow bulk", "port s1->sender", "port s1->sender[2] of bulk"):
        group = find_any(known, text)
        assert group is not None
        assert str(group) == text
        assert any(group.covers(scope) for scope in known)
    assert find_any(known, "flow bul") is None
    assert find_any(known, "port s1") is None


def test_a_group_covers_its_members() -> None:
    scope = TEXTS["drop bulk[3] at s1->sender[2]"]
    assert scope.stems == ["drop bulk", "drop bulk[3] at s1->sender"]
    groups = ["drop bulk[3] at s1->sender", "drop bulk at s1->sender[2]", "drop bulk at s1->sender"]
    assert list(map(str, scope.covering)) == [str(scope), *groups]
    assert all(group.covers(scope) for group in scope.covering)
    assert str(scope.group) == "drop bulk at s1->sender"
    for text in ("drop bulk", "drop bulk[3] at s1->sender", "drop bulk at s1->sender[2]"):
        assert Scope.read(text).covers(scope)
    for text in ("drop bul", "drop bulk[2]", "drop bulk at s2->sender", "link s1->sender"):
        assert not Scope.read(text).covers(scope)
    with pytest.raises(ScenarioError, match="there is no drop `bulk at s1`"):
        Scope.read("drop bulk at s1")


@pytest.mark.parametrize("name", ["service-classes", "lost-cells", "explicit-rate"])
def test_what_a_run_reports_is_of_scopes_with_different_texts(name: str) -> None:
    scenario = load(
        examples.available()[name], {"record.every": "1 ms", "duration": "0.2 s", "warm_up": "0 s"}
    )
    run = simulate(Task(scenario.point(0), 1, 0))
    scopes = dict.fromkeys([label.scope for label in run.labels] + [of for of, _ in run.series])
    assert len(set(map(str, scopes))) == len(scopes)
    for scope in scopes:
        assert Scope.of(json.loads(json.dumps(scope))) == scope
        assert find(scopes, str(scope)) == scope


@pytest.mark.parametrize("name", ["packet-credits", "pauses"])
def test_priorities_of_links_are_scopes_that_texts_name(name: str) -> None:
    run = simulate(Task(load(examples.available()[name]).point(0), 1, 0))
    scopes = {label.scope for label in run.labels if label.scope.kind == "priority"}
    links = {label.scope.place for label in run.labels if label.scope.kind == "link"}
    assert {scope.place for scope in scopes} == links
    for scope in scopes:
        assert Scope.of(json.loads(json.dumps(scope))) == scope
        assert Scope.read(str(scope)) == scope
        assert scope.name in [Name(str(number)) for number in range(8)]
    with pytest.raises(ScenarioError, match="there is no priority `8 at s1->b`"):
        Scope.read("priority 8 at s1->b")


def test_a_table_without_the_parts_of_its_scopes_is_refused(tmp_path: Path) -> None:
    settings = {"duration": "20 ms", "warm_up": "0 s"}
    results = cellrelay.run(load(examples.available()["single-queue"], settings), replications=1)
    table = tmp_path / "table.csv"
    results.write_csv(table)
    assert read_csv(table).points[0].labels == results.points[0].labels
    (tmp_path / "table.scopes.json").unlink()
    with pytest.raises(ScenarioError, match=r"table\.scopes\.json.*missing"):
        read_csv(table)
