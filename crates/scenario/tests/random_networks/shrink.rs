//! Making a network that fails smaller.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parameters::path::Step;
use parameters::{Value, Written};
use scenario::document;

use crate::judge::judge;
use crate::mend::{plan, remove, rendered};

/// Why a network fails, if it does; a network with mistakes does not.
pub fn failure(text: &str) -> Option<String> {
    let plan = plan(text).ok()?;
    let outcome = catch_unwind(AssertUnwindSafe(|| judge(&plan)));
    outcome.err().map(|payload| said(&*payload))
}

fn said(payload: &dyn Any) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or(payload.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without words").to_string()
}

/// As little of a network as still fails.
pub fn shrunk(text: &str) -> String {
    let mut root = document::parse(Default::default(), text).expect("a text that was understood");
    loop {
        let smaller = paths(&root.value, &[]).into_iter().find_map(|path| {
            let mut smaller = root.clone();
            remove(&mut smaller, &path)?;
            failure(&rendered(&smaller)).map(|_| smaller)
        });
        match smaller {
            Some(smaller) => root = smaller,
            None => return rendered(&root),
        }
    }
}

/// The way to every value of a table, and in it; the outermost first.
fn paths(value: &Value, at: &[Step]) -> Vec<Vec<Step>> {
    let step_to = |step: Step| [at, &[step]].concat();
    let inner: Vec<(Vec<Step>, &Written)> = match value {
        Value::Table(table) => {
            let entries = table.iter();
            entries
                .map(|entry| (step_to(Step::Key(entry.name.clone())), &entry.written))
                .collect()
        }
        _ => Vec::new(),
    };
    let mut paths: Vec<Vec<Step>> = inner.iter().map(|(path, _)| path.clone()).collect();
    paths.extend(
        inner
            .iter()
            .flat_map(|(path, written)| paths_in(written, path)),
    );
    paths
}

fn paths_in(written: &Written, at: &[Step]) -> Vec<Vec<Step>> {
    paths(&written.value, at)
}
