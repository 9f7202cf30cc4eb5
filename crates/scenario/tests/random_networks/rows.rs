//! Laws of the table of connections of every run.

use std::collections::BTreeMap;

use models::metrics::{ConnectionOutcome, ListedConnection};
use scenario::capture::connections::ConnectionTable;
use scenario::report::{Report, Scope};

/// Asserts that the rows of each flow whose connections come and go add up to its metrics, which
/// must be measured from the start.
pub fn assert_added_up(report: &Report, table: &ConnectionTable) {
    let mut metrics: BTreeMap<&Scope, BTreeMap<&str, f64>> = BTreeMap::new();
    for scalar in &report.scalars {
        let of_scope = metrics.entry(&scalar.scope).or_default();
        of_scope.insert(scalar.metric.name, scalar.value);
    }
    let mut seen = 0;
    for (number, name) in table.flows.iter().enumerate() {
        let scope = Scope::Flow(name.clone());
        let of_flow = &metrics[&scope];
        if !of_flow.contains_key("arrivals") {
            continue;
        }
        let rows = table.rows.iter().filter(|row| row.flow as usize == number);
        let rows: Vec<ListedConnection> = rows.map(|row| row.connection).collect();
        seen += rows.len();
        assert_outcomes(&scope, &rows, of_flow);
        assert_sent(&scope, &rows, of_flow);
    }
    assert_eq!(
        seen,
        table.rows.len(),
        "rows of flows without connections that come and go"
    );
}

/// Asserts that as many connections arrived, and have each outcome, as the metrics of a flow say.
fn assert_outcomes(scope: &Scope, rows: &[ListedConnection], metrics: &BTreeMap<&str, f64>) {
    let count = |is: fn(&ConnectionOutcome) -> bool| {
        rows.iter().filter(|row| is(&row.outcome)).count() as f64
    };
    for (metric, listed) in [
        ("arrivals", rows.len() as f64),
        (
            "messages",
            count(|one| matches!(one, ConnectionOutcome::Completed(_))),
        ),
        (
            "unfinished_messages",
            count(|one| matches!(one, ConnectionOutcome::Open)),
        ),
        (
            "refused_arrivals",
            count(|one| matches!(one, ConnectionOutcome::Refused)),
        ),
    ] {
        let counted = metrics[metric];
        assert!(
            listed.total_cmp(&counted).is_eq(),
            "{scope}: {listed} rows of connections, {counted} {metric}"
        );
    }
    // A sender keeps a connection open until it knows that the data arrived.
    let unfinished = metrics["unfinished_messages"];
    let open = metrics["open_connections"];
    assert!(
        (unfinished..=unfinished + metrics["messages"]).contains(&open),
        "{scope}: {open} open connections, {unfinished} unfinished"
    );
}

/// Asserts that connections sent no more than their flow; a sender may answer and repeat after its
/// connection is completed.
fn assert_sent(scope: &Scope, rows: &[ListedConnection], metrics: &BTreeMap<&str, f64>) {
    let sum = |part: fn(&ListedConnection) -> u64| rows.iter().map(part).sum::<u64>() as f64;
    for (metric, listed) in [
        ("packets_sent", sum(|row| row.packets)),
        ("packets_retransmitted", sum(|row| row.retransmitted)),
        ("timeouts", sum(|row| u64::from(row.timeouts))),
    ] {
        let counted = metrics[metric];
        assert!(
            listed <= counted,
            "{scope}: {listed} in the rows of connections, {counted} {metric}"
        );
    }
}
