//! The two answers to a loss that most algorithms use: slow start, and half the window.
//!
//! Slow start: Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988, appendix B. Half the
//! window: RFC 5681, section 3.2. A mark halves the window under both: RFC 3168, section 6.1.2.

use super::congestion::control::{Ack, CongestionControl, CongestionEvent};
use super::window::Window;

/// Grows its window as Jacobson's algorithm does. After a loss the window is halved if `HALVES`,
/// and else slow start begins; after a mark it is halved; after a timeout slow start begins.
// The answer is part of the type, since each connection has such a value.
#[derive(Clone, Debug)]
pub struct Standard<const HALVES: bool> {
    /// The window.
    pub window: Window,
}

/// A loss is answered by a slow start, as a timeout is: Tahoe.
pub type SlowStarting = Standard<false>;

/// A loss is answered by half the window: RFC 5681, section 3.2.
pub type Halving = Standard<true>;

impl<const HALVES: bool> CongestionControl for Standard<HALVES> {
    /// A window that does not limit the sender grows too, as in BSD; in RFC 7661 it stays.
    fn on_ack(&mut self, _ack: &Ack) {
        self.window.grow();
    }

    fn on_loss(&mut self, event: &CongestionEvent) {
        if HALVES {
            self.window.halve(event);
        } else {
            self.window.collapse(event);
        }
    }

    fn on_timeout(&mut self, event: &CongestionEvent) {
        self.window.collapse(event);
    }

    fn on_mark(&mut self, event: &CongestionEvent) {
        self.window.answer_mark(event);
    }

    fn cwnd(&self) -> u64 {
        self.window.cwnd()
    }

    fn resume_from(&mut self, octets: u64) {
        self.window.set(octets);
    }

    fn ssthresh(&self) -> u64 {
        self.window.ssthresh
    }
}
