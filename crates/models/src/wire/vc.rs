//! Virtual channels: ITU-T Recommendation I.113.

use kernel::define_index;

define_index! {
    /// A virtual channel on one link, numbered from zero.
    ///
    /// As in ATM, the number is valid on that link only: a switch translates the number on the
    /// input to the number on the output, which is also the index of the VC in that port's tables.
    pub struct Vc;
}

/// The output of a VC that arrives at an input, and its number on that output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// Output of the node.
    pub output: u32,
    /// Virtual channel on that output.
    pub vc: Vc,
}

impl Route {
    /// The route of a VC that no unit takes.
    pub const NONE: Route = Route {
        output: u32::MAX,
        vc: Vc(u32::MAX),
    };

    /// The route of packets for which a node chooses among the next links of this group. No node has
    /// an output of this number.
    pub fn fork(group: u32) -> Route {
        Route {
            output: u32::MAX,
            vc: Vc(group),
        }
    }
}
