"""`cellrelay completion` writes a script that its shell reads, and that completes our commands."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from cellrelay.cli.dispatch import COMMANDS
from cellrelay.cli.exits import DONE

from .command import Command

EVERY = {*COMMANDS, "completion"}

NAMED = {
    "fish": r"^complete -c cellrelay -n __fish_use_subcommand -a '([\w-]+)'",
    "powershell": r"@\{ N = '([\w-]+)'; D = [^@]+; T = \$n\d+ \}",
    "zsh": r"^ {8}'([\w-]+):",
}
"""How the script of a shell that tests do not run names a command."""


def _script(command: Command, shell: str) -> Path:
    path = Path(f"completion.{shell}").resolve()
    assert command("completion", "--shell", shell, "--output", str(path)).code == DONE
    return path


def _completed(script: Path, *words: str) -> set[str]:
    """The words that bash offers for completion after these."""
    line = " ".join(f"'{word}'" for word in words)
    ask = f"""
        source '{script}'
        COMP_WORDS=({line}) COMP_CWORD={len(words) - 1}
        read -ra registered < <(complete -p cellrelay)
        "${{registered[2]}}"
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    ended = subprocess.run(["bash", "--norc", "-c", ask], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    return set(ended.stdout.split())


def test_bash_reads_the_script_and_completes_commands_options_and_choices(
    command: Command,
) -> None:
    script = _script(command, "bash")
    subprocess.run(["bash", "-n", str(script)], check=True)
    assert _completed(script, "cellrelay", "") == EVERY
    assert _completed(script, "cellrelay", "wa") == {"warm-up", "watch"}
    assert _completed(script, "cellrelay", "run", "--replic") == {"--replications"}
    choices = {"bar", "lines", "json", "none"}
    assert _completed(script, "cellrelay", "run", "--progress", "") == choices


@pytest.mark.parametrize("shell", NAMED)
def test_the_script_of_another_shell_names_every_command(command: Command, shell: str) -> None:
    text = _script(command, shell).read_text(encoding="utf-8")
    assert set(re.findall(NAMED[shell], text, re.MULTILINE)) == EVERY


def test_the_script_goes_where_bash_looks_and_no_start_up_file_is_written(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("BASH_COMPLETION_USER_DIR", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert command("completion", "--shell", "bash").code == DONE
    (written,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert written == tmp_path / ".local/share/bash-completion/completions/cellrelay"
