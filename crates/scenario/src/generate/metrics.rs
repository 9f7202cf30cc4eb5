//! The metrics and the causes of drops, as JSON for Python and the page, and the names of metrics as
//! Python types.

use std::fmt::Write;

use models::metrics::{Cause, METRICS, Metric, RENAMED, ScopeKind, Statistic, Timed};
use serde_json::{Value, json};

/// Every metric: its name, scope, unit, kind, numerator and denominator of a ratio, times and share
/// of a quantile, the times of messages and the count of unfinished ones, meaning and former names.
pub fn metrics() -> String {
    let all = METRICS.iter().copied();
    all.map(described).collect::<Value>().to_string()
}

fn described(metric: &Metric) -> Value {
    let Metric {
        name,
        scope,
        unit,
        kind,
        ratio,
        statistic,
        help,
    } = *metric;
    let renamed = RENAMED.iter().filter(|(_, now)| *now == metric);
    let formerly: Vec<&str> = renamed.map(|(before, _)| *before).collect();
    let thousandths = match statistic {
        Statistic::Quantile(thousandths) => Some(thousandths),
        _ => None,
    };
    let times = Timed::of_metric(metric);
    let unfinished = times.and_then(Timed::unfinished);
    let word = times.map(Timed::word);
    json!({
        "name": name,
        "scope": scope.word(),
        "unit": unit,
        "kind": kind.word(),
        "of": ratio.and_then(|ratio| ratio.of).map(|metric| metric.name),
        "over": ratio.map(|ratio| ratio.over.name),
        "times": word.filter(|_| thousandths.is_some()),
        "thousandths": thousandths,
        "messages": word.filter(|_| unfinished.is_some()),
        "unfinished": unfinished.map(|metric| metric.name),
        "help": help,
        "formerly": formerly,
    })
}

/// Every cause of drops, with what is said of it, in the order of [`Cause::ALL`].
pub fn causes() -> Value {
    let all = Cause::ALL.into_iter().map(|cause| {
        let facts = cause.facts();
        json!({
            "word": facts.word,
            "site": facts.site.word(),
            "is_counted": cause.metric().is_some(),
            "short": facts.short,
            "sentence": facts.sentence,
            "page": facts.page,
            "not_kept": facts.not_kept,
            "finding": facts.finding,
        })
    });
    all.collect()
}

/// A Python module with a type for each kind of scope, whose values are the names of its metrics.
pub fn names() -> String {
    let mut text = NAMES.to_string();
    for scope in ScopeKind::ALL {
        writeln!(text, "\n{scope:?}Metric: TypeAlias = Literal[").expect(WRITABLE);
        for metric in METRICS.iter().filter(|metric| metric.scope == scope) {
            writeln!(text, "    \"{}\",", metric.name).expect(WRITABLE);
        }
        text.push_str("]\n");
    }
    text
}

const NAMES: &str = r#""""Names of metrics by kind of scope, as types that editors and type checkers know.

Generated from the table of metrics in Rust; `make generate` writes it anew.
"""

from __future__ import annotations

from typing import Literal, TypeAlias
"#;

const WRITABLE: &str = "a string can be written to";
