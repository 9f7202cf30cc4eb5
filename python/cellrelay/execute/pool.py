"""Runs submitted to workers, and collected as they end."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from cellrelay.errors import SimulationError
from cellrelay.simulation.run import Cancelled, Control, OtherModel, Run, Task, simulate


@dataclass(frozen=True)
class Failure:
    """A run that did not finish; `is_final` is true if it would fail again."""

    error: str
    is_final: bool
    reason: OSError | OtherModel | None = None
    """Errors that every run would raise: captures cannot be written, or a worker has another model.
    """


class WorkerPool:
    """An executor with a number of workers, and the runs that they make.

    A worker pool is a context: leaving it cancels unfinished runs and waits for them to stop.
    """

    def __init__(
        self,
        executor: Executor,
        workers: int | Callable[[], int],
        close: Callable[[], None] = lambda: None,
        threads: int = 1,
    ) -> None:
        """Make runs on at most so many `threads` each."""
        self._workers = workers
        self._close = close
        self._threads = threads
        self._executor = executor
        # A control is a flag in memory, so it reaches only runs of this process.
        self._shares_memory = isinstance(executor, ThreadPoolExecutor)
        self._running: dict[Future[Run], tuple[Task, Control | None]] = {}

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()
        self._close()

    def __len__(self) -> int:
        """Number of runs submitted and not yet collected."""
        return len(self._running)

    @property
    def workers(self) -> int:
        """Number of parallel runs; at least one, even if a cluster has no worker now."""
        known = self._workers if isinstance(self._workers, int) else self._workers()
        return max(1, known)

    @property
    def shares_memory(self) -> bool:
        """True if runs are made in this process, and so on this machine."""
        return self._shares_memory

    def underway(self) -> list[tuple[Task, Control]]:
        """The running runs of this process, with the progress of each."""
        return [(task, control) for task, control in self._running.values() if control]

    def submit(self, task: Task) -> None:
        """Submit a run."""
        control = Control() if self._shares_memory else None
        try:
            future = self._executor.submit(simulate, task, control, self._threads)
            self._running[future] = (task, control)
        except BaseException:
            # Ctrl-C may come when the run has begun and its future is not known yet.
            if control:
                control.cancel()
            raise

    def collect(self, timeout: float) -> list[tuple[Task, Run | Failure]]:
        """Runs that have ended; waits for the first at most `timeout` seconds."""
        ended = wait(self._running, timeout, FIRST_COMPLETED).done
        in_order = [future for future in self._running if future in ended]
        tasks = [self._running.pop(future)[0] for future in in_order]
        return [
            (task, _outcome(task, future)) for task, future in zip(tasks, in_order, strict=True)
        ]

    def cancel(self) -> list[tuple[Task, Run | Failure]]:
        """Stop every run; runs that had ended are still collected."""
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
    writes = task.capture or task.packets or task.connections
    is_unwritten = isinstance(error, OSError) and error.filename and writes
    is_general = is_unwritten or isinstance(error, OtherModel)
    return Failure(
        f"{type(error).__name__}: {error}",
        is_final=isinstance(error, SimulationError),
        reason=error if is_general else None,  # type: ignore[arg-type]
    )
