//! A sender whose segments are checked against the laws of TCP.

use kernel::Time;
use models::transport::tcp::Tcp;
use models::transport::{Segment, Sender, StateValue, Transmit};
use models::wire::format::CellFormat;
use proptest::prelude::*;

use crate::any::MSS;
use crate::stretch::{Repairs, Row};

/// The segments sent since the last check, and the octets of each that are not user data.
struct Sent(Vec<Segment>, u64);

impl Transmit for Sent {
    fn transmit(&mut self, _now: Time, segment: Segment, octets: u64) {
        assert_eq!(octets, u64::from(segment.len) + self.1);
        self.0.push(segment);
    }
}

/// A sender, and its state as far as its segments show it.
pub struct Watched {
    sender: Box<dyn Sender>,
    out: Sent,
    /// Window of the receiver.
    window: u64,
    repairs: Repairs,
    written: u64,
    /// Oldest unacknowledged octet.
    una: u64,
    /// One more than the highest octet sent.
    max: u64,
    row: Row,
}

impl Watched {
    pub fn new(tcp: &Tcp, sender: Box<dyn Sender>) -> Watched {
        Watched {
            sender,
            out: Sent(Vec::new(), tcp.overhead()),
            window: tcp.limits(CellFormat::ATM).window,
            repairs: Repairs::of(tcp),
            written: 0,
            una: 0,
            max: 0,
            row: Row::default(),
        }
    }

    pub fn next_wake(&self) -> Time {
        self.sender.next_wake()
    }

    /// True if all written data is acknowledged.
    pub fn is_done(&self) -> bool {
        self.una == self.written
    }

    /// The smoothed round-trip time.
    pub fn srtt(&self, now: Time) -> Option<StateValue> {
        self.sender.state(now).and_then(|state| state.get("srtt"))
    }

    /// One more than the highest octet sent.
    pub fn max(&self) -> u64 {
        self.max
    }

    pub fn write(&mut self, now: Time, octets: u64) -> Result<Vec<Segment>, TestCaseError> {
        self.written += octets;
        self.sender.write(now, octets, &mut self.out);
        self.check(now)
    }

    pub fn receive(&mut self, now: Time, segment: &Segment) -> Result<Vec<Segment>, TestCaseError> {
        if !segment.flags.syn && segment.ack <= self.max {
            self.row.on_ack(segment, self.una, self.max);
            self.una = self.una.max(segment.ack);
        }
        let before = self.losses();
        self.sender.receive(now, segment, &mut self.out);
        if self.losses().1 > before.1 {
            self.row.on_recovery(self.max);
        }
        self.check(now)
    }

    pub fn wake(&mut self, now: Time) -> Result<Vec<Segment>, TestCaseError> {
        let before = self.losses();
        self.sender.wake(now, &mut self.out);
        let after = self.losses();
        if after.0 > before.0 {
            self.row.on_timeout();
        }
        if after.1 > before.1 {
            self.row.on_recovery(self.max);
        }
        if self.repairs.probes && after == before && self.out.0.len() == 1 {
            // It may be a probe, which the receiver's window alone bounds.
            self.max = self
                .max
                .max(self.out.0[0].end().min(self.una + self.window));
        }
        prop_assert!(self.next_wake() > now, "a timer is due again at once");
        self.check(now)
    }

    /// Timeouts and fast retransmits so far.
    fn losses(&mut self) -> (u64, u64) {
        let meter = self.sender.meter();
        (meter.timeouts.into(), meter.fast_retransmits.into())
    }

    /// The segments since the last call, or the law that one of them violates.
    fn check(&mut self, now: Time) -> Result<Vec<Segment>, TestCaseError> {
        let sent = std::mem::take(&mut self.out.0);
        let state = self.sender.state(now).expect("a state");
        let Some(StateValue::Octets(cwnd)) = state.get("cwnd") else {
            return Err(TestCaseError::fail("there is a congestion window"));
        };
        prop_assert!(cwnd >= MSS, "a window of {cwnd} octets");
        let allowed = self
            .window
            .min(cwnd + self.row.stretch(self.repairs, self.una));
        for segment in sent.iter().filter(|segment| segment.len > 0) {
            self.check_data(segment, allowed)?;
        }
        let mut ranges: Vec<_> = sent.iter().map(|one| (one.seq, one.end())).collect();
        ranges.sort_unstable();
        for pair in ranges.windows(2) {
            prop_assert!(pair[0].1 <= pair[1].0, "{pair:?} are sent for one event");
        }
        let octets: u64 = sent.iter().map(|segment| u64::from(segment.len)).sum();
        prop_assert!(octets <= allowed + MSS, "{octets} octets at once");
        let is_armed = self.next_wake() < Time::NEVER;
        prop_assert!(
            is_armed || self.una == self.max,
            "no timer runs while data is outstanding"
        );
        Ok(sent)
    }

    fn check_data(&mut self, segment: &Segment, allowed: u64) -> Result<(), TestCaseError> {
        let (seq, end) = (segment.seq, segment.end());
        let Watched { una, max, .. } = *self;
        prop_assert!(end - seq <= MSS, "{seq}:{end} is too large");
        prop_assert!(end <= self.written, "{seq}:{end} was never written");
        prop_assert!(seq >= una, "{seq}:{end} is acknowledged up to {una}");
        prop_assert!(seq <= max, "{seq}:{end} leaves out what follows {max}");
        if end > max {
            prop_assert!(
                end <= una + allowed,
                "{seq}:{end} with {allowed} allowed beyond {una}"
            );
            self.max = end;
        }
        Ok(())
    }
}
