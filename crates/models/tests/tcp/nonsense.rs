//! Invalid input for both ends: acknowledgments of old and of unsent data, wrong SACK blocks, and
//! segments in any order.

use kernel::{Duration, Time};
use models::transport::Segment;
use models::transport::tcp::Tcp;
use proptest::prelude::*;

use crate::any::{self, MSS};
use crate::{receiving, sending};

/// An event at a sender.
#[derive(Clone, Debug)]
pub enum ToSender {
    Write(u64),
    Ack(Ack),
    /// Time passes, or a timer expires if that is earlier.
    Wait(Duration),
}

/// An acknowledgment, relative to the highest octet sent.
#[derive(Clone, Debug)]
pub struct Ack {
    before: i64,
    /// The beginning of each SACK block, relative to the acknowledgment, and its length.
    blocks: Vec<(i64, i64)>,
    /// A report of data that arrived again, as a block.
    duplicate: Option<(i64, i64)>,
    syn: bool,
    ece: bool,
}

impl Ack {
    fn segment(&self, max: u64) -> Segment {
        let mut segment = Segment::acknowledgment(max.saturating_add_signed(-self.before));
        (segment.flags.syn, segment.flags.ece) = (self.syn, self.ece);
        if let Some((start, length)) = self.duplicate {
            let start = segment.ack.saturating_add_signed(start);
            segment = segment.with_duplicate(start, start.saturating_add_signed(length));
        }
        for (start, length) in &self.blocks {
            let start = segment.ack.saturating_add_signed(*start);
            segment.push_sack(start, start.saturating_add_signed(*length));
        }
        segment
    }
}

pub fn for_a_sender() -> impl Strategy<Value = Vec<ToSender>> {
    let octets = prop_oneof![1u64..MSS, Just(MSS), 1u64..50 * MSS];
    let before = prop_oneof![
        4 => (-3i64..40).prop_map(|segments| segments * MSS as i64),
        1 => -300i64..4000,
    ];
    let blocks = prop::collection::vec((-500i64..4000, -500i64..1000), 0..5);
    let duplicate = prop::option::of((-2000i64..500, -100i64..300));
    let syn = prop::bool::weighted(0.1);
    let ack = (before, blocks, duplicate, syn, any::<bool>());
    let ack = ack.prop_map(|(before, blocks, duplicate, syn, ece)| {
        ToSender::Ack(Ack {
            before,
            blocks,
            duplicate,
            syn,
            ece,
        })
    });
    let wait = prop_oneof![0u64..10, 0u64..500, 0u64..100_000].prop_map(Duration::from_ms);
    let event = prop_oneof![
        1 => octets.prop_map(|octets| vec![ToSender::Write(octets)]),
        // Equal acknowledgments in a row are duplicates.
        3 => (ack, 1usize..6).prop_map(|(ack, times)| vec![ack; times]),
        2 => wait.prop_map(|span| vec![ToSender::Wait(span)]),
    ];
    prop::collection::vec(event, 1..60).prop_map(|events| events.concat())
}

/// Runs a sender through the events, and checks it after each.
pub fn check_sender(tcp: &Tcp, events: &[ToSender]) -> Result<(), TestCaseError> {
    let mut sender = sending::Watched::new(tcp, any::ends(tcp).sender);
    let mut now = Time::ZERO;
    sender.write(now, 20 * MSS)?;
    for event in events {
        match event {
            ToSender::Write(octets) => sender.write(now, *octets)?,
            ToSender::Ack(ack) => sender.receive(now, &ack.segment(sender.max()))?,
            ToSender::Wait(span) => {
                now = (now + *span).min(sender.next_wake());
                sender.wake(now)?
            }
        };
    }
    Ok(())
}

/// An event at a receiver.
#[derive(Clone, Debug)]
pub enum ToReceiver {
    /// A segment: its first octet, its length, and true if the network marked it.
    Data(u64, u32, bool),
    /// Time passes, or a timer expires if that is earlier.
    Wait(Duration),
}

pub fn for_a_receiver() -> impl Strategy<Value = Vec<ToReceiver>> {
    let regular = (0u64..30).prop_map(|number| (number * MSS, MSS as u32));
    let segment = prop_oneof![3 => regular, 1 => (0u64..3000, 1u32..500)];
    let data = (segment, any::<bool>());
    let data = data.prop_map(|((seq, len), marked)| ToReceiver::Data(seq, len, marked));
    let wait = (0u64..600).prop_map(|ms| ToReceiver::Wait(Duration::from_ms(ms)));
    prop::collection::vec(prop_oneof![4 => data, 1 => wait], 1..80)
}

/// Runs a receiver through the events, and checks it after each.
pub fn check_receiver(tcp: &Tcp, events: &[ToReceiver]) -> Result<(), TestCaseError> {
    let receiver = any::ends(tcp).receiver;
    let mut receiver = if tcp.window.first().is_some() {
        receiving::Watched::tuned(receiver, tcp.first_window())
    } else {
        receiving::Watched::new(receiver)
    };
    let mut now = Time::ZERO;
    for event in events {
        match event {
            ToReceiver::Data(seq, len, marked) => {
                receiver.receive(now, &Segment::data(*seq, *len), *marked)?;
            }
            ToReceiver::Wait(span) => {
                now = (now + *span).min(receiver.next_wake());
                receiver.wake(now)?;
            }
        }
    }
    Ok(())
}
