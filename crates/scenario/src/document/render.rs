//! Values as readable TOML: sections for large tables, lines for small ones. The layout is our own,
//! and follows the way in which people write scenarios.

use std::fmt::Write as _;

use parameters::table::Entry;
use parameters::value::Key;
use parameters::{Value, ValueTable};

/// Longest line of a table within a section.
const WIDTH: usize = 100;

/// Depth in the tree up to which every table is a section, even a small one: `[host.sender]`.
const SECTIONS: usize = 2;

/// The TOML document of `table`.
pub fn render(table: &ValueTable) -> String {
    let mut text = String::new();
    section(&mut text, &[], table);
    text.trim_start().to_string()
}

/// Writes `table` at `path`: its lines, then its sections.
fn section(text: &mut String, path: &[String], table: &ValueTable) {
    let (lines, sections) = divided(path, table);
    if !path.is_empty() && (!lines.is_empty() || sections.is_empty()) {
        let _ = write!(text, "\n[{}]\n", path.join("."));
    }
    for line in lines {
        let _ = writeln!(text, "{line}");
    }
    for entry in sections {
        if let Value::Table(table) = &entry.written.value {
            let name = Key(&entry.name).to_string();
            section(text, &[path, &[name]].concat(), table);
        }
    }
}

/// The lines of a table, and the entries that are sections of their own.
fn divided<'a>(path: &[String], table: &'a ValueTable) -> (Vec<String>, Vec<&'a Entry>) {
    let entries = table.entries();
    let is_table = |entry: &Entry| entry.written.value.table().is_some();
    let is_short = |entry: &Entry| path.len() >= SECTIONS && line(entry).len() <= WIDTH;
    // Axes and their points are written in the order in which they are run, so no line may overtake
    // a table.
    if path.first().is_some_and(|name| name == "sweep") {
        let plain = entries
            .iter()
            .rposition(|entry| !is_table(entry))
            .map_or(0, |last| last + 1);
        let lines = if entries.iter().all(is_short) {
            entries.len()
        } else {
            plain
        };
        return (
            entries[..lines].iter().map(line).collect(),
            entries[lines..].iter().collect(),
        );
    }
    let (sections, lines): (Vec<&Entry>, Vec<&Entry>) = entries
        .iter()
        .partition(|entry| is_table(entry) && !is_short(entry));
    (lines.into_iter().map(line).collect(), sections)
}

/// An entry in one line; tables with a single name are joined to its path: `fabric.slotted =
/// 2`.
fn line(entry: &Entry) -> String {
    let mut name = Key(&entry.name).to_string();
    let mut value = &entry.written.value;
    while let Value::Table(table) = value
        && let [only] = table.entries()
    {
        let _ = write!(name, ".{}", Key(&only.name));
        value = &only.written.value;
    }
    format!("{name} = {value}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document;
    use parameters::{SourceId, value};
    use proptest::prelude::*;

    #[test]
    fn large_tables_are_sections_and_small_ones_lines() {
        let scenario = value!({
            title = "Ten",
            host = { sender = { count = 10 }, receiver = {} },
            switch = { s1 = { fabric = { slotted = { speedup = 2 } }, size = "1 cell" } },
            flow = { bulk = { transport = { tcp = {
                packet = "9180 B", window = "64 KiB", tick = "0.1 ms", initial = "0.2 s",
                backoff = { karn = {} }, congestion = { tahoe = {} }, order = "random",
            } } } },
        });
        assert_eq!(
            render(scenario.table().unwrap()),
            r#"title = "Ten"

[host.sender]
count = 10

[host.receiver]

[switch.s1]
fabric.slotted.speedup = 2
size = "1 cell"

[flow.bulk.transport.tcp]
packet = "9180 B"
window = "64 KiB"
tick = "0.1 ms"
initial = "0.2 s"
backoff.karn = {}
congestion.tahoe = {}
order = "random"
"#
        );
    }

    #[test]
    fn axes_keep_their_order() {
        let sweep = value!({ sweep = {
            packet = { long = { a = "512 B" }, short = { b = "a text that is too long for its line \
                together with its name and that of the axis, so that it goes to the next" } },
            seed = [1, 2],
            policy = { epd = { c = 1 }, ppd = { c = 2 } },
        } });
        let text = render(sweep.table().unwrap());
        assert_eq!(
            document::parse(SourceId(0), &text)
                .unwrap()
                .value
                .to_string(),
            sweep.to_string()
        );
        assert!(
            text.ends_with("[sweep.policy]\nepd.c = 1\nppd.c = 2\n"),
            "{text}"
        );
    }

    /// Any value.
    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<i64>().prop_map(Value::from),
            any::<bool>().prop_map(Value::from),
            (-1e300..1e300f64).prop_map(Value::from),
            ".{0,20}".prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 64, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                tables(inner).prop_map(Value::from),
            ]
        })
    }

    fn tables(values: impl Strategy<Value = Value>) -> impl Strategy<Value = ValueTable> {
        let name = prop_oneof!["[a-z_-]{1,8}", ".{0,5}"];
        prop::collection::vec((name, values), 0..5).prop_map(ValueTable::of)
    }

    /// The entries by name, since rendering moves tables behind plain values.
    fn sorted(value: &Value) -> Value {
        match value {
            Value::Table(table) => {
                let mut entries: Vec<(String, Value)> = table
                    .iter()
                    .map(|entry| (entry.name.clone(), sorted(&entry.written.value)))
                    .collect();
                entries.sort_by(|a, b| a.0.cmp(&b.0));
                ValueTable::of(entries).into()
            }
            Value::List(items) => items
                .iter()
                .map(|item| sorted(&item.value))
                .collect::<Vec<Value>>()
                .into(),
            other => other.clone(),
        }
    }

    proptest! {
        #[test]
        fn what_is_rendered_reads_back(table in tables(values())) {
            let text = render(&table);
            let read = document::parse(SourceId(0), &text);
            let read = read.map_err(|problems| TestCaseError::fail(format!("{problems}\n{text}")))?;
            prop_assert_eq!(sorted(&read.value), sorted(&table.into()));
        }
    }
}
