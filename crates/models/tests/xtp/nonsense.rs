//! Invalid input for both ends: answers to old and to unsent requests, wrong spans, and packets in
//! any order.

use kernel::{Duration, Time};
use models::transport::Segment;
use models::transport::xtp::Xtp;
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

/// A control packet, relative to the highest octet sent and to the latest request.
#[derive(Clone, Debug)]
pub struct Answer {
    before: i64,
    /// The beginning of each span, relative to `rseq`, and its length.
    spans: Vec<(i64, i64)>,
    earlier: i64,
    missing: bool,
    /// Octets from `rseq` to the packet that is said to be trimmed, if one is.
    trimmed: Option<u64>,
}

impl Answer {
    fn packet(&self, max: u64, request: u32) -> Segment {
        let rseq = max.saturating_add_signed(-self.before);
        let mut packet = Segment::acknowledgment(rseq).with_options(Options {
            request: (i64::from(request) - self.earlier).max(0) as u32,
            missing: self.missing,
            trimmed: self.trimmed.is_some(),
            ..Options::default()
        });
        packet.seq = packet.ack + self.trimmed.unwrap_or(0);
        for (start, length) in &self.spans {
            let start = packet.ack.saturating_add_signed(*start);
            packet.push_sack(start, start.saturating_add_signed(*length));
        }
        packet
    }
}

pub fn for_a_sender() -> impl Strategy<Value = Vec<ToSender>> {
    let octets = prop_oneof![1u64..MSS, Just(MSS), 1u64..50 * MSS];
    let before = prop_oneof![
        4 => (-3i64..40).prop_map(|packets| packets * MSS as i64),
        1 => -300i64..4000,
    ];
    let spans = prop::collection::vec((-500i64..4000, -500i64..1000), 0..5);
    let earlier = prop_oneof![3 => Just(0), 2 => -2i64..40];
    let trimmed = prop_oneof![
        3 => (0u64..20).prop_map(|packets| packets * MSS),
        1 => 0u64..4000,
    ];
    let trimmed = prop::option::of(trimmed);
    let answer = (before, spans, earlier, any::<bool>(), trimmed);
    let answer = answer.prop_map(|(before, spans, earlier, missing, trimmed)| {
        ToSender::Answer(Answer {
            before,
            spans,
            earlier,
            missing,
            trimmed,
        })
    });
    let wait = prop_oneof![0u64..10, 0u64..500, 0u64..100_000].prop_map(Duration::from_ms);
    let event = prop_oneof![
        1 => octets.prop_map(|octets| vec![ToSender::Write(octets)]),
        3 => (answer, 1usize..6).prop_map(|(answer, times)| vec![answer; times]),
        2 => wait.prop_map(|span| vec![ToSender::Wait(span)]),
    ];
    prop::collection::vec(event, 1..60).prop_map(|events| events.concat())
}

/// Runs a sender through the events, and checks it after each.
pub fn check_sender(xtp: &Xtp, events: &[ToSender]) -> Result<(), TestCaseError> {
    let mut sender = sending::Watched::new(xtp, any::ends(xtp).sender);
    let mut now = Time::ZERO;
    sender.write(now, 20 * MSS)?;
    for event in events {
        match event {
            ToSender::Write(octets) => sender.write(now, *octets)?,
            ToSender::Answer(answer) => {
                let packet = answer.packet(sender.max(), sender.request());
                sender.receive(now, &packet)?
            }
            ToSender::Wait(span) => {
                now = (now + *span).min(sender.next_wake());
                sender.wake(now)?
            }
        };
    }
    Ok(())
}

/// A packet to a receiver: its first octet, its length, its request if it has one, and true if it
/// has FASTNAK.
pub type ToReceiver = (u64, u32, Option<u32>, bool);

pub fn for_a_receiver() -> impl Strategy<Value = Vec<ToReceiver>> {
    let regular = (0u64..30).prop_map(|number| (number * MSS, MSS as u32));
    let packet = prop_oneof![3 => regular, 1 => (0u64..3000, 0u32..500)];
    let data = (packet, prop::option::of(0u32..50), any::<bool>());
    let data = data.prop_map(|((seq, len), request, fast_nak)| (seq, len, request, fast_nak));
    prop::collection::vec(data, 1..80)
}

/// Runs a receiver through the packets, and checks it after each.
pub fn check_receiver(xtp: &Xtp, events: &[ToReceiver]) -> Result<(), TestCaseError> {
    let mut receiver = receiving::Watched::new(xtp, any::ends(xtp).receiver);
    for (seq, len, request, fast_nak) in events {
        let packet = Segment::data(*seq, *len).with_options(Options {
            request: request.unwrap_or_default(),
            sreq: request.is_some(),
            fast_nak: *fast_nak,
            ..Options::default()
        });
        receiver.receive(Time::ZERO, &packet, false)?;
    }
    Ok(())
}
