//! Links, as users write them.

use kernel::{Duration, Rate};
use parameters::{Conflict, parameters};

use crate::credit::CreditSpec;
use crate::loss::{LossAt, LossSpec};

parameters! {
    /// A link between two nodes, one in each direction; a group joins each of its members.
    #[check(check)]
    pub struct LinkSpec {
        /// Names of the two nodes or groups.
        pub between: Vec<String>,
        /// Rate of the physical layer as far as cells or packets can use it.
        #[range("1 bit/s", "10 Tbit/s")]
        pub rate: Rate,
        /// Propagation delay, or a distance at 5 us/km: `m` is a metre, and `min` a minute.
        #[range("0 s", "1 h")]
        pub delay: Duration = "0 s",
        /// What the link loses, apart from what its buffers refuse, if anything.
        pub loss: Option<LossSpec>,
        /// Where it loses that, if it does.
        pub loss_at: LossAt = "transmission",
        /// How the switch at the far end controls what is sent, in each direction, if it does.
        pub credit: Option<CreditSpec>,
    }
}

impl LinkSpec {
    fn check(&self) -> Option<Conflict> {
        if self.loss_at == LossAt::Transmission {
            return None;
        }
        let is_of_frames = self.loss.as_ref().is_some_and(LossSpec::needs_instants);
        let problem = match self.credit {
            Some(_) => "`credit` is given too, and is about what was sent and did not come",
            None if is_of_frames => "`loss.frame` loses what is sent while a frame is lost",
            None => return None,
        };
        Some(Conflict {
            name: "loss_at",
            problem: problem.to_string(),
            hint: "give `transmission`, or leave it out".to_string(),
        })
    }
}
