"""The folder of a reproduced study: its report, and everything that the report shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cellrelay.files import replacing, write_text
from cellrelay.plot import draw, save
from cellrelay.results.files.folder import write_summary
from cellrelay.studies.report import report
from cellrelay.studies.report_claims import MAP, TITLE
from cellrelay.studies.reproduce import Reproduction

REPORT = "report.html"


def write(reproduction: Reproduction, folder: Path) -> None:
    """Write `report.html`, `claims.json`, `scalars.csv`, figures, replications and scenarios."""
    for name in ("figures", "replications", "scenarios"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for drawn in reproduction.exhibits:
        if drawn.figure is not None:
            with replacing(folder / "figures" / f"{drawn.exhibit.id}.svg") as path:
                save(drawn.figure, path, drawn.exhibit.title, reproduction.origin(drawn.exhibit))
    if reproduction.verdict_map is not None:
        with replacing(folder / "figures" / f"{MAP}.svg") as path:
            save(draw(reproduction.verdict_map.tiles()), path, TITLE, reproduction.origin())
    for name, results in reproduction.measured.items():
        results.write_csv(folder / "replications" / f"{name}.csv")
        write_text(folder / "scenarios" / f"{name}.toml", results.provenance.resolved)
    write_summary(folder / "scalars.csv", dict(reproduction.measured))
    write_text(folder / "claims.json", claims_text(reproduction.claims))
    write_text(folder / REPORT, report(reproduction))


def claims_text(claims: list[dict[str, Any]]) -> str:
    """The JSON document of claims."""
    return json.dumps(claims, indent=1, ensure_ascii=False) + "\n"
