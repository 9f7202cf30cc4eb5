//! Credit-based flow control (CBFC) of Ultra Ethernet, a profile after SAI 1.18: credits for whole
//! packets.
//!
//! UEC Management Working Group, "SAI Proposal: Credit Based Flow Control (CBFC)", 2026, for SAI 1.18;
//! the attributes of ports, with their defaults and ranges, are those of `saiport.h`. A packet costs
//! ceil((size + overhead) / credit size) credits of its virtual channel. The sending end starts a
//! packet if the credits in use and those of the packet are within the limit. Both ends keep cyclic
//! counts of the credits consumed and freed, and tell each other of them: so no loss of a packet or a
//! message loses a credit for longer than until the next message.
//!
//! Virtual channels may share credits beside their own: see `packets/shared.rs`.
//!
//! Our own choices, where the proposal is silent: the virtual channels are the eight priorities of
//! packets; the limits are known to both ends from the start; a `CF_Update` has the count of one
//! virtual channel, the one that waits longest goes first, and the largest spacing holds for each of
//! them.

use kernel::Duration;
use parameters::{Bytes, Conflict, choices, parameters};

use super::{CbfcTerms, CreditTerms, Loop, PacketCost, SharedCreditsSpec};
use crate::wire::cyclic_count::CyclicCount;
use crate::wire::priority::{Priority, PrioritySet};

/// The least overhead of a packet, in octets.
const LEAST_OVERHEAD: i64 = -16;

parameters! {
    /// Credit-based flow control (CBFC) of whole packets, a profile after SAI 1.18: a packet is sent if
    /// the far end has room for it in its virtual channel, which is its priority.
    #[check(check)]
    pub struct Cbfc {
        /// The priorities whose packets need credits, and so are never dropped; if not given, all
        /// eight.
        pub priorities: Option<Vec<Priority>>,
        /// Credit limit of each virtual channel: credits of packets that are sent and not known to have
        /// left the far end. If not given, what one virtual channel needs to fill the link; with
        /// `shared`, the credits of the largest packet.
        #[range(1, 1_048_575)]
        pub limit: Option<u32>,
        /// Credits that virtual channels share beyond `limit`; if not given, none.
        pub shared: Option<SharedCreditsSpec>,
        /// Octets that a credit stands for.
        #[range("1 B", "65535 B")]
        pub credit_size: Bytes = "128 B",
        /// Octets that each packet counts for beside its own on the link.
        #[range(LEAST_OVERHEAD, 127)]
        pub overhead: i32 = 0,
        /// Credits of a packet.
        pub cost: CreditCost = "octets",
        /// Octets that the link could carry from one `CF_Update` to the next, at least.
        #[range("800 B", "1 MiB")]
        pub cf_min_spacing: Bytes = "6400 B",
        /// Octets that the link could carry from one `CF_Update` of a virtual channel to the next, at
        /// most: one is sent although no credit has been freed.
        #[range("16 KiB", "1 MiB")]
        pub cf_max_spacing: Bytes = "262144 B",
        /// Time from one `CC_Update` to the next.
        #[range("1 us", "250 ms")]
        pub cc_timer: Duration = "256 us",
    }
}

choices! {
    /// Credits of a packet.
    pub enum CreditCost {
        /// As many as its octets and the overhead need.
        octets => Octets,
        /// One, whatever its size.
        packet => Packet,
    }
}

impl Cbfc {
    fn check(&self) -> Option<Conflict> {
        let is_empty = self.priorities.as_ref().is_some_and(Vec::is_empty);
        if is_empty {
            return Some(Conflict {
                name: "priorities",
                problem: "no packet needs credits".to_string(),
                hint: "list some of the numbers from `0` to `7`, or leave `priorities` out"
                    .to_string(),
            });
        }
        let sharing = self
            .shared
            .as_ref()
            .and_then(|shared| shared.priorities.as_ref());
        let mut sharing = sharing.into_iter().flatten();
        let other = sharing.find(|priority| !self.lossless().has(**priority))?;
        Some(Conflict {
            name: "shared",
            problem: format!(
                "priority {} may use shared credits, and needs none",
                other.index()
            ),
            hint: "list it in the `priorities` of `cbfc` too, or leave it out of `shared`"
                .to_string(),
        })
    }

    /// The credits of one direction of a link.
    pub fn build(&self, link: &Loop) -> CreditTerms {
        let spacing = |octets: Bytes| link.rate.transmission(octets.0 * 8);
        let cost = PacketCost {
            credit_size: self.credit_size.0 as u32,
            overhead: self.overhead,
            by: self.cost,
        };
        let min_spacing = spacing(self.cf_min_spacing);
        let most = u64::from(CyclicCount::LARGEST);
        let filling = cost.filling(link, min_spacing).min(most) as u32;
        let default = match self.shared {
            None => filling,
            Some(_) => cost.of(link.sizes[1] as u32),
        };
        let limit = self.limit.unwrap_or(default);
        let shared = self.shared.as_ref().map(|shared| {
            let reserved = u64::from(limit) * self.lossless().and(link.priorities).len();
            shared.build(self.lossless(), reserved, u64::from(filling))
        });
        CreditTerms::Packets(CbfcTerms {
            priorities: self.lossless(),
            limit,
            shared,
            cost,
            min_spacing,
            max_spacing: spacing(self.cf_max_spacing),
            cc_timer: self.cc_timer,
        })
    }

    /// The priorities whose packets need credits.
    pub fn lossless(&self) -> PrioritySet {
        match &self.priorities {
            None => PrioritySet::ALL,
            Some(priorities) => priorities.iter().copied().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::Rate;
    use parameters::{Value, understand, value};

    use super::*;

    fn terms(written: &Value) -> CbfcTerms {
        let cbfc: Cbfc = understand(written).expect("credits");
        let rate = Rate::from_bits_per_second(8_000_000_000);
        let CreditTerms::Packets(terms) = cbfc.build(&Loop {
            propagation: Duration::from_us(1),
            rate,
            cell_time: rate.transmission(53 * 8),
            vcs: 3,
            priorities: [1, 2].into_iter().filter_map(Priority::new).collect(),
            sizes: [64, 1000],
            against: 500,
            sets: 0,
        }) else {
            panic!("CBFC counts packets");
        };
        terms
    }

    #[test]
    fn the_defaults_are_those_of_sai() {
        let terms = terms(&value!({}));
        assert_eq!(terms.priorities, PrioritySet::ALL);
        assert_eq!(terms.min_spacing, Duration::from_ps(6_400_000));
        assert_eq!(terms.max_spacing, Duration::from_ps(262_144_000));
        assert_eq!(terms.cc_timer, Duration::from_us(256));
        assert_eq!([128, 129].map(|octets| terms.cost.of(octets)), [1, 2]);
    }

    #[test]
    fn the_default_limit_fills_the_link_with_the_packets_that_cost_most() {
        // At 8 Gbit/s an octet takes a nanosecond. A packet is received and sent on, its update
        // waits for those of both channels, for a packet of 500 and a message of 84, and takes 8;
        // and 1 us each way.
        let octets = 2 * 1000 + 2 * 6400 + 500 + 84 + 8 + 2000;
        // A packet of 64 octets costs a credit, and the largest one eight.
        assert_eq!(u64::from(terms(&value!({})).limit), octets / 64 + 1 + 8);
        let by_packet = terms(&value!({ cost = "packet" }));
        assert_eq!(u64::from(by_packet.limit), octets / 64 + 1 + 1);
        assert_eq!(terms(&value!({ limit = 7 })).limit, 7);
    }

    #[test]
    fn shared_credits_are_what_the_limits_leave_of_that_of_the_port() {
        let shared = |written: &Value| terms(written).shared.expect("shared credits");
        // A packet of 1000 octets costs eight credits, and the link has two virtual channels.
        let given = shared(&value!({ shared = { port_limit = 100, threshold = 30 } }));
        assert_eq!([given.credits(), given.alone()], [84, 30]);
        let own = shared(&value!({ limit = 20, shared = { port_limit = 100 } }));
        assert_eq!([own.credits(), own.alone()], [60, 60]);
        let filling = u64::from(terms(&value!({})).limit);
        let computed = terms(&value!({ shared = {} }));
        let of_shared = computed.shared.expect("shared credits");
        assert_eq!((computed.limit, of_shared.alone()), (8, filling));
        for power in [-3, 0, 5] {
            let dynamic = shared(&value!({ shared = { power = power } }));
            assert!(dynamic.alone() >= filling);
        }
        let one = terms(&value!({ priorities = [1], shared = { port_limit = 100 } }));
        assert_eq!(one.shared.map(|shared| shared.credits()), Some(92));
    }

    #[test]
    fn shared_credits_are_for_some_by_one_threshold() {
        let refused = |written| understand::<Cbfc>(&written).is_err();
        assert!(refused(value!({ shared = { priorities = [] } })));
        assert!(refused(value!({ shared = { threshold = 10, power = 0 } })));
        assert!(refused(
            value!({ priorities = [1], shared = { priorities = [2] } })
        ));
        assert!(!refused(
            value!({ priorities = [1, 2], shared = { priorities = [2] } })
        ));
    }

    #[test]
    fn credits_are_for_some_priorities_at_least() {
        let refused = |written| understand::<Cbfc>(&written).is_err();
        assert!(refused(value!({ priorities = [] })));
        let below = LEAST_OVERHEAD - 1;
        assert!(refused(value!({ overhead = below })));
        assert!(refused(value!({ cf_min_spacing = "799 B" })));
        let some = terms(&value!({ priorities = [3, 4] })).priorities;
        assert_eq!(some.iter().map(Priority::index).collect::<Vec<_>>(), [3, 4]);
    }
}
