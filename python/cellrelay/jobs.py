"""Parts of a sweep as the jobs of a Slurm array, submitted by submitit.

Every job fills a store of its own in a folder that all machines share, so nothing listens and
nothing is sent. A job that is pre-empted or out of time is queued again, and goes on from what its
store holds.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from cellrelay import simulate
from cellrelay.execute import open_crew
from cellrelay.plan import Shard
from cellrelay.scenario import Replications, Scenario
from cellrelay.store import Store, is_aside
from cellrelay.sweep import Filled, fill

SHARDS = "shards"
"""The folder of the stores of parts, within the folder of results."""

LOGS = "jobs"
"""What jobs say, within the same."""

MINUTES = 60
"""Time that a job is given where nothing else is said."""


MOST_STARTS = 1000
"""A job that is out of time goes on from its store: it may be queued again as often as it needs."""


class Array(NamedTuple):
    """How a sweep is divided into jobs, and what each asks for."""

    where: Literal["slurm", "local"]
    """On Slurm, or as processes of this machine, to try it."""
    jobs: int
    parameters: dict[str, Any]
    """Those of submitit's Slurm executor: `time` in minutes, `partition`, `cpus_per_task`, ..."""

    @classmethod
    def parse(cls, spec: str) -> Array:
        """What `slurm:N,NAME=VALUE,...` means.

        >>> Array.parse("slurm:8,time=30,partition=short")
        Array(where='slurm', jobs=8, parameters={'time': 30, 'partition': 'short'})
        """
        kind, _, rest = spec.partition(":")
        count, *pairs = rest.split(",")
        if kind not in ("slurm", "local") or not (count.isdecimal() and int(count) > 0):
            raise ValueError(
                f"`{spec}` does not say how many jobs"
                "\n  hint: for example `slurm:8` or `slurm:8,time=30,partition=short`"
            )
        parameters: dict[str, Any] = {}
        for pair in pairs:
            name, equals, value = pair.partition("=")
            if not (name and equals and value):
                raise ValueError(f"`{pair}` has no value\n  hint: for example `slurm:8,time=30`")
            parameters[name] = int(value) if value.isdecimal() else value
        return cls("slurm" if kind == "slurm" else "local", int(count), parameters)


def part_path(folder: Path, shard: Shard) -> Path:
    """The store of a part."""
    return folder / SHARDS / f"{shard}.sqlite"


def parts_in(folder: Path) -> list[Path]:
    """The stores of all parts that there are, but for damaged ones that were put aside."""
    return [path for path in sorted((folder / SHARDS).glob("*.sqlite")) if not is_aside(path)]


def part_paths(folder: Path, array: Array) -> list[Path]:
    """The stores that an array fills."""
    return [part_path(folder, Shard(number, array.jobs)) for number in range(1, array.jobs + 1)]


@dataclass(frozen=True)
class Part:
    """A job: one part of a sweep."""

    scenario: Scenario
    rule: Replications
    shard: Shard
    folder: Path
    threads: int | None
    model: str = simulate.MODEL

    def __call__(self) -> Filled:
        """Run what is missing of the part, on the machine that the job was given."""
        if self.model != simulate.MODEL:
            raise simulate.OtherModel(simulate.MODEL, self.model, "the machine of a job")
        with (
            open_crew(jobs=self.threads) as crew,
            Store(part_path(self.folder, self.shard)) as store,
        ):
            return fill(self.scenario, crew, store, self.shard, replications=self.rule)

    def checkpoint(self) -> Any:
        """What submitit queues when the job has to go: the same again, which goes on."""
        from submitit.helpers import DelayedSubmission

        return DelayedSubmission(self)


class Unfinished(Exception):
    """Jobs that ended without having filled their part."""


def run_jobs(
    scenario: Scenario,
    rule: Replications,
    array: Array,
    folder: Path,
    watch: Callable[[int, int], None] = lambda done, jobs: None,
) -> list[Path]:
    """Submit an array of jobs, wait for all, and return the stores that they filled.

    `watch` is told how many jobs have ended, of how many. Raises `Unfinished` if some failed.
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
            f"\n  hint: {folder / LOGS} has what they said; the same command goes on from here"
        )
    return part_paths(folder, array)


POLL = 0.5
"""Seconds between two looks for results."""

LOOK = 10.0
"""Seconds between two questions to Slurm."""


class _Queue:
    """Which jobs Slurm still has: that is known even where it keeps no accounts for `sacct`."""

    def __init__(self, jobs: Sequence[Any]) -> None:
        self._ids = ",".join(job.job_id for job in jobs)
        # Jobs in the two last answers: a result may show later than its job goes.
        self._listed = [{job.job_id for job in jobs}] * 2
        self._looked = time.monotonic()

    def look(self) -> None:
        """Ask Slurm, now and then."""
        if time.monotonic() < self._looked + LOOK:
            return
        self._looked = time.monotonic()
        command = ["squeue", "--noheader", "--array", "--format=%i", f"--jobs={self._ids}"]
        told = subprocess.run(command, capture_output=True, text=True, check=False)
        if told.returncode == 0:
            listed = set(told.stdout.split())
        elif "Invalid job id" in told.stderr:
            # Slurm has forgotten all of them.
            listed = set()
        else:
            return
        self._listed = [self._listed[1], listed]

    def has_ended(self, job: Any) -> bool:
        """Whether a job has left a result, or is gone without."""
        is_listed = any(job.job_id in listed for listed in self._listed)
        return bool(job.paths.result_pickle.exists()) or not is_listed


class _Processes:
    """The jobs of this machine."""

    def look(self) -> None:
        """There is nobody to ask."""

    def has_ended(self, job: Any) -> bool:
        """Whether the process of a job has ended."""
        return bool(job.done())


def _error(job: Any) -> str | None:
    """How a job failed, if it did."""
    if job.paths.result_pickle.exists():
        error = job.exception()
        return None if error is None else _last_line(error)
    said = (job.stderr() or "").strip().splitlines()
    return said[-1] if said else "it ended without a result"


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
            f"{_last_line(error)}\n  hint: `sbatch` and `srun` must be here"
        ) from error
    return slurm


def _last_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[-1] if lines else type(error).__name__
