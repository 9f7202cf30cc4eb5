"""A Slurm of one node, started for a test and stopped after it: no accounting, no secrets."""

from __future__ import annotations

import getpass
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .debian import require
from .patience import PATIENCE

CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={controller}
SlurmdPort={daemon}
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
KillWait=1
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


@contextmanager
def slurm(folder: Path) -> Iterator[dict[str, str]]:
    """A running Slurm; what its commands must find in their environment."""
    require("slurmctld", package="slurmctld")
    require("slurmd", package="slurmd")
    require("sbatch", package="slurm-client")
    configuration = folder / "slurm.conf"
    names = {"host": socket.gethostname().split(".")[0], "user": getpass.getuser()}
    controller, daemon = _free_ports()
    text = CONFIGURATION.format(folder=folder, controller=controller, daemon=daemon, **names)
    configuration.write_text(text, encoding="utf-8")
    for name in ("state", "spool"):
        (folder / name).mkdir()
    environment = os.environ | {"SLURM_CONF": str(configuration)}
    with (folder / "daemons.log").open("wb") as log:
        daemons = [
            subprocess.Popen(command, env=environment, stdout=log, stderr=log)
            for command in (["slurmctld", "-D"], ["slurmd", "-D", "-N", names["host"]])
        ]
        try:
            _await_node(environment, log.name)
            yield {"SLURM_CONF": str(configuration)}
        finally:
            _cancel_jobs(environment)
            for one in reversed(daemons):
                _end(one)


def _free_ports() -> tuple[int, int]:
    with socket.socket() as first, socket.socket() as second:
        for one in (first, second):
            one.bind(("127.0.0.1", 0))
        return first.getsockname()[1], second.getsockname()[1]


def _await_node(environment: dict[str, str], log: str) -> None:
    for _ in range(100):
        told = subprocess.run(
            ["sinfo", "--noheader", "--format=%t"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if told.stdout.strip() == "idle":
            return
        time.sleep(0.2)
    raise TimeoutError(f"Slurm has no idle node: {told}\n{Path(log).read_text()}")


def _cancel_jobs(environment: dict[str, str]) -> None:
    """Let no job outlive the daemon that could end it."""
    cancel = ["scancel", "--quiet", "--partition=all"]
    # What waits first, or it would begin; then, at once, what submitit lets ignore SIGTERM.
    for more in (["--state=PENDING"], ["--full", "--signal=KILL"]):
        subprocess.run([*cancel, *more], env=environment, check=False, timeout=PATIENCE)
    for _ in range(100):
        told = subprocess.run(
            ["squeue", "--noheader"],
            env=environment,
            capture_output=True,
            check=False,
            timeout=PATIENCE,
        )
        if not told.stdout.strip():
            return
        time.sleep(0.1)


def _end(daemon: subprocess.Popen[bytes]) -> None:
    daemon.terminate()
    try:
        daemon.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        daemon.kill()
        daemon.wait()
