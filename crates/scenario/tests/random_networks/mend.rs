//! Mends the values of a network that the checker refuses.

use std::sync::Arc;

use parameters::path::PathStep;
use parameters::{Path, Value, ValueTable, Written};
use scenario::document::render;
use scenario::lower::Plan;
use scenario::{Fault, Scenario};

use crate::dice::Dice;
use crate::{network, values};

/// Number of attempts after which a network is discarded.
const ATTEMPTS: usize = 20;

/// Steps of a path that leads to a parameter of a node, a link or a flow: `flow.f1.source`.
const PARAMETER: usize = 3;

/// The plan of a scenario, or its problems.
pub fn plan(text: &str) -> Result<Arc<Plan>, Vec<Fault>> {
    let scenario = Scenario::read(text, "network.toml", &[]).map_err(|error| error.faults)?;
    Ok(scenario.plan().clone())
}

/// The network as text, mended until it is valid; `None` if that takes too many attempts.
pub fn mended(table: ValueTable, dice: &mut Dice) -> Option<String> {
    let mut root = Written::from(Value::from(table));
    for _ in 0..ATTEMPTS {
        let text = rendered(&root);
        let Err(faults) = plan(&text) else {
            return Some(text);
        };
        for fault in faults {
            mend(&mut root, &fault, dice)?;
        }
    }
    None
}

/// A scenario as text.
pub fn rendered(root: &Written) -> String {
    render::render(root.value.table().expect("a scenario is a table"))
}

/// Mends one value: applies the hint; otherwise removes the value, or draws a required one again.
fn mend(root: &mut Written, fault: &Fault, dice: &mut Dice) -> Option<()> {
    let path = Path::parse(&fault.path).ok()?;
    let steps = path.steps();
    let advice = fault.hint.as_deref().and_then(advised);
    if let (Some(advice), Some(found)) = (advice, find(root, steps))
        && found.value.text() != Some(advice)
    {
        found.value = advice.into();
        return Some(());
    }
    let parts = (PARAMETER + 1..=steps.len()).rev();
    let left_out = parts.map(|depth| remove(root, &steps[..depth]));
    if left_out.flatten().next().is_some() {
        return Some(());
    }
    let [
        PathStep::Key(family),
        PathStep::Key(name),
        PathStep::Key(parameter),
    ] = steps.get(..PARAMETER)?
    else {
        return None;
    };
    let field = network::field(network::member(family), parameter);
    if !field.required && remove(root, &steps[..PARAMETER]).is_some() {
        return Some(());
    }
    let drawn = values::any(&field.shape, dice)?;
    let member = [PathStep::Key(family.clone()), PathStep::Key(name.clone())];
    match &mut find(root, &member)?.value {
        Value::Table(table) => table.set(parameter, None, drawn.into()),
        _ => return None,
    }
    Some(())
}

/// The text that a hint proposes to write, if it proposes one.
fn advised(hint: &str) -> Option<&str> {
    let (_, after) = hint.split_once("`\"")?;
    let (text, _) = after.split_once("\"`")?;
    Some(text)
}

/// The value at the end of a path.
fn find<'a>(root: &'a mut Written, steps: &[PathStep]) -> Option<&'a mut Written> {
    steps
        .iter()
        .try_fold(root, |here, step| match (step, &mut here.value) {
            (PathStep::Key(name), Value::Table(table)) => table.get_mut(name),
            (PathStep::Index(index), Value::List(items)) => items.get_mut(*index),
            _ => None,
        })
}

/// Removes the value at the end of a path, if there is one.
pub fn remove(root: &mut Written, steps: &[PathStep]) -> Option<()> {
    let (last, before) = steps.split_last()?;
    match (last, &mut find(root, before)?.value) {
        (PathStep::Key(name), Value::Table(table)) => table.remove(name).map(drop),
        (PathStep::Index(index), Value::List(items)) => {
            (*index < items.len()).then(|| drop(items.remove(*index)))
        }
        _ => None,
    }
}
