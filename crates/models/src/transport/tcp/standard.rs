//! The two reactions to a loss that most algorithms share: slow start, and half the window.
//!
//! Slow start: Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988, appendix B. Half the
//! window: RFC 5681, section 3.2. A mark halves the window under both: RFC 3168, section 6.1.2.

use super::congestion::control::{Ack, CongestionControl, CongestionEvent, Prior};
use super::window::Window;

/// A window that grows as in Jacobson's algorithm. A loss halves it if `HALVES` is true, and
/// otherwise begins slow start. A mark halves the window, and a timeout begins slow start.
// A constant in the type, since every connection would have to store it.
#[derive(Clone, Debug)]
pub struct JacobsonWindow<const HALVES: bool> {
    /// The window.
    pub window: Window,
}

/// Tahoe: a loss begins slow start, as a timeout does.
pub type SlowStarting = JacobsonWindow<false>;

/// RFC 5681, section 3.2: a loss halves the window.
pub type Halving = JacobsonWindow<true>;

impl<const HALVES: bool> CongestionControl for JacobsonWindow<HALVES> {
    fn on_ack(&mut self, ack: &Ack) {
        self.window.grow(ack);
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

    fn undo(&mut self, prior: &Prior) {
        self.window.undo(prior);
    }

    fn raise_ssthresh(&mut self, octets: u64) {
        self.window.raise_ssthresh(octets);
    }
}
