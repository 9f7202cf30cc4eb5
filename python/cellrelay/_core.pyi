"""The Rust core: one scenario, one run."""

from collections.abc import Callable
from os import PathLike
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_Name = tuple[str, int | None]
ScopeParts = tuple[str, _Name | None, tuple[_Name, _Name] | None]
"""Kind, name and place of a scope."""

VERSION: Final[str]
MODEL: Final[str]
LARGEST_FILE: Final[int]
CELL_BITS: Final[int]

def schema() -> str: ...
def components() -> str: ...
def metrics() -> str: ...
def scopes(text: str) -> ScopeParts: ...
def goal(text: str) -> tuple[ScopeParts, str]: ...
def quantities() -> list[tuple[list[str], tuple[str, int] | None]]: ...
def units() -> list[tuple[str, str, int, int]]: ...
def printable(text: str, limit: int = ...) -> str: ...
def register(family: str, source: str, cls: type) -> None: ...
def nearest(word: str, candidates: list[str]) -> str | None: ...

class ScenarioError(ValueError):
    problems: list[dict[str, Any]]

class SimulationError(RuntimeError): ...
class MemberError(RuntimeError): ...
class Cancelled(Exception): ...

class Control:
    def __init__(self) -> None: ...
    def cancel(self) -> None: ...
    def pause(self) -> None: ...
    @property
    def cancelled(self) -> bool: ...
    @property
    def events(self) -> int: ...
    @property
    def fraction(self) -> float: ...

class Buffer:
    capacity: int
    octets_per_unit: int
    vcs: int
    rate: int
    seed: int

class Offer:
    now: float
    vc: int
    packet: int | None
    ends_packet: bool
    low_priority: bool
    size: int
    queued: int
    capacity: int
    @property
    def fits(self) -> bool: ...

class Limits:
    mss: int
    window: int
    initial: int
    ssthresh: int

class Ack:
    now: float
    octets: int
    una: int
    max: int
    srtt: float
    rtt: float | None
    limited: bool

class CongestionEvent:
    now: float
    flight: int
    again: bool

class Delivery:
    now: float
    delivered: int
    newly: int
    prior_delivered: int
    rate: float | None
    rtt: float | None
    flight: int
    is_app_limited: bool
    in_recovery: bool

class Echo:
    octets: int
    marked: bool
    una: int
    max: int

class Application:
    flow: str
    host: str
    message: int
    seed: int

class Capture:
    def __init__(
        self, folder: str | PathLike[str], origin: str = "", snaplen: int | None = None
    ) -> None: ...

class Snapshot:
    @property
    def times(self) -> NDArray[np.float64]: ...
    @property
    def rows(self) -> NDArray[np.float64]: ...
    @property
    def moving(self) -> dict[str, NDArray[np.float64]]: ...
    @property
    def drops(self) -> dict[str, NDArray[np.float64]]: ...

class Run:
    @property
    def scalars(self) -> list[tuple[ScopeParts, str, float, str]]: ...
    @property
    def labels(self) -> tuple[list[list[tuple[str, str]]], list[tuple[ScopeParts, int]]]: ...
    @property
    def values(self) -> NDArray[np.float64]: ...
    @property
    def batches(self) -> list[list[float]]: ...
    @property
    def distributions(
        self,
    ) -> list[list[tuple[ScopeParts, str, float, float, list[float], list[int]]]]: ...
    @property
    def digest(self) -> str: ...
    @property
    def events(self) -> dict[str, int]: ...
    @property
    def series(
        self,
    ) -> list[tuple[ScopeParts, str, str, NDArray[np.float64], NDArray[np.float64]]]: ...
    @property
    def warnings(self) -> list[tuple[str, ScopeParts, str]]: ...

class Scenario:
    def __init__(
        self,
        text: bytes,
        name: str,
        settings: list[tuple[str, str]] = ...,
        home: PathLike[str] = ...,
        most_nodes: int | None = ...,
    ) -> None: ...
    @property
    def title(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def duration(self) -> float: ...
    @property
    def record_every(self) -> float | None: ...
    @property
    def replications(self) -> dict[str, Any]: ...
    @property
    def points(self) -> list[dict[str, str]]: ...
    @property
    def axes(self) -> list[str]: ...
    @property
    def doubts(self) -> list[str]: ...
    @property
    def computed(self) -> list[tuple[str, str]]: ...
    def point(self, index: int) -> Scenario: ...
    def narrowed(self, axis: str, labels: list[str]) -> Scenario: ...
    def fault_of_metric(self, text: str) -> tuple[str, str] | None: ...
    def resolved(self) -> str: ...
    def topology(
        self,
    ) -> tuple[
        list[tuple[str, str, str | None, int | None]],
        list[tuple[str, list[int], int, float, list[str]]],
    ]: ...
    def flows(self) -> list[tuple[str, list[int]]]: ...
    def gauges(self) -> list[tuple[ScopeParts, int | None, int | None, str, str]]: ...
    def buffer_levels(
        self,
    ) -> list[tuple[int, float, bool, list[tuple[str, str, float]]]]: ...
    def switches_dropping_cells(self) -> list[str]: ...
    def key(self) -> str: ...
    def run(
        self,
        seed: int,
        replication: int,
        control: Control | None = None,
        capture: Capture | None = None,
    ) -> Run: ...
    def watch(
        self,
        seed: int,
        replication: int,
        watcher: Callable[[Snapshot], tuple[float, float]],
        control: Control | None = None,
    ) -> Run: ...
