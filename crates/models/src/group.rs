//! Groups of equal nodes.

use parameters::parameters;

/// Largest number of hosts or edges in a group. Our own bound; memory grows with flows.
pub const MOST_NODES: i64 = 100_000;

/// Largest number of hosts and edges in a network: each of a group of the largest size may send to
/// another host.
pub const MOST_TOGETHER: i64 = 2 * MOST_NODES;

parameters! {
    /// A group of equal nodes.
    pub struct NodeGroup {
        /// Size of the group; members are called `name[0]`, `name[1]` and so on.
        #[alias("number")]
        #[range(1, MOST_NODES)]
        pub count: Option<u32>,
    }
}
