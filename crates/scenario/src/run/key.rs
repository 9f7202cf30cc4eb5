//! The key of a run: a digest of every input that affects its numbers, except seed and replication.
//!
//! The digest, SHA-256 of FIPS 180-4, is of a *canonical form* of the scenario, which does not
//! depend on how the file is written. The form is our own, since TOML has none:
//!
//! - The first line names the form and its version, [`FORM`].
//! - Every value has a line of its own, `path = value`, in the syntax of TOML; an empty table
//!   counts as a value, and so does a list.
//! - Defaults are written out, units are normalised, and a parameter without
//!   a value and a default is left out.
//! - Parameters stand in the order in which the reference lists them. Nodes, links and flows stand
//!   in the order of the file, since they are numbered in that order, and paths and random draws
//!   depend on this order.
//! - A member from outside the tree has its source on a line of its own, before its parameters.
//! - The title, the seed, the sweep, the number of replications and the recording are left out:
//!   they change no number.
//!
//! A change of the form raises its version here and that of the store in
//! `python/cellrelay/store/database.py`, which finds runs by their keys.

use std::collections::BTreeSet;
use std::fmt::Write;

use parameters::outside::source_of;
use parameters::{Parameter, Path, Value};
use sha2::{Digest, Sha256};

use crate::report::digest::hex;
use crate::spec::ScenarioSpec;

/// The name and the version of the canonical form.
pub const FORM: &str = "cellrelay scenario 1";

/// The key of the runs of a scenario at its first point: a SHA-256 in hexadecimal.
pub fn key(spec: &ScenarioSpec) -> String {
    let mut digest = Sha256::new();
    digest.update(canonical(spec));
    hex(digest)
}

/// The canonical form of a scenario at its first point.
pub fn canonical(spec: &ScenarioSpec) -> String {
    // The fields are listed one by one, so that a new parameter does not compile until this list
    // decides whether the key depends on it.
    let ScenarioSpec {
        title: _,
        duration,
        warm_up,
        batches,
        seed: _,
        cell,
        host,
        switch,
        router,
        edge,
        link,
        topology,
        flow,
        sweep: _,
        replications: _,
        record: _,
    } = spec;
    let mut form = Form(format!("{FORM}\n"));
    form.add("duration", duration);
    form.add("warm_up", warm_up);
    form.add("batches", batches);
    form.add("cell", cell);
    form.add("host", host);
    form.add("switch", switch);
    form.add("router", router);
    form.add("edge", edge);
    form.add("link", link);
    form.add("topology", topology);
    form.add("flow", flow);
    form.0
}

const WRITES: &str = "a string can be written to";

/// Names of the members from outside the tree that a scenario has, in any of its points.
pub fn members_from_outside(spec: &ScenarioSpec) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    add_members(&spec.write(), &mut names);
    names
}

fn add_members(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Table(table) => {
            for entry in table {
                if source_of(&entry.name).is_some() {
                    names.insert(entry.name.clone());
                }
                add_members(&entry.written.value, names);
            }
        }
        Value::List(items) => items
            .iter()
            .for_each(|item| add_members(&item.value, names)),
        _ => {}
    }
}

/// A canonical form that is being written.
struct Form(String);

impl Form {
    fn add(&mut self, name: &str, parameter: &impl Parameter) {
        if parameter.is_given() {
            self.value(&Path::root().key(name), &parameter.write());
        }
    }

    fn value(&mut self, at: &Path, value: &Value) {
        match value {
            Value::Table(table) if !table.entries().is_empty() => {
                for entry in table {
                    let at = at.key(&entry.name);
                    if let Some(source) = source_of(&entry.name) {
                        let source = Value::from(source.as_str());
                        writeln!(self.0, "# source of {at} = {source}").expect(WRITES);
                    }
                    self.value(&at, &entry.written.value);
                }
            }
            _ => writeln!(self.0, "{at} = {value}").expect(WRITES),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scenario;

    const LINE: &str = r#"
title = "A line"
duration = "1 s"
[host.a]
[host.b]
[link.ab]
between = ["a", "b"]
rate = "10 Mbit/s"
[flow.f]
from = "a"
to = "b"
source.constant_rate = { rate = "1 Mbit/s" }
transport.datagram = { packet = "500 B" }
over.packet = {}
"#;

    fn read(text: &str, settings: &[(&str, &str)]) -> Scenario {
        let owned = |(path, value): &(&str, &str)| (path.to_string(), value.to_string());
        let settings: Vec<(String, String)> = settings.iter().map(owned).collect();
        Scenario::read(text, "x", &settings).unwrap_or_else(|error| panic!("{error}"))
    }

    fn key_of(text: &str, settings: &[(&str, &str)]) -> String {
        key(&read(text, settings).spec)
    }

    #[test]
    fn the_canonical_form_has_a_line_for_each_value() {
        let form = canonical(&read(LINE, &[]).spec);
        let expected = "\
cellrelay scenario 1
duration = \"1 s\"
warm_up = \"0 s\"
host.a = {}
host.b = {}
link.ab.between = [\"a\", \"b\"]
link.ab.rate = \"10 Mbit/s\"
link.ab.delay = \"0 s\"
link.ab.loss_at = \"transmission\"
flow.f.from = \"a\"
flow.f.to = \"b\"
flow.f.pairs = \"members\"
flow.f.source.constant_rate.rate = \"1 Mbit/s\"
flow.f.source.constant_rate.start = \"0 s\"
flow.f.transport.datagram.packet = \"500 B\"
flow.f.transport.datagram.header = \"28 B\"
flow.f.over.packet.framing = \"0 B\"
flow.f.priority = 0
";
        assert_eq!(form, expected);
    }

    #[test]
    fn the_key_does_not_depend_on_how_a_scenario_is_written() {
        let known = key_of(LINE, &[]);
        // The order of parameters.
        let turned = LINE.replace("from = \"a\"\nto = \"b\"\n", "to = \"b\"\nfrom = \"a\"\n");
        assert_ne!(turned, LINE);
        assert_eq!(key_of(&turned, &[]), known);
        // The spelling of units, and of keys.
        for (path, value) in [
            ("duration", "1000 ms"),
            ("link.ab.rate", "10000 kbit/s"),
            ("flow.f.transport.datagram.packet", "0.5 kB"),
            ("flow.f.over", "{ packet = {} }"),
        ] {
            assert_eq!(key_of(LINE, &[(path, value)]), known, "{path}");
        }
        // Defaults written out.
        assert_eq!(key_of(LINE, &[("warm_up", "0 s")]), known);
        assert_eq!(key_of(LINE, &[("link.ab.delay", "0 s")]), known);
        assert_eq!(key_of(&read(LINE, &[]).resolved(), &[]), known);
        // Parameters that change no number.
        for (path, value) in [
            ("title", "Another"),
            ("seed", "7"),
            ("replications.at_least", "9"),
            ("record.every", "1 ms"),
        ] {
            assert_eq!(key_of(LINE, &[(path, value)]), known, "{path}");
        }
    }

    #[test]
    fn whatever_decides_a_number_changes_the_key() {
        let known = key_of(LINE, &[]);
        for (path, value) in [
            ("duration", "2 s"),
            ("warm_up", "1 ms"),
            ("batches", "2"),
            ("link.ab.delay", "1 us"),
            ("flow.f.over", "{ ubr = {} }"),
        ] {
            assert_ne!(key_of(LINE, &[(path, value)]), known, "{path}");
        }
        // Nodes are numbered, and drawn for, in the order of the file.
        let turned = LINE.replace("[host.a]\n[host.b]\n", "[host.b]\n[host.a]\n");
        assert_ne!(turned, LINE);
        assert_ne!(key_of(&turned, &[]), known);
    }

    #[test]
    fn a_point_has_the_key_of_the_scenario_with_its_values() {
        let sweep = format!("{LINE}[sweep]\nduration = [\"1 s\", \"2 s\"]\n");
        let points = read(&sweep, &[]);
        assert_eq!(key(&points.point(0).spec), key_of(LINE, &[]));
        assert_eq!(
            key(&points.point(1).spec),
            key_of(LINE, &[("duration", "2 s")])
        );
    }
}
