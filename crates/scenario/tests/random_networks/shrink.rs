//! Reduces a failing network.

use parameters::path::PathStep;
use parameters::{Path, SourceId, Value, ValueTable, Written};
use scenario::document;

use crate::failure::failure;
use crate::mend::{remove, rendered};

/// Removes all parts of a network that its failure does not need.
pub fn shrunk(text: &str, place: &str) -> String {
    let mut root = document::parse(SourceId::default(), text).expect("a text that was understood");
    loop {
        let smaller = paths(&root.value, &[]).into_iter().find_map(|path| {
            let mut smaller = root.clone();
            remove(&mut smaller, &path)?;
            if let [PathStep::Key(_), PathStep::Key(node)] = &path[..] {
                unlink(&mut smaller, node);
            }
            let failure = failure(&rendered(&smaller))?;
            (failure.place == place).then_some(smaller)
        });
        match smaller {
            Some(smaller) => root = smaller,
            None => return rendered(&root),
        }
    }
}

/// Removes the links that join a node.
fn unlink(root: &mut Written, node: &str) {
    let links = Path::root().key("link");
    let leads_there = |link: &Written| {
        let between = Path::root().key("between");
        let ends = between.find_in(link).map(|ends| ends.value.to_string());
        ends.is_some_and(|ends| ends.contains(&format!("\"{node}\"")))
    };
    let table = links.find_in(root).and_then(|links| links.value.table());
    let names = table.into_iter().flat_map(ValueTable::iter);
    let leading = names.filter(|link| leads_there(&link.written));
    let leading: Vec<Path> = leading.map(|link| links.key(&link.name)).collect();
    for link in leading {
        remove(root, link.steps());
    }
}

/// The paths of all values in a table, at any depth, the outermost first.
fn paths(value: &Value, at: &[PathStep]) -> Vec<Vec<PathStep>> {
    let step_to = |step: PathStep| [at, &[step]].concat();
    let inner: Vec<(Vec<PathStep>, &Written)> = match value {
        Value::Table(table) => {
            let entries = table.iter();
            entries
                .map(|entry| (step_to(PathStep::Key(entry.name.clone())), &entry.written))
                .collect()
        }
        _ => Vec::new(),
    };
    let mut paths: Vec<Vec<PathStep>> = inner.iter().map(|(path, _)| path.clone()).collect();
    let within = inner.iter();
    paths.extend(within.flat_map(|(path, written)| self::paths(&written.value, path)));
    paths
}
