//! The error of this crate: the problems of a scenario, with their places and hints.

use std::fmt;

use parameters::{Problem, Problems, path, printable};

use super::source::{Location, Sources};

/// Largest number of problems that are listed; further ones are counted.
const MOST: usize = 100;

/// All problems of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioError {
    /// The problems, in the order of the text.
    pub faults: Vec<Fault>,
    /// Number of further problems.
    pub omitted: usize,
}

/// One problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Path to the value, empty for the whole scenario.
    pub path: String,
    /// Span of the value in its text; none if the value came as plain data.
    pub location: Option<Location>,
    /// Description of the problem.
    pub problem: String,
    /// Hint: the value or table to write instead.
    pub hint: Option<String>,
}

impl ScenarioError {
    /// `problems`, with places in the texts of `sources`.
    #[doc(hidden)]
    pub fn new(problems: Problems, sources: &Sources) -> ScenarioError {
        let mut problems: Vec<Problem> = problems.into_iter().collect();
        problems.sort_by_key(|problem| {
            let place = problem.place;
            place.map_or((u16::MAX, usize::MAX), |place| {
                (place.source.0, place.start)
            })
        });
        problems.dedup();
        let omitted = problems.len().saturating_sub(MOST);
        let faults = problems.into_iter().take(MOST).map(|problem| Fault {
            path: path::shown(&problem.path),
            location: problem.place.map(|place| sources.location(place)),
            problem: printable::message(&problem.problem),
            hint: problem.hint.as_deref().map(printable::message),
        });
        ScenarioError {
            faults: faults.collect(),
            omitted,
        }
    }
}

impl ScenarioError {
    /// The last line of the text, if problems are omitted.
    pub fn omission(&self) -> Option<String> {
        match self.omitted {
            0 => None,
            1 => Some("and one more problem".into()),
            more => Some(format!("and {more} more problems")),
        }
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(out, "{separator}{fault}")?;
        }
        match self.omission() {
            Some(omission) => write!(out, "\n{omission}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Location { file, line, column }) = &self.location {
            write!(out, "{file}:{line}:{column}: ")?;
        }
        if !self.path.is_empty() {
            write!(out, "{}: ", self.path)?;
        }
        write!(out, "{}", self.problem)?;
        match &self.hint {
            Some(hint) => write!(out, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ScenarioError {}

#[cfg(test)]
mod tests {
    use super::*;
    use parameters::{Path, Span};

    #[test]
    fn problems_are_reported_in_the_order_of_the_text() {
        let mut sources = Sources::default();
        let source = sources.add("x.toml", "a = 1\nb = 2\n");
        let at = |name: &str, start| {
            let place = Span {
                source,
                start,
                end: start + 1,
            };
            Problem::new(
                &Path::root().key(name),
                Some(place),
                format!("`{start}` is wrong"),
            )
        };
        let mut problems = Problems::default();
        problems.add(at("b", 10).hint("mend it"));
        problems.add(at("a", 4));
        problems.add(at("a", 4));
        assert_eq!(
            ScenarioError::new(problems, &sources).to_string(),
            "x.toml:1:5: a: `4` is wrong\nx.toml:2:5: b: `10` is wrong\n  hint: mend it"
        );
    }

    #[test]
    fn a_flood_of_problems_is_counted() {
        let mut problems = Problems::default();
        for index in 0..102 {
            problems.add(Problem::new(&Path::root(), None, index.to_string()));
        }
        let message = ScenarioError::new(problems, &Sources::default()).to_string();
        assert!(message.ends_with("99\nand 2 more problems"), "{message}");
    }
}
