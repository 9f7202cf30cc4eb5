//! Drops of watched runs: their causes, the queues that they found, and runs in which one is undone.

use std::collections::BTreeSet;

use crate::common::{plan, seed, ten_tcp};
use kernel::{Duration, Time};
use models::metrics::Cause;
use scenario::lower::Plan;
use scenario::report::Report;
use scenario::watch::{KeptPdu, NextPause, PduDrop, WatchedRun, WatchedStep};

/// Cells that the buffer of the scenario holds.
const CAPACITY: f64 = 1000.0;

/// The report and all drops of a run, in which a PDU is kept if there is one.
fn dropped(plan: &Plan, kept: Option<KeptPdu>) -> (Report, Vec<PduDrop>) {
    let mut run = WatchedRun::new(plan, seed(0));
    if let Some(kept) = kept {
        assert!(run.keep(kept), "the output queues cells of the flow");
    }
    let mut drops = Vec::new();
    loop {
        if let WatchedStep::Paused(snapshot) = run.advance() {
            drops.extend(snapshot.drops);
            if run.has_ended() {
                return (run.finish(), drops);
            }
            run.go_on(NextPause {
                until: *snapshot.times.last().expect("a time") + Duration::from_ms(1),
                every: Duration::from_us(500),
            });
        }
    }
}

fn with(discard: &str) -> std::sync::Arc<Plan> {
    let settings = [
        ("duration", "0.4 s"),
        ("warm_up", "0 s"),
        ("switch.s1.discard", discard),
    ];
    plan(&ten_tcp(), &settings)
}

/// The first drop of each PDU.
fn first(drops: &[PduDrop]) -> Vec<PduDrop> {
    let mut known = BTreeSet::new();
    let drops = drops.iter().copied();
    drops
        .filter(|drop| known.insert((drop.hop, drop.flow, drop.pdu)))
        .collect()
}

#[test]
fn a_full_buffer_is_the_cause_of_every_drop_by_tail_drop() {
    let (_, drops) = dropped(&with("{ tail_drop = {} }"), None);
    assert!(drops.len() > 10);
    for drop in drops {
        assert_eq!(drop.cause, Cause::Overflow);
        assert_eq!(drop.found, Some(CAPACITY));
    }
}

#[test]
fn a_packet_that_early_discard_drops_found_the_threshold() {
    let (_, drops) = dropped(&with("{ early_packet = { threshold = \"60 %\" } }"), None);
    let drops = first(&drops);
    assert!(drops.len() > 10);
    for drop in drops {
        assert_eq!(drop.cause, Cause::Threshold);
        let found = drop.found.expect("the policy was asked");
        assert!((600.0..CAPACITY).contains(&found), "{found}");
    }
}

#[test]
fn a_loss_has_no_queue() {
    let settings = [
        ("duration", "0.1 s"),
        ("link.exit.loss.cell", "1 %"),
        ("switch.s1.buffer.per_output", "100000 cells"),
    ];
    let (_, drops) = dropped(&plan(&ten_tcp(), &settings), None);
    assert!(!drops.is_empty());
    for drop in drops {
        assert_eq!(
            (drop.cause, drop.found, drop.on_link),
            (Cause::Lost, None, true)
        );
    }
}

#[test]
fn a_run_in_which_a_packet_is_kept_is_the_same_until_then_and_another_afterwards() {
    let plan = with("{ early_packet = { threshold = \"60 %\" } }");
    let (report, before) = dropped(&plan, None);
    let undone = first(&before)[3];
    let kept = KeptPdu {
        hop: undone.hop,
        flow: undone.flow,
        pdu: undone.pdu,
    };
    let (other, after) = dropped(&plan, Some(kept));
    let until = |drops: &[PduDrop], at: Time| -> Vec<PduDrop> {
        let drops = drops.iter().copied();
        drops.filter(|drop| drop.until < at).collect()
    };
    assert_eq!(until(&before, undone.at), until(&after, undone.at));
    let is_kept =
        |drop: &PduDrop| (drop.hop, drop.flow, drop.pdu) == (kept.hop, kept.flow, kept.pdu);
    assert!(before.iter().any(is_kept) && !after.iter().any(is_kept));
    assert_ne!(report.digest(), other.digest());
}

#[test]
fn a_cell_that_does_not_fit_cannot_be_kept() {
    let plan = with("{ tail_drop = {} }");
    let (report, drops) = dropped(&plan, None);
    let kept = KeptPdu {
        hop: drops[0].hop,
        flow: drops[0].flow,
        pdu: drops[0].pdu,
    };
    let (other, _) = dropped(&plan, Some(kept));
    assert_eq!(report.digest(), other.digest());
}

#[test]
fn an_output_without_cells_of_the_flow_keeps_nothing() {
    let plan = with("{ tail_drop = {} }");
    let mut run = WatchedRun::new(&*plan, seed(0));
    assert!(!run.keep(KeptPdu {
        hop: u32::MAX,
        flow: 0,
        pdu: 1,
    }));
}
