//! The first slow start of a connection: the growth of the window while the path's capacity is
//! unknown, and the end of this growth.
//!
//! RFC 5681, section 3.1. After a loss, ssthresh ends slow start (RFC 9406, section 4.3).

use kernel::Duration;

use super::congestion::{Ack, Limits};

parameters::registry! {
    /// Rule by which the first slow start opens the window, and ends before a loss.
    pub enum SlowStartSpec builds Box<dyn SlowStart>, for Limits {
        standard => Standard,
        hystart => Hystart,
        hystart_plus_plus => HystartPlusPlus,
    } default hystart_plus_plus
}

/// A slow start.
pub trait SlowStart: Send {
    /// New data is acknowledged while the window is `cwnd` octets.
    fn on_ack(&mut self, ack: &Ack, cwnd: u64) -> GrowthStep;

    /// True if the algorithm needs the round-trip time of every segment.
    fn wants_samples(&self) -> bool {
        true
    }
}

/// Effect of an acknowledgment on a window in slow start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrowthStep {
    /// Octets by which the window grows.
    pub growth: u64,
    /// Octets of the acknowledgment that count in congestion avoidance.
    pub left: u64,
    /// True if slow start ends and congestion avoidance follows.
    pub ends: bool,
}

impl GrowthStep {
    /// Slow start opens the window by `growth` octets, and goes on.
    pub fn grows(growth: u64) -> GrowthStep {
        GrowthStep {
            growth,
            left: 0,
            ends: false,
        }
    }
}

/// Increase of the round-trip time that indicates a queue: an eighth of the round trip, between
/// 4 ms and 16 ms (RFC 9406, section 4.2; Linux).
fn rtt_threshold(before: Duration) -> Duration {
    (before / 8).clamp(Duration::from_ms(4), Duration::from_ms(16))
}

/// A round, which ends when the data sent before its beginning is acknowledged.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    end: u64,
    samples: u32,
    shortest: Option<Duration>,
}

impl Round {
    /// Begins the next round if this acknowledgment ends the present round; returns the round that
    /// ended.
    fn turn(&mut self, ack: &Ack) -> Option<Round> {
        (ack.una >= self.end).then(|| self.begin(ack))
    }

    /// True if this acknowledgment passes the end of the round, as Linux asks for
    /// (`hystart_update`); for RFC 9406 it is enough to reach it.
    fn is_passed(&self, ack: &Ack) -> bool {
        ack.una > self.end
    }

    /// Begins the next round, and returns the one that ended.
    fn begin(&mut self, ack: &Ack) -> Round {
        let next = Round {
            end: ack.max.max(ack.una + 1),
            ..Round::default()
        };
        std::mem::replace(self, next)
    }

    fn sample(&mut self, rtt: Option<Duration>) {
        if let Some(rtt) = rtt {
            self.samples += 1;
            self.shortest = Some(self.shortest.map_or(rtt, |shortest| shortest.min(rtt)));
        }
    }

    /// The shortest round trip of the round, once there are `enough` samples.
    fn known(&self, enough: u32) -> Option<Duration> {
        self.shortest.filter(|_| self.samples >= enough)
    }
}

#[cfg(test)]
mod tests {
    use kernel::Time;
    use parameters::{Value, understand, value};

    use super::*;

    const MSS: u64 = 1000;

    /// The windows of a sender with 32 segments at first: rounds have the given lengths in
    /// milliseconds, and acknowledgments come `apart`. Returns the window after each round, in
    /// segments, until slow start ends.
    fn opened(kind: &Value, rounds: &[u64], apart: Duration) -> Vec<u64> {
        let limits = Limits {
            mss: MSS,
            window: 1_000 * MSS,
            initial: 32 * MSS,
            ssthresh: 1_000 * MSS,
            header: 40,
        };
        let spec: SlowStartSpec = understand(kind).expect("a slow start");
        let mut slow_start = spec.build(&limits);
        let (mut cwnd, mut una, mut began) = (limits.initial, 0, Time::ZERO);
        let mut windows = Vec::new();
        for ms in rounds {
            let mut ends = false;
            for segment in 0..cwnd / MSS {
                una += MSS;
                let ack = Ack {
                    now: began + apart * segment,
                    octets: MSS,
                    una,
                    max: una + cwnd,
                    rtt: Some(Duration::from_ms(*ms)),
                    ..Ack::default()
                };
                let step = slow_start.on_ack(&ack, cwnd);
                cwnd += step.growth;
                ends |= step.ends;
            }
            began += Duration::from_ms(*ms);
            windows.push(cwnd / MSS);
            if ends {
                break;
            }
        }
        windows
    }

    const SPARSE: Duration = Duration::from_ms(3);
    const CLOSE: Duration = Duration::from_ms(1);

    #[test]
    fn standard_slow_start_doubles_whatever_the_round_trip() {
        let kind = value!({ standard = {} });
        assert_eq!(opened(&kind, &[100, 200, 400], CLOSE), [64, 128, 256]);
    }

    #[test]
    fn hystart_ends_when_the_round_trip_has_grown_by_an_eighth() {
        let kind = value!({ hystart = {} });
        // The ninth sample of the third round shows the queue, and the window grows no more.
        assert_eq!(opened(&kind, &[100, 112, 113, 100], SPARSE), [64, 128, 139]);
    }

    #[test]
    fn hystart_ends_when_acknowledgments_come_for_half_a_round_trip() {
        let kind = value!({ hystart = {} });
        // The acknowledgments of 32 segments, 1 ms apart, span 31 ms, and those of 64 segments 63
        // ms.
        assert_eq!(opened(&kind, &[100; 9], CLOSE), [64, 64 + 52]);
        assert_eq!(opened(&kind, &[100; 4], SPARSE).len(), 4);
    }

    /// RFC 9406, section 4.2: a round trip grows by an eighth, and five rounds follow, the first
    /// included, in which a quarter of each acknowledgment counts.
    #[test]
    fn hystart_plus_plus_slows_down_and_ends_after_five_rounds() {
        let kind = value!({ hystart_plus_plus = {} });
        // The eighth sample of the third round determines its shortest round trip; seven
        // acknowledgments still open the window at full speed.
        let windows = opened(&kind, &[100, 112, 126, 126, 126, 126, 126, 126], SPARSE);
        assert_eq!(windows[..3], [64, 128, 128 + 7 + 121 / 4]);
        assert_eq!(windows.len(), 8);
    }

    #[test]
    fn hystart_plus_plus_resumes_if_the_round_trip_was_long_by_chance() {
        let kind = value!({ hystart_plus_plus = {} });
        let windows = opened(&kind, &[100, 113, 100, 100], SPARSE);
        assert_eq!(windows[0], 64);
        assert_eq!(windows[3], 2 * windows[2]);
    }
}
