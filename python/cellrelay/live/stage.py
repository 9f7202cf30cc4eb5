"""What is on at present: the session that viewers watch, and what they may open instead."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cellrelay.errors import ScenarioError
from cellrelay.live.pace import Pace
from cellrelay.live.scene import scene
from cellrelay.live.session import Session, Viewer
from cellrelay.scenario import Scenario, load, parse

FRAMES_TO_THE_END = 400
"""At first a run is as fast as it takes for that many frames."""

MOST_NODES = 3000
"""A network with more is not drawn."""

MOST_SECONDS = 3600.0
"""A run of more simulated time is not watched."""


class Refused(Exception):
    """A wish that is not granted, and why."""

    def __init__(self, reason: str, problems: list[dict[str, Any]] | None = None) -> None:
        super().__init__(reason)
        self.problems = problems or []


@dataclass(frozen=True)
class Piece:
    """A scenario that can be opened."""

    group: str
    title: str
    path: Path


class Stage:
    """A session, its viewers, and what else could be on."""

    def __init__(
        self,
        scenario: Scenario,
        pieces: list[Piece],
        *,
        text: str,
        seed: int | None = None,
        editing: bool = False,
        folder: Path = Path(),
    ) -> None:
        self.editing = editing
        self.act = 0
        self._pieces = pieces
        self._folder = folder
        self._viewers: set[Viewer] = set()
        # Nothing is missed by whoever comes first.
        self._begun = False
        self._lock = threading.RLock()
        self._show(scenario, text, scenario.seed if seed is None else seed)

    def titles(self) -> list[dict[str, str]]:
        """What can be opened, by number."""
        return [
            {"group": piece.group, "name": piece.path.stem, "title": piece.title}
            for piece in self._pieces
        ]

    def join(self, viewer: Viewer) -> None:
        """Show a viewer what is on."""
        with self._lock:
            self._viewers.add(viewer)
            self._session.join(viewer)
            if not self._begun:
                self._begun = True
                self._session.start()

    def leave(self, viewer: Viewer) -> None:
        """Show a viewer nothing more."""
        with self._lock:
            self._viewers.discard(viewer)
            self._session.leave(viewer)

    def scene(self) -> dict[str, Any]:
        """What does not change in this act."""
        with self._lock:
            return scene(self._session) | {"text": self._text}

    def state(self, viewer: Viewer) -> dict[str, Any]:
        """What changes beside frames."""
        session = self._session
        outcome = session.outcome
        return {
            "act": self.act,
            "now": session.now,
            "speed": asdict(session.pace.speed),
            "lost": viewer.lost,
            "outcome": None if outcome is None else asdict(outcome),
        }

    def problems(self, text: str) -> list[dict[str, Any]]:
        """What is wrong with a scenario."""
        try:
            self._fit(parse(text, "scenario", folder=self._folder))
        except ScenarioError as error:
            return list(error.problems)
        except Refused as refused:
            return [{"line": 1, "column": 1, "path": "", "problem": str(refused), "hint": ""}]
        return []

    def obey(self, wish: Mapping[str, Any]) -> None:
        """Do what a viewer wants.

        Raises:
            Refused: if that cannot be, or may not.
        """
        pace = self._session.pace
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
            case {"do": "open", "piece": int() as number} if 0 <= number < len(self._pieces):
                self._open(self._pieces[number])
            case {"do": "run", "text": str() as text}:
                self._edit(text)
            case _:
                raise Refused("there is no such wish")

    def close(self) -> None:
        """End what is on."""
        with self._lock:
            self._session.close()

    def _go_to(self, seconds: float) -> None:
        with self._lock:
            if seconds < self._session.now or self._session.outcome is not None:
                # The same run again: it does not differ from what was seen.
                self._restart()
            self._session.pace.go_to(seconds)

    def _restart(self) -> None:
        with self._lock:
            self._show(self._session.scenario, self._text, self._session.seed)

    def _open(self, piece: Piece) -> None:
        try:
            scenario = load(piece.path)
        except (ScenarioError, OSError) as error:
            raise Refused(str(error)) from error
        text = piece.path.read_text(encoding="utf-8")
        with self._lock:
            self._folder = piece.path.parent
            self._show(scenario, text, scenario.seed)

    def _edit(self, text: str) -> None:
        if not self.editing:
            raise Refused("what is shown may be changed only with `cellrelay watch --edit`")
        problems = self.problems(text)
        if problems:
            raise Refused("the scenario has mistakes", problems)
        scenario = parse(text, "scenario", folder=self._folder)
        with self._lock:
            self._show(scenario, text, scenario.seed)

    def _fit(self, scenario: Scenario) -> Scenario:
        """The first point of a scenario that is not too large to be watched."""
        point = scenario.point(0)
        if point.duration > MOST_SECONDS:
            raise Refused(f"it is longer than {MOST_SECONDS:g} s of simulated time")
        if len(point.topology.nodes) > MOST_NODES:
            raise Refused(f"it has more than {MOST_NODES} nodes")
        return point

    def _show(self, scenario: Scenario, text: str, seed: int) -> None:
        point = self._fit(scenario)
        before = getattr(self, "_session", None)
        if before is not None:
            before.close()
        pace = Pace(point.duration, point.duration / FRAMES_TO_THE_END / 0.05)
        self.act += 1
        self._session = Session(self.act, point, seed, pace)
        self._text = text
        for viewer in self._viewers:
            self._session.join(viewer)
        if self._begun:
            self._session.start()
