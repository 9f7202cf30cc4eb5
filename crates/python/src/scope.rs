//! Scopes as Python sees them: the word of the kind, the flow or class, and the output.

use scenario::report::{Name, Place, Scope};

/// Name of a group, and number of a member.
pub type NameParts = (String, Option<u32>);

/// Kind, name and place of a scope.
pub type ScopeParts = (
    &'static str,
    Option<NameParts>,
    Option<(NameParts, NameParts)>,
);

/// The parts of a scope.
pub fn parts(scope: &Scope) -> ScopeParts {
    let name = scope.name().map(of_name);
    (scope.word(), name, scope.place().map(of_place))
}

fn of_name(name: Name) -> NameParts {
    (name.group, name.number)
}

fn of_place(place: &Place) -> (NameParts, NameParts) {
    (of_name(place.node.clone()), of_name(place.to.clone()))
}
