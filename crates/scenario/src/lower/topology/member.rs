//! Names of nodes, links and flows.

use parameters::Named;

/// A node, link or flow: the only member of its table, or a member of a group.
///
/// Names are composed on request: the names of a large group would take more memory than its
/// members.
#[derive(Clone, Copy, Debug)]
pub struct TableMember {
    spec: u32,
    /// Number in the group; [`TableMember::ALONE`] if the table is not a group. An `Option` would enlarge
    /// every flow, link and node.
    number: u32,
}

impl TableMember {
    const ALONE: u32 = u32::MAX;

    /// Member `index` of the table at position `spec`; `numbered` is true if the table is a group.
    pub fn new(spec: usize, index: usize, numbered: bool) -> TableMember {
        TableMember {
            spec: spec as u32,
            number: if numbered {
                index as u32
            } else {
                TableMember::ALONE
            },
        }
    }

    /// Position of its table in the scenario.
    pub fn spec(self) -> usize {
        self.spec as usize
    }

    /// Number in the group; none if the table is not a group.
    pub fn number(self) -> Option<u32> {
        (self.number != TableMember::ALONE).then_some(self.number)
    }

    /// Its name: the name of its table, with the number in the group.
    pub fn name<T>(self, written: &Named<T>) -> String {
        let (stem, _) = &written.0[self.spec()];
        match self.number() {
            Some(number) => format!("{stem}[{number}]"),
            None => stem.clone(),
        }
    }
}
