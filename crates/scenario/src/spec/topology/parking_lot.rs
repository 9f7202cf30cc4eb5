//! A parking lot: one sender joins at each switch of a chain, and all flows leave after the last
//! switch.
//!
//! The flow that joins first passes the most queues. Ajmone Marsan, Bianco, Lo Cigno, Munafò and
//! Baldi, "On the Performance of Transport Protocols over ATM Networks", Politecnico di Torino,
//! undated, section 3 and figure 2, have four switches, and additional traffic that passes a single
//! link of the chain.

use kernel::Duration;
use parameters::{Conflict, Propagation, parameters};

use super::{Line, Origin, Parts, SwitchRow, SwitchSpec};

parameters! {
    /// Switches in a row; a sender joins at each but the last, and all flows leave after the last.
    ///
    /// Switches are `s1`, `s2` and so on. Hosts are `sender[0]`, at `s1`, and so on, and
    /// `receiver[0]` and so on, all at the last switch. Links are `trunk1` and so on, `access1`,
    /// and `exit`. With `cross`, hosts `cross1[0]` and so on join at `s1` by the links `join1`, and
    /// hosts `sink1[0]` and so on leave at `s2` by the links `leave1`; likewise along every trunk.
    #[check(check)]
    pub struct ParkingLot {
        /// Number of switches.
        #[range(2, 1000)]
        pub switches: u32,
        /// Number of host pairs beside each trunk, for traffic that passes only this trunk.
        #[range(0, 1000)]
        pub cross: u32 = 0,
        /// Links from hosts to switches, and back.
        pub access: Line,
        #[as_in(SwitchRow)]
        pub trunk: Line,
        /// Propagation delay, or distance, from each sender to its receiver; the link of the sender
        /// has the delay that remains after the other links. If not given, the link is as long as
        /// `access`.
        pub path_delay: Option<Propagation>,
        #[as_in(SwitchRow)]
        pub switch: SwitchSpec,
    }
}

impl ParkingLot {
    /// The hosts, switches and links of the topology.
    pub fn build(&self, origin: &Origin) -> Parts {
        let mut parts = Parts::new(origin);
        let trunks = self.switches - 1;
        let switch = |number: u32| format!("s{number}");
        let last = switch(self.switches);
        parts.hosts("sender", Some(trunks));
        parts.hosts("receiver", Some(trunks));
        for number in 1..=self.switches {
            parts.switch(switch(number), &self.switch);
        }
        for number in 1..=trunks {
            let (here, next) = (switch(number), switch(number + 1));
            let sender = format!("sender[{}]", number - 1);
            let access = self.access_of(number);
            parts.link(
                format!("access{number}"),
                [&sender, &here],
                "access",
                &access,
            );
            parts.link(
                format!("trunk{number}"),
                [&here, &next],
                "trunk",
                &self.trunk,
            );
            if self.cross > 0 {
                let [cross, sink] = ["cross", "sink"].map(|name| format!("{name}{number}"));
                parts.hosts(&*cross, Some(self.cross));
                parts.hosts(&*sink, Some(self.cross));
                parts.link(
                    format!("join{number}"),
                    [&cross, &here],
                    "access",
                    &self.access,
                );
                parts.link(
                    format!("leave{number}"),
                    [&next, &sink],
                    "access",
                    &self.access,
                );
            }
        }
        parts.link("exit", [&last, "receiver"], "access", &self.access);
        parts
    }

    /// The link of the sender at a switch.
    fn access_of(&self, number: u32) -> Line {
        let rest = self.rest(number);
        let delay = self.path_delay.map_or(self.access.delay, |whole| {
            Propagation(whole.0.saturating_sub(rest))
        });
        Line {
            delay,
            ..self.access.clone()
        }
    }

    /// Propagation delay from the switch at which a sender joins to the receiver.
    fn rest(&self, number: u32) -> Duration {
        self.trunk.delay.0 * u64::from(self.switches - number) + self.access.delay.0
    }

    fn check(&self) -> Option<Conflict> {
        let (whole, longest) = (self.path_delay?.0, self.rest(1));
        (longest > whole).then(|| Conflict {
            name: "path_delay",
            problem: format!("the trunks and the exit already take `{longest}`"),
            hint: format!("write at least `\"{longest}\"`, or make the trunks shorter"),
        })
    }
}
