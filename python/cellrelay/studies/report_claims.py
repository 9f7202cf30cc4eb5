"""Claims in the report of a study: their verdicts, their rules, and the map of verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from cellrelay.plot import draw, to_svg
from cellrelay.scenario.toml import inline
from cellrelay.studies.alternative import AS_CHOSEN
from cellrelay.studies.claim import Claim, Outcome, Standing, Verdict
from cellrelay.studies.reproduce import Reproduction
from cellrelay.studies.tally import ASIDE, Tally, counts
from cellrelay.studies.verdict_map import Column, Judged, VerdictMap

MAP = "verdict-map"
TITLE = "The map of verdicts."
"""Name of the figure of the map."""
_CLASSES = {
    Verdict.REPRODUCED: "yes",
    Verdict.IN_PART: "part",
    Verdict.NOT_REPRODUCED: "no",
    Verdict.NOT_TESTABLE: "untested",
}
_MISSING = "not stated"


def tally(outcomes: Tally) -> str:
    """The counts of verdicts, for findings and for the other statements of the paper."""
    if not outcomes:
        return ""
    parts = [_counts(outcomes.findings), f"<p><b>{outcomes.share}.</b></p>"]
    if outcomes.aside:
        parts.append(f"<p>{ASIDE.capitalize()}:</p>\n{_counts(outcomes.aside)}")
    return "\n".join(parts) + "\n"


def _counts(outcomes: Judged) -> str:
    found = counts(outcomes)
    items = "".join(
        f'<li class="{_CLASSES[verdict]}"><b>{found[verdict]}</b> {verdict.value}</li>'
        for verdict in Verdict
        if found[verdict] or verdict is not Verdict.NOT_TESTABLE
    )
    return f'<ul class="tally">{items}</ul>'


def verdicts(outcomes: Tally) -> str:
    """The tables of verdicts."""
    tables = [_table(outcomes.findings)]
    if outcomes.aside:
        tables.append(f"<h3>{ASIDE.capitalize()}</h3>\n{_table(outcomes.aside)}")
    return "\n".join(tables)


def _table(outcomes: Judged) -> str:
    rows = "\n".join(
        f'<tr class="{_CLASSES[outcome.verdict]}">'
        f'<td><a href="#claim-{escape(claim.id)}">{escape(claim.id)}</a></td>'
        f"<td>{escape(claim.statement)}</td><td>{lines(outcome.measured)}</td>"
        f'<td class="verdict">{outcome.verdict.value}{_score(outcome)}</td></tr>'
        for claim, outcome in outcomes
    )
    head = "<th>claim</th><th>what the paper says</th><th>measured</th><th>verdict</th>"
    return (
        f'<div class="table"><table class="verdicts">\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table></div>"
    )


def _score(outcome: Outcome) -> str:
    return f'<br><span class="score">{outcome.score}</span>' if outcome.score else ""


def claims(outcomes: Judged) -> str:
    """Every claim with its rule: the thresholds of the paper, our thresholds, and the outcome."""
    return "\n".join(_claim(claim, outcome) for claim, outcome in outcomes)


def _claim(claim: Claim, outcome: Outcome) -> str:
    verdict = f'<span class="verdict">{escape(outcome.in_words)}</span>'
    standing = "" if claim.standing is Standing.FINDING else f" ({claim.standing.value})"
    parts = {
        "Where": claim.where or _MISSING,
        "Rule": claim.rule,
        "The paper's": claim.of_paper,
        "Ours": claim.ours,
        "Measured": outcome.measured,
        "Why": outcome.why,
    }
    described = "".join(
        f"<dt>{escape(head)}</dt><dd>{lines(text)}</dd>" for head, text in parts.items() if text
    )
    return (
        f'<article class="claim {_CLASSES[outcome.verdict]}" id="claim-{escape(claim.id)}">\n'
        f'<h3><span class="id">{escape(claim.id)}{standing}</span> {verdict}</h3>\n'
        f"<p>{escape(claim.statement)}</p>\n<dl>{described}</dl>\n</article>"
    )


def lines(text: str) -> str:
    """A text with its line breaks."""
    return "<br>".join(map(escape, text.splitlines()))


def verdict_map(reproduction: Reproduction) -> str:
    """The map of verdicts with the changes by each alternative; if it was not made, the command
    that makes it."""
    study, found = reproduction.study, reproduction.verdict_map
    if found is None:
        quick = " --quick --map" if reproduction.is_quick else ""
        return (
            '<p class="note">The map of verdicts was not made:'
            f" <code>cellrelay reproduce {escape(study.name)}{quick}</code> judges every claim"
            f" under {len(study.alternatives)} alternatives too.</p>"
        )
    notes = '<p class="note">The map was interrupted.</p>\n' if found.is_interrupted else ""
    changes = "\n".join(_column(found, column) for column in found.columns)
    return f"{notes}{_figure(found, reproduction.origin())}\n{changes}"


def _figure(found: VerdictMap, origin: str) -> str:
    caption = (
        f"Each claim as it comes out with the choices of the study ({AS_CHOSEN}), and with one"
        " alternative at a time: whether it holds, and how many of its checks do. A frame marks a"
        " verdict that the alternative changes."
    )
    label = f'<svg role="img" aria-label="{TITLE}"'
    shown = to_svg(draw(found.tiles()), MAP, TITLE, origin).replace("<svg", label, 1)
    return (
        f'<figure id="{MAP}">\n<div class="shown">{shown}</div>\n'
        f"<figcaption><b>{TITLE}</b> {caption}</figcaption>\n</figure>"
    )


def _column(found: VerdictMap, column: Column) -> str:
    alternative = column.alternative
    settings = ", ".join(
        f"<code>{escape(f'{path} = {value if isinstance(value, str) else inline(value)}')}</code>"
        for path, value in alternative.settings.items()
    )
    changed = _listed(list(column.changed))
    items = [
        f'<li><a href="#claim-{escape(claim.id)}">{escape(claim.id)}</a>:'
        f" {escape(after.in_words)} (as chosen: {escape(before.in_words)})."
        f" {escape(after.why)}</li>"
        for claim, before, after in found.changes(column)
    ]
    came_out = f"<ul>{''.join(items)}</ul>" if items else "<p>No verdict changes.</p>"
    return (
        f"<details><summary>{escape(alternative.name)}: {_counted(len(items))}</summary>\n"
        f"<p>{settings}, in {escape(changed)}.</p>\n{came_out}</details>"
    )


def _counted(changes: int) -> str:
    return "1 verdict changes" if changes == 1 else f"{changes} verdicts change"


def _listed(names: Sequence[str]) -> str:
    return f"the experiments {', '.join(names)}" if names else "no experiment"
