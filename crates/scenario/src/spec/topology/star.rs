//! A star: hosts around one switch. Our own, as the simplest network in which any host may send to
//! any other.

use models::group::MOST_NODES;
use parameters::parameters;

use super::{Line, Origin, Parts, SwitchSpec};

parameters! {
    /// Hosts around one switch.
    ///
    /// Hosts are `host[0]` and so on, the switch is `hub`, the links are `access`.
    pub struct Star {
        /// Number of hosts.
        #[range(2, MOST_NODES)]
        pub hosts: u32,
        /// Links from hosts to the switch.
        pub access: Line,
        /// Parameters of the switch.
        pub switch: SwitchSpec,
    }
}

impl Star {
    /// The hosts, switches and links of the topology.
    pub fn build(&self, origin: &Origin) -> Parts {
        let mut parts = Parts::new(origin);
        parts.hosts("host", Some(self.hosts));
        parts.switch("hub", &self.switch);
        parts.link("access", ["host", "hub"], "access", &self.access);
        parts
    }
}
