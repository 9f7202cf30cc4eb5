"""Bounds on the results: a part of the study in every test run, all of it in the slow tests."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

import pytest

import cellrelay
from cellrelay.scenario import Replications
from cellrelay.studies import along, find
from cellrelay.studies.published.sonic_headroom.links import FRAME, cable, needed, used
from cellrelay.studies.published.sonic_headroom.tables import (
    AT_100,
    INTERFACES,
    LARGEST,
    RESPONSE,
    TABLE_1,
    factor,
    formula,
    on_a_metre,
)
from cellrelay.studies.reproduce import Reproduction, reproduce

STUDY = find("sonic-headroom")


def rounded(octets: float) -> int:
    return ceil(octets / 1024) * 1024


def test_the_rows_for_spectrum_1_are_28_kib_and_a_cable_full_of_packets_of_97_octets() -> None:
    for (gbits, metres), row in TABLE_1.items():
        assert rounded(28 * 1024 + metres * on_a_metre(gbits) * 2 * 96 / 97) == row
    constant = 1500 + (LARGEST + INTERFACES + RESPONSE) * 2 * 96 / 97
    assert constant == pytest.approx(28 * 1024, rel=0.01)


def test_the_rows_for_spectrum_4_and_6_are_those_of_the_formula() -> None:
    for metres, row in AT_100["Spectrum-4"].items():
        assert formula("Spectrum-4", 100, metres, 100) == row
    compensated = 18 * 1024 + 2048
    for metres, row in AT_100["Spectrum-6"].items():
        found = formula("Spectrum-6", 100, metres, 50, 4096) - compensated
        assert row - 1024 <= found <= row


def test_the_formula_rounds_the_memory_of_an_octet_up() -> None:
    names = ("Spectrum-1", "Spectrum-2", "Spectrum-4", "Spectrum-6")
    assert [factor(name) for name in names] == [2, 3, 3, 4]


def test_headroom_that_is_found_by_bisection_is_what_runs_use() -> None:
    settings = {**cable(5), "link.cable.pause.pfc.xoff": "18432 B"}
    file = STUDY.folder / "link.toml"
    runs = Replications.exactly(4)
    (point,) = cellrelay.run(file, settings, replications=runs).points
    (found,) = cellrelay.size(
        *(file, "link.cable.pause.pfc.headroom", "1 B .. 50000 B"),
        *("link sender->leaf headroom_drops <= 0", settings),
        replications=4,
    )
    assert found.answer is not None
    assert found.answer.value == max(used(point)) == needed(point).mean


def test_packets_of_97_octets_need_nearly_twice_their_octets_and_longer_ones_hardly_more() -> None:
    first = replace(STUDY.experiment("first"), quick_replications=Replications.exactly(20))
    part = replace(STUDY, experiments=[first], figures=[], claims=[])
    points = along(reproduce(part, True).measured["first"], FRAME, cable="300 m")
    on_link = LARGEST + 84 + 300 * on_a_metre(100) + INTERFACES + RESPONSE
    for frame, cells in {"97 B": 2, "96 B": 1, "1500 B": 16}.items():
        octets = int(frame.removesuffix(" B"))
        # The packet that crosses xoff, and those that begin until the pause holds.
        bound = 96 * cells * (1 + ceil(on_link / octets))
        found = needed(points[frame]).mean
        assert found <= bound
        assert found == pytest.approx(bound, rel=0.04)


@pytest.mark.slow
def test_no_run_loses_a_packet(reproduction: Reproduction) -> None:
    for results in reproduction.measured.values():
        for point in results.points:
            assert not any(point.samples("headroom_drops", "link sender->leaf"))
