//! The round-trip time of the path without a queue as BBR estimates it, and the probes that measure it anew.
//! draft-cardwell-iccrg-bbr-congestion-control-00, sections 4.1.2 and 4.3.5.

use kernel::{Duration, Time};

use super::{HIGH_GAIN, Phase, State};
use crate::transport::tcp::congestion::Delivery;

/// Age at which the smallest round-trip time is measured anew: section 4.1.2.
const EXPIRY: Duration = Duration::from_ms(10_000);

/// Shortest time with few segments outstanding: section 4.3.5.
const PROBE: Duration = Duration::from_ms(200);

impl State {
    /// Sections 4.1.2 and 4.3.5: the smallest round-trip time, and `ProbeRTT` once it is old.
    pub(super) fn take_round_trip(&mut self, sample: &Delivery, ends_round: bool) {
        let is_old = sample.now > self.least_at + EXPIRY;
        if let Some(rtt) = sample.rtt
            && (is_old || self.least.is_none_or(|least| rtt <= least))
        {
            (self.least, self.least_at) = (Some(rtt), sample.now);
        }
        if is_old && !self.is_probing_round_trip() {
            self.save_window();
            self.phase = Phase::ProbeRtt {
                until: None,
                had_round: false,
            };
            (self.gain, self.window_gain) = (1.0, 1.0);
            self.probed = Some((sample.delivered, 0));
        }
        if let Phase::ProbeRtt { until, had_round } = self.phase {
            self.probe_round_trip(sample, until, had_round || ends_round);
        }
    }

    /// Section 4.3.5, `BBRHandleProbeRTT`: few segments are outstanding for 200 ms and a round.
    fn probe_round_trip(&mut self, sample: &Delivery, until: Option<Time>, had_round: bool) {
        if let Some((_, limited)) = &mut self.probed {
            *limited = sample.delivered + sample.in_flight;
        }
        match until {
            None if sample.in_flight as f64 <= self.fewest() => {
                self.bandwidth.begin_round(sample);
                self.phase = Phase::ProbeRtt {
                    until: Some(sample.now + PROBE),
                    had_round: false,
                };
            }
            Some(end) if had_round && sample.now > end => {
                self.least_at = sample.now;
                self.restore_window();
                if self.is_filled {
                    self.probe_bandwidth(sample.now);
                } else {
                    self.phase = Phase::Startup;
                    (self.gain, self.window_gain) = (HIGH_GAIN, HIGH_GAIN);
                }
            }
            _ => self.phase = Phase::ProbeRtt { until, had_round },
        }
    }

    pub(super) fn is_probing_round_trip(&self) -> bool {
        matches!(self.phase, Phase::ProbeRtt { .. })
    }
}
