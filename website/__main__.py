"""`python -m website FOLDER` builds the site into a folder, and says where it begins."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from website.build import BuildError, build
from website.check import problems


def main() -> None:
    """Build and check."""
    parser = argparse.ArgumentParser(prog="python -m website", description=__doc__)
    parser.add_argument("folder", type=Path, help="replaced by the site")
    folder = parser.parse_args().folder
    try:
        build(folder)
    except BuildError as error:
        sys.exit(str(error))
    if wrong := list(problems(folder)):
        sys.exit("\n".join(wrong))
    print(folder / "index.html")


if __name__ == "__main__":
    main()
