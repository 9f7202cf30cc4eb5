//! A chain: switches in a row, with hosts at each. Our own, as the simplest network in which flows
//! have paths of different lengths.

use parameters::parameters;

use super::{Line, Origin, Parts, SwitchRow, SwitchSpec};

parameters! {
    /// Switches in a row, with hosts at each.
    ///
    /// Switches are `s1`, `s2` and so on. Hosts at `s1` are `h1[0]`, `h1[1]` and so on, their links
    /// `access1`. The link from `s1` to `s2` is `trunk1`.
    pub struct Chain {
        /// Number of switches.
        #[range(1, 1000)]
        pub switches: u32,
        /// Number of hosts at each switch.
        #[range(1, 1000)]
        pub hosts: u32 = 1,
        /// Links from hosts to their switch.
        pub access: Line,
        #[as_in(SwitchRow)]
        pub trunk: Line,
        #[as_in(SwitchRow)]
        pub switch: SwitchSpec,
    }
}

impl Chain {
    /// The hosts, switches and links of the topology.
    pub fn build(&self, origin: &Origin) -> Parts {
        let mut parts = Parts::new(origin);
        let switch = |number: u32| format!("s{number}");
        for number in 1..=self.switches {
            let hosts = format!("h{number}");
            parts.switch(switch(number), &self.switch);
            let access = format!("access{number}");
            parts.link(access, [&hosts, &switch(number)], "access", &self.access);
            parts.hosts(hosts, Some(self.hosts));
        }
        for number in 1..self.switches {
            let ends = [&*switch(number), &switch(number + 1)];
            parts.link(format!("trunk{number}"), ends, "trunk", &self.trunk);
        }
        parts
    }
}
