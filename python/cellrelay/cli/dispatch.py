"""The entry point: the list of commands, and the messages of errors."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from inspect import cleandoc
from io import TextIOWrapper
from textwrap import indent

from cyclopts import App, CycloptsError

from cellrelay.cli.exits import BAD_INPUT, BROKEN_MODEL, INTERRUPTED, STOPPED_EARLY, Refusal
from cellrelay.cli.misread import explained
from cellrelay.cli.version import version
from cellrelay.errors import ScenarioError, SimulationError
from cellrelay.simulation.run import OtherModel
from cellrelay.text.printable import guarded

EXAMPLES = """\
cellrelay check scenario.toml
cellrelay run scenario.toml --replications 10
cellrelay plot results/scenario --metric goodput
cellrelay reproduce romanow-floyd --quick
"""

COMMANDS = [
    *("calibrate", "check", "compare", "explain", "export", "list", "merge"),
    *("plot", "reproduce", "run", "schema", "sensitivity", "size", "warm-up", "watch"),
]
"""The commands, each in the module of its name in `commands`."""


def app(names: Sequence[str] = COMMANDS) -> App:
    """The commands with these names."""
    whole = App(
        name="cellrelay",
        help="Simulate transport protocols on networks that cut data into cells and packets.",
        help_epilogue=_examples(EXAMPLES),
        help_format="plaintext",
        version=version,
        result_action="return_value",
        suppress_keyboard_interrupt=False,
    )
    for name in names:
        module = import_module(f"cellrelay.cli.commands.{name.replace('-', '_')}")
        whole.command(
            module.command,
            name=name,
            help=_flowing(module.command.__doc__ or ""),
            help_epilogue=_examples(module.EXAMPLES),
        )
    whole.register_install_completion_command(
        name="completion",
        add_to_startup=False,
        help="Install completion for your shell; its start-up files stay as they are.",
        help_epilogue=_examples("cellrelay completion --shell bash\n"),
    )
    return whole


def _flowing(text: str) -> str:
    """Join the lines of each paragraph."""
    paragraphs = cleandoc(text).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split("\n")) for paragraph in paragraphs)


def _examples(lines: str) -> str:
    return f"Examples:\n\n{indent(lines, '  ')}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; errors of the user get no traceback."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal without `±` shows a replacement character.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    with guarded(sys.stdout, sys.stderr):
        return _run(arguments)


def _run(arguments: Sequence[str] | None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    # The other commands take longer to import than a small run takes.
    named = [word for word in words[:1] if word in COMMANDS]
    try:
        code = app(named or COMMANDS)(words, exit_on_error=False, print_error=False)
        sys.stdout.flush()
        return code or 0
    except CycloptsError as error:
        return _refuse(explained(error, COMMANDS))
    except ScenarioError as error:
        return _refuse(_every_problem(error))
    except (Refusal, OtherModel) as error:
        return _refuse(str(error))
    except SimulationError as error:
        return _say(f"a model invariant was violated: {error}", BROKEN_MODEL)
    except ModuleNotFoundError as error:
        return _missing(error)
    except BrokenPipeError:
        # The reader of standard output has closed it, as `| head` does; this keeps the interpreter
        # from reporting the error again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        code = STOPPED_EARLY if error.errno == errno.ENOSPC else BAD_INPUT
        return _say(_explained(error), code)
    except KeyboardInterrupt:
        return _say("interrupted", INTERRUPTED)


def _refuse(message: str) -> int:
    return _say(message, BAD_INPUT)


def _every_problem(error: ScenarioError) -> str:
    """The message of a scenario's error, with `error:` before each problem after the first, too."""
    texts = getattr(error, "texts", None)
    if texts is None:
        return str(error)
    message = "\nerror: ".join(texts)
    return f"{message}\n{error.omission}" if error.omission else message


def _say(message: str, code: int) -> int:
    print(f"error: {message}", file=sys.stderr)
    return code


def _explained(error: OSError) -> str:
    reason = error.strerror or str(error)
    reason = reason[:1].lower() + reason[1:]
    message = f"{error.filename}: {reason}" if error.filename else reason
    remedy = _REMEDIES.get(error.errno or 0)
    return message if remedy is None or "hint: " in message else f"{message}\n  hint: {remedy}"


_REMEDIES = {
    errno.ENOENT: "check the path, and that its folder exists",
    errno.EEXIST: "a file has the name of the folder: choose another --out",
    errno.ENOTDIR: "part of this path is a file, not a folder: choose another path",
    errno.EISDIR: "name a file, for example one in this folder",
    errno.EACCES: "check its permissions, or choose another path",
    errno.EPERM: "check its permissions, or choose another path",
    errno.EROFS: "the file system is read-only: choose another path",
    errno.EIO: "name an ordinary file",
}
"""Hints for errors of the file system, by error number."""


def _missing(error: ModuleNotFoundError) -> int:
    packages = {
        "plot": ("matplotlib",),
        "data": ("xarray", "pandas", "pyarrow"),
        "cluster": ("distributed", "dask", "submitit"),
        "live": ("starlette", "uvicorn", "websockets"),
        "sensitivity": ("SALib",),
        "calibration": ("optuna",),
        "gym": ("gymnasium",),
    }
    extras = {name: extra for extra, names in packages.items() for name in names}
    package = (error.name or "").partition(".")[0]
    if package not in extras:
        raise error
    extra = extras[package]
    hint = f"run `pip install 'cellrelay[{extra}]'`"
    return _refuse(f"`{package}` is not installed\n  hint: {hint}")
