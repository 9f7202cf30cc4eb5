"""The report of a study: one HTML file without further files, network access or scripts."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path

from cellrelay.plot import Bars, Chart, Scatter, to_svg
from cellrelay.results import Results, analysis, listed
from cellrelay.studies import report_claims
from cellrelay.studies.exhibit import Table
from cellrelay.studies.reproduce import Drawn, Reproduction


def report(reproduction: Reproduction) -> str:
    """The page."""
    study = reproduction.study
    style = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    body = "\n".join(
        [
            _header(reproduction),
            _section("claims", "Claims", report_claims.verdicts(reproduction.tally)),
            _hinges(reproduction),
            _section("figures", "Figures", _exhibits(reproduction)),
            _section(
                "rules", "Claims, rules and reasons", report_claims.claims(reproduction.outcomes)
            ),
            _choices(study.choices),
            _section("experiments", "Experiments", _experiments(reproduction)),
            _footer(reproduction),
        ]
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(study.title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _header(reproduction: Reproduction) -> str:
    study = reproduction.study
    paragraphs = "".join(f"<p>{escape(text)}</p>" for text in study.summary.split("\n\n"))
    return (
        f"<header>\n<h1>{escape(study.title)}</h1>\n"
        f'<p class="reference">{escape(study.reference)}</p>\n'
        f"{paragraphs}\n{report_claims.tally(reproduction.tally)}{_mode(reproduction)}</header>"
    )


def _mode(reproduction: Reproduction) -> str:
    notes = []
    if reproduction.is_quick:
        notes.append(
            "This is a quick look, with shorter and fewer runs than the study needs."
            f" <code>cellrelay reproduce {escape(reproduction.study.name)}</code> makes all runs."
        )
    if len(reproduction.measured) < len(reproduction.study.experiments):
        notes.append("The run was interrupted: experiments without results are left out.")
    failed = sum(
        point.failure is not None
        for results in reproduction.measured.values()
        for point in results.points
    )
    if failed:
        points = "point" if failed == 1 else "points"
        notes.append(f"Left out: {failed} {points} at which the simulation failed.")
    return "".join(f'<p class="note">{note}</p>\n' for note in notes)


def _section(anchor: str, title: str, content: str) -> str:
    return f'<section id="{anchor}">\n<h2>{title}</h2>\n{content}\n</section>'


def _hinges(reproduction: Reproduction) -> str:
    if not reproduction.study.alternatives:
        return ""
    content = report_claims.verdict_map(reproduction)
    return _section("hinges", "What the verdicts hinge on", content)


def _choices(choices: Table | None) -> str:
    if choices is None:
        return ""
    return _section("choices", "Choices", _table(choices.header, choices.rows))


def _exhibits(reproduction: Reproduction) -> str:
    return "\n".join(
        _exhibit(drawn, reproduction.origin(drawn.exhibit)) for drawn in reproduction.exhibits
    )


def _exhibit(drawn: Drawn, origin: str) -> str:
    exhibit = drawn.exhibit
    if drawn.content is None:
        shown = '<p class="note">The points of this figure are missing.</p>'
    elif isinstance(drawn.content, Table):
        shown = _table(drawn.content.header, drawn.content.rows)
    else:
        assert drawn.figure is not None, "what is not a table is drawn"
        label = f'<svg role="img" aria-label="{escape(exhibit.title)}"'
        shown = to_svg(drawn.figure, exhibit.id, exhibit.title, origin)
        shown = shown.replace("<svg", label, 1)
    return (
        f'<figure id="{escape(exhibit.id)}">\n<div class="shown">{shown}</div>\n'
        f"<figcaption><b>{escape(exhibit.title)}</b> {escape(exhibit.caption)}</figcaption>\n"
        f"</figure>\n{_numbers(drawn.content)}"
    )


def _numbers(content: object) -> str:
    """The numbers of a figure, in a folded table."""
    if isinstance(content, Chart):
        header = ["panel", content.legend or "curve", content.x_label, content.y_label]
        rows = [
            [
                panel.title,
                curve.label,
                content.x_words[int(x)] if content.x_words else f"{x:g}",
                str(y),
            ]
            for panel in content.panels
            for curve in panel.curves
            for x, y in zip(curve.x, curve.y, strict=True)
        ]
    elif isinstance(content, Bars):
        header = ["group", "bar", "part", content.y_label]
        rows = [
            [bar.group, bar.label, part, f"{value:.4g}"]
            for bar in content.bars
            for part, value in bar.parts.items()
        ]
    elif isinstance(content, Scatter):
        header = [content.legend or "group", "case"]
        header += [content.x_label, content.y_label, content.shade_label]
        rows = [
            [
                dot.group,
                f"{dot.label}{', hollow' if dot.is_hollow else ''}",
                f"{dot.x:.4g}",
                f"{dot.y:.4g}",
                f"{dot.shade:.4g}" if content.shade_label else "",
            ]
            for dot in content.dots
        ]
    else:
        return ""
    used = [column for column in range(len(header)) if any(row[column] for row in rows)]
    table = _table([header[k] for k in used], [[row[k] for k in used] for row in rows])
    return f"<details><summary>Numbers</summary>{table}</details>"


def _experiments(reproduction: Reproduction) -> str:
    rows = []
    for name, results in reproduction.measured.items():
        counts = [len(point.runs) for point in results.points]
        each = f"{min(counts)}" if len(set(counts)) == 1 else f"{min(counts)} to {max(counts)}"
        rows.append([name, results.provenance.title, str(len(counts)), each, results.status.value])
    header = ["experiment", "scenario", "points", "replications", "status"]
    scenarios = "\n".join(
        f"<details><summary>{escape(name)}</summary>{_scenario(results)}</details>"
        for name, results in reproduction.measured.items()
    )
    return f"{_table(header, rows)}\n<h3>Scenarios, every default filled in</h3>\n{scenarios}"


def _scenario(results: Results) -> str:
    return f"<pre><code>{escape(results.provenance.resolved)}</code></pre>"


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "\n".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    return (
        f'<div class="table"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody>\n</table></div>"
    )


def _footer(reproduction: Reproduction) -> str:
    first = next(iter(reproduction.measured.values()))
    one = first.provenance
    warnings = "".join(
        f"<li>{escape(name)}: {escape(warning)} ({escape(listed(places))})</li>"
        for name, results in reproduction.measured.items()
        for warning, places in results.warnings().items()
    )
    heard = f"<summary>Warnings of runs</summary><ul>{warnings}</ul>"
    commit = f" commit <code>{escape(one.commit)}</code>," if one.commit else ""
    distrust = f"<details>{heard}</details>\n" if warnings else ""
    return (
        f"<footer>\n{distrust}<p>Intervals have a confidence level of"
        f" {first.level * 100:g} %, by Student's t over {_samples(reproduction)}.</p>\n"
        f"<p>cellrelay {escape(one.version)},"
        f" model <code>{escape(one.model)}</code>,"
        f"{commit} analysis <code>{analysis()}</code>, seed {one.seed}."
        " The same command gives the same numbers, bit for bit.</p>\n</footer>"
    )


def _samples(reproduction: Reproduction) -> str:
    """The samples of the intervals: replications, batches, or both."""
    points = (point for results in reproduction.measured.values() for point in results.points)
    divided = {bool(point.batches) for point in points if point.runs}
    names = {True: "batches of runs", False: "independent replications"}
    return ", or ".join(name for is_divided, name in names.items() if is_divided in divided)
