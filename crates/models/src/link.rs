//! Links, as users write them.

use kernel::{Duration, Rate};
use parameters::parameters;

use crate::credit::CreditSpec;
use crate::loss::LossSpec;

parameters! {
    /// A link between two nodes, one in each direction; a group joins each of its members.
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
        /// How the switch at the far end controls what is sent, in each direction, if it does.
        pub credit: Option<CreditSpec>,
    }
}
