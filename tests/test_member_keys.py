"""What the keys of stored runs cover of a member: its imports, and names of its notebook."""

from __future__ import annotations

import os
import subprocess
import sys
import types
from pathlib import Path

from .scenarios import PORT

LIMITED = """\
from cellrelay import members
import job

@members.discard
class JobLimit:
    def begin(self, buffer):
        pass

    def admit(self, offer):
        return offer.fits and offer.queued + offer.size <= job.LIMIT
"""


def test_runs_are_made_again_when_a_module_of_a_member_has_changed(tmp_path: Path) -> None:
    """Stored runs came back although the imported limit was another."""
    (tmp_path / "policy.py").write_text(LIMITED)
    (tmp_path / "port.toml").write_text(PORT)
    line = "run port.toml --members policy.py --out out --replications 1 --metric goodput"
    line += " --set switch.s1.discard.job_limit={}"
    told: dict[int, str] = {}
    for limit in (20, 400, 20):
        (tmp_path / "job.py").write_text("import deeper\nLIMIT = deeper.LIMIT\n")
        (tmp_path / "deeper.py").write_text(f"LIMIT = {limit}\n")
        ended = subprocess.run(
            [str(Path(sys.executable).with_name("cellrelay")), *line.split()],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert told.setdefault(limit, ended.stdout) == ended.stdout
    assert told[20] != told[400]


def test_a_class_of_a_notebook_is_covered_with_what_it_uses() -> None:
    from cellrelay.members.imported import beside

    module = types.ModuleType("notebook")
    source = (
        "LIMIT = 30\ndef most():\n    return LIMIT\nclass Policy:\n    def admit(self, offer):\n"
    )
    source += "        return offer.queued < most() and not other\nother = None\nunused = 5\n"
    exec(compile(source, "<cell>", "exec"), vars(module))
    module.most.__module__ = module.Policy.__module__ = "notebook"
    used = beside(module.Policy, module)
    assert set(used) == {"LIMIT", "most", "other"}
    assert used["LIMIT"] == "30"
