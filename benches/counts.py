"""`make bench-counts`: instructions that a hop takes, beside those recorded in `BENCHMARKS.md`."""

from __future__ import annotations

import datetime
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from benches.callgrind import build, per_hop_of_all, workloads

RECORD = Path(__file__).with_name("BENCHMARKS.md")
TOLERANCE = 0.03

TODAY = "| workload | instructions a hop |\n|---|---:|\n"
HISTORY = re.compile(r"\| date \| what has changed \|(?P<names>.*)\n\|[-:|]+\|\n")


class Difference(NamedTuple):
    """A count that is not what was recorded."""

    workload: str
    text: str


def measure() -> dict[str, float]:
    """Instructions that a hop takes, by workload."""
    program = build()
    chosen = workloads(program)
    return dict(zip(chosen, per_hop_of_all(program, chosen.items()), strict=True))


def recorded(page: str) -> dict[str, float]:
    """What the page says of each workload."""
    today = page.partition(TODAY)[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `(.+)` \| ([\d.]+) \|$", today, re.MULTILINE)
    return {name: float(count) for name, count in rows}


def differences(was: Mapping[str, float], now: Mapping[str, float]) -> list[Difference]:
    """What is more than the tolerance above or below its record, or is in only one of the two."""
    found = []
    for name in [*now, *(name for name in was if name not in now)]:
        if name not in was:
            found.append(Difference(name, "has no record"))
        elif name not in now:
            found.append(Difference(name, "is recorded, but no longer counted"))
        elif abs(now[name] / was[name] - 1) > TOLERANCE:
            word = "more" if now[name] > was[name] else "less"
            change = f"{abs(now[name] / was[name] - 1):.1%} {word} than its record"
            found.append(Difference(name, f"{now[name]:.1f} instructions a hop: {change}"))
    return found


def renewed(page: str, now: Mapping[str, float], why: str, date: str) -> str:
    """The page with these counts, and a line of history that says what has changed."""
    before, _, rest = page.partition(TODAY)
    _, _, after = rest.partition("\n\n")
    rows = "\n".join(f"| `{name}` | {count:.1f} |" for name, count in now.items())
    history = HISTORY.search(after)
    assert history, "the page has a table of its history"
    names = [name.strip(" `") for name in history["names"].strip("|").split("|")]
    counts = " | ".join(f"{now[name]:.0f}" for name in names)
    line = f"| {date} | {why} | {counts} |\n"
    return f"{before}{TODAY}{rows}\n\n{after[: history.end()]}{line}{after[history.end() :]}"


def advice() -> str:
    """What to do about differences."""
    return (
        f'counted with {compiler()}; if this is meant: make bench-counts RECORD="what has changed"'
    )


def compiler() -> str:
    """The compiler, which has its share in every count."""
    done = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True)
    return done.stdout.split(" (")[0]


def main(why: str = "") -> int:
    """Print counts beside their records; with a reason, record them."""
    page = RECORD.read_text(encoding="utf-8")
    was, now = recorded(page), measure()
    print(f"{'instructions a hop':28} {'recorded':>9} {'counted':>9} {'change':>8}")
    for name, count in now.items():
        change = f"{count / was[name] - 1:+8.1%}" if name in was else f"{'new':>8}"
        print(f"{name:28} {was.get(name, 0.0):9.1f} {count:9.1f} {change}")
    if why:
        date = datetime.date.today().isoformat()
        page = re.sub(r"rustc [\d.]+", compiler(), renewed(page, now, why, date))
        RECORD.write_text(page, encoding="utf-8")
        return 0
    for name, text in (found := differences(was, now)):
        print(f"{name}: {text}", file=sys.stderr)
    if found:
        print(advice(), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
