//! The window of a receiver that makes room for the rate of its flow, as that of Linux does: dynamic
//! right-sizing.
//!
//! Fisk and Feng, "Dynamic Right-Sizing in TCP", LACSI Symposium, 2001; Linux 6.6 to 6.15 with the
//! patches of their stable series, whose functions the rules name: `tcp_select_initial_window`,
//! `tcp_grow_window`, `tcp_rcv_space_adjust`, `tcp_measure_rcv_mss`, `tcp_rcv_rtt_update`.
//!
//! Departs from Linux, whose buffers hold segments with their overhead: here a buffer is the window for
//! which it has room, half of the memory at first, and 219/256 of it once a segment has shown its
//! overhead, which differs between drivers. Data beyond a hole takes no room from the window, a small
//! segment has no larger overhead than a full one, and windows are not rounded to the unit of the window
//! scale.
//!
//! The receiver sends no data, so it measures the round-trip time by what arrives. With time stamps, a
//! full segment that echoes a new clock of an acknowledgment is a sample, which is smoothed
//! (`tcp_rcv_rtt_measure_ts`). With or without them, the time in which a window of data arrives in order
//! is a bound: it lowers the estimate and never raises it, and is all that a flow without time stamps
//! has (`tcp_rcv_rtt_measure`). Before the first sample the buffer does not grow beyond its first size.
//! Departs from Linux, where each segment has a clock: here an acknowledgment with two SACK blocks or
//! more has none, so during the repair of several holes only windows of data are measured.

use parameters::quantity::Quantity;
use parameters::{Bytes, Conflict, parameters};

parameters! {
    /// The window starts small, makes room for two segments more with each segment that arrives, and
    /// then for twice as much as the application reads in a round trip, and more while that grows: the
    /// receivers of Linux, 6.6 to 6.15.
    #[check(conflict)]
    pub struct Autotuned {
        /// Window at the start, of which a receiver offers at most 65535 octets: half of the first
        /// buffer, `tcp_rmem[1]`.
        #[range("1 B", "1 GiB")]
        pub first: Bytes = "64 KiB",
        /// Largest window: 219/256, about 0.855, of the largest buffer, `tcp_rmem[2]`, which has 6 MiB
        /// until Linux 6.15. From 6.16 on it has 32 MiB, and the window up to 29 MB.
        #[range("1 B", "1 GiB")]
        pub max: Bytes = "5.4 MB",
    }
}

impl Autotuned {
    fn conflict(&self) -> Option<Conflict> {
        let [first, max] = [self.first, self.max].map(|size| size.render());
        (self.first > self.max).then(|| Conflict {
            name: "first",
            problem: format!("`{first}` exceeds `max`, which is `{max}`"),
            hint: format!("write at most `\"{max}\"`, or a larger `max`"),
        })
    }
}
