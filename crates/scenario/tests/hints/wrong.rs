//! Wrong values for every parameter of the schema.

use std::collections::BTreeSet;

use parameters::{Field, Path, Problem, Shape, Value, ValueTable, Written};
use scenario::ScenarioSpec;

use super::apply::{Complaint, made, set};
use super::proposed::{ProposedEdit, changes, proposes};
use super::{has_blank, is_at, is_for_the_user, unread};

/// A parameter of the schema with its place in a scenario.
struct Place {
    path: Path,
    field: Field,
}

/// Every parameter once, at the first place where a scenario may have it.
fn places() -> Vec<Place> {
    let mut found = Vec::new();
    walk(
        ScenarioSpec::known_shape(),
        &Path::root(),
        &mut BTreeSet::new(),
        &mut found,
    );
    found
}

fn walk(shape: &Shape, at: &Path, seen: &mut BTreeSet<String>, found: &mut Vec<Place>) {
    match shape {
        Shape::Record(record) => {
            if !seen.insert(format!("{}::{}", record.module, record.name)) {
                return;
            }
            for field in &record.fields {
                let path = at.key(field.name);
                found.push(Place {
                    path: path.clone(),
                    field: field.clone(),
                });
                walk(&field.shape, &path, seen, found);
            }
        }
        Shape::Family(family) => {
            for kind in &family.kinds {
                walk(&kind.shape, &at.key(kind.name), seen, found);
            }
        }
        Shape::Named(item) => walk(item, &at.key("x"), seen, found),
        Shape::List(item) => walk(item, &at.index(0), seen, found),
        Shape::Either(shapes) => shapes.iter().for_each(|one| walk(one, at, seen, found)),
        _ => {}
    }
}

/// A scenario with an example of each table on the way to `path`.
fn base(path: &Path) -> Option<Written> {
    let shape = ScenarioSpec::known_shape();
    let mut root = Written::from(shape.example());
    let mut here = shape;
    let mut at = Path::root();
    for step in path.steps() {
        use parameters::path::PathStep::{Index, Key};
        let next = match (here, step) {
            (Shape::Record(record), Key(name)) => {
                &record.fields.iter().find(|field| field.name == name)?.shape
            }
            (Shape::Family(family), Key(name)) => {
                &family.kinds.iter().find(|kind| kind.name == name)?.shape
            }
            (Shape::Either(shapes), Key(name)) => {
                let family = shapes.iter().find_map(|shape| match shape {
                    Shape::Family(family) => Some(family),
                    _ => None,
                })?;
                &family.kinds.iter().find(|kind| kind.name == name)?.shape
            }
            (Shape::Named(item) | Shape::List(item), _) => item,
            _ => return None,
        };
        at = match step {
            Key(name) => at.key(name),
            Index(index) => at.index(*index),
        };
        if let Index(0) = step {
            let list = super::apply::find(&mut root, &prefix(&at))?;
            list.value = vec![next.example()].into();
        } else if at.find_in(&root).is_none() && at != *path {
            let example = match next {
                Shape::List(_) => Value::List(Vec::new()),
                other => other.example(),
            };
            set(&mut root, shape, &at, &example)?;
        }
        here = next;
    }
    Some(root)
}

fn prefix(path: &Path) -> Path {
    let steps = path.steps();
    Path::root().join(&steps[..steps.len() - 1])
}

/// Values that are wrong for some parameters.
fn values(field: &Field) -> Vec<Value> {
    let table = |name: &str, value: Value| Value::from(ValueTable::of([(name, value)]));
    let mut all: Vec<Value> = vec![
        "wrong".into(),
        "".into(),
        "10".into(),
        "0.01".into(),
        "true".into(),
        7.into(),
        Value::Integer(-1),
        Value::Integer(i64::MAX),
        0.01.into(),
        1.5.into(),
        Value::Float(f64::INFINITY),
        true.into(),
        Vec::<Value>::new().into(),
        vec![Value::from("one")].into(),
        vec![Value::from("one"), "two".into()].into(),
        vec![Value::from(3), "x".into()].into(),
        ValueTable::default().into(),
    ];
    // An axis of that name is a mistake of its own.
    if field.name != "sweep" {
        all.push(table("wrong", 1.into()));
    }
    for unit in [
        "", "s", "m", "sec", "Mbit", "Mbit/s", "MB", "B", "cells", "%", "pkts", "x",
    ] {
        all.push(format!("5 {unit}").trim().into());
    }
    if let Shape::Quantity(form) = field.shape {
        let units = form.units.iter().filter_map(|units| units.first());
        for unit in units {
            for number in [
                "0",
                "-5",
                "1e40",
                "1e-30",
                "0.3",
                "1_000",
                "1,5",
                "1,000,000",
            ] {
                all.push(format!("{number} {}", unit.symbol).into());
            }
        }
    }
    all.push("1 min 5 s".into());
    all.push("1 s 5 ms".into());
    all.push("1/16".into());
    of_shape(&field.shape, &mut all);
    all
}

/// Values that are nearly right for a shape.
fn of_shape(shape: &Shape, all: &mut Vec<Value>) {
    let misspelled =
        |name: &str| format!("{}x{}", &name[..name.len() / 2], &name[name.len() / 2..]);
    match shape {
        Shape::Words(words) => {
            for (word, _) in &words.words {
                all.push(misspelled(word).into());
                all.push(word.to_uppercase().into());
            }
        }
        Shape::Record(record) => {
            for field in &record.fields {
                let mut names = vec![misspelled(field.name)];
                names.extend(field.aliases.iter().map(|alias| alias.word.to_string()));
                for name in names {
                    let mut table = shape.example().table().expect("a record").clone();
                    table.remove(field.name);
                    table.set(name, None, field.valid().into());
                    all.push(table.into());
                }
            }
        }
        Shape::Family(family) => {
            let mut names: Vec<String> = Vec::new();
            for kind in &family.kinds {
                all.push(kind.name.into());
                names.push(misspelled(kind.name));
                names.extend(kind.aliases.iter().map(|alias| alias.word.to_string()));
                all.push(ValueTable::of([(kind.name, Value::from(true))]).into());
            }
            all.extend(names.iter().map(|name| {
                Value::from(ValueTable::of([(
                    name.as_str(),
                    Value::from(ValueTable::default()),
                )]))
            }));
            if let [first, second, ..] = &family.kinds[..] {
                let both = [first, second].map(|kind| (kind.name, kind.shape.example()));
                all.push(ValueTable::of(both).into());
            }
        }
        Shape::Either(shapes) => shapes.iter().for_each(|one| of_shape(one, all)),
        Shape::List(item) => {
            let mut items = Vec::new();
            of_shape(item, &mut items);
            all.extend(items.into_iter().map(|item| Value::from(vec![item])));
        }
        _ => {}
    }
}

/// Number of hints that are followed one after another, where a mended value contradicts others.
const STEPS: usize = 3;

/// The reason why a change does not mend a problem; none if it does. A value that is understood may
/// contradict another, or need one: then the hint about that is followed too.
fn unmended(
    root: &Written,
    before: &[Problem],
    problem: &Problem,
    change: &ProposedEdit,
    steps: usize,
) -> Option<String> {
    let path = problem.path.clone();
    let complaint = Complaint {
        path: &path,
        problem: &problem.problem,
    };
    let mut reason = "nothing to change".to_string();
    for (root, at) in made(root, ScenarioSpec::known_shape(), complaint, change) {
        let after = unread(&root);
        let left = after.iter().find(|other| {
            (&other.path, &other.problem) == (&problem.path, &problem.problem)
                || is_at(&at, &other.path)
                    && !before.contains(other)
                    && !matches!(change, ProposedEdit::Bound(_))
        });
        match left {
            None => return None,
            Some(left) => {
                reason = left.to_string();
                let is_other = left.problem != problem.problem || left.path != problem.path;
                let next = changes(left.hint.as_deref().unwrap_or_default());
                let mends = |change| unmended(&root, before, left, change, steps - 1).is_none();
                if is_other && steps > 0 && next.iter().any(mends) {
                    return None;
                }
            }
        }
    }
    Some(reason)
}

#[test]
fn what_the_hint_about_a_wrong_value_proposes_is_accepted() {
    let (mut refused, mut tried) = (BTreeSet::new(), BTreeSet::new());
    for Place { path, field } in places() {
        let base = base(&path).unwrap_or_else(|| panic!("no scenario has `{path}`"));
        for value in values(&field) {
            let mut root = base.clone();
            set(&mut root, ScenarioSpec::known_shape(), &path, &value).expect("a place");
            let before = unread(&root);
            for problem in before.iter().filter(|one| is_at(&path, &one.path)) {
                let hint = problem.hint.as_deref().unwrap_or_default();
                if is_for_the_user(hint) || !tried.insert(problem.to_string()) {
                    continue;
                }
                let changes = changes(hint);
                if changes.is_empty() && proposes(hint) {
                    refused.insert(format!("{problem}\n    -> nothing to apply"));
                }
                for change in changes.iter().filter(|change| !has_blank(change.text())) {
                    if let Some(reason) = unmended(&root, &before, problem, change, STEPS) {
                        refused.insert(format!(
                            "{problem}\n    {value} {change:?}\n    -> {reason}"
                        ));
                    }
                }
            }
        }
    }
    let listed: Vec<&str> = refused.iter().map(String::as_str).collect();
    let counts = format!("{} of {}", refused.len(), tried.len());
    assert!(refused.is_empty(), "{counts}:\n{}", listed.join("\n"));
    assert!(tried.len() > 10_000, "{counts}");
}
