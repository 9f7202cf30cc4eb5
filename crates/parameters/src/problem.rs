//! Problems with written values, and hints.

use std::collections::HashSet;
use std::fmt;

use crate::hint::Hint;
use crate::path::Path;
use crate::value::{Span, Value, Written};

/// One problem.
///
/// Messages are lower case without a full stop, values in backticks; the hint says what to write
/// instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Path to the value, empty for the whole scenario.
    pub path: Path,
    /// Span of the value.
    pub place: Option<Span>,
    /// Description of the problem.
    pub problem: String,
    /// What to write instead.
    pub hint: Option<String>,
    /// The hints from which a record around the value chooses.
    hints: Box<[Hint]>,
}

impl Problem {
    /// A problem with the value at `path`, which was written at `place`.
    pub fn new(path: &Path, place: Option<Span>, problem: impl Into<String>) -> Problem {
        Problem {
            path: path.clone(),
            place,
            problem: problem.into(),
            hint: None,
            hints: Box::default(),
        }
    }

    /// Adds a hint.
    pub fn hint(self, hint: impl Into<String>) -> Problem {
        Problem {
            hint: Some(hint.into()),
            ..self
        }
    }

    /// Adds several hints, the best first. A record that knows the range of the value may prefer
    /// another: see [`Problems::settle`].
    pub fn hints(self, hints: Vec<Hint>) -> Problem {
        Problem {
            hint: hints.first().map(Hint::to_string),
            hints: hints.into(),
            ..self
        }
    }
}

impl Problem {
    /// The user's own value with what it lacks, by each hint that proposes it.
    pub fn completed(&self) -> impl Iterator<Item = &Value> {
        self.hints.iter().filter_map(Hint::completed)
    }
}

/// Without the place, which only the sources can turn into lines and columns.
impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.path.is_root() { "" } else { ": " };
        write!(out, "{}{separator}{}", self.path, self.problem)?;
        match &self.hint {
            Some(hint) => write!(out, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

/// All problems found so far, in the order in which they were found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problems {
    found: Vec<Problem>,
}

impl Problems {
    /// Adds a problem.
    pub fn add(&mut self, problem: Problem) {
        self.found.push(problem);
    }

    /// Adds problems at paths that have none yet.
    pub fn extend_by_new(&mut self, found: Problems) {
        let said = |problem: &Problem| (problem.path.clone(), problem.problem.clone());
        if found.is_empty() {
            return;
        }
        let known: HashSet<_> = self.iter().map(said).collect();
        let is_new = |problem: &Problem| !known.contains(&said(problem));
        self.extend(found.into_iter().filter(is_new));
    }

    /// Lets each problem at `at`, of those from number `from` on, give the first of its hints whose
    /// values `accepts` approves, or else `range`. An example is the `default`, if there is one.
    pub fn settle(
        &mut self,
        from: usize,
        at: &Path,
        accepts: &dyn Fn(&Value) -> bool,
        default: Option<&Value>,
        range: Option<&Hint>,
    ) {
        let found = self.found.iter_mut().skip(from);
        for problem in found.filter(|problem| problem.path == *at && !problem.hints.is_empty()) {
            let with_default = |hint: &Hint| {
                let default = default.and_then(|value| hint.with_example(value));
                default.unwrap_or_else(|| hint.clone())
            };
            let mut hints = problem.hints.iter().chain(range).map(with_default);
            let is_accepted = |hint: &Hint| hint.proposed().iter().all(accepts);
            if let Some(hint) = hints.find(is_accepted) {
                problem.hint = Some(hint.to_string());
            }
        }
    }

    /// Keeps the problems for which `is_kept` is true.
    pub fn retain(&mut self, is_kept: impl FnMut(&Problem) -> bool) {
        self.found.retain(is_kept);
    }

    /// Number of problems.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// True if there are no problems.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The problems, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.found.iter()
    }

    /// Gives each problem without a place the place of its path in `root`.
    pub fn locate(&mut self, root: &Written) {
        for problem in self
            .found
            .iter_mut()
            .filter(|problem| problem.place.is_none())
        {
            problem.place = problem.path.nearest_in(root).place;
        }
    }

    /// `value`, if there are no problems.
    ///
    /// # Errors
    /// The problems, if there are any.
    ///
    /// # Panics
    /// If there is neither a value nor a problem, because a refused value must leave a problem.
    pub fn or<T>(self, value: Option<T>) -> Result<T, Problems> {
        if self.is_empty() {
            Ok(value.expect("a value that is not understood leaves a problem"))
        } else {
            Err(self)
        }
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Problems {
        Problems {
            found: vec![problem],
        }
    }
}

impl Extend<Problem> for Problems {
    fn extend<I: IntoIterator<Item = Problem>>(&mut self, problems: I) {
        self.found.extend(problems);
    }
}

impl IntoIterator for Problems {
    type Item = Problem;
    type IntoIter = std::vec::IntoIter<Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.found.into_iter()
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.found.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(out, "{separator}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
