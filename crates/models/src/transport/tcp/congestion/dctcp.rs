//! DCTCP: the window is cut in proportion to the share of marked packets.
//!
//! RFC 8257, "Data Center TCP", 2017, sections 3.3 and 3.5. Marks may be CE of routers or EFCI of
//! ATM switches; a PDU counts as marked if any of its cells is. Losses are answered as by Reno.

use parameters::parameters;

use super::{
    Ack, CongestionControl, CongestionEvent, CongestionKind, Echo, Limits, LossRecovery, Prior,
};
use crate::transport::tcp::marks::MarkedShare;
use crate::transport::tcp::recovery::{Recovery, Reports};
use crate::transport::tcp::window::{CountedGrowth, CountingWindow, Halve, Window};

parameters! {
    /// DCTCP: RFC 8257. It needs `ecn = "exact"`, and queues that mark.
    pub struct Dctcp {
        /// Weight of the latest window in the estimated share of marks: `g`.
        #[range(0.0001, 1.0)]
        pub gain: f64 = 0.0625,
        /// Loss recovery.
        pub recovery: LossRecovery = "sack",
        #[as_in(CountingWindow)]
        pub growth: CountedGrowth,
    }
}

impl Dctcp {
    /// The algorithm for one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
        Box::new(State {
            window: Window::new(limits, &(&self.growth).into(), Halve::Flight),
            share: MarkedShare::new(self.gain),
            window_end: 0,
        })
    }
}

impl CongestionKind for Dctcp {
    fn recovery(&self) -> Box<dyn Recovery> {
        self.recovery.build()
    }

    fn reports(&self) -> Option<Reports> {
        self.recovery.reports()
    }

    fn needs_exact_marks(&self) -> bool {
        true
    }

    fn counts_delivered(&self) -> bool {
        // RFC 8257, section 3.5, leaves the growth to the host; in Linux it counts what is delivered.
        true
    }
}

struct State {
    window: Window,
    share: MarkedShare,
    /// Sequence number whose acknowledgment completes the present window and updates the estimate.
    window_end: u64,
}

impl CongestionControl for State {
    fn on_ack(&mut self, ack: &Ack) {
        self.window.grow(ack);
    }

    fn on_loss(&mut self, event: &CongestionEvent) {
        self.window.halve(event);
    }

    fn on_timeout(&mut self, event: &CongestionEvent) {
        self.window.collapse(event);
    }

    /// Section 3.3, step 9. Our own rule: the window stays at least two segments, which is the lower
    /// bound of ssthresh in RFC 5681, and a window of one segment stays.
    fn on_mark(&mut self, _event: &CongestionEvent) {
        self.window.cut_to(self.share.cut(self.window.cwnd()));
    }

    /// Section 3.3, steps 1 to 8.
    fn on_echo(&mut self, echo: &Echo) {
        self.share.count(echo);
        if echo.una > self.window_end {
            self.share.end_round();
            self.window_end = echo.max;
        }
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

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::*;

    #[test]
    fn cuts_by_half_the_share_of_marks() {
        let limits = Limits {
            mss: 10,
            window: 10_000,
            initial: 1000,
            ssthresh: 1000,
            header: 40,
        };
        let mut dctcp = Dctcp::defaults().build(&limits);
        // One window in ten is marked for a long time, so alpha settles at a tenth.
        for number in 1..=10_000u64 {
            let echo = Echo {
                octets: 10,
                marked: number % 10 == 0,
                una: number * 10,
                max: number * 10 + 1000,
            };
            dctcp.on_echo(&echo);
        }
        dctcp.on_mark(&CongestionEvent::default());
        assert!((dctcp.cwnd() as i64 - 950).abs() <= 5, "{}", dctcp.cwnd());
    }

    #[test]
    fn a_mark_leaves_a_window_of_one_segment() {
        let limits = Limits {
            mss: 1000,
            window: 10_000,
            initial: 1000,
            ssthresh: 10_000,
            header: 40,
        };
        let mut dctcp = Dctcp::defaults().build(&limits);
        dctcp.on_mark(&CongestionEvent {
            flight: 1000,
            ..CongestionEvent::default()
        });
        assert_eq!((dctcp.cwnd(), dctcp.ssthresh()), (1000, 2000));
    }
}
