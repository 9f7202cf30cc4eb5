//! The effect of an idle time on the congestion window.

use kernel::Time;

use super::super::Idle;
use super::TcpSender;

impl TcpSender {
    /// After an idle time the state of the path is unknown: RFC 5681, section 4.1; 4.3BSD-Reno.
    pub(super) fn restart_if_idle(&mut self, now: Time) {
        let idle = self.data.max > 0
            && self.data.flight() == 0
            && now.since(self.meter.last_sent()) >= self.timer.rto();
        let restart = match self.idle {
            Idle::Never => return,
            Idle::Bsd => self.data.mss,
            Idle::Rfc5681 => {
                let initial = u64::from(self.initial) * self.data.mss;
                initial.min(self.control.cwnd())
            }
        };
        if idle {
            self.control.set_cwnd(restart);
        }
    }
}
