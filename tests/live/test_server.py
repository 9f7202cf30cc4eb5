"""The server of the page: viewers change no run, delay no other viewer, and keep to the limits."""

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
from cellrelay.live.session import MOST_PENDING
from cellrelay.scenario import parse

from ..patience import PATIENCE
from .viewers import Pass, Viewer, deaf, post
from .watched import OVERFLOWS, Server

AS_FAST_AS_IT_GOES = 1000.0

Start = Callable[..., Server]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts servers, which must end without an error."""
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
def test_viewers_do_not_change_the_digest(start: Start, viewers: int) -> None:
    known = Pass.of(start().address)
    unseen = parse(OVERFLOWS).point(0)
    with Viewer(known) as first:
        first.command(do="rate", rate=AS_FAST_AS_IT_GOES)
        first.told("state")
        if viewers:
            with ExitStack() as stack:
                others = [stack.enter_context(Viewer(known)) for _ in range(viewers - 1)]
                outcomes = [viewer.outcome() for viewer in (first, *others)]
    if not viewers:
        # A later viewer gets the outcome of a run that nobody watched.
        with Viewer(known) as late:
            outcomes = [late.outcome()]
    digest = unseen.run(unseen.seed, 0).digest
    assert [outcome["digest"] for outcome in outcomes] == [digest] * max(1, viewers)


def test_a_viewer_that_never_reads_delays_no_other(start: Start) -> None:
    server = start(text=OVERFLOWS.replace('"2 s"', '"1000 s"'))
    known = Pass.of(server.address)
    with Viewer(known) as viewer, deaf(known), deaf(known):
        viewer.command(do="rate", rate=AS_FAST_AS_IT_GOES)
        now = viewer.told("state")["now"]
        before = _memory(server)
        end = time.monotonic() + 3
        # The buffers of a viewer that never reads hold this many snapshots.
        while time.monotonic() < end or now <= 5.0 or viewer.snapshots <= 4 * MOST_PENDING:
            now = viewer.told("state")["now"]
        assert viewer.times == sorted(viewer.times)
        assert _memory(server) - before < 50 << 20


def test_going_back_reaches_the_same_instant_again(start: Start) -> None:
    known = Pass.of(start().address)
    seen = []
    with Viewer(known) as viewer:
        for instant in (0.8, 0.3, 0.8):
            viewer.command(do="go to", seconds=instant)
            now = None
            # An earlier state, from before the command, is paused too, at another instant.
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
    '{"do": "open", "item": 100000}',
    '{"do": "open", "item": -1}',
    '{"do": "point", "point": 9, "replication": 0}',
    '{"do": "point", "point": 0, "replication": -1}',
    '{"do": "run", "text": "\\ud800"}',
    b"\0\1",
    "[" * 100_000,
)


def test_an_impossible_command_is_rejected_and_the_viewer_stays(start: Start) -> None:
    with Viewer(Pass.of(start("--edit").address)) as viewer:
        for words in IMPOSSIBLE:
            viewer.socket.send(words)
            assert viewer.told("rejected"), words
        viewer.command(do="pause")
        while viewer.told("state")["speed"]["playing"]:
            pass


def test_viewers_cannot_edit_without_the_option(start: Start) -> None:
    known = Pass.of(start().address)
    with Viewer(known) as viewer:
        viewer.command(do="run", text=OVERFLOWS)
        assert "--edit" in viewer.told("rejected")
    assert post(known, "/check", OVERFLOWS.encode())[0] == 403


TOO_LARGE = {
    "more than 3000 nodes": OVERFLOWS.replace("count = 2", "count = 3000"),
    "longer than 3600 s": OVERFLOWS.replace('"2 s"', '"2 h"'),
    "more than 2000 points": f"{OVERFLOWS}\n[sweep]\nseed = {list(range(1, 2002))}\n",
    "larger than 256 KiB": OVERFLOWS + "#" * (256 << 10),
}


def test_a_scenario_that_is_too_large_is_rejected_with_the_reason(start: Start) -> None:
    known = Pass.of(start("--edit").address)
    with Viewer(known) as viewer:
        for words, text in TOO_LARGE.items():
            viewer.command(do="run", text=text)
            assert words in viewer.told("rejected")
            _, answer = post(known, "/check", text.encode())
            assert words in answer["problems"][0]["problem"]
        assert post(known, "/check", OVERFLOWS.encode()) == (200, {"problems": []})


def test_viewers_cannot_read_files_outside_the_folder(start: Start, tmp_path: Path) -> None:
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


def test_a_message_that_is_too_large_ends_the_connection(start: Start) -> None:
    known = Pass.of(start("--edit").address)
    with Viewer(known) as greedy, Viewer(known) as viewer:
        greedy.socket.send("x" * (600 << 10))
        with pytest.raises(ConnectionClosed):
            greedy.outcome()
        assert viewer.told("state")


def test_the_number_of_viewers_is_limited(start: Start) -> None:
    known = Pass.of(start().address)
    with ExitStack() as stack:
        viewers = [stack.enter_context(Viewer(known)) for _ in range(MOST_VIEWERS)]
        assert all(viewer.told("layout") for viewer in viewers)
        with Viewer(known) as late, pytest.raises(ConnectionClosed) as closed:
            late.socket.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == TRY_AGAIN


def test_a_signal_ends_the_server_with_viewers(start: Start) -> None:
    server = start(text=OVERFLOWS.replace('"2 s"', '"1000 s"'))
    known = Pass.of(server.address)
    with Viewer(known) as viewer, deaf(known):
        viewer.command(do="rate", rate=AS_FAST_AS_IT_GOES)
        viewer.told("state")
        server.process.send_signal(signal.SIGINT)
        out, errors = server.process.communicate(timeout=PATIENCE)
    assert (server.process.returncode, out, errors) == (0, "", "Press Ctrl-C to end.\n")


def test_a_restarted_server_rejects_the_old_cookie(start: Start) -> None:
    server = start()
    known = Pass.of(server.address)
    with Viewer(known) as viewer:
        assert viewer.told("layout")
        assert server.stop() == 0
    server.start("--port", str(known.port))
    with Viewer(known) as viewer, pytest.raises(ConnectionClosed) as closed:
        viewer.socket.recv(timeout=PATIENCE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == NOT_ALLOWED


def test_a_viewer_selects_point_and_replication(start: Start) -> None:
    sweep = OVERFLOWS.replace('"2 s"', '"20 ms"') + "\n[sweep]\nseed = [5, 6]\n"
    scenario = parse(sweep)
    with Viewer(Pass.of(start(text=sweep).address)) as viewer:
        layout = viewer.told("layout")
        assert (layout["points"], layout["point"]) == (["seed 5", "seed 6"], 0)
        viewer.command(do="point", point=1, replication=2)
        layout = viewer.told("layout")
        assert (layout["point"], layout["replication"], layout["seed"]) == (1, 2, 6)
        viewer.command(do="rate", rate=AS_FAST_AS_IT_GOES)
        assert viewer.outcome()["digest"] == scenario.point(1).run(6, 2).digest


def test_items_of_the_catalogue_are_listed_and_opened(start: Start) -> None:
    known = Pass.of(start().address)
    with Viewer(known) as viewer:
        assert viewer.told("layout")["item"] == 0
        items = json.loads(known.get("/catalogue"))["items"]
        number = next(
            number
            for number, item in enumerate(items)
            if (item["group"], item["name"]) == ("romanow-floyd", "early")
        )
        viewer.command(do="open", item=number)
        layout = viewer.told("layout")
        assert (layout["item"], len(layout["points"])) == (number, 20)
        assert layout["title"] == "Early packet discard, threshold of half the buffer"
