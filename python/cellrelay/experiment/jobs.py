"""Parts of a sweep as the jobs of a Slurm array, submitted by submitit.

Every job fills a store of its own in a shared folder, so no process listens on a port and no data
is sent. A job that is pre-empted or out of time is queued again, and continues from its store.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from cellrelay.execute import open_pool
from cellrelay.experiment.plan import Shard
from cellrelay.experiment.sweep import Filled, fill
from cellrelay.scenario import Replications, Scenario
from cellrelay.simulation import run
from cellrelay.store import Store, is_aside

SHARDS = "shards"
"""Folder of the stores of parts, within the folder of results."""

LOGS = "jobs"
"""Folder of the logs of jobs, within the folder of the stores."""

MINUTES = 60
"""Default time limit of a job, in minutes."""


MOST_STARTS = 1000
"""Limit of requeues of a job; each continues from the job's store, so the limit is high."""


class Array(NamedTuple):
    """Division of a sweep into jobs, with the resources that each requests."""

    where: Literal["slurm", "local"]
    """`slurm`, or `local` for processes on this machine."""
    jobs: int
    parameters: dict[str, Any]
    """Parameters of submitit's Slurm executor: `time` in minutes, `partition`, ..."""

    @classmethod
    def parse(cls, spec: str) -> Array:
        """Parse `slurm:N,NAME=VALUE,...`.

        >>> Array.parse("slurm:8,time=30,partition=short")
        Array(where='slurm', jobs=8, parameters={'time': 30, 'partition': 'short'})
        """
        kind, _, rest = spec.partition(":")
        count, *pairs = rest.split(",")
        if kind not in ("slurm", "local") or not (count.isdecimal() and int(count) > 0):
            raise ValueError(
                f"`{spec}` has no number of jobs"
                "\n  hint: write for example `slurm:8` or `slurm:8,time=30,partition=short`"
            )
        parameters: dict[str, Any] = {}
        for pair in pairs:
            name, equals, value = pair.partition("=")
            if not (name and equals and value):
                raise ValueError(
                    f"`{pair}` has no value\n  hint: write for example `slurm:8,time=30`"
                )
            parameters[name] = int(value) if value.isdecimal() else value
        return cls("slurm" if kind == "slurm" else "local", int(count), parameters)


def part_path(folder: Path, shard: Shard) -> Path:
    """The store of a part."""
    return folder / SHARDS / f"{shard}.sqlite"


def parts_in(folder: Path) -> list[Path]:
    """The existing stores of all parts, without damaged ones that were put aside."""
    return [path for path in sorted((folder / SHARDS).glob("*.sqlite")) if not is_aside(path)]


def part_paths(folder: Path, array: Array) -> list[Path]:
    """The stores of an array of jobs."""
    return [part_path(folder, Shard(number, array.jobs)) for number in range(1, array.jobs + 1)]


@dataclass(frozen=True)
class Part:
    """A job: one part of a sweep."""

    scenario: Scenario
    rule: Replications
    shard: Shard
    folder: Path
    threads: int | None
    model: str = run.MODEL

    def __call__(self) -> Filled:
        """Make the missing runs of the part, on the machine of the job."""
        if self.model != run.MODEL:
            raise run.OtherModel(run.MODEL, self.model, "the machine of a job")
        with (
            open_pool(jobs=self.threads) as pool,
            Store(part_path(self.folder, self.shard)) as store,
        ):
            return fill(self.scenario, pool, store, self.shard, replications=self.rule)

    def checkpoint(self) -> Any:
        """The job that submitit queues when this one is pre-empted; it continues from the store."""
        from submitit.helpers import DelayedSubmission

        return DelayedSubmission(self)


class Unfinished(Exception):
    """Jobs ended before their parts were complete."""


def run_jobs(
    scenario: Scenario,
    rule: Replications,
    array: Array,
    folder: Path,
    watch: Callable[[int, int], None] = lambda done, jobs: None,
) -> list[Path]:
    """Submit an array of jobs, wait for all, and return the stores that they filled.

    `watch` gets the number of jobs that have ended, and their total. Raises `Unfinished` if some
    failed.
    """
    folder = folder.resolve()
    executor = _executor(array, folder / LOGS)
    shards = [Shard(number, array.jobs) for number in range(1, array.jobs + 1)]
    threads = array.parameters.get("cpus_per_task")
    parts = [Part(scenario, rule, shard, folder, threads) for shard in shards]
    with executor.batch():
        jobs = [executor.submit(part) for part in parts]
    queue = _Queue(jobs) if array.where == "slurm" else _Processes()
    try:
        while not all(done := [queue.has_ended(job) for job in jobs]):
            watch(sum(done), len(jobs))
            time.sleep(POLL)
            queue.look()
    except BaseException:
        for job in jobs:
            job.cancel()
        raise
    watch(len(jobs), len(jobs))
    if failed := {job.job_id: error for job in jobs if (error := _error(job))}:
        first, error = next(iter(failed.items()))
        raise Unfinished(
            f"{len(failed)} of {len(jobs)} jobs failed, {first} with: {error}"
            f"\n  hint: {folder / LOGS} has their logs; run the same command again to continue"
        )
    return part_paths(folder, array)


POLL = 0.5
"""Interval between checks for results of jobs, in seconds."""

LOOK = 10.0
"""Interval between queries to Slurm, in seconds."""


class _Queue:
    """The jobs in Slurm's queue, which works even without accounting (`sacct`)."""

    def __init__(self, jobs: Sequence[Any]) -> None:
        self._ids = ",".join(job.job_id for job in jobs)
        # Jobs in the last two answers: a result may appear after its job has left the queue.
        self._listed = [{job.job_id for job in jobs}] * 2
        self._looked = time.monotonic()

    def look(self) -> None:
        """Query Slurm, if the last query is old enough."""
        if time.monotonic() < self._looked + LOOK:
            return
        self._looked = time.monotonic()
        command = ["squeue", "--noheader", "--array", "--format=%i", f"--jobs={self._ids}"]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        if answer.returncode == 0:
            listed = set(answer.stdout.split())
        elif "Invalid job id" in answer.stderr:
            # Slurm no longer knows any of the jobs.
            listed = set()
        else:
            return
        self._listed = [self._listed[1], listed]

    def has_ended(self, job: Any) -> bool:
        """True if a job has left a result, or has left the queue without one."""
        is_listed = any(job.job_id in listed for listed in self._listed)
        return bool(job.paths.result_pickle.exists()) or not is_listed


class _Processes:
    """The jobs of this machine."""

    def look(self) -> None:
        """Do nothing: local jobs have no queue."""

    def has_ended(self, job: Any) -> bool:
        """True if the process of a job has ended."""
        return bool(job.done())


def _error(job: Any) -> str | None:
    """The error of a job, `None` if it succeeded."""
    if job.paths.result_pickle.exists():
        error = job.exception()
        return None if error is None else _last_line(error)
    said = (job.stderr() or "").strip().splitlines()
    return said[-1] if said else "the job ended without a result"


def _executor(array: Array, logs: Path) -> Any:
    import submitit

    if array.where == "local":
        executor = submitit.LocalExecutor(folder=logs)
        executor.update_parameters(timeout_min=array.parameters.get("time", MINUTES))
        return executor
    try:
        slurm = submitit.SlurmExecutor(folder=logs, max_num_timeout=MOST_STARTS)
        asked = {"time": MINUTES, "cpus_per_task": 1, "job_name": "cellrelay"} | array.parameters
        slurm.update_parameters(**asked)
    except (RuntimeError, ValueError) as error:
        raise ValueError(
            f"{_last_line(error)}\n  hint: install `sbatch` and `srun` on this machine"
        ) from error
    return slurm


def _last_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[-1] if lines else type(error).__name__
