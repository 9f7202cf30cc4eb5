//! Taking out of a network what the checker refuses.

use parameters::path::Step;
use parameters::{Path, Problems, Table, Value, Written};
use scenario::lower::Plan;
use scenario::{Fault, Scenario, ScenarioSpec, render};

/// After so many attempts a network is thrown away.
const ATTEMPTS: usize = 12;

/// How deep in a scenario that is which can be left out: what is said of a node, a link or a flow.
const DEPTH: usize = 3;

/// The plan of a scenario, or what is wrong with it.
pub fn plan(text: &str) -> Result<Plan, Vec<Fault>> {
    let check = |spec: &ScenarioSpec, problems: &mut Problems| {
        Plan::new(spec, problems);
    };
    let scenario =
        Scenario::read(text, "network.toml", &[], &check).map_err(|error| error.faults)?;
    Ok(Plan::new(&scenario.spec, &mut Problems::default()).expect("a scenario without mistakes"))
}

/// The network without what was wrong with it, as text; nothing if too much was.
pub fn mended(table: Table) -> Option<String> {
    let mut root = Written::from(Value::from(table));
    for _ in 0..ATTEMPTS {
        let text = rendered(&root);
        let Err(faults) = plan(&text) else {
            return Some(text);
        };
        for fault in faults {
            mend(&mut root, &fault)?;
        }
    }
    None
}

/// A scenario as text.
pub fn rendered(root: &Written) -> String {
    render::render(root.value.table().expect("a scenario is a table"))
}

/// Writes what the hint says, or else leaves out what is wrong.
fn mend(root: &mut Written, fault: &Fault) -> Option<()> {
    let path = Path::parse(&fault.path).ok()?;
    let advice = fault.hint.as_deref().and_then(advised);
    if let (Some(advice), Some(found)) = (advice, find(root, path.steps()))
        && found.value.text() != Some(advice)
    {
        found.value = advice.into();
        return Some(());
    }
    (1..=path.steps().len())
        .rev()
        .take_while(|depth| *depth >= DEPTH)
        .find_map(|depth| remove(root, &path.steps()[..depth]))
}

/// The text that a hint says to write, if it is one.
fn advised(hint: &str) -> Option<&str> {
    let (_, after) = hint.split_once("`\"")?;
    let (text, _) = after.split_once("\"`")?;
    Some(text)
}

/// The value that some steps lead to.
fn find<'a>(root: &'a mut Written, steps: &[Step]) -> Option<&'a mut Written> {
    steps
        .iter()
        .try_fold(root, |here, step| match (step, &mut here.value) {
            (Step::Key(name), Value::Table(table)) => table.get_mut(name),
            (Step::Index(index), Value::List(items)) => items.get_mut(*index),
            _ => None,
        })
}

/// Takes out what some steps lead to, if that is there.
pub fn remove(root: &mut Written, steps: &[Step]) -> Option<()> {
    let (last, before) = steps.split_last()?;
    match (last, &mut find(root, before)?.value) {
        (Step::Key(name), Value::Table(table)) => table.remove(name).map(drop),
        (Step::Index(index), Value::List(items)) => {
            (*index < items.len()).then(|| drop(items.remove(*index)))
        }
        _ => None,
    }
}
