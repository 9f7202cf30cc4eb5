//! Paths of values in a scenario: `switch.s1.buffer.per_output`, `sweep."flow.bulk.start"[2]`.
//!
//! Names are written as the dotted keys of TOML 1.0.0; numbers in brackets, for the items of a
//! list, are ours, since TOML has no path to an item.

use std::fmt::{self, Write as _};

use crate::printable::{LEFT, LONGEST, LONGEST_QUOTED, printable, shortened};
use crate::value::{Key, Value, Written};

/// The way from the root of a scenario to one of its values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path {
    steps: Vec<PathStep>,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathStep {
    /// To the value of a name in a table.
    Key(String),
    /// To an item of a list.
    Index(usize),
}

impl Path {
    /// The whole scenario.
    pub fn root() -> Path {
        Path::default()
    }

    /// The value called `name` in the table at this path.
    pub fn key(&self, name: &str) -> Path {
        self.then(PathStep::Key(name.to_string()))
    }

    /// The item at `index` of the list at this path.
    pub fn index(&self, index: usize) -> Path {
        self.then(PathStep::Index(index))
    }

    /// The path that goes on from this one by `steps`.
    pub fn join(&self, steps: &[PathStep]) -> Path {
        Path {
            steps: [&self.steps, steps].concat(),
        }
    }

    fn then(&self, step: PathStep) -> Path {
        let mut steps = Vec::with_capacity(self.steps.len() + 1);
        steps.extend_from_slice(&self.steps);
        steps.push(step);
        Path { steps }
    }

    /// True if this is the path of the whole scenario.
    pub fn is_root(&self) -> bool {
        self.steps.is_empty()
    }

    /// The name of the first step, unless that is an index.
    pub fn first_name(&self) -> Option<&str> {
        match self.steps.first() {
            Some(PathStep::Key(name)) => Some(name),
            _ => None,
        }
    }

    /// The steps of the path, from the root of the scenario on.
    pub fn steps(&self) -> &[PathStep] {
        &self.steps
    }

    /// Reads a path as displayed; keys that are not bare words are in quotes.
    ///
    /// # Errors
    /// The problem, as a message.
    pub fn parse(text: &str) -> Result<Path, String> {
        let mut path = Path::root();
        let mut rest = text.trim();
        loop {
            let (key, after) = take_key(rest)?;
            path.steps.push(PathStep::Key(key));
            rest = after;
            while let Some(after) = rest.strip_prefix('[') {
                let (digits, after) = after
                    .split_once(']')
                    .ok_or_else(|| format!("`{text}` has a `[` without `]`"))?;
                let index = digits
                    .parse()
                    .map_err(|_| format!("`[{digits}]` is not the number of a list item"))?;
                path.steps.push(PathStep::Index(index));
                rest = after;
            }
            match rest.strip_prefix('.') {
                Some(after) => rest = after,
                None if rest.is_empty() => return Ok(path),
                None => return Err(format!("`{text}` has `{rest}` where a `.` is expected")),
            }
        }
    }

    /// The value at this path in `root`, or the last value on the way if there is none.
    pub fn nearest_in<'a>(&self, root: &'a Written) -> &'a Written {
        let mut here = root;
        for step in &self.steps {
            let Some(next) = step.of(here) else { break };
            here = next;
        }
        here
    }

    /// The value at this path in `root`.
    pub fn find_in<'a>(&self, root: &'a Written) -> Option<&'a Written> {
        self.steps.iter().try_fold(root, |here, step| step.of(here))
    }
}

impl PathStep {
    /// The value one step from `here`.
    fn of<'a>(&self, here: &'a Written) -> Option<&'a Written> {
        match (self, &here.value) {
            (PathStep::Key(name), Value::Table(table)) => table.get(name),
            (PathStep::Index(index), Value::List(items)) => items.get(*index),
            _ => None,
        }
    }
}

/// The key at the start of the path `text`, and the remaining text.
fn take_key(text: &str) -> Result<(String, &str), String> {
    if let Some(quoted) = text.strip_prefix('"') {
        let mut key = String::new();
        let mut characters = quoted.char_indices();
        while let Some((position, character)) = characters.next() {
            match character {
                '"' => return Ok((key, &quoted[position + 1..])),
                '\\' => match characters.next() {
                    Some((_, escaped @ ('"' | '\\'))) => key.push(escaped),
                    _ => return Err(format!("`{text}` has a `\\` without a character to escape")),
                },
                other => key.push(other),
            }
        }
        return Err(format!("`{text}` has a quote that is not closed"));
    }
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let key = text[..end].trim();
    let is_bare = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    if key.is_empty() {
        Err("a name is missing in the path".to_string())
    } else if key.chars().all(is_bare) {
        Ok((key.to_string(), &text[end..]))
    } else {
        Err(format!("`{key}` must be in quotes in a path"))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.steps.iter().enumerate() {
            match step {
                PathStep::Index(index) => write!(out, "[{index}]")?,
                PathStep::Key(name) if position == 0 => write!(out, "{}", Key(name))?,
                PathStep::Key(name) => write!(out, ".{}", Key(name))?,
            }
        }
        Ok(())
    }
}

/// A path for display: long names in it are shortened.
pub fn shown(path: &Path) -> String {
    let mut shown = String::new();
    for step in path.steps() {
        let separator = if shown.is_empty() { "" } else { "." };
        let _ = match step {
            PathStep::Index(index) => write!(shown, "[{index}]"),
            PathStep::Key(name) if name.chars().nth(LONGEST_QUOTED).is_none() => {
                write!(shown, "{separator}{}", Key(name))
            }
            PathStep::Key(name) => {
                write!(shown, "{separator}{}", shortened(&printable(name), LEFT))
            }
        };
    }
    shortened(&shown, LONGEST).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value;

    #[test]
    fn displays_as_users_write_it() {
        let path = Path::root().key("sweep").key("flow.bulk.start").index(2);
        assert_eq!(path.to_string(), r#"sweep."flow.bulk.start"[2]"#);
        assert_eq!(Path::root().to_string(), "");
    }

    #[test]
    fn reads_back_what_it_displays() {
        for text in [
            "a",
            "a.b-c.d_1",
            r#"sweep."flow.bulk.start"[2][0].x"#,
            r#""a\"\\b""#,
        ] {
            assert_eq!(Path::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn reports_the_problem_of_a_path() {
        for text in [
            "", "a..b", ".a", "a.", "a b.c", "a[x]", "a[1", "\"a", "a[0]b", "\"\\n\"",
        ] {
            assert!(Path::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn leads_to_a_value_or_to_the_last_one_on_the_way() {
        let root = Written::from(value!({ switch = { s1 = { marks = [1, 2] } } }));
        let find = |path: &str| {
            Path::parse(path)
                .unwrap()
                .find_in(&root)
                .map(|at| at.value.clone())
        };
        let nearest = |path: &str| Path::parse(path).unwrap().nearest_in(&root).value.clone();
        assert_eq!(find("switch.s1.marks[1]"), Some(value!(2)));
        assert_eq!(find("switch.s1.marks[2]"), None);
        assert_eq!(nearest("switch.s1.marks[2]"), value!([1, 2]));
        assert_eq!(nearest("link.access"), root.value);
    }

    #[test]
    fn long_names_are_shortened() {
        let parsed = |path: &str| Path::parse(path).unwrap();
        let long = "n".repeat(20_000);
        let left = "n".repeat(60);
        assert_eq!(
            shown(&parsed(&format!("link.\"{long}.x\"[2].rate"))),
            format!("link.{left}...[2].rate")
        );
        assert_eq!(shown(&parsed("sweep.\"flow.a\"[2]")), "sweep.\"flow.a\"[2]");
        assert!(shown(&parsed(&vec!["a"; 20_000].join("."))).len() < 2010);
    }
}
