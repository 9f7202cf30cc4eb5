//! Scopes: the objects that numbers and series describe, as values, and their texts.

use std::fmt::{self, Display, Formatter};

use models::metrics::ScopeKind;
use models::wire::class::Class;
use models::wire::priority::Priority;

/// The object that a number, a series or a gauge describes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// The whole network.
    Network,
    /// A flow, or a group of flows.
    Flow(Name),
    /// An output of a node.
    Port(Place),
    /// The virtual channel of a flow at an output.
    Vc(Name, Place),
    /// A service class at an output.
    Class(Class, Place),
    /// One direction of a link that may lose cells or packets.
    Link(Place),
    /// A priority of one direction of a link that may be paused or has credits for packets.
    Priority(Priority, Place),
    /// A flow at an output that drops its cells, or at a link beyond the output that loses them.
    Drop(Name, Place),
}

/// Name of a flow or of a node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// The name that is written in the scenario.
    pub group: String,
    /// Number of the member, if the name is that of a group.
    pub number: Option<u32>,
}

/// An output: the node that has the output, and the node at the far end of its link.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The node that transmits.
    pub node: Name,
    /// The node that receives.
    pub to: Name,
}

impl Name {
    /// Reads a name with or without a number, such as `bulk[3]`.
    pub fn parse(text: &str) -> Option<Name> {
        let (group, number) = Name::parts(text)?;
        parameters::is_name(group).then(|| Name {
            group: group.to_string(),
            number,
        })
    }

    /// The group and the number in the text of a name; none if the number is wrong.
    pub fn parts(text: &str) -> Option<(&str, Option<u32>)> {
        match text.split_once('[') {
            Some((group, rest)) => Some((group, Some(rest.strip_suffix(']')?.parse().ok()?))),
            None => Some((text, None)),
        }
    }

    /// The group in the text of a name, even if the number is wrong.
    pub fn group_in(text: &str) -> &str {
        text.split_once('[').map_or(text, |(group, _)| group)
    }
}

impl Scope {
    /// The kind of a scope of metrics; a virtual channel has series and no metrics.
    pub fn kind(&self) -> Option<ScopeKind> {
        match self {
            Scope::Network => Some(ScopeKind::Network),
            Scope::Flow(_) => Some(ScopeKind::Flow),
            Scope::Port(_) => Some(ScopeKind::Port),
            Scope::Vc(..) => None,
            Scope::Class(..) => Some(ScopeKind::Class),
            Scope::Link(_) => Some(ScopeKind::Link),
            Scope::Priority(..) => Some(ScopeKind::Priority),
            Scope::Drop(..) => Some(ScopeKind::Drop),
        }
    }

    /// The word for the kind of scope; `vc` for a virtual channel.
    pub fn word(&self) -> &'static str {
        self.kind().map_or("vc", ScopeKind::word)
    }

    /// The flow, the service class, or the number of the priority.
    pub fn name(&self) -> Option<Name> {
        match self {
            Scope::Network | Scope::Port(_) | Scope::Link(_) => None,
            Scope::Flow(name) | Scope::Vc(name, _) | Scope::Drop(name, _) => Some(name.clone()),
            Scope::Class(class, _) => Some(Name::alone(class.word())),
            Scope::Priority(priority, _) => Some(Name::of_priority(*priority)),
        }
    }

    /// The output.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Scope::Network | Scope::Flow(_) => None,
            Scope::Port(place)
            | Scope::Link(place)
            | Scope::Vc(_, place)
            | Scope::Class(_, place)
            | Scope::Priority(_, place)
            | Scope::Drop(_, place) => Some(place),
        }
    }
}

impl Display for Scope {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Network => write!(out, "network"),
            Scope::Flow(flow) => write!(out, "flow {flow}"),
            Scope::Port(place) => write!(out, "port {place}"),
            Scope::Vc(flow, place) => write!(out, "port {place} of {flow}"),
            Scope::Class(class, place) => write!(out, "class {} at {place}", class.word()),
            Scope::Link(place) => write!(out, "link {place}"),
            Scope::Priority(priority, place) => {
                write!(out, "priority {} at {place}", priority.index())
            }
            Scope::Drop(flow, place) => write!(out, "drop {flow} at {place}"),
        }
    }
}

impl Name {
    /// The name of an object that is no group.
    pub fn alone(name: &str) -> Name {
        Name {
            group: name.to_string(),
            number: None,
        }
    }

    /// The name of a priority: its number.
    pub fn of_priority(priority: Priority) -> Name {
        Name::alone(&priority.index().to_string())
    }

    /// True if `other` is this name, or the name of a member of this group.
    pub fn covers(&self, other: &Name) -> bool {
        self.group == other.group && (self.number.is_none() || self.number == other.number)
    }
}

impl Display for Name {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.number {
            Some(number) => write!(out, "{}[{number}]", self.group),
            None => write!(out, "{}", self.group),
        }
    }
}

impl Place {
    /// True if both nodes of an output are the nodes of this output, or members of their groups.
    pub fn covers(&self, other: &Place) -> bool {
        self.node.covers(&other.node) && self.to.covers(&other.to)
    }
}

impl Display for Place {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}->{}", self.node, self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_has_one_text() {
        let flow = Name {
            group: "bulk".into(),
            number: Some(3),
        };
        let [node, to] = ["s1", "receiver"].map(Name::alone);
        let place = Place { node, to };
        let scopes = [
            (Scope::Network, "network", "network"),
            (Scope::Flow(flow.clone()), "flow", "flow bulk[3]"),
            (Scope::Port(place.clone()), "port", "port s1->receiver"),
            (
                Scope::Vc(flow.clone(), place.clone()),
                "vc",
                "port s1->receiver of bulk[3]",
            ),
            (
                Scope::Class(Class::ALL[0], place.clone()),
                "class",
                &format!("class {} at s1->receiver", Class::ALL[0].word()),
            ),
            (Scope::Link(place.clone()), "link", "link s1->receiver"),
            (
                Scope::Priority(Priority::new(3).unwrap(), place.clone()),
                "priority",
                "priority 3 at s1->receiver",
            ),
            (
                Scope::Drop(flow, place),
                "drop",
                "drop bulk[3] at s1->receiver",
            ),
        ];
        for (scope, word, text) in scopes {
            assert_eq!((scope.word(), scope.to_string().as_str()), (word, text));
        }
    }
}
