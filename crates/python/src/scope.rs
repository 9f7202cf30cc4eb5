//! Scopes as Python sees them: the word of the kind, the flow or class, and the output.

use pyo3::prelude::*;
use scenario::goal::{Goal, Scopes};
use scenario::report::{Name, Place, Scope};

use crate::error::ScenarioError;

/// Name of a group, and number of a member.
pub type NameParts = (String, Option<u32>);

/// The node of an output, and the node at the far end of its link.
pub type PlaceParts = (NameParts, NameParts);

/// Kind, name and place of a scope.
pub type ScopeParts = (&'static str, Option<NameParts>, Option<PlaceParts>);

/// The parts of a scope.
pub fn parts(scope: &Scope) -> ScopeParts {
    let name = scope.name().map(of_name);
    (scope.word(), name, scope.place().map(of_place))
}

/// The kind, name and place of each scope that a text such as `flow bulk` names.
pub fn read(text: &str) -> PyResult<ScopeParts> {
    let read = Scopes::parse(text);
    let scopes = read
        .map_err(|(problem, hint)| ScenarioError::new_err(format!("{problem}\n  hint: {hint}")))?;
    let place = scopes.place.as_ref().map(of_place);
    Ok((scopes.kind.word(), scopes.name.map(of_name), place))
}

/// The scopes and the name of the metric in a text such as `flow bulk goodput`.
pub fn read_goal(text: &str) -> PyResult<(ScopeParts, &str)> {
    let (scopes, metric) = Goal::parts(text);
    Ok((read(scopes)?, metric))
}

/// The parts of a name.
pub fn of_name(name: Name) -> NameParts {
    (name.group, name.number)
}

/// The parts of an output.
pub fn of_place(place: &Place) -> PlaceParts {
    (of_name(place.node.clone()), of_name(place.to.clone()))
}
