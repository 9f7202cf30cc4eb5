//! A network that at first loses, trims, repeats, delays and marks segments at random, and later
//! delivers all of them.

use std::collections::BTreeMap;
use std::ops::Range;

use kernel::{Duration, Time};
use models::transport::Segment;
use proptest::prelude::*;

use crate::any::MSS;
use crate::{receiving, sending};

/// The fate of a segment: the delay of each copy (no copy if the segment is lost), the mark, and
/// whether segments with data are trimmed.
#[derive(Clone, Debug)]
pub struct Fate {
    copies: Vec<Duration>,
    marked: bool,
    trimmed: bool,
}

/// The writes of the application, and the fates of the first segments in each direction, in the
/// order in which they are sent. All later segments arrive once, and take the paths in turn.
#[derive(Clone, Debug)]
pub struct Network {
    /// The time of each write, and its number of octets.
    writes: Vec<(Duration, u64)>,
    there: Vec<Fate>,
    back: Vec<Fate>,
    /// The delay of each path, in both directions.
    paths: Vec<Duration>,
}

/// The delay of a path, if there is only one.
pub const DELAY: Duration = Duration::from_ms(20);

pub fn any_network() -> impl Strategy<Value = Network> {
    let delays = prop_oneof![
        3 => Just(DELAY),
        1 => (0u64..400).prop_map(Duration::from_ms),
    ];
    let one = Just(vec![DELAY]);
    let several = prop::collection::vec((1u64..60).prop_map(Duration::from_ms), 2..5);
    with_delays(delays, 0..150, prop_oneof![one, several])
}

/// Any network in which the delays of the first segments are drawn from `delays`; `answers` is the
/// range of the number of acknowledgments with a fate of their own, and `paths` has the delays of the
/// paths of all others.
pub fn with_delays(
    delays: impl Strategy<Value = Duration> + Clone + 'static,
    answers: Range<usize>,
    paths: impl Strategy<Value = Vec<Duration>>,
) -> impl Strategy<Value = Network> {
    let copies = move || {
        prop_oneof![
            5 => delays.clone().prop_map(|delay| vec![delay]),
            2 => Just(vec![]),
            1 => prop::collection::vec(delays.clone(), 2..4),
        ]
    };
    let fate = move || {
        (
            copies(),
            prop::bool::weighted(0.2),
            prop::bool::weighted(0.1),
        )
    };
    let fates = move |count| {
        let fate = fate().prop_map(|(copies, marked, trimmed)| Fate {
            copies,
            marked,
            trimmed,
        });
        prop::collection::vec(fate, count)
    };
    let octets = prop_oneof![1u64..MSS, 1u64..100 * MSS];
    let write = (0u64..5_000, octets).prop_map(|(ms, octets)| (Duration::from_ms(ms), octets));
    let writes = prop::collection::vec(write, 1..4);
    let parts = (writes, fates(0..150), fates(answers), paths);
    parts.prop_map(|(writes, there, back, paths)| Network {
        writes,
        there,
        back,
        paths,
    })
}

/// An arrival at an end.
enum Arrival {
    Write(u64),
    Data(Segment, bool),
    Trimmed(Segment),
    Answer(Segment),
}

struct Transfer<'a> {
    network: &'a Network,
    sender: sending::Watched,
    receiver: receiving::Watched,
    /// Arrivals to come, by time and then by order of sending.
    arrivals: BTreeMap<(Time, u64), Arrival>,
    scheduled: u64,
    /// Segments sent so far in each direction.
    sent: [usize; 2],
    /// Time of the last segment with a fate of its own, or of the last write if that is later.
    regular_from: Time,
}

/// Transfers all written data over the network; returns the sender.
pub fn transfer(
    sender: sending::Watched,
    receiver: receiving::Watched,
    network: &Network,
) -> Result<sending::Watched, TestCaseError> {
    let mut transfer = Transfer {
        network,
        sender,
        receiver,
        arrivals: BTreeMap::new(),
        scheduled: 0,
        sent: [0; 2],
        regular_from: Time::ZERO,
    };
    for (span, octets) in &network.writes {
        transfer.schedule(Time::ZERO + *span, Arrival::Write(*octets));
        transfer.regular_from = transfer.regular_from.max(Time::ZERO + *span);
    }
    let written: u64 = network.writes.iter().map(|(_, octets)| octets).sum();
    while transfer.step()? {}
    prop_assert_eq!(transfer.receiver.prefix(), written, "octets that arrived");
    Ok(transfer.sender)
}

/// The longest time of a transfer once losses have ended: the longest timeout, a second timeout for
/// the losses that the first reveals, and for each segment a round trip and a delayed
/// acknowledgment.
fn patience(octets: u64) -> Duration {
    let timeouts = Duration::from_ms(2 * 120_000);
    timeouts + Duration::from_ms(600) * (octets / MSS + 10)
}

impl Transfer<'_> {
    /// Handles the next event; returns false if there is none.
    fn step(&mut self) -> Result<bool, TestCaseError> {
        let wakes = [self.sender.next_wake(), self.receiver.next_wake()];
        let arrival = self
            .arrivals
            .keys()
            .next()
            .map_or(Time::NEVER, |(time, _)| *time);
        let now = arrival.min(wakes[0]).min(wakes[1]);
        if now == Time::NEVER {
            prop_assert!(self.sender.is_done(), "nothing more will happen");
            return Ok(false);
        }
        let octets = self.network.writes.iter().map(|(_, octets)| octets).sum();
        let limit = self.regular_from + patience(octets);
        prop_assert!(self.sender.is_done() || now <= limit, "not done at {now:?}");
        // A timer expires before a simultaneous arrival.
        if wakes[0] == now {
            let sent = self.sender.wake(now)?;
            self.carry_there(now, sent);
        } else if wakes[1] == now {
            let answers = self.receiver.wake(now)?;
            self.carry_back(now, answers);
        } else if let Some((_, arrival)) = self.arrivals.pop_first() {
            self.arrive(now, &arrival)?;
        }
        Ok(true)
    }

    fn arrive(&mut self, now: Time, arrival: &Arrival) -> Result<(), TestCaseError> {
        match arrival {
            Arrival::Write(octets) => {
                let sent = self.sender.write(now, *octets)?;
                self.carry_there(now, sent);
            }
            Arrival::Data(segment, marked) => {
                let answers = self.receiver.receive(now, segment, *marked)?;
                self.carry_back(now, answers);
            }
            Arrival::Trimmed(segment) => {
                let answers = self.receiver.receive_trimmed(now, segment)?;
                self.carry_back(now, answers);
            }
            Arrival::Answer(segment) => {
                let sent = self.sender.receive(now, segment)?;
                self.carry_there(now, sent);
            }
        }
        Ok(())
    }

    fn carry_there(&mut self, now: Time, segments: Vec<Segment>) {
        for segment in segments {
            let fate = self.network.there.get(self.sent[0]).cloned();
            self.sent[0] += 1;
            let fate = self.fate_at(now, fate, self.sent[0]);
            for delay in fate.copies {
                let arrival = if fate.trimmed && segment.len > 0 {
                    Arrival::Trimmed(segment)
                } else {
                    Arrival::Data(segment, fate.marked)
                };
                self.schedule(now + delay, arrival);
            }
        }
    }

    fn carry_back(&mut self, now: Time, answers: Vec<Segment>) {
        for segment in answers {
            let fate = self.network.back.get(self.sent[1]).cloned();
            self.sent[1] += 1;
            for delay in self.fate_at(now, fate, self.sent[1]).copies {
                self.schedule(now + delay, Arrival::Answer(segment));
            }
        }
    }

    /// The fate of the segment with this number, sent at `now`: its own, or to take the next path.
    fn fate_at(&mut self, now: Time, fate: Option<Fate>, number: usize) -> Fate {
        if let Some(fate) = fate {
            self.regular_from = self.regular_from.max(now);
            return fate;
        }
        Fate {
            copies: vec![self.network.paths[number % self.network.paths.len()]],
            marked: false,
            trimmed: false,
        }
    }

    fn schedule(&mut self, time: Time, arrival: Arrival) {
        self.scheduled += 1;
        self.arrivals.insert((time, self.scheduled), arrival);
    }
}
