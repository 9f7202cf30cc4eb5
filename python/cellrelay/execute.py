"""Where runs happen: behind `concurrent.futures.Executor`, on threads of this process by default.

Threads are enough on one machine, because a run releases the interpreter lock.
"""

from __future__ import annotations

import os
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from cellrelay.errors import SimulationError
from cellrelay.simulate import Cancelled, Control, Run, Task, simulate


def processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Failure:
    """A run that did not finish; `is_final` if the model broke, as it would again."""

    error: str
    is_final: bool
    unwritten: OSError | None = None
    """Why its captures could not be written, as those of others could not be."""


class Crew:
    """An executor with a number of workers, and the runs they are making.

    A crew is a context: leaving it cancels what is still running and waits for it to stop.
    """

    def __init__(self, executor: Executor, workers: int, *, is_ours: bool = True) -> None:
        self.workers = workers
        self._is_ours = is_ours
        self._executor = executor
        # A control is a flag in memory: it reaches the runs of this process only.
        self._shares_memory = isinstance(executor, ThreadPoolExecutor)
        self._running: dict[Future[Run], tuple[Task, Control | None]] = {}

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()
        if self._is_ours:
            self._executor.shutdown(wait=True, cancel_futures=True)

    def __len__(self) -> int:
        """Runs handed out and not yet collected."""
        return len(self._running)

    @property
    def fraction(self) -> float:
        """Simulated time done by the runs at work, as a number of whole runs."""
        return sum(control.fraction for _, control in self._running.values() if control)

    def submit(self, task: Task) -> None:
        """Hand out a run."""
        control = Control() if self._shares_memory else None
        future = self._executor.submit(simulate, task, control)
        self._running[future] = (task, control)

    def collect(self, timeout: float) -> list[tuple[Task, Run | Failure]]:
        """Runs that have ended, waiting for one at most `timeout` seconds."""
        ended = wait(self._running, timeout, FIRST_COMPLETED).done
        in_order = [future for future in self._running if future in ended]
        tasks = [self._running.pop(future)[0] for future in in_order]
        return [
            (task, _outcome(task, future)) for task, future in zip(tasks, in_order, strict=True)
        ]

    def cancel(self) -> list[tuple[Task, Run | Failure]]:
        """Stop every run; those that had ended are returned all the same."""
        for future, (_, control) in self._running.items():
            if control:
                control.cancel()
            future.cancel()
        ended = self.collect(timeout=0.0)
        self._running.clear()
        return [(task, outcome) for task, outcome in ended if outcome is not _CANCELLED]


_CANCELLED = Failure("cancelled", is_final=False)


def _outcome(task: Task, future: Future[Run]) -> Run | Failure:
    if future.cancelled():
        return _CANCELLED
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, Cancelled):
        return _CANCELLED
    unwritten = error if isinstance(error, OSError) and error.filename and task.capture else None
    return Failure(
        f"{type(error).__name__}: {error}",
        is_final=isinstance(error, SimulationError),
        unwritten=unwritten,
    )


def open_crew(spec: str = "threads", jobs: int | None = None) -> Crew:
    """The crew that `spec` names: `threads`, or `threads:N`; without N there are `jobs`."""
    kind, _, count = spec.partition(":")
    if kind != "threads":
        raise ValueError(f"`{spec}` is not an executor\n  hint: `threads` or `threads:N`")
    if count and not (count.isdecimal() and int(count) > 0):
        raise ValueError(f"`{count}` is not a number of threads\n  hint: for example `threads:2`")
    workers = int(count) if count else jobs or processors()
    return Crew(ThreadPoolExecutor(workers, thread_name_prefix="run"), workers)
