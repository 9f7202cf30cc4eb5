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
    parser.add_argument("--playground", type=Path, help="a built playground, to be a part of it")
    options = parser.parse_args()
    folder = options.folder
    try:
        build(folder, options.playground)
    except BuildError as error:
        sys.exit(str(error))
    if wrong := list(problems(folder)):
        sys.exit("\n".join(wrong))
    print(folder / "index.html")


if __name__ == "__main__":
    main()
