//! Reports a scenario or an axis that sets a value of a node or link made by a topology.

use parameters::path::PathStep;
use parameters::{Parameter, Path, Problem, Problems, Value, ValueTable, Written};

use super::{Origin, Parts, TopologySpec};

/// Removes values from `root` that have the name of a part of its topology, and reports the
/// parameter of the topology to set instead.
pub fn take_out(root: &mut Written, problems: &mut Problems) {
    let Some(parts) = parts(root) else {
        return;
    };
    for (part, origin) in &parts.origins {
        let Some(found) = part.find_in(root) else {
            continue;
        };
        let [PathStep::Key(family), PathStep::Key(name)] = part.steps() else {
            unreachable!("parts are nodes and links");
        };
        let problem = format!("`{name}` is a {family} of the topology");
        let hint = hint(origin, found);
        problems.add(Problem::new(part, found.place, problem).hint(hint));
        if let Some(table) = table_in(root, family) {
            table.remove(name);
        }
    }
}

/// The parts of the topology of `root`, if it has one without problems.
fn parts(root: &Written) -> Option<Parts> {
    let at = Path::root().key("topology");
    let topology = at.find_in(root)?;
    let spec = TopologySpec::read(topology, &at, &mut Problems::default())?;
    Some(spec.build(&Origin(at.key(spec.kind()))))
}

fn table_in<'a>(root: &'a mut Written, name: &str) -> Option<&'a mut ValueTable> {
    let Value::Table(table) = &mut root.value else {
        return None;
    };
    match &mut table.get_mut(name)?.value {
        Value::Table(table) => Some(table),
        _ => None,
    }
}

/// The hint that names the parameter of the topology for a value of one of its parts.
fn hint(origin: &Path, found: &Written) -> String {
    let is_of_its_own = found
        .value
        .table()
        .is_some_and(|one| one.get("between").is_some());
    if is_of_its_own {
        return "choose another name".to_string();
    }
    // A link of a topology has a parameter, whose path is longer than that of the topology; a host
    // has none, and is made from the topology as a whole.
    let is_parameter = origin.steps().len() > 2;
    let meant = if is_parameter {
        leaf(origin.clone(), found)
    } else {
        origin.clone()
    };
    format!("set the parameter in `{meant}`, or choose another name")
}

/// The path of the only value below `at`, if there is only one.
fn leaf(at: Path, found: &Written) -> Path {
    match found.value.table().map(ValueTable::entries) {
        Some([only]) => leaf(at.key(&only.name), &only.written),
        _ => at,
    }
}
