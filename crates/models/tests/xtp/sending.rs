//! A sender whose packets are checked against the laws of XTP.

use std::collections::BTreeMap;

use kernel::{Duration, Time};
use models::bearer::BearerSpec;
use models::transport::xtp::{RateCounts, Xtp, format};
use models::transport::{Segment, Sender, Transmit};
use models::wire::format::CellFormat;
use models::wire::segment::Options;
use proptest::prelude::*;

use crate::any::MSS;

/// The packets sent since the last check.
#[derive(Default)]
struct Sent(Vec<Segment>);

impl Transmit for Sent {
    fn transmit(&mut self, _now: Time, segment: Segment, octets: u64) {
        assert_eq!(octets, format::octets(&segment));
        self.0.push(segment);
    }
}

/// A sender, and its state as far as its packets show it.
pub struct Watched {
    sender: Box<dyn Sender>,
    out: Sent,
    rate: RateLaw,
    buffer: usize,
    interval: usize,
    written: u64,
    /// Oldest unacknowledged octet.
    una: u64,
    /// One more than the highest octet sent.
    max: u64,
    /// The end of each unacknowledged packet, by its first octet.
    outstanding: BTreeMap<u64, u64>,
    /// The latest request.
    request: u32,
    /// Data packets since the latest request.
    unasked: usize,
    /// True if the latest request was answered, or none was made.
    answered: bool,
    /// True from the start of a handshake until its answer.
    handshake: bool,
}

impl Watched {
    pub fn new(xtp: &Xtp, sender: Box<dyn Sender>) -> Watched {
        Watched {
            sender,
            out: Sent::default(),
            rate: RateLaw::of(xtp),
            buffer: xtp.buffer as usize,
            interval: xtp.request_interval as usize,
            written: 0,
            una: 0,
            max: 0,
            outstanding: BTreeMap::new(),
            request: 0,
            unasked: 0,
            answered: true,
            handshake: false,
        }
    }

    pub fn next_wake(&self) -> Time {
        self.sender.next_wake()
    }

    /// True if all written data is acknowledged.
    pub fn is_done(&self) -> bool {
        self.una == self.written
    }

    /// One more than the highest octet sent.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// Number of the latest request.
    pub fn request(&self) -> u32 {
        self.request
    }

    pub fn write(&mut self, now: Time, octets: u64) -> Result<Vec<Segment>, TestCaseError> {
        self.written += octets;
        self.sender.write(now, octets, &mut self.out);
        self.check(now)
    }

    pub fn receive(&mut self, now: Time, packet: &Segment) -> Result<Vec<Segment>, TestCaseError> {
        if packet.ack <= self.max && packet.options().unwrap_or_default().request <= self.request {
            self.una = self.una.max(packet.ack);
            self.outstanding.retain(|_, end| *end > packet.ack);
            let Options {
                request, trimmed, ..
            } = packet.options().unwrap_or_default();
            self.answered |= request == self.request && !trimmed;
            self.handshake &= !self.answered;
        }
        self.sender.receive(now, packet, &mut self.out);
        self.check(now)
    }

    pub fn wake(&mut self, now: Time) -> Result<Vec<Segment>, TestCaseError> {
        let before = self.sender.meter().timeouts;
        self.sender.wake(now, &mut self.out);
        self.handshake |= self.sender.meter().timeouts > before;
        prop_assert!(self.next_wake() > now, "a timer is due again at once");
        self.check(now)
    }

    /// The packets since the last call, or the law that one of them violates.
    fn check(&mut self, now: Time) -> Result<Vec<Segment>, TestCaseError> {
        let sent = std::mem::take(&mut self.out.0);
        for packet in &sent {
            if packet.len > 0 {
                prop_assert!(!self.handshake, "data in a handshake");
                self.check_data(packet)?;
                self.rate.check(now, packet)?;
            } else {
                // A handshake also begins when all requests are answered and no data can be sent.
                let nothing_fits =
                    self.max == self.written || self.outstanding.len() == self.buffer;
                let is_stuck = self.answered && nothing_fits;
                prop_assert!(packet.options().unwrap_or_default().sreq, "{:?}", packet);
                prop_assert!(self.handshake || is_stuck, "a handshake without need");
                self.handshake = true;
                prop_assert_eq!(packet.seq, self.max, "the state of the sender");
            }
            self.check_request(packet)?;
        }
        let is_armed = self.next_wake() < Time::NEVER;
        let waits = self.outstanding.is_empty() || is_armed;
        prop_assert!(waits, "no timer runs while data is outstanding");
        Ok(sent)
    }

    fn check_request(&mut self, packet: &Segment) -> Result<(), TestCaseError> {
        if packet.options().unwrap_or_default().sreq {
            self.request += 1;
            (self.unasked, self.answered) = (0, false);
        } else {
            self.unasked += 1;
        }
        prop_assert!(self.unasked < self.interval, "no request");
        prop_assert_eq!(
            packet.options().unwrap_or_default().request,
            self.request,
            "the number of the request"
        );
        Ok(())
    }

    fn check_data(&mut self, packet: &Segment) -> Result<(), TestCaseError> {
        let (seq, end) = (packet.seq, packet.end());
        prop_assert!(end - seq <= MSS, "{seq}:{end} is too large");
        prop_assert!(end <= self.written, "{seq}:{end} was never written");
        if seq == self.max {
            self.outstanding.insert(seq, end);
            self.max = end;
        }
        // A retransmission has the boundaries of the original packet.
        prop_assert_eq!(self.outstanding.get(&seq), Some(&end), "{}:{}", seq, end);
        let held = self.outstanding.len();
        prop_assert!(
            held <= self.buffer,
            "{held} packets in a buffer of {}",
            self.buffer
        );
        Ok(())
    }
}

/// The law of rate control: at most one burst in an RTIMER.
struct RateLaw {
    burst: u64,
    period: Duration,
    counts: RateCounts,
    /// Start of the RTIMER.
    begun: Option<Time>,
    within: u64,
}

impl RateLaw {
    fn of(xtp: &Xtp) -> RateLaw {
        let mut law = RateLaw {
            burst: 0,
            period: Duration::ZERO,
            counts: xtp.rate_counts,
            begun: None,
            within: 0,
        };
        law.burst = u64::from(xtp.burst) * law.counted(xtp.packet.0);
        law.period = xtp.rate.transmission(law.burst * 8);
        law
    }

    fn counted(&self, octets: u64) -> u64 {
        match self.counts {
            RateCounts::Packets => octets,
            RateCounts::Wire => BearerSpec::default()
                .wrapping(CellFormat::ATM)
                .on_wire(octets),
        }
    }

    fn check(&mut self, now: Time, packet: &Segment) -> Result<(), TestCaseError> {
        if self.begun.is_none_or(|begun| now >= begun + self.period) {
            (self.begun, self.within) = (Some(now), 0);
        }
        self.within += self.counted(format::octets(packet));
        prop_assert!(
            self.within <= self.burst,
            "{} octets in an RTIMER",
            self.within
        );
        Ok(())
    }
}
