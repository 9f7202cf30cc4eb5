//! Hints: how to mend a value.
//!
//! A reader of a value knows its type, and the record around it the range. So a reader offers
//! several hints, each with the values that it proposes, and the record keeps the first whose values
//! it accepts itself.

use std::fmt;

use crate::value::Value;

/// A hint: its text, and the values that it proposes to write.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    before: String,
    proposed: Vec<Value>,
    after: String,
    /// True if the words before already hold the values.
    states_values: bool,
    kind: HintKind,
}

/// Origin of the values of a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HintKind {
    /// The text of the hint names them, in its own way.
    Named,
    /// The mistake itself, mended.
    Mended,
    /// The user's value with what it lacks, such as a unit.
    Completed,
    /// An example of the type, which knows no better one.
    Example,
}

impl Hint {
    fn new(before: &str, proposed: Vec<Value>, kind: HintKind) -> Hint {
        Hint {
            before: before.to_string(),
            proposed,
            after: String::new(),
            states_values: kind == HintKind::Named,
            kind,
        }
    }

    /// A hint that proposes no value.
    pub fn words(text: &str) -> Hint {
        Hint::new(text, Vec::new(), HintKind::Named)
    }

    /// A hint in which `value` follows the words `before`: ``leave out the quotes: `10` ``.
    pub fn value(before: &str, value: impl Into<Value>) -> Hint {
        Hint::new(before, vec![value.into()], HintKind::Mended)
    }

    /// A hint that gives any valid value of the type.
    pub fn example(value: impl Into<Value>) -> Hint {
        Hint::example_after("write for example", value)
    }

    /// A hint that gives any valid value of the type after the words `before`.
    pub fn example_after(before: &str, value: impl Into<Value>) -> Hint {
        Hint::new(before, vec![value.into()], HintKind::Example)
    }

    /// A hint whose `text` names the values that it proposes, such as two bounds.
    pub fn naming(text: &str, proposed: impl IntoIterator<Item = Value>) -> Hint {
        Hint::new(text, proposed.into_iter().collect(), HintKind::Named)
    }

    /// The hint, whose proposed value is the user's own with what it lacks.
    #[must_use]
    pub fn completing(self) -> Hint {
        Hint {
            kind: HintKind::Completed,
            ..self
        }
    }

    /// The hint, followed by `after`.
    #[must_use]
    pub fn and(mut self, after: &str) -> Hint {
        self.after += after;
        self
    }

    /// The hint with `value` as its example; none if it gives no example of the type.
    pub fn with_example(&self, value: &Value) -> Option<Hint> {
        (self.kind == HintKind::Example).then(|| Hint {
            proposed: vec![value.clone()],
            ..self.clone()
        })
    }

    /// The user's own value with what it lacks, if the hint proposes that.
    pub fn completed(&self) -> Option<&Value> {
        self.proposed
            .first()
            .filter(|_| self.kind == HintKind::Completed)
    }

    /// The values that the hint proposes to write.
    pub fn proposed(&self) -> &[Value] {
        &self.proposed
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Hint { before, after, .. } = self;
        match &self.proposed[..] {
            [value] if !self.states_values => write!(out, "{before} `{value}`{after}"),
            _ => write!(out, "{before}{after}"),
        }
    }
}
