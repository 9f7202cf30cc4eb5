"""The server of the page: nobody changes a run, keeps others waiting, or gets more than is due."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from cellrelay.live.guard import NOT_ALLOWED
from cellrelay.live.server import MOST_VIEWERS, TRY_AGAIN
from cellrelay.live.session import WAITING_FRAMES
from cellrelay.scenario import parse

from ..patience import PATIENCE
from .viewers import Pass, Viewer, deaf, post
from .watched import OVERFLOWS, Server

AS_FAST_AS_IT_GOES = 1000.0

Start = Callable[..., Server]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts servers, which end well."""
    with ExitStack() as stack:

        def started(*options: str, text: str = OVERFLOWS) -> Server:
            scenario = tmp_path / "scenario.toml"
            scenario.write_text(text)
            server = Server(scenario, *options)
            stack.callback(lambda: server.stop())
            return server

        yield started


def _memory(server: Server) -> int:
    """Octets that the process of a server has in use."""
    return int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * 4096


@pytest.mark.parametrize("viewers", [0, 1, 5])
def test_the_digest_does_not_tell_how_many_watched(start: Start, viewers: int) -> None:
    known = Pass.of(start().address)
    unseen = parse(OVERFLOWS).point(0)
    with Viewer(known) as first:
        first.wish(do="rate", rate=AS_FAST_AS_IT_GOES)
        first.told("state")
        if viewers:
            with ExitStack() as stack:
                others = [stack.enter_context(Viewer(known)) for _ in range(viewers - 1)]
                outcomes = [viewer.outcome() for viewer in (first, *others)]
    if not viewers:
        # Whoever comes afterwards learns how it went on while nobody looked.
        with Viewer(known) as late:
            outcomes = [late.outcome()]
    digest = unseen.run(unseen.seed, 0).digest
    assert [outcome["digest"] for outcome in outcomes] == [digest] * max(1, viewers)


def test_who_never_reads_keeps_nobody_waiting(start: Start) -> None:
    server = start(text=OVERFLOWS.replace('"2 s"', '"1000 s"'))
    known = Pass.of(server.address)
    with Viewer(known) as viewer, deaf(known), deaf(known):
        viewer.wish(do="rate", rate=AS_FAST_AS_IT_GOES)
        now = viewer.told("state")["now"]
        before = _memory(server)
        end = time.monotonic() + 3
        # Who never reads has room for so many; a viewer gives up when it was too patient.
        while time.monotonic() < end or now <= 5.0 or viewer.frames <= 4 * WAITING_FRAMES:
            now = viewer.told("state")["now"]
        assert viewer.times == sorted(viewer.times)
        assert _memory(server) - before < 50 << 20


def test_to_go_back_in_time_is_to_come_to_the_same_instant_again(start: Start) -> None:
    known = Pass.of(start().address)
    seen = []
    with Viewer(known) as viewer:
        for instant in (0.8, 0.3, 0.8):
            viewer.wish(do="go to", seconds=instant)
            now = None
            # A state that was told before the wish was heard is at rest too, elsewhere.
            while now != pytest.approx(instant, abs=1e-9):
                state = viewer.told("state")
                at_rest = state["speed"]["goal"] is None and not state["speed"]["playing"]
                now = state["now"] if at_rest else None
            seen.append((now, [time for time in viewer.times if time <= instant][-1]))
    assert seen[0] == seen[2]


IMPOSSIBLE = (
    "",
    "play",
    "[1]",
    '{"do": "fly"}',
    '{"do": "step", "seconds": "all"}',
    '{"do": "open", "piece": 100000}',
    '{"do": "open", "piece": -1}',
    '{"do": "point", "point": 9, "replication": 0}',
    '{"do": "point", "point": 0, "replication": -1}',
    '{"do": "run", "text": "\\ud800"}',
    b"\0\1",
    "[" * 100_000,
)


def test_what_cannot_be_is_refused_and_the_viewer_stays(start: Start) -> None:
    with Viewer(Pass.of(start("--edit").address)) as viewer:
        for words in IMPOSSIBLE:
            viewer.socket.send(words)
            assert viewer.told("refused"), words
        viewer.wish(do="pause")
        while viewer.told("state")["speed"]["playing"]:
            pass


def test_nobody_edits_unless_it_was_started_so(start: Start) -> None:
    known = Pass.of(start().address)
    with Viewer(known) as viewer:
        viewer.wish(do="run", text=OVERFLOWS)
        assert "--edit" in viewer.told("refused")
    assert post(known, "/check", OVERFLOWS.encode())[0] == 403


TOO_LARGE = {
    "more than 3000 nodes": OVERFLOWS.replace("count = 2", "count = 3000"),
    "longer than 3600 s": OVERFLOWS.replace('"2 s"', '"2 h"'),
    "more than 2000 points": f"{OVERFLOWS}\n[sweep]\nseed = {list(range(1, 2002))}\n",
    "larger than 256 KiB": OVERFLOWS + "#" * (256 << 10),
}


def test_what_is_too_large_is_refused_in_words(start: Start) -> None:
    known = Pass.of(start("--edit").address)
    with Viewer(known) as viewer:
        for words, text in TOO_LARGE.items():
            viewer.wish(do="run", text=text)
            assert words in viewer.told("refused")
            _, answer = post(known, "/check", text.encode())
            assert words in answer["problems"][0]["problem"]
        assert post(known, "/check", OVERFLOWS.encode()) == (200, {"problems": []})


def test_no_viewer_reads_files_of_the_machine(start: Start, tmp_path: Path) -> None:
    known = Pass.of(start("--edit").address)
    (tmp_path / "link.txt").symlink_to("/etc/passwd")
    source = 'source.greedy = { start = { uniform = ["0 s", "1 ms"] } }'
    assert source in OVERFLOWS
    for file in ("../../../../../../../../etc/passwd", "/etc/passwd", "link.txt"):
        text = OVERFLOWS.replace(source, f'source.trace.file = "{file}"')
        _, answer = post(known, "/check", text.encode())
        (problem,) = answer["problems"]
        assert problem["path"] == "flow.bulk.source.trace.file"
        assert problem["problem"].endswith("it is outside the folder of the scenario")


def test_who_sends_too_much_is_shown_out(start: Start) -> None:
    known = Pass.of(start("--edit").address)
    with Viewer(known) as greedy, Viewer(known) as viewer:
        greedy.socket.send("x" * (600 << 10))
        with pytest.raises(ConnectionClosed):
            greedy.outcome()
        assert viewer.told("state")


def test_there_is_room_for_so_many_viewers(start: Start) -> None:
    known = Pass.of(start().address)
    with ExitStack() as stack:
        viewers = [stack.enter_context(Viewer(known)) for _ in range(MOST_VIEWERS)]
        assert all(viewer.told("scene") for viewer in viewers)
        with Viewer(known) as late, pytest.raises(ConnectionClosed) as closed:
            late.socket.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == TRY_AGAIN


def test_it_ends_whoever_watches(start: Start) -> None:
    server = start(text=OVERFLOWS.replace('"2 s"', '"1000 s"'))
    known = Pass.of(server.address)
    with Viewer(known) as viewer, deaf(known):
        viewer.wish(do="rate", rate=AS_FAST_AS_IT_GOES)
        viewer.told("state")
        server.process.send_signal(signal.SIGINT)
        out, errors = server.process.communicate(timeout=PATIENCE)
    assert (server.process.returncode, out, errors) == (0, "", "Press Ctrl-C to end.\n")


def test_who_knew_the_server_before_is_told_that_it_is_another(start: Start) -> None:
    server = start()
    known = Pass.of(server.address)
    with Viewer(known) as viewer:
        assert viewer.told("scene")
        assert server.stop() == 0
    server.start("--port", str(known.port))
    with Viewer(known) as viewer, pytest.raises(ConnectionClosed) as closed:
        viewer.socket.recv(timeout=PATIENCE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == NOT_ALLOWED


def test_what_is_on_can_be_chosen(start: Start) -> None:
    sweep = OVERFLOWS.replace('"2 s"', '"20 ms"') + "\n[sweep]\nseed = [5, 6]\n"
    scenario = parse(sweep)
    with Viewer(Pass.of(start(text=sweep).address)) as viewer:
        scene = viewer.told("scene")
        assert (scene["points"], scene["point"]) == (["seed 5", "seed 6"], 0)
        viewer.wish(do="point", point=1, replication=2)
        scene = viewer.told("scene")
        assert (scene["point"], scene["replication"], scene["seed"]) == (1, 2, 6)
        viewer.wish(do="rate", rate=AS_FAST_AS_IT_GOES)
        assert viewer.outcome()["digest"] == scenario.point(1).run(6, 2).digest


def test_pieces_are_told_and_opened(start: Start) -> None:
    known = Pass.of(start().address)
    with Viewer(known) as viewer:
        assert viewer.told("scene")["piece"] == 0
        pieces = json.loads(known.get("/programme"))["pieces"]
        number = next(
            number
            for number, piece in enumerate(pieces)
            if (piece["group"], piece["name"]) == ("romanow-floyd", "early")
        )
        viewer.wish(do="open", piece=number)
        scene = viewer.told("scene")
        assert (scene["piece"], len(scene["points"])) == (number, 20)
        assert scene["title"] == "Early packet discard, threshold of half the buffer"
