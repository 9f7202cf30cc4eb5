"""The player: the opened scenario, the session of its present run, and the commands of viewers."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from cellrelay import _core
from cellrelay.errors import ScenarioError
from cellrelay.live.catalogue import Item
from cellrelay.live.layout import layout
from cellrelay.live.limits import MOST_NODES, MOST_POINTS, Rejected, check_size, check_text
from cellrelay.live.opened import OpenedScenario
from cellrelay.live.pace import Pace
from cellrelay.live.session import RunRequest, Session, Viewer
from cellrelay.scenario import parse


class Player:
    """Plays one run at a time to all viewers, and opens other scenarios on command."""

    def __init__(
        self,
        opened: OpenedScenario,
        catalogue: Sequence[Item] = (),
        *,
        point: int = 0,
        replication: int = 0,
        editing: bool = False,
    ) -> None:
        self.editing = editing
        """True if viewers may change the scenario."""
        self.epoch = 0
        """Number of the present session."""
        self._catalogue = catalogue
        self._item: int | None = None
        self._viewers: set[Viewer] = set()
        # The first run waits for its first viewer, who thus sees it from the start.
        self._begun = False
        self._closed = False
        self._lock = threading.RLock()
        # Reading a scenario may take long: one at a time.
        self._reading = threading.Lock()
        self._session: Session | None = None
        self._open(opened, point, replication, 0 if catalogue else None)

    def items(self) -> list[dict[str, str]]:
        """The items of the catalogue as plain data, in order."""
        return [
            {"group": item.group, "name": item.name, "title": item.title}
            for item in self._catalogue
        ]

    def join(self, viewer: Viewer) -> None:
        """Add a viewer; the first one starts the run."""
        with self._lock:
            self._viewers.add(viewer)
            self.session.join(viewer)
            if not self._begun and not self._closed:
                self._begun = True
                self.session.start()

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        with self._lock:
            self._viewers.discard(viewer)
            self.session.leave(viewer)

    def layout(self) -> dict[str, Any]:
        """The layout of the present session, with the choices that viewers have."""
        with self._lock:
            opened, request = self._opened, self.session.request
            return layout(self.session) | {
                "text": opened.text,
                "item": self._item,
                "points": opened.points[:MOST_POINTS],
                "point": self._point,
                "replication": request.replication,
                "replications": opened.replications(self._point),
                "stored": None if opened.stored is None else str(opened.stored.folder),
            }

    def state(self, viewer: Viewer) -> str:
        """The state of the run as JSON: time, pace and outcome."""
        session = self.session
        return session.pace.state(session.epoch, session.now, viewer.skipped, session.ending)

    def problems(self, text: str) -> list[dict[str, Any]]:
        """The problems of a scenario that a viewer has written; empty if it is valid."""
        try:
            self._read(text)
        except Rejected as rejected:
            return rejected.problems or [_problem(str(rejected))]
        return []

    def handle(self, command: str) -> None:
        """Handle a command of a viewer, an object in JSON.

        Raises:
            Rejected: if the command is unknown, impossible or not allowed.
        """
        try:
            _core.obey(command, self)
        except ScenarioError as error:
            raise Rejected(str(error)) from None

    def play(self) -> None:
        """Continue the run."""
        self.session.pace.play()

    def pause(self) -> None:
        """Hold the run."""
        self.session.pace.pause()

    def step(self, seconds: float) -> None:
        """Continue for this simulated time, then hold the run."""
        self.session.pace.step(seconds)

    def set_rate(self, rate: float) -> None:
        """Set the rate in simulated seconds per second."""
        self.session.pace.set_rate(rate)

    def go_to(self, seconds: float) -> None:
        """Continue to an instant at full speed, then hold the run."""
        with self._lock:
            if seconds < self.session.now or self.session.ending is not None:
                # A run cannot go back: it is started again, and passes through the same states.
                self.restart(playing=False)
            self.session.pace.go_to(seconds)

    def restart(self, *, playing: bool = True) -> None:
        """Start the run again."""
        with self._lock:
            rate = self.session.pace.rate
            self._begin(self.session.request, playing=playing, rate=rate)

    def show_run(self, point: int, replication: int) -> None:
        """Show another run of the scenario."""
        with self._lock:
            self._open(self._opened, point, replication, self._item)

    def open_item(self, number: int) -> None:
        """Open an item of the catalogue, by its number."""
        if number >= len(self._catalogue):
            raise Rejected("there is no such item")
        try:
            opened = self._catalogue[number].open()
            point = opened.find({})
        except (ScenarioError, OSError) as error:
            raise Rejected(str(error)) from error
        self._open(opened, point, 0, number)

    def run_text(self, text: str) -> None:
        """Run a scenario that a viewer has written."""
        if not self.editing:
            raise Rejected("a scenario can be changed only with `cellrelay watch --edit`")
        self._open(self._read(text), 0, 0)

    def close(self) -> None:
        """End the present session."""
        with self._lock:
            self._closed = True
            self.session.close()

    @property
    def session(self) -> Session:
        """The session of the present run."""
        assert self._session is not None, "a scenario is open from the beginning"
        return self._session

    def _read(self, text: str) -> OpenedScenario:
        """Read a scenario that a viewer has written."""
        check_text(text)
        folder = self._opened.folder
        try:
            with self._reading:
                scenario = parse(text, "scenario", folder=folder, most_nodes=MOST_NODES)
        except ScenarioError as error:
            problems = list(error.problems)
            several = "the scenario has mistakes"
            problem = problems[0]["problem"] if len(problems) == 1 else several
            raise Rejected(problem, problems) from error
        opened = OpenedScenario(scenario, text, folder)
        check_size(opened.request(0, 0).scenario)
        return opened

    def _open(
        self, opened: OpenedScenario, point: int, replication: int, item: int | None = None
    ) -> None:
        request = opened.request(point, replication)
        check_size(request.scenario)
        with self._lock:
            self._opened, self._point, self._item = opened, point, item
            self._begin(request)

    def _begin(
        self, request: RunRequest, *, playing: bool = True, rate: float | None = None
    ) -> None:
        if self._session is not None:
            self._session.close()
        duration = request.scenario.duration
        pace = Pace(duration, rate or _core.first_rate(duration), playing=playing)
        self.epoch += 1
        self._session = Session(self.epoch, request, pace)
        for viewer in self._viewers:
            self._session.join(viewer)
        if self._begun and not self._closed:
            self._session.start()


def _problem(text: str) -> dict[str, Any]:
    return {"line": 1, "column": 1, "path": "", "problem": text, "hint": ""}
