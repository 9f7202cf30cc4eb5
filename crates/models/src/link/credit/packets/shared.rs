//! Credits of a link that its virtual channels share: the credit pools and credit profiles of
//! `saivirtualchannel.h` of the Switch Abstraction Interface (SAI).
//!
//! Each virtual channel has credits of its own (`RESERVED_CREDIT_SIZE`); what these leave of the limit
//! of the port is shared (`SHARED_SIZE`). A virtual channel uses shared credits up to a static threshold
//! (`SHARED_STATIC_TH`) or to 2^n of those that are free (`SHARED_DYNAMIC_TH`), or uses none
//! (`THRESHOLD_MODE_NONE`).
//!
//! Our own choices, where SAI is silent: the credits in use of a virtual channel are its own first, and
//! shared beyond them, so those that are freed are shared ones as long as it uses any; a packet may
//! take some of both; and a dynamic threshold is compared with what is free after the packet.

use parameters::{Conflict, parameters};

use crate::free_multiple::{FreeMultiple, LARGEST_POWER, LEAST_POWER};
use crate::wire::cyclic_count::CyclicCount;
use crate::wire::priority::{Priority, PrioritySet};

parameters! {
    /// Credits that virtual channels share, beside those that each of them has.
    #[check(check)]
    pub struct SharedCreditsSpec {
        /// Credit limit of all virtual channels together: what the limit of each leaves of it is
        /// shared. If not given, so many credits are shared that one virtual channel may fill the link
        /// alone, unless its `threshold` is lower.
        #[alias("size", "write `port_limit`, which counts the credits of each virtual channel too")]
        #[range(1, 1_048_575)]
        pub port_limit: Option<u32>,
        /// Most shared credits that a virtual channel uses. If neither this nor `power` is given, all of
        /// them.
        #[alias("shared_static_th", "write `threshold`, and leave it out for no limit")]
        #[range(1, 1_048_575)]
        pub threshold: Option<u32>,
        /// The n of 2^n, in the place of `threshold`: a virtual channel may use as many times the shared
        /// credits that are free.
        #[alias("shared_dynamic_th", "write `power`, which is the n of 2^n")]
        #[alias("dynamic_th", "write `power`, which is the n of 2^n")]
        #[alias("alpha", "write `power`, which is the n of alpha = 2^n")]
        #[range(LEAST_POWER, LARGEST_POWER)]
        pub power: Option<i32>,
        /// The priorities whose packets may use shared credits; if not given, all that need credits.
        pub priorities: Option<Vec<Priority>>,
    }
}

impl SharedCreditsSpec {
    fn check(&self) -> Option<Conflict> {
        if self.priorities.as_ref().is_some_and(Vec::is_empty) {
            return Some(Conflict {
                name: "priorities",
                problem: "no packet may use shared credits".to_string(),
                hint: "list some of the numbers from `0` to `7`, or leave `shared` out".to_string(),
            });
        }
        let both = self.threshold.is_some() && self.power.is_some();
        both.then(|| Conflict {
            name: "power",
            problem: "`threshold` is given too".to_string(),
            hint: "a threshold is static or follows the free credits: leave one out".to_string(),
        })
    }

    /// The shared credits of a port, of which virtual channels have `reserved` for themselves;
    /// `filling` is what one of them needs to fill the link.
    pub(in crate::link::credit) fn build(
        &self,
        protected: PrioritySet,
        reserved: u64,
        filling: u64,
    ) -> CreditPool {
        let multiple = self.power.map(FreeMultiple::of_power);
        let largest = u64::from(CyclicCount::LARGEST);
        let port_limit = self.port_limit.unwrap_or_else(|| {
            let shared = multiple.map_or(filling, |multiple| multiple.store_for(filling));
            reserved.saturating_add(shared).min(largest) as u32
        });
        CreditPool {
            port_limit,
            reserved,
            threshold: match multiple {
                Some(multiple) => CreditThreshold::Dynamic(multiple),
                None => CreditThreshold::Static(self.threshold.unwrap_or(u32::MAX)),
            },
            users: match &self.priorities {
                None => protected,
                Some(priorities) => priorities.iter().copied().collect(),
            },
        }
    }
}

/// The credits that the virtual channels of a direction of a link share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreditPool {
    /// Credit limit of all virtual channels together.
    pub port_limit: u32,
    /// Credits that the virtual channels have for themselves, together; at most the limit of the port.
    pub reserved: u64,
    /// Most shared credits of each.
    pub threshold: CreditThreshold,
    /// The priorities whose packets may use shared credits.
    pub users: PrioritySet,
}

/// Most shared credits that a virtual channel uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreditThreshold {
    /// A number of credits.
    Static(u32),
    /// A multiple of those that are free.
    Dynamic(FreeMultiple),
}

impl CreditPool {
    /// Credits that the virtual channels share.
    pub fn credits(&self) -> u64 {
        u64::from(self.port_limit).saturating_sub(self.reserved)
    }

    /// Most shared credits that a virtual channel may use while all others use `others`.
    pub fn most_lent(&self, vc: Priority, others: u32) -> u64 {
        if !self.users.has(vc) {
            return 0;
        }
        self.most_of(self.credits().saturating_sub(u64::from(others)))
    }

    /// Most shared credits that a virtual channel uses while no other uses any.
    pub fn alone(&self) -> u64 {
        self.most_of(self.credits())
    }

    /// Most credits that a virtual channel uses of a number that no other uses.
    fn most_of(&self, credits: u64) -> u64 {
        match self.threshold {
            CreditThreshold::Static(most) => credits.min(u64::from(most)),
            CreditThreshold::Dynamic(multiple) => multiple.alone(credits),
        }
    }
}
