"""Studies on the command line: messages before, during and after their runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cellrelay.cli.exits import DONE, Refusal
from cellrelay.cli.outcome import exit_code, failures, tell_rescue
from cellrelay.cli.outputs import results_folder
from cellrelay.cli.progress import shown, span
from cellrelay.cli.table import write_table
from cellrelay.commit import DIRTY, commit
from cellrelay.execute import WorkerPool
from cellrelay.results import Status
from cellrelay.results.files.folder import STORE
from cellrelay.store import Store
from cellrelay.studies import Study, Table, available, find
from cellrelay.studies.estimate import Forecast
from cellrelay.studies.reproduce import PlannedStudy, Reproduction
from cellrelay.studies.tally import ASIDE
from cellrelay.studies.verdict_map import WORDS, Judged, VerdictMap, failing
from cellrelay.studies.write import REPORT, claims_text, write


def studies_named(name: str) -> list[Study]:
    """One study, or `all`."""
    try:
        return [find(one) for one in (available() if name == "all" else [name])]
    except LookupError as error:
        raise Refusal(str(error.args[0])) from error


def refuse_changes() -> None:
    """Refuse sources that differ from the commit that the core was compiled from."""
    if commit().endswith(DIRTY):
        raise Refusal(
            f"the checkout differs from commit `{commit().removesuffix(DIRTY)}`,"
            " from which the core was compiled\n"
            "  hint: commit the changes and compile the core again by `make .venv/.built`, or give"
            " `--allow-dirty` to reproduce the study as it is"
        )


def reproduce_all(
    studies: Sequence[Study],
    is_quick: bool,
    pool: WorkerPool,
    out: Path,
    *,
    as_json: bool,
    is_mapped: bool,
) -> int:
    """Reproduce the studies in turn; the exit code is the largest of theirs."""
    claims: list[dict[str, Any]] = []
    worst = DONE
    for study in studies:
        name = f"{study.name}-quick" if is_quick else study.name
        folder = results_folder(out / name, name)
        reproduction = _reproduce(study, is_quick, pool, folder, is_mapped)
        claims += reproduction.claims
        worst = max(worst, _exit_code(reproduction.status))
        if not as_json:
            _show(reproduction, folder)
        if reproduction.status is Status.INTERRUPTED:
            break
    if as_json:
        print(claims_text(claims), end="")
    return worst


def _reproduce(
    study: Study, is_quick: bool, pool: WorkerPool, folder: Path, is_mapped: bool
) -> Reproduction:
    with Store(folder / STORE) as store:
        tell_rescue(store)
        planned = PlannedStudy(study, is_quick, store, is_mapped=is_mapped)
        ahead = planned.forecast()
        print(f"{study.name}: {_expected(ahead, pool.workers)}", file=sys.stderr)
        with shown() as watch:
            reproduction = planned.run(pool, watch)
    write(reproduction, folder)
    _tell(reproduction)
    return reproduction


def _exit_code(status: Status) -> int:
    # Claims are judged at the precision that the runs of the study reach; the report states it.
    return DONE if status is Status.IMPRECISE else exit_code(status, is_sweep=True)


def _expected(ahead: Forecast, workers: int) -> str:
    runs = f"{ahead.missing} runs to make, {ahead.found} in the store"
    if not ahead.missing:
        return runs
    return f"{runs}, about {span(max(1.0, ahead.seconds / workers))} with {workers} at a time"


def _tell(reproduction: Reproduction) -> None:
    """Print failures and an interruption in full, and only the number of warnings."""
    warnings = 0
    mapped = reproduction.verdict_map
    under = failing(mapped.columns) if mapped else {}
    for name, results in {**reproduction.measured, **under}.items():
        warnings += len(results.warnings())
        for line in failures(results):
            print(f"{name}: {line}", file=sys.stderr)
    if warnings:
        print(f"warnings: {warnings}, listed in the report", file=sys.stderr)


def _show(reproduction: Reproduction, folder: Path) -> None:
    print(reproduction.study.title)
    print()
    for drawn in reproduction.exhibits:
        if drawn.exhibit.is_printed and isinstance(drawn.content, Table):
            print(drawn.exhibit.title)
            write_table(drawn.content.header, drawn.content.rows, sys.stdout)
            print()
    tally = reproduction.tally
    _show_claims(tally.findings)
    if tally.aside:
        print(f"\n{ASIDE.capitalize()}")
        _show_claims(tally.aside)
    print(f"\n{tally}\n{tally.share}" if tally else "\nno claims")
    if mapped := reproduction.verdict_map:
        _show_map(mapped)
    print(f"report: {folder / REPORT}")


def _show_claims(outcomes: Judged) -> None:
    rows = [
        [claim.id, outcome.in_words, "; ".join(outcome.measured.splitlines())]
        for claim, outcome in outcomes
    ]
    write_table(["claim", "verdict", "measured"], rows, sys.stdout)


def _show_map(mapped: VerdictMap) -> None:
    """Print which verdicts each alternative changes."""
    print()
    rows = []
    for column in mapped.columns:
        changes = [
            f"{claim.id} {WORDS[after.verdict]}" for claim, _, after in mapped.changes(column)
        ]
        rows.append([column.alternative.name, ", ".join(changes) or "nothing"])
    write_table(["alternative", "changes"], rows, sys.stdout)
