"""What is on at present: the session that viewers watch, and what they may open instead."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from cellrelay.errors import ScenarioError
from cellrelay.live.limits import MOST_NODES, MOST_POINTS, Refused, check_size, check_text
from cellrelay.live.pace import FRAME, Pace
from cellrelay.live.play import Play
from cellrelay.live.programme import Piece
from cellrelay.live.scene import scene
from cellrelay.live.session import Part, Session, Viewer
from cellrelay.scenario import parse

FRAMES_TO_THE_END = 400
"""At first a run is as fast as it takes for that many frames."""


class Stage:
    """A session, its viewers, and what else could be on."""

    def __init__(
        self,
        play: Play,
        pieces: Sequence[Piece] = (),
        *,
        point: int = 0,
        replication: int = 0,
        editing: bool = False,
    ) -> None:
        self.editing = editing
        self.act = 0
        self._pieces = pieces
        self._piece: int | None = None
        self._viewers: set[Viewer] = set()
        # Nothing is missed by whoever comes first.
        self._begun = False
        self._closed = False
        self._lock = threading.RLock()
        # Reading a scenario may take a while: one at a time.
        self._reading = threading.Lock()
        self._session: Session | None = None
        self._show(play, point, replication, 0 if pieces else None)

    def titles(self) -> list[dict[str, str]]:
        """What can be opened, by number."""
        return [
            {"group": piece.group, "name": piece.name, "title": piece.title}
            for piece in self._pieces
        ]

    def join(self, viewer: Viewer) -> None:
        """Show a viewer what is on."""
        with self._lock:
            self._viewers.add(viewer)
            self.session.join(viewer)
            if not self._begun and not self._closed:
                self._begun = True
                self.session.start()

    def leave(self, viewer: Viewer) -> None:
        """Show a viewer nothing more."""
        with self._lock:
            self._viewers.discard(viewer)
            self.session.leave(viewer)

    def scene(self) -> dict[str, Any]:
        """What does not change in this act."""
        with self._lock:
            play, part = self._play, self.session.part
            return scene(self.session) | {
                "text": play.text,
                "piece": self._piece,
                "points": play.points[:MOST_POINTS],
                "point": self._point,
                "replication": part.replication,
                "replications": play.replications(self._point),
                "stored": None if play.stored is None else str(play.stored.folder),
            }

    def state(self, viewer: Viewer) -> dict[str, Any]:
        """What changes beside frames."""
        session = self.session
        outcome = session.outcome
        return {
            "act": session.act,
            "now": session.now,
            "speed": asdict(session.pace.speed),
            "lost": viewer.lost,
            "outcome": None if outcome is None else asdict(outcome),
        }

    def problems(self, text: str) -> list[dict[str, Any]]:
        """What is wrong with a scenario."""
        try:
            self._read(text)
        except Refused as refused:
            return refused.problems or [_problem(str(refused))]
        return []

    def obey(self, wish: Mapping[str, Any]) -> None:
        """Do what a viewer wants.

        Raises:
            Refused: if that cannot be, or may not.
        """
        pace = self.session.pace
        match wish:
            case {"do": "play"}:
                pace.play()
            case {"do": "pause"}:
                pace.pause()
            case {"do": "step", "seconds": int() | float() as seconds}:
                pace.step(seconds)
            case {"do": "rate", "rate": int() | float() as rate}:
                pace.set_rate(rate)
            case {"do": "go to", "seconds": int() | float() as seconds}:
                self._go_to(seconds)
            case {"do": "restart"}:
                self._restart()
            case {"do": "point", "point": int() as point, "replication": int() as replication}:
                with self._lock:
                    self._show(self._play, point, replication, self._piece)
            case {"do": "open", "piece": int() as number} if 0 <= number < len(self._pieces):
                self._open(number)
            case {"do": "run", "text": str() as text}:
                self._edit(text)
            case _:
                raise Refused("there is no such wish")

    def close(self) -> None:
        """End what is on."""
        with self._lock:
            self._closed = True
            self.session.close()

    @property
    def session(self) -> Session:
        """The run that is on."""
        assert self._session is not None, "something is on from the beginning"
        return self._session

    def _go_to(self, seconds: float) -> None:
        with self._lock:
            if seconds < self.session.now or self.session.outcome is not None:
                # The same run again: it does not differ from what was seen.
                self._restart(playing=False)
            self.session.pace.go_to(seconds)

    def _restart(self, *, playing: bool = True) -> None:
        with self._lock:
            rate = self.session.pace.speed.rate
            self._begin(self.session.part, playing=playing, rate=rate)

    def _open(self, number: int) -> None:
        try:
            play = self._pieces[number].open()
            point = play.find({})
        except (ScenarioError, OSError) as error:
            raise Refused(str(error)) from error
        self._show(play, point, 0, number)

    def _edit(self, text: str) -> None:
        if not self.editing:
            raise Refused("what is shown may be changed only with `cellrelay watch --edit`")
        self._show(self._read(text), 0, 0)

    def _read(self, text: str) -> Play:
        """A scenario that a viewer has written."""
        check_text(text)
        folder = self._play.folder
        try:
            with self._reading:
                scenario = parse(text, "scenario", folder=folder, most_nodes=MOST_NODES)
        except ScenarioError as error:
            problems = list(error.problems)
            many = "the scenario has mistakes"
            said = problems[0]["problem"] if len(problems) == 1 else many
            raise Refused(said, problems) from error
        play = Play(scenario, text, folder)
        check_size(play.part(0, 0).scenario)
        return play

    def _show(self, play: Play, point: int, replication: int, piece: int | None = None) -> None:
        part = play.part(point, replication)
        check_size(part.scenario)
        with self._lock:
            self._play, self._point, self._piece = play, point, piece
            self._begin(part)

    def _begin(self, part: Part, *, playing: bool = True, rate: float | None = None) -> None:
        if self._session is not None:
            self._session.close()
        duration = part.scenario.duration
        pace = Pace(duration, rate or duration / FRAMES_TO_THE_END / FRAME, playing=playing)
        self.act += 1
        self._session = Session(self.act, part, pace)
        for viewer in self._viewers:
            self._session.join(viewer)
        if self._begun and not self._closed:
            self._session.start()


def _problem(text: str) -> dict[str, Any]:
    return {"line": 1, "column": 1, "path": "", "problem": text, "hint": ""}
