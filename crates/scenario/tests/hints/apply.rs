//! Makes the change that a hint proposes, in the tree of a scenario.

use parameters::path::PathStep;
use parameters::{Path, Shape, SourceId, Value, ValueTable, Written, is_name};
use scenario::document::assign;
use scenario::document::parse_value;

use super::proposed::ProposedEdit;

/// A complaint: where, and what.
#[derive(Clone, Copy)]
pub struct Complaint<'a> {
    pub path: &'a Path,
    pub problem: &'a str,
}

/// Every way to make `change` for a complaint, each with the path at which the result stands. A hint
/// names a parameter without its table, so several tables around the mistake may be meant.
pub fn made(
    root: &Written,
    shape: &Shape,
    complaint: Complaint<'_>,
    change: &ProposedEdit,
) -> Vec<(Written, Path)> {
    let path = complaint.path;
    match change {
        ProposedEdit::Replace(name) => replaced(root, complaint, name),
        ProposedEdit::Write(name)
            if complaint.problem.starts_with("unknown k") && is_name(name) =>
        {
            replaced(root, complaint, name)
        }
        ProposedEdit::Write(text) | ProposedEdit::Bound(text) => written(root, shape, path, text),
        ProposedEdit::Choose(word) => chosen(root, shape, path, word),
        ProposedEdit::LeaveOut(name) => left_out(root, path, name),
        ProposedEdit::Keep(kind) => vec![kept(root, path, kind)],
    }
    .into_iter()
    .flatten()
    .collect()
}

/// The path of the first `count` steps of `path`.
fn prefix(path: &Path, count: usize) -> Path {
    Path::root().join(&path.steps()[..count])
}

/// The wrong word in the complaint replaced by `name`: as the last key of the path, within a text,
/// or in an axis that varies the path.
fn replaced(root: &Written, complaint: Complaint<'_>, name: &str) -> Vec<Option<(Written, Path)>> {
    let Complaint { path, problem } = complaint;
    let name = name.trim_matches('"');
    let Some(wrong) = problem.rsplit('`').nth(1) else {
        return vec![];
    };
    let with_word = || {
        let mut root = root.clone();
        let found = find(&mut root, path)?;
        let text = found.value.text().filter(|text| text.contains(wrong))?;
        found.value = text.replacen(wrong, name, 1).into();
        Some((root, path.clone()))
    };
    vec![
        renamed(root, path, wrong, name),
        with_word(),
        in_axis(root, path, wrong, name),
    ]
}

/// The key `wrong` at the end of a path, with another name.
fn renamed(root: &Written, path: &Path, wrong: &str, name: &str) -> Option<(Written, Path)> {
    let mut root = root.clone();
    let (last, _) = path.steps().split_last()?;
    let parent = prefix(path, path.steps().len() - 1);
    if *last != PathStep::Key(wrong.to_string()) {
        return None;
    }
    let Value::Table(table) = &mut find(&mut root, &parent)?.value else {
        return None;
    };
    let entry = table.remove(wrong)?;
    table.set(name, entry.place, entry.written);
    Some((root, parent.key(name)))
}

/// The word in the path of an axis, or in its values.
fn in_axis(root: &Written, path: &Path, wrong: &str, name: &str) -> Option<(Written, Path)> {
    let mut root = root.clone();
    let sweep = Path::root().key("sweep");
    let Value::Table(table) = &mut find(&mut root, &sweep)?.value else {
        return None;
    };
    let begins = |axis: &&str| axis.starts_with(&path.to_string());
    let old = table.names().find(begins)?.to_string();
    let entry = table.remove(&old)?;
    let mut values = entry.written;
    if let Value::List(items) = &mut values.value {
        for item in items {
            if let Value::Text(text) = &mut item.value {
                *text = text.replace(wrong, name);
            }
        }
    }
    let new = old.replace(wrong, name);
    table.set(new.as_str(), entry.place, values);
    Some((root, Path::parse(&new).ok()?))
}

/// The value of `text` in place of that at `path`, or the parameter that `text` assigns, in each
/// table around `path`.
fn written(root: &Written, shape: &Shape, path: &Path, text: &str) -> Vec<Option<(Written, Path)>> {
    if let Some(only) = in_single_brackets(root, path, text) {
        return vec![Some(only)];
    }
    let is_value = text.starts_with(['{', '[', '"']);
    if let Some((name, value)) = text.split_once(" = ").filter(|_| !is_value) {
        return assigned(root, shape, path, name, value);
    }
    if let Some(name) = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
        && name.starts_with(|one: char| one.is_ascii_alphabetic())
    {
        return assigned(root, shape, &Path::root(), name, "{}");
    }
    let value = parse_value(SourceId(0), text, 0).map(|written| written.value);
    let is_named = value.is_none() && text.contains('.') && !text.contains(' ');
    if is_named && !text.starts_with(|one: char| one.is_ascii_digit()) {
        return assigned(root, shape, path, text, "{}");
    }
    let value = value.unwrap_or_else(|| text.into());
    let mut root = root.clone();
    let set = set(&mut root, shape, path, &value);
    vec![set.map(|()| (root, path.clone()))]
}

/// The only table of a list in place of the list, if `text` is its header.
fn in_single_brackets(root: &Written, path: &Path, text: &str) -> Option<(Written, Path)> {
    let mut root = root.clone();
    let found = find(&mut root, path).filter(|_| text == format!("[{path}]"))?;
    let Value::List(items) = &found.value else {
        return None;
    };
    found.value = items.first()?.value.clone();
    Some((root, path.clone()))
}

fn assigned(
    root: &Written,
    shape: &Shape,
    path: &Path,
    name: &str,
    value: &str,
) -> Vec<Option<(Written, Path)>> {
    let Some(value) = parse_value(SourceId(0), value, 0) else {
        return vec![];
    };
    let Ok(name) = Path::parse(name) else {
        return vec![];
    };
    let first = name.steps().first();
    let depths = (0..=path.steps().len()).rev();
    // The parameter stands where one of its name is wrong, or beside a wrong one.
    let same = depths
        .clone()
        .filter(|depth| path.steps().get(*depth) == first);
    let places: Vec<usize> = same.chain(depths).collect();
    let put = places.into_iter().map(|depth| {
        let at = prefix(path, depth).join(name.steps());
        let mut root = root.clone();
        set(&mut root, shape, &at, &value.value)?;
        Some((root, at))
    });
    put.collect()
}

/// A word of a list: a text in place of the value, a kind in place of the present one, or a
/// parameter.
fn chosen(root: &Written, shape: &Shape, path: &Path, word: &str) -> Vec<Option<(Written, Path)>> {
    if word.contains(['.', '=', '"']) {
        return written(root, shape, path, word);
    }
    let mut all = Vec::new();
    let mut as_text = root.clone();
    let set_text = set(&mut as_text, shape, path, &word.into());
    all.push(set_text.map(|()| (as_text, path.clone())));
    for depth in (1..=path.steps().len()).rev() {
        let mut as_kind = root.clone();
        let at = prefix(path, depth);
        let kind = ValueTable::of([(word, example_of_kind(shape, &at, word))]);
        let set_kind = set(&mut as_kind, shape, &at, &kind.into());
        all.push(set_kind.map(|()| (as_kind, at)));
    }
    all
}

/// The parameters of a kind of the family at `path`.
fn example_of_kind(shape: &Shape, path: &Path, kind: &str) -> Value {
    let at = path
        .steps()
        .iter()
        .try_fold(shape, |here, step| match (here, step) {
            (Shape::Record(record), PathStep::Key(name)) => {
                let mut fields = record.fields.iter();
                fields
                    .find(|field| field.name == name)
                    .map(|field| &field.shape)
            }
            (Shape::Family(family), PathStep::Key(name)) => {
                let mut kinds = family.kinds.iter();
                kinds.find(|kind| kind.name == name).map(|kind| &kind.shape)
            }
            (Shape::Named(item) | Shape::List(item), _) => Some(&**item),
            _ => None,
        });
    let Some(Shape::Family(family)) = at else {
        return ValueTable::default().into();
    };
    let member = family.kinds.iter().find(|member| member.name == kind);
    member.map_or_else(
        || ValueTable::default().into(),
        |member| member.shape.example(),
    )
}

fn left_out(root: &Written, path: &Path, name: &str) -> Vec<Option<(Written, Path)>> {
    let name = name.trim_matches(['[', ']']);
    let Ok(name) = Path::parse(name) else {
        return vec![];
    };
    let depths = (0..=path.steps().len()).rev();
    let removed = depths.map(|depth| {
        let at = prefix(path, depth).join(name.steps());
        let mut root = root.clone();
        let parent = prefix(&at, at.steps().len() - 1);
        let PathStep::Key(last) = at.steps().last()? else {
            return None;
        };
        let Value::Table(table) = &mut find(&mut root, &parent)?.value else {
            return None;
        };
        table.remove(last).map(|_| (root, at))
    });
    removed.collect()
}

fn kept(root: &Written, path: &Path, kind: &str) -> Option<(Written, Path)> {
    let mut root = root.clone();
    let Value::Table(table) = &mut find(&mut root, path)?.value else {
        return None;
    };
    table.retain(kind);
    Some((root, path.clone()))
}

/// Gives `path` a value; the list of an axis that varies `path` gets it too.
pub fn set(root: &mut Written, shape: &Shape, path: &Path, value: &Value) -> Option<()> {
    if path.steps().is_empty() {
        return None;
    }
    assign(root, shape, path, &value.clone().into()).ok()?;
    if path.first_name() != Some("sweep")
        && let Some(sweep) = find(root, &Path::root().key("sweep"))
        && let Value::Table(axes) = &mut sweep.value
    {
        set_in(axes, &path.to_string(), value);
    }
    Some(())
}

/// Gives the axis `path`, and the parameter `path` of each point of another axis, a value.
fn set_in(axes: &mut ValueTable, path: &str, value: &Value) {
    for (_, axis) in axes.places_mut() {
        let Value::Table(points) = &mut axis.value else {
            continue;
        };
        for (_, point) in points.places_mut() {
            if let Value::Table(settings) = &mut point.value
                && let Some(setting) = settings.get_mut(path)
            {
                setting.value = value.clone();
            }
        }
    }
    if let Some(axis) = axes.get_mut(path) {
        axis.value = vec![value.clone()].into();
    }
}

/// The value at the end of a path.
pub fn find<'a>(root: &'a mut Written, path: &Path) -> Option<&'a mut Written> {
    path.steps()
        .iter()
        .try_fold(root, |here, step| match (step, &mut here.value) {
            (PathStep::Key(name), Value::Table(table)) => table.get_mut(name),
            (PathStep::Index(index), Value::List(items)) => items.get_mut(*index),
            _ => None,
        })
}
