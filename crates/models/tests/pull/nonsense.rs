//! Invalid input for both ends: answers to packets that were never sent, and packets in any order.

use kernel::{Duration, Time};
use models::transport::Segment;
use models::transport::pull::Pull;
use models::wire::segment::Options;
use proptest::prelude::*;

use crate::any::{self, MSS};
use crate::{receiving, sending};

/// An event at a sender.
#[derive(Clone, Debug)]
pub enum ToSender {
    Write(u64),
    Answer(Answer),
    /// Time passes, or a timer expires if that is earlier.
    Wait(Duration),
}

/// An answer, with its octets relative to the highest octet sent.
#[derive(Clone, Debug)]
pub struct Answer {
    all_before: i64,
    packet_before: i64,
    pulls: u32,
    trimmed: bool,
    sreq: bool,
}

impl Answer {
    fn segment(&self, max: u64) -> Segment {
        let mut answer = Segment::acknowledgment(max.saturating_add_signed(-self.all_before));
        answer.seq = max.saturating_add_signed(-self.packet_before);
        answer.with_options(Options {
            request: self.pulls,
            trimmed: self.trimmed,
            missing: self.trimmed,
            sreq: self.sreq,
            ..Options::default()
        })
    }
}

pub fn for_a_sender() -> impl Strategy<Value = Vec<ToSender>> {
    let octets = prop_oneof![1u64..MSS, Just(MSS), 1u64..50 * MSS];
    let before = || {
        prop_oneof![
            4 => (-3i64..40).prop_map(|packets| packets * MSS as i64),
            1 => -300i64..4000,
        ]
    };
    let answer = (before(), before(), 0u32..60, any::<bool>(), any::<bool>());
    let answer = answer.prop_map(|(all_before, packet_before, pulls, trimmed, sreq)| {
        ToSender::Answer(Answer {
            all_before,
            packet_before,
            pulls,
            trimmed,
            sreq,
        })
    });
    let wait = prop_oneof![0u64..10, 0u64..500, 0u64..100_000].prop_map(Duration::from_ms);
    let event = prop_oneof![
        1 => octets.prop_map(ToSender::Write),
        4 => answer,
        2 => wait.prop_map(ToSender::Wait),
    ];
    prop::collection::vec(event, 1..80)
}

/// Runs a sender through the events, and checks it after each.
pub fn check_sender(pull: &Pull, events: &[ToSender]) -> Result<(), TestCaseError> {
    let mut sender = sending::Watched::new(pull, any::ends(pull).sender);
    let mut now = Time::ZERO;
    sender.write(now, 20 * MSS)?;
    for event in events {
        match event {
            ToSender::Write(octets) => sender.write(now, *octets)?,
            ToSender::Answer(answer) => {
                let answer = answer.segment(sender.max());
                sender.receive(now, &answer)?
            }
            ToSender::Wait(span) => {
                now = (now + *span).min(sender.next_wake());
                sender.wake(now)?
            }
        };
    }
    Ok(())
}

/// A packet to a receiver: its first octet, its length, and true if it is trimmed or the last.
pub type ToReceiver = (u64, u32, bool, bool);

pub fn for_a_receiver() -> impl Strategy<Value = Vec<ToReceiver>> {
    let regular = (0u64..30).prop_map(|number| (number * MSS, MSS as u32));
    let packet = prop_oneof![3 => regular, 1 => (0u64..3000, 1u32..500)];
    let packet = (packet, any::<bool>(), prop::bool::weighted(0.1));
    let packet = packet.prop_map(|((seq, len), trimmed, last)| (seq, len, trimmed, last));
    prop::collection::vec(packet, 1..80)
}

/// Runs a receiver through the packets, and checks it after each.
pub fn check_receiver(pull: &Pull, events: &[ToReceiver]) -> Result<(), TestCaseError> {
    let mut receiver = receiving::Watched::new(any::ends(pull).receiver);
    let mut now = Time::ZERO;
    for (seq, len, trimmed, last) in events {
        now += Duration::from_ms(1);
        let mut packet = Segment::data(*seq, *len);
        if *last {
            packet = packet.with_fin();
        }
        if *trimmed {
            receiver.receive_trimmed(now, &packet)?;
        } else {
            receiver.receive(now, &packet, false)?;
        }
        if receiver.next_wake() <= now {
            receiver.wake(now)?;
        }
    }
    Ok(())
}
