//! A bottleneck: senders and receivers with one link between them, also called a dumbbell.
//!
//! Ajmone Marsan, Bianco, Lo Cigno, Munafò and Baldi, "On the Performance of Transport Protocols
//! over ATM Networks", Politecnico di Torino, undated, figure 1, among many others.

use models::group::MOST_NODES;
use parameters::parameters;

use super::{Line, Origin, Parts, SwitchSpec};

parameters! {
    /// Senders at one switch, receivers at another, and one link between the two.
    ///
    /// Hosts are `sender[0]` and `receiver[0]` and so on, switches `s1` and `s2`, links `access`,
    /// `trunk` and `exit`.
    pub struct Bottleneck {
        /// Number of senders, and of receivers.
        #[range(1, MOST_NODES)]
        pub pairs: u32,
        /// Links from senders to the first switch.
        pub access: Line,
        /// Link between the switches.
        pub trunk: Line,
        /// Links from the second switch to receivers; if not given, as `access`.
        pub exit: Option<Line>,
        /// Parameters of both switches.
        pub switch: SwitchSpec,
    }
}

impl Bottleneck {
    /// The hosts, switches and links of the topology.
    pub fn build(&self, origin: &Origin) -> Parts {
        let mut parts = Parts::new(origin);
        parts.hosts("sender", Some(self.pairs));
        parts.hosts("receiver", Some(self.pairs));
        parts.switch("s1", &self.switch);
        parts.switch("s2", &self.switch);
        parts.link("access", ["sender", "s1"], "access", &self.access);
        parts.link("trunk", ["s1", "s2"], "trunk", &self.trunk);
        let (key, exit) = match &self.exit {
            Some(exit) => ("exit", exit),
            None => ("access", &self.access),
        };
        parts.link("exit", ["s2", "receiver"], key, exit);
        parts
    }
}
