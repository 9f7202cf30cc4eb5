"""Discard policies in Python: their levels in a buffer, and the threshold that a run may set."""

from __future__ import annotations

from pathlib import Path

import pytest

from cellrelay import members
from cellrelay.errors import MemberError, ScenarioError
from cellrelay.members import Amount
from cellrelay.scenario import parse
from cellrelay.simulation import Control, Simulation
from cellrelay.simulation.run import Task, simulate

from .bad_members import defined, load, using
from .test_member_interface import NETWORK


@members.discard
class Level:
    """Drops what finds a level reached."""

    threshold_attribute = "most"

    level: Amount = Amount("50 %")
    """Queue length from which cells are dropped."""

    def begin(self, buffer: members.Buffer) -> None:
        self.most: float = buffer.units(self.level)

    def admit(self, offer: members.Offer) -> bool:
        return offer.fits and offer.queued < self.most


PORT = "port s->b"


def with_level(level: str = "50 %") -> Simulation:
    settings = {"switch.s.discard.level.level": f'"{level}"'}
    return Simulation(parse(NETWORK, settings=settings))


@pytest.mark.parametrize(
    ("level", "cells"), [("50 %", 50), ("30 cells", 30), ("1060 B", 20), ("1 B", 0)]
)
def test_a_level_is_counted_in_units_of_the_buffer(level: str, cells: int) -> None:
    run = with_level(level)
    assert run.controls[PORT]["threshold"] == Control(cells, 0, 100, "cells")
    assert run.run().value(f"{PORT} max_queue") == cells


def test_a_level_beyond_the_buffer_is_refused_as_in_a_built_in() -> None:
    told = []
    for level in ("level.level", "early_packet.threshold"):
        with pytest.raises(ScenarioError) as raised:
            parse(NETWORK, settings={f"switch.s.discard.{level}": "200 cells"})
        told.append(str(raised.value).partition(f"switch.s.discard.{level}: ")[2])
    assert told[0] == told[1] != ""


def test_an_amount_shows_what_it_is_and_refuses_what_is_none() -> None:
    assert (str(Amount("500 cells")), repr(Amount("50 %"))) == ("500 cells", 'Amount("50 %")')
    with pytest.raises(ValueError, match="unknown unit `m`\n  hint: "):
        Amount("5 m")


def test_a_run_may_set_the_threshold_of_a_class() -> None:
    run = with_level()
    run.set(PORT, "threshold", "80 cells")
    clone = run.clone()
    assert run.run().value(f"{PORT} max_queue") == 80
    assert clone.run().digest == run.run().digest
    assert Simulation.replay(run.record).run().digest == run.run().digest


def test_reading_the_threshold_of_a_class_changes_nothing(tmp_path: Path) -> None:
    # Half a cell more than a whole number.
    begin, admit = "self.most = 4000.5", "return offer.fits and offer.queued + 1500 <= self.most"
    body = defined("discard", begin=f"(self, buffer): {begin}", admit=f"(self, offer): {admit}")
    load(tmp_path, body + "\n    threshold_attribute = 'most'")
    read, unread = (Simulation(using("discard")) for _ in range(2))
    read.run_until("0.1 s")
    assert read.controls["port r->b"]["threshold"].value == 4000
    assert read.run().digest == unread.run().digest


@pytest.mark.parametrize(
    ("begin", "says"),
    [
        ("pass", "left no `most`"),
        ("self.most = -1", "left `most` at `-1`"),
        ("self.most = math.nan", "left `most` at `nan`"),
        ("self.most = 'half'", "left `most` at `'half'`"),
    ],
)
def test_a_threshold_that_is_no_queue_length_is_refused(
    tmp_path: Path, begin: str, says: str
) -> None:
    body = defined("discard", begin=f"(self, buffer): {begin}")
    load(tmp_path, body + "\n    threshold_attribute = 'most'")
    with pytest.raises(MemberError, match=r"`Bad\.begin` left") as raised:
        simulate(Task(using("discard"), 1, 0))
    assert says in str(raised.value)
    assert "\n  hint: `threshold_attribute` names it: set it in `begin`" in str(raised.value)
