//! Both ends of a link that loses messages.

use kernel::{Duration, Time};
use proptest::prelude::*;

use super::*;
use crate::free_multiple::FreeMultiple;
use crate::link::credit::cbfc::CreditCost;
use crate::wire::between::{CfUpdate, ControlFrame};
use crate::wire::priority::{ByPriority, Priority};

const TERMS: CbfcTerms = CbfcTerms {
    priorities: PrioritySet::ALL,
    limit: 10,
    shared: None,
    cost: PacketCost {
        credit_size: 128,
        overhead: 0,
        by: CreditCost::Octets,
    },
    min_spacing: Duration::from_us(2),
    max_spacing: Duration::from_us(50),
    cc_timer: Duration::from_us(100),
};

const AT: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

fn vc(number: u8) -> Priority {
    Priority::new(number).expect("a priority")
}

/// Both ends of a link with flows of the priorities 1 and 2.
fn ends() -> (CbfcSender, CbfcReceiver) {
    ends_of(TERMS)
}

fn ends_of(terms: CbfcTerms) -> (CbfcSender, CbfcReceiver) {
    let priorities = [vc(1), vc(2)];
    let sender = CbfcSender::new(terms, priorities.into_iter().collect());
    (sender, CbfcReceiver::new(terms, priorities.into()))
}

/// Shared credits beside the ten of each of two virtual channels.
fn sharing(shared: u32, threshold: CreditThreshold) -> CbfcTerms {
    CbfcTerms {
        shared: Some(CreditPool {
            port_limit: 20 + shared,
            reserved: 20,
            threshold,
            users: PrioritySet::ALL,
        }),
        ..TERMS
    }
}

/// Shared credits by any threshold, of one virtual channel or both; or none.
fn any_terms() -> impl Strategy<Value = CbfcTerms> {
    let threshold = prop_oneof![
        (1_u32..40).prop_map(CreditThreshold::Static),
        (-8_i32..8).prop_map(|power| CreditThreshold::Dynamic(FreeMultiple::of_power(power))),
    ];
    let shared = (0_u32..40, threshold, any::<bool>());
    prop::option::of(shared).prop_map(|shared| {
        let Some((shared, threshold, both)) = shared else {
            return TERMS;
        };
        let mut terms = sharing(shared, threshold);
        if let Some(shared) = terms.shared.as_mut().filter(|_| !both) {
            shared.users = [vc(1)].into_iter().collect();
        }
        terms
    })
}

fn told(receiver: &mut CbfcReceiver, us: u64) -> CfUpdate {
    match receiver.update(AT(us)) {
        Some(ControlFrame::CfUpdate(update)) => update,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_virtual_channel_waits_at_its_limit_and_no_other_does() {
    let (mut sender, mut receiver) = ends();
    sender.consume(Time::ZERO, vc(1), 1000);
    assert!(sender.is_open(vc(1), 256) && !sender.is_open(vc(1), 257));
    assert!(sender.is_open(vc(2), 1280) && !sender.is_open(vc(2), 1281));
    // No flow has priority 5, so it needs no credits.
    assert!(sender.is_open(vc(5), 9000));
    receiver.consume(vc(1), 1000);
    assert_eq!((receiver.held(vc(1)), sender.used(vc(1))), (8, 8));
    receiver.free(vc(1), 1000);
    sender.on_update(Time::ZERO, told(&mut receiver, 0));
    assert_eq!((receiver.held(vc(1)), sender.used(vc(1))), (0, 0));
    assert_eq!((sender.meter.most_used, sender.meter.vcs[1].freed), (8, 8));
}

#[test]
fn updates_keep_the_least_spacing_and_none_waits_longer_than_the_largest() {
    let (_, mut receiver) = ends();
    assert_eq!(receiver.update_at(), AT(50));
    receiver.free(vc(1), 100);
    assert_eq!(receiver.update_at(), AT(0));
    assert_eq!(told(&mut receiver, 7).vc, vc(1));
    assert_eq!(receiver.update_at(), AT(50));
    receiver.free(vc(1), 100);
    assert_eq!(receiver.update_at(), AT(9));
    assert_eq!(told(&mut receiver, 9).vc, vc(1));
    // The other virtual channel has been told of last, at the start; then the first is due again.
    assert_eq!(
        (receiver.update_at(), told(&mut receiver, 50).vc),
        (AT(50), vc(2))
    );
    assert_eq!(
        (receiver.update_at(), told(&mut receiver, 59).vc),
        (AT(59), vc(1))
    );
    assert_eq!(receiver.meter.sent, 4);
}

#[test]
fn the_virtual_channel_that_has_waited_longest_goes_first() {
    let (_, mut receiver) = ends();
    let mut order = Vec::new();
    for us in (10..20).step_by(2) {
        receiver.free(vc(1), 100);
        receiver.free(vc(2), 100);
        order.push(told(&mut receiver, us).vc.index());
    }
    assert_eq!(order, [1, 2, 1, 2, 1]);
}

#[test]
fn credits_of_lost_packets_come_back_with_a_cc_update() {
    let (mut sender, mut receiver) = ends();
    for _ in 0..3 {
        sender.consume(Time::ZERO, vc(1), 384);
    }
    receiver.consume(vc(1), 384);
    assert!(!sender.is_open(vc(1), 256));
    assert_eq!(sender.update_at(), AT(100));
    let ControlFrame::CcUpdate(consumed) = sender.update(AT(100)) else {
        panic!("a CC_Update");
    };
    receiver.on_update(&consumed);
    sender.on_update(Time::ZERO, told(&mut receiver, 101));
    assert_eq!((sender.used(vc(1)), receiver.held(vc(1))), (3, 3));
    assert_eq!(receiver.meter.vcs[1].recovered, 6);
    assert_eq!(sender.update_at(), AT(200));
}

#[test]
fn a_virtual_channel_uses_its_own_credits_first_and_frees_shared_ones_first() {
    let (mut sender, mut receiver) = ends_of(sharing(6, CreditThreshold::Static(4)));
    sender.consume(Time::ZERO, vc(1), 8 * 128);
    // Two of its own are left, and four are lent.
    assert!(sender.is_open(vc(1), 6 * 128) && !sender.is_open(vc(1), 7 * 128));
    sender.consume(Time::ZERO, vc(1), 6 * 128);
    assert_eq!((sender.used(vc(1)), sender.borrowed_by_all()), (14, 4));
    // Of six, two are left for the other, beside ten of its own.
    assert!(sender.is_open(vc(2), 12 * 128) && !sender.is_open(vc(2), 13 * 128));
    for octets in [8 * 128, 6 * 128] {
        receiver.consume(vc(1), octets);
    }
    receiver.free(vc(1), 6 * 128);
    sender.on_update(Time::ZERO, told(&mut receiver, 0));
    assert_eq!((sender.used(vc(1)), sender.borrowed_by_all()), (8, 0));
    assert!(sender.is_open(vc(2), 14 * 128) && !sender.is_open(vc(2), 15 * 128));
}

#[test]
fn a_dynamic_threshold_follows_the_credits_that_are_free() {
    let multiple = CreditThreshold::Dynamic(FreeMultiple::of_power(0));
    let (mut sender, _) = ends_of(sharing(12, multiple));
    // Alone it uses half of them, which leaves as many free.
    assert!(sender.is_open(vc(1), 16 * 128) && !sender.is_open(vc(1), 17 * 128));
    sender.consume(Time::ZERO, vc(1), 16 * 128);
    // Of the six that are free, three more leave three.
    assert!(sender.is_open(vc(2), 13 * 128) && !sender.is_open(vc(2), 14 * 128));
}

#[test]
fn a_virtual_channel_without_a_threshold_uses_its_own_credits_alone() {
    let mut terms = sharing(12, CreditThreshold::Static(12));
    if let Some(shared) = &mut terms.shared {
        shared.users = [vc(2)].into_iter().collect();
    }
    let (sender, _) = ends_of(terms);
    assert!(sender.is_open(vc(1), 10 * 128) && !sender.is_open(vc(1), 11 * 128));
    assert!(sender.is_open(vc(2), 22 * 128) && !sender.is_open(vc(2), 23 * 128));
    assert_eq!([1, 2].map(|number| terms.most(vc(number))), [10, 22]);
    assert_eq!(terms.most_of([vc(1), vc(2)].into_iter().collect()), 32);
}

/// Asserts that a sender keeps the limits of a virtual channel and of the port, and lets a packet start
/// for which the virtual channel has credits of its own, and just those for which it has credits left.
fn assert_lends(terms: &CbfcTerms, sender: &CbfcSender, vc: Priority) {
    let both = [1, 2].into_iter().filter_map(Priority::new).collect();
    assert!(u64::from(sender.used(vc)) <= terms.most(vc));
    assert!(u64::from(sender.used_by_all()) <= terms.most_of(both));
    let own = TERMS.limit.saturating_sub(sender.used(vc));
    assert!(own == 0 || sender.is_open(vc, own * 128));
    let left = sender.left(vc);
    assert!(left == 0 || sender.is_open(vc, left * 128));
    assert!(!sender.is_open(vc, (left + 1) * 128));
    sender.assert_within_limits();
}

proptest! {
    /// Whatever is lost, an exchange of both messages afterwards finds every credit again, and
    /// meanwhile the receiving end never holds more than the limits, of each virtual channel and of
    /// the port; a packet within the credits of its own always may start.
    #[test]
    fn after_any_losses_all_credits_are_found_again(
        terms in any_terms(),
        acts in prop::collection::vec((0_u8..4, 1_u8..3, 1_u32..1281, any::<bool>()), 0..3000),
    ) {
        let (mut sender, mut receiver) = ends_of(terms);
        let mut held: ByPriority<std::collections::VecDeque<u32>> = Default::default();
        let mut now = 0;
        for (act, number, octets, is_lost) in acts {
            let vc = vc(number);
            let queue = &mut held[vc.index()];
            match act {
                0 if sender.is_open(vc, octets) => {
                    sender.consume(Time::ZERO, vc, octets);
                    if !is_lost {
                        receiver.consume(vc, octets);
                        queue.push_back(octets);
                    }
                }
                1 => {
                    if let Some(octets) = queue.pop_front() {
                        receiver.free(vc, octets);
                    }
                }
                2 => {
                    now = now.max(receiver.update_at().ps() / 1_000_000);
                    let update = told(&mut receiver, now);
                    if !is_lost {
                        sender.on_update(Time::ZERO, update);
                    }
                }
                3 => {
                    if let (ControlFrame::CcUpdate(consumed), false) = (sender.update(AT(now)), is_lost) {
                        receiver.on_update(&consumed);
                    }
                }
                _ => {}
            }
            let of_queue = held[vc.index()].iter().map(|octets| TERMS.cost.of(*octets));
            let credits: u32 = of_queue.sum();
            prop_assert_eq!(receiver.held(vc), credits);
            prop_assert!(credits <= sender.used(vc));
            assert_lends(&terms, &sender, vc);
        }
        if let ControlFrame::CcUpdate(consumed) = sender.update(AT(now)) {
            receiver.on_update(&consumed);
        }
        for _ in 0..2 {
            now = now.max(receiver.update_at().ps().div_ceil(1_000_000));
            sender.on_update(Time::ZERO, told(&mut receiver, now));
        }
        for vc in [vc(1), vc(2)] {
            prop_assert_eq!(sender.used(vc), receiver.held(vc));
        }
        let beyond = [vc(1), vc(2)].map(|vc| receiver.held(vc).saturating_sub(TERMS.limit));
        prop_assert_eq!(sender.borrowed_by_all(), beyond.iter().sum::<u32>());
    }
}
