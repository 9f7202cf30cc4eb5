"""The version of the core, once it is known to be the one that the Python package was written for.

A checkout holds the sources of both. A change of the package has its effect at once, and a change
of the core has it after the next build.
"""

from __future__ import annotations

from pathlib import Path

from cellrelay import _core


def refuse_another(interface: bytes, stub: Path) -> None:
    """Raise an `ImportError` if the package expects another interface than the core has.

    A package without its stub file, such as one that was packed into an executable, is not
    examined.
    """
    if stub.exists() and stub.read_bytes() != interface:
        raise ImportError(
            "the core was compiled for another version of the Python package\n"
            "  hint: compile it again, by `make .venv/.built` or `pip install .`"
        )


# A core that is older than this check has no such name.
refuse_another(getattr(_core, "INTERFACE", b""), Path(__file__).with_name("_core.pyi"))
VERSION = _core.VERSION
