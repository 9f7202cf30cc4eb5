//! Dynamic threshold (DT): a virtual channel may queue at most a multiple of the free buffer.
//!
//! A cell or packet is accepted while the queue of its virtual channel is shorter than `alpha`
//! times the free part of the buffer. The limit falls as the buffer fills, so a part of the buffer
//! stays free for virtual channels that become active.
//!
//! Choudhury and Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches",
//! IEEE/ACM Transactions on Networking 6(2), 1998. Their queues belong to the outputs that share a
//! memory; here they belong to the virtual channels of one output.

use kernel::Time;
use parameters::parameters;

use super::{Buffer, Decision, Discard, DiscardKind, Occupancy};
use crate::output::decision::shares::Shares;
use crate::wire::cell::Cell;
use crate::wire::vc::Vc;

parameters! {
    /// Dynamic threshold: drops cells or packets of virtual channels whose queue has reached a
    /// multiple of the free buffer.
    pub struct DynamicThreshold {
        /// Largest queue of a virtual channel, as a multiple of the free buffer.
        #[range(0.01, 100)]
        pub alpha: f64 = 1,
    }
}

impl DynamicThreshold {
    /// The policy for one buffer.
    pub fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
        Box::new(State {
            alpha: self.alpha,
            shares: Shares::new(buffer.vcs),
        })
    }
}

impl DiscardKind for DynamicThreshold {
    fn needs_shared_queue(&self) -> bool {
        true
    }

    fn drop_levels(&self, _buffer: &Buffer) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    fn drops_whole_packets(&self) -> bool {
        false
    }
}

struct State {
    alpha: f64,
    shares: Shares,
}

impl Discard for State {
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Decision {
        self.shares.catch_up(buffer.at);
        let free = buffer.capacity - buffer.queued;
        let queued = self.shares.units(cell.vc);
        if buffer.fits() && (queued as f64) < self.alpha * free as f64 {
            Decision::Accept
        } else {
            Decision::Drop
        }
    }

    fn follows_queue(&self) -> bool {
        true
    }

    fn on_join(&mut self, vc: Vc, units: u64) {
        self.shares.join(vc, units);
    }

    fn on_leave(&mut self, vc: Vc, units: u64, at: Time) {
        self.shares.leave(vc, units, at);
    }
}

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::super::script::decisions_beside;
    use super::*;

    #[test]
    fn a_vc_may_queue_as_much_as_is_free() {
        let beside = |waiting: &str, offers: &str| {
            let spec = DynamicThreshold::defaults();
            let mut policy = spec.build(&Buffer::of_cells(10, 53, 3));
            decisions_beside(&mut *policy, waiting, offers)
        };
        // Five cells are free, and VC `a` has four.
        assert_eq!(beside("aaaab", "AB"), "++");
        // Four are free.
        assert_eq!(beside("aaaabb", "ABc"), "-++");
    }
}
