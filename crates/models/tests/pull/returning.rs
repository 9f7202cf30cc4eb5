//! A sender whose packets come back where a switch has no room for them.

use std::collections::BTreeMap;

use kernel::{Duration, Time};
use models::transport::pull::Pull;
use models::transport::{Segment, Sender, Transmit};
use models::wire::segment::Options;
use proptest::prelude::*;

use crate::any::{self, MSS};
use crate::{receiving, sending};

/// The fate of a packet at the switch.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    Whole,
    Trimmed,
    Returned,
}

/// The first packets of a transfer: the fate of each and the time until it has arrived or come back.
pub fn fates() -> impl Strategy<Value = Vec<(Fate, Duration)>> {
    let fate = prop_oneof![
        1 => Just(Fate::Whole),
        1 => Just(Fate::Trimmed),
        3 => Just(Fate::Returned),
    ];
    let time = (1u64..40).prop_map(Duration::from_ms);
    prop::collection::vec((fate, time), 0..200)
}

/// A pull transport whose timers never expire.
pub fn patient(window: i64) -> Pull {
    let packet = format!("{} B", MSS + any::HEADER);
    let spec = parameters::value!({
        packet = packet, initial_window = window, timeout = "1000 s", pull_timeout = "1000 s",
    });
    parameters::understand(&spec).expect("a transport")
}

enum Arrival {
    Data(Segment, Fate),
    Answer(Segment),
}

/// Time that an answer takes, and a packet without a fate of its own.
const DELAY: Duration = Duration::from_ms(20);

/// Transfers some packets by one write over a switch that loses nothing; the first packets have these
/// fates, and all others arrive whole.
pub fn transfer(
    pull: &Pull,
    packets: u64,
    fates: &[(Fate, Duration)],
) -> Result<(), TestCaseError> {
    let ends = any::ends(pull);
    let mut sender = sending::Watched::new(pull, ends.sender);
    let mut receiver = receiving::Watched::new(ends.receiver);
    let mut arrivals = BTreeMap::new();
    let (mut scheduled, mut fates) = (0u64, fates.iter());
    let mut now = Time::ZERO;
    let mut sent = sender.write(now, packets * MSS)?;
    loop {
        for segment in sent.drain(..) {
            let (fate, time) = fates.next().copied().unwrap_or((Fate::Whole, DELAY));
            scheduled += 1;
            arrivals.insert((now + time, scheduled), Arrival::Data(segment, fate));
        }
        let next = arrivals
            .keys()
            .next()
            .map_or(Time::NEVER, |(time, _)| *time);
        let answers = if receiver.next_wake() <= next {
            if receiver.next_wake() == Time::NEVER {
                break;
            }
            now = receiver.next_wake();
            receiver.wake(now)?
        } else {
            now = next;
            match arrivals.pop_first().expect("an arrival").1 {
                Arrival::Data(segment, Fate::Whole) => receiver.receive(now, &segment, false)?,
                Arrival::Data(segment, Fate::Trimmed) => receiver.receive_trimmed(now, &segment)?,
                Arrival::Data(segment, Fate::Returned) => {
                    sent = sender.take_back(now, &segment)?;
                    Vec::new()
                }
                Arrival::Answer(segment) => {
                    sent = sender.receive(now, &segment)?;
                    Vec::new()
                }
            }
        };
        for answer in answers {
            scheduled += 1;
            arrivals.insert((now + DELAY, scheduled), Arrival::Answer(answer));
        }
    }
    prop_assert_eq!(receiver.prefix(), packets * MSS, "octets that arrived");
    prop_assert!(sender.is_done());
    Ok(())
}

/// Numbers of the packets sent.
#[derive(Default)]
struct Sent(Vec<u64>);

impl Transmit for Sent {
    fn transmit(&mut self, _now: Time, segment: Segment, _octets: u64) {
        self.0.push(segment.seq / MSS);
    }
}

/// A sender with a window of four, which has sent four of ten packets.
fn four_sent() -> (Box<dyn Sender>, Sent) {
    let (mut sender, mut out) = (any::ends(&patient(4)).sender, Sent::default());
    sender.write(Time::ZERO, 10 * MSS, &mut out);
    assert_eq!(std::mem::take(&mut out.0), [0, 1, 2, 3]);
    (sender, out)
}

/// The packets that a sender sends when one comes back.
fn back(sender: &mut dyn Sender, packet: u64, out: &mut Sent) -> Vec<u64> {
    let segment = Segment::data(packet * MSS, MSS as u32);
    sender.take_back(Time::ZERO, &segment, out);
    std::mem::take(&mut out.0)
}

/// The packets that a sender sends when an answer with the number of the last pull arrives.
fn answer(sender: &mut dyn Sender, packet: u64, options: Options, out: &mut Sent) -> Vec<u64> {
    let mut answer = Segment::acknowledgment(0);
    answer.seq = packet * MSS;
    sender.receive(Time::ZERO, &answer.with_options(options), out);
    std::mem::take(&mut out.0)
}

#[test]
fn only_the_last_packets_that_come_back_go_again_at_once() {
    let (mut sender, mut out) = four_sent();
    let none: [u64; 0] = [];
    assert_eq!(back(&mut *sender, 0, &mut out), none);
    assert_eq!(back(&mut *sender, 1, &mut out), none);
    // One other packet is in flight.
    assert_eq!(back(&mut *sender, 2, &mut out), [0]);
    assert_eq!(back(&mut *sender, 3, &mut out), [1]);
    // Both are answered. Each pull sends one packet: the window has shrunk to two.
    let arrived = Options::default();
    assert_eq!(answer(&mut *sender, 0, arrived, &mut out), none);
    assert_eq!(answer(&mut *sender, 1, arrived, &mut out), none);
    let pull = |request| Options {
        request,
        sreq: true,
        ..Options::default()
    };
    assert_eq!(answer(&mut *sender, 0, pull(1), &mut out), [2]);
    // The second pull is owed, so the packet waits for it although nothing is in flight.
    assert_eq!(back(&mut *sender, 2, &mut out), none);
    assert_eq!(answer(&mut *sender, 0, pull(2), &mut out), [2]);
    // It is the only one now.
    assert_eq!(back(&mut *sender, 2, &mut out), [2]);
    // A packet that is not in flight is no news.
    assert_eq!(back(&mut *sender, 3, &mut out), none);
    assert_eq!(back(&mut *sender, 7, &mut out), none);
}

#[test]
fn a_pull_that_is_kept_sends_a_packet_that_comes_back() {
    let (mut sender, mut out) = four_sent();
    let none: [u64; 0] = [];
    let pulled = Options {
        request: 10,
        sreq: true,
        ..Options::default()
    };
    // The first six pulls send what is left.
    assert_eq!(
        answer(&mut *sender, 0, pulled, &mut out),
        [4, 5, 6, 7, 8, 9]
    );
    assert_eq!(back(&mut *sender, 5, &mut out), [5]);
    assert_eq!(out.0, none);
}
