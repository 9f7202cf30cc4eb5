"""`python -m website.playground FOLDER` compiles the core and writes the playground."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from release.cross import NoCompiler

from website.playground.build import build
from website.playground.compiler import compiled


def main() -> None:
    """Compile and build."""
    parser = argparse.ArgumentParser(prog="python -m website.playground", description=__doc__)
    parser.add_argument("folder", type=Path, help="replaced by the playground")
    folder = parser.parse_args().folder
    try:
        print(build(compiled(), folder))
    except NoCompiler as missing:
        sys.exit(str(missing))


if __name__ == "__main__":
    main()
