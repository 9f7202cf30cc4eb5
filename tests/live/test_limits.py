"""What would take too long is refused before it is read."""

from __future__ import annotations

import signal
import time

import pytest

from cellrelay.live.launch import serve
from cellrelay.live.limits import DEEPEST, MOST_TEXT, Refused, check_text
from cellrelay.live.play import Play
from cellrelay.scenario import parse

from ..scenarios import PORT


@pytest.mark.parametrize("part", ["a.", "a . ", '"a".', "'a b' .", "a-1."])
def test_a_name_of_very_many_parts_is_refused_at_once(part: str) -> None:
    count = (MOST_TEXT - 10) // len(part)
    began = time.process_time()
    with pytest.raises(Refused, match=f"more than {DEEPEST} parts"):
        check_text(part * count + "a = 1")
    assert time.process_time() - began < 1.0


@pytest.mark.parametrize("text", ["a", "a ", '"', "'a", "a.\n", "1.5, "])
def test_what_has_no_such_name_is_looked_through_at_once(text: str) -> None:
    began = time.process_time()
    check_text(text * ((MOST_TEXT - 10) // len(text)))
    assert time.process_time() - began < 1.0


def test_a_name_of_as_many_parts_as_may_be_is_read() -> None:
    check_text("a." * (DEEPEST - 1) + "a = 1")


@pytest.mark.parametrize("wish", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_before_it_has_begun_ends_it(wish: signal.Signals) -> None:
    before = signal.getsignal(wish)
    play = Play(parse(PORT), PORT)
    serve(play, name="port", ready=lambda _: signal.raise_signal(wish))
    assert signal.getsignal(wish) is before
