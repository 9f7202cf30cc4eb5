//! The windows of a congestion control after any events, without a sender.

use kernel::{Duration, Time};
use models::transport::tcp::Tcp;
use models::transport::tcp::congestion::{
    Ack, CongestionControl, CongestionEvent, CongestionSpec, Delivery, Echo, Prior,
};
use models::wire::format::CellFormat;
use proptest::prelude::*;

use crate::any::MSS;

/// An event at a congestion control.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// This number of octets is acknowledged.
    Ack(u64),
    /// A loss while this percentage of the window is outstanding. The percentage exceeds 100 % if
    /// the loss of a retransmission keeps data outstanding while new data is sent.
    Loss(u64),
    Timeout(u64),
    Mark(u64),
    /// The last loss or timeout was spurious.
    Undo,
    Wait(Duration),
}

pub fn any_events() -> impl Strategy<Value = Vec<Event>> {
    let share = || 0u64..=400;
    let event = prop_oneof![
        20 => (1u64..4 * MSS).prop_map(Event::Ack),
        1 => share().prop_map(Event::Loss),
        1 => share().prop_map(Event::Timeout),
        1 => share().prop_map(Event::Mark),
        1 => Just(Event::Undo),
        5 => (0u64..2_000).prop_map(|ms| Event::Wait(Duration::from_ms(ms))),
    ];
    prop::collection::vec(event, 1..200)
}

/// Runs a congestion control through the events, and checks its windows after each.
pub fn check_windows(tcp: &Tcp, events: &[Event]) -> Result<(), TestCaseError> {
    let limits = tcp.limits(CellFormat::ATM);
    let mut control = tcp.congestion.build(&limits);
    let (mut now, mut una) = (Time::ZERO, 0);
    let mut prior: Option<Prior> = None;
    for event in events {
        let before = control.cwnd();
        let noticed = |share| CongestionEvent {
            now,
            flight: before * share / 100,
            again: false,
        };
        match *event {
            Event::Ack(octets) => {
                una += octets;
                acknowledge(tcp, &mut *control, now, octets, una)?;
            }
            Event::Loss(share) => {
                prior = Some(control.remember());
                control.on_loss(&noticed(share));
            }
            Event::Timeout(share) => {
                prior = Some(control.remember());
                control.on_timeout(&noticed(share));
            }
            Event::Undo => {
                if let Some(prior) = prior.take() {
                    undo(&mut *control, &prior)?;
                }
            }
            Event::Mark(share) => {
                control.on_echo(&Echo {
                    octets: MSS,
                    marked: true,
                    una,
                    max: una + before,
                });
                control.on_mark(&noticed(share));
                prior = None;
                prop_assert!(control.cwnd() <= before, "a mark raised {before}");
            }
            Event::Wait(span) => now += span,
        }
        check(&*control, *event, before)?;
        // A loss leaves a window of two segments, even if the receiver's window is smaller.
        let most = limits.window.max(before).max(2 * MSS);
        prop_assert!(control.cwnd() <= most, "beyond the receiver's");
    }
    Ok(())
}

/// Acknowledges octets up to `una`.
fn acknowledge(
    tcp: &Tcp,
    control: &mut dyn CongestionControl,
    now: Time,
    octets: u64,
    una: u64,
) -> Result<(), TestCaseError> {
    let before = control.cwnd();
    control.on_ack(&Ack {
        now,
        octets,
        una,
        max: una + before,
        srtt: Duration::from_ms(100),
        rtt: Some(Duration::from_ms(100 + octets % 50)),
        limited: true,
        counts_delivered: tcp.counts_delivered(),
        is_paced: false,
    });
    if matches!(tcp.congestion, CongestionSpec::Prague(_)) {
        // Its window grows with the sample of the acknowledgment.
        control.on_delivery(&Delivery {
            now,
            rtt: Some(Duration::from_ms(100 + octets % 50)),
            ..Delivery::default()
        });
    }
    // The window of CUBIC may grow by the octets acknowledged, that of others by a segment, and that
    // of some BSDs by an eighth of a segment more, which is no whole number of octets.
    let most = before + octets.max(MSS) + MSS.div_ceil(8);
    prop_assert!(
        control.cwnd() <= most,
        "{before} grew to {}",
        control.cwnd()
    );
    Ok(())
}

/// Undoes the last loss or timeout, before which the state was `prior`.
fn undo(control: &mut dyn CongestionControl, prior: &Prior) -> Result<(), TestCaseError> {
    let (before, ssthresh) = (control.cwnd(), control.ssthresh());
    control.undo(prior);
    let undone = (control.cwnd(), control.ssthresh());
    // CUBIC keeps the window in segments, and so rounds.
    let rounded = undone.0.abs_diff(prior.cwnd.max(before));
    prop_assert!(rounded <= 1, "{} for {}", undone.0, prior.cwnd);
    prop_assert!(undone.1 >= ssthresh, "{} from {ssthresh}", undone.1);
    Ok(())
}

fn check(control: &dyn CongestionControl, event: Event, before: u64) -> Result<(), TestCaseError> {
    let (cwnd, ssthresh) = (control.cwnd(), control.ssthresh());
    prop_assert!(cwnd >= MSS, "{event:?} left a window of {cwnd}");
    if let Event::Timeout(_) = event {
        prop_assert_eq!(cwnd, MSS, "the window after a timeout");
    }
    if let Event::Loss(_) | Event::Timeout(_) | Event::Mark(_) = event {
        prop_assert!(
            cwnd <= before.max(2 * MSS),
            "{event:?} opened {before} to {cwnd}"
        );
        prop_assert!(ssthresh >= 2 * MSS, "{event:?} left ssthresh at {ssthresh}");
        prop_assert!(
            ssthresh <= before.max(2 * MSS),
            "{event:?} raised ssthresh to {ssthresh}, and the window was {before}"
        );
    }
    Ok(())
}
