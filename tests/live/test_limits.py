"""A scenario that would take too long to read is rejected first."""

from __future__ import annotations

import signal
import time

import pytest

from cellrelay.errors import ScenarioError
from cellrelay.live.launch import serve
from cellrelay.live.limits import DEEPEST, MOST_TEXT, Rejected, check_text
from cellrelay.live.opened import OpenedScenario
from cellrelay.scenario import parse

from ..scenarios import PORT


@pytest.mark.parametrize("part", ["a.", "a . ", '"a".', "'a b' .", "a-1."])
def test_a_key_of_very_many_parts_is_rejected_at_once(part: str) -> None:
    count = (MOST_TEXT - 10) // len(part)
    began = time.process_time()
    with pytest.raises(Rejected, match=f"more than {DEEPEST} parts"):
        check_text(part * count + "a = 1")
    assert time.process_time() - began < 1.0


@pytest.mark.parametrize("text", ["a", "a ", '"', "'a", "a.\n", "1.5, "])
def test_a_text_without_such_a_key_is_searched_at_once(text: str) -> None:
    began = time.process_time()
    check_text(text * ((MOST_TEXT - 10) // len(text)))
    assert time.process_time() - began < 1.0


def test_a_key_of_the_largest_number_of_parts_is_read() -> None:
    check_text("a." * (DEEPEST - 1) + "a = 1")


def test_a_number_of_very_many_digits_is_left_to_the_core() -> None:
    # Python converts no more than 4,300 digits.
    text = f"duration = {'9' * 5000}"
    check_text(text)
    with pytest.raises(ScenarioError, match="duration"):
        parse(text)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_before_the_start_ends_the_server(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    opened = OpenedScenario(parse(PORT), PORT)
    serve(opened, name="port", ready=lambda _: signal.raise_signal(number))
    assert signal.getsignal(number) is before
