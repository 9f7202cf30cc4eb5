//! Links, as users write them. Our own restriction: both directions are equal, because the networks
//! of the published studies have such links.

use kernel::{Duration, Rate};
use parameters::{Conflict, parameters};

use crate::credit::CreditSpec;
use crate::loss::{LossAt, LossSpec};

parameters! {
    /// A link between two nodes, one in each direction; a group has one link for each member.
    #[check(check)]
    pub struct LinkSpec {
        /// Names of the two nodes or groups.
        pub between: Vec<String>,
        /// Rate of the physical layer that is available to cells or packets.
        #[range("1 bit/s", "10 Tbit/s")]
        pub rate: Rate,
        /// Propagation delay, or a distance at 5 us/km: `m` is a metre, and `min` a minute.
        #[range("0 s", "1 h")]
        pub delay: Duration = "0 s",
        /// Losses on the link, apart from drops at buffers; if not given, none.
        pub loss: Option<LossSpec>,
        /// Place at which the link loses cells or packets.
        pub loss_at: LossAt = "transmission",
        /// Credit-based flow control by the switch at the far end, in each direction; if not given,
        /// none.
        pub credit: Option<CreditSpec>,
    }
}

impl LinkSpec {
    fn check(&self) -> Option<Conflict> {
        if self.loss_at == LossAt::Transmission {
            return None;
        }
        let is_of_frames = self.loss.as_ref().is_some_and(|loss| loss.needs_instants());
        let problem = match self.credit {
            Some(_) => "`credit` is given too, and recovers only losses on the link",
            None if is_of_frames => "`loss.frame` loses frames on the link, not before the queue",
            None => return None,
        };
        Some(Conflict {
            name: "loss_at",
            problem: problem.to_string(),
            hint: "write `transmission`, or leave `loss_at` out".to_string(),
        })
    }
}
