//! Outputs: the buffers, discard policy, queues, scheduler and transmitter in front of a link.
//!
//! ```text
//!  offer --> admission ------------> queue ---------------> transmitter --> link
//!            gate of each buffer:    FIFO, committed at     lose, note,
//!            discard policy, mark    once; or scheduled     gather, commit
//! ```
//!
//! [`Output`] joins these parts, for cells and for whole packets alike; `units.rs` in `queue/` holds
//! what differs between them.

pub mod admission;
pub mod admitted;
pub mod buffer;
mod changing;
pub mod choice;
mod conservation;
pub mod control;
mod credited;
mod deciding;
mod decision;
mod departures;
pub mod discard;
pub mod mark;
pub mod memory;
mod offered;
mod packet_limit;
mod paused;
mod port;
mod queue;
mod queueing;
mod rare_rules;
mod reading;
mod retrying;
mod scheduled;
pub mod scheduler;
pub(crate) mod service_times;
pub mod stretch;
mod trimmed;

use parameters::parameters;

use discard::DiscardSpec;
use memory::MemorySpec;
pub use offered::{Offered, Served};
pub use port::Output;
pub(crate) use queue::{Lists, ScheduledQueue, Taken};
pub use queueing::Queueing;
pub use reading::Port;
use scheduler::SchedulerSpec;

parameters! {
    /// The parameters that the outputs of switches and of routers share.
    pub struct OutputSpec {
        /// Discard policy of the outputs.
        #[alias("drop")]
        #[alias("aqm")]
        pub discard: DiscardSpec = default,
        /// Scheduler of the outputs.
        pub scheduler: SchedulerSpec = default,
        /// Cells of the memory, each of which holds octets of one packet or of one cell of the
        /// network; if not given, each takes its own octets.
        pub memory: Option<MemorySpec>,
    }
}
