//! Scripts: the feedback of the allocator to given data cells and RM cells.

use kernel::{Duration, Time};
use parameters::Fraction;

use super::erica;
use crate::abr::RmCell;
use crate::output::discard::Buffer;
use crate::output::scheduler::SchedulerSpec;
use crate::switch::rate::erica::averaging::cells::{Cells, FairShareCapacity};
use crate::switch::rate::erica::*;
use crate::switch::rate::{Queues, UnitPassage};
use crate::wire::class::Class;
use crate::wire::vc::Vc;

const MS: fn(u64) -> Time = |ms| Time::from_ps(ms * 1_000_000_000);

/// An allocator of an output with four VCs and a link of 100 000 cells a second: 1000 in an
/// averaging interval.
struct Output(Box<dyn Allocator>);

impl Output {
    fn new(change: impl FnOnce(&mut Erica)) -> Output {
        let supply = Supply {
            buffer: Buffer::of_cells(1000, 53, 4),
            link: 100_000.0,
            scheduler: SchedulerSpec::default(),
        };
        Output(erica(change).build(&supply))
    }

    fn at(now: Time, vc: u32) -> UnitPassage<'static> {
        UnitPassage {
            now,
            vc: Vc(vc),
            queues: Queues::of(0),
        }
    }

    /// A forward RM cell with the CCR and the MCR of a VC arrives, and then `cells` data cells.
    fn cells(&mut self, now: Time, vc: u32, ccr: f64, mcr: f64, cells: u32) {
        let mut rm = RmCell {
            ccr,
            mcr,
            ..RmCell::default()
        };
        self.0.on_forward(Output::at(now, vc), &mut rm);
        for _ in 0..cells {
            self.0.on_cell(Output::at(now, vc));
        }
    }

    fn others(&mut self, now: Time, cells: u32) {
        for _ in 0..cells {
            self.0.on_other(Output::at(now, 3), Class::Cbr);
        }
    }

    /// Ends the intervals that are due at `now`.
    fn end(&mut self, now: Time) {
        while self.0.due() <= now {
            self.0.act(Queues::of(0), Time::ZERO);
        }
    }

    /// Feedback to a VC with this MCR, in an RM cell with an ER of 1 000 000.
    fn feedback(&mut self, now: Time, vc: u32, mcr: f64) -> u64 {
        let mut rm = RmCell {
            er: 1e6,
            mcr,
            ..RmCell::default()
        };
        self.0.on_backward(Output::at(now, vc), &mut rm);
        rm.er.round() as u64
    }
}

#[test]
fn the_boundary_table_holds() {
    // Feedback to a VC with a CCR of 80 000 and to a VC with a CCR of 0, after an interval with
    // these numbers of cells of each VC and of a higher class.
    let feedback = |cells: u32, others: u32| {
        let mut output = Output::new(|_| {});
        output.cells(MS(0), 0, 80_000.0, 0.0, 0);
        output.cells(MS(0), 1, 0.0, 0.0, 0);
        output.end(MS(10));
        for vc in 0..2 {
            for _ in 0..cells {
                output.0.on_cell(Output::at(MS(11), vc));
            }
        }
        output.others(MS(11), others);
        output.end(MS(20));
        [0, 1].map(|vc| output.feedback(MS(21), vc, 0.0))
    };
    // Kalyanaraman, 1997, table 6.1. Where no VC is active, the capacity is divided by one.
    assert_eq!(feedback(500, 1000), [0, 0], "cells and no capacity");
    assert_eq!(feedback(0, 400), [60_000, 60_000], "capacity and no cells");
    assert_eq!(feedback(500, 500), [40_000, 25_000], "both");
    assert_eq!(feedback(0, 1000), [0, 0], "neither");
}

#[test]
fn a_rate_is_only_lowered_and_not_below_the_minimum() {
    let mut output = Output::new(|_| {});
    let mut rm = RmCell {
        er: 7.0,
        ..RmCell::default()
    };
    output.0.on_backward(Output::at(MS(1), 0), &mut rm);
    assert!((rm.er - 7.0).abs() < 1e-9, "another switch has less");
    output.others(MS(1), 1000);
    output.end(MS(10));
    assert_eq!(output.feedback(MS(11), 0, 123.0), 123);
}

#[test]
fn until_something_was_measured_everybody_may_have_all() {
    assert_eq!(Output::new(|_| {}).feedback(MS(1), 3, 0.0), 100_000);
}

#[test]
fn with_max_alloc_all_may_have_the_largest_rate_at_a_load_near_one() {
    let mut output = Output::new(|erica| {
        erica.max_alloc = Some(MaxAlloc {
            delta: Fraction(0.1),
        });
    });
    // At a load factor of two the feedback is half of each rate: at most 80 000.
    let mut feedback = Vec::new();
    for (interval, cells) in [2000, 1100, 1100, 1101].into_iter().enumerate() {
        let now = MS(10 * interval as u64);
        output.end(now);
        output.cells(now, 0, 160_000.0, 0.0, cells - 2);
        output.cells(now, 1, 20_000.0, 0.0, 0);
        output.end(now + Duration::from_ms(10));
        feedback.push([0, 1].map(|vc| output.feedback(now + Duration::from_ms(11), vc, 0.0)));
    }
    assert_eq!(feedback[0], [80_000, 50_000]);
    // 160,000 divided by 1.1 exceeds the rate of the link, and so does the rate that `max_alloc`
    // then allows to every VC.
    assert_eq!(feedback[1], [100_000, 80_000]);
    assert_eq!(feedback[2], [100_000, 100_000]);
    assert_eq!(feedback[3], [100_000, 50_000]);
}

#[test]
fn feedback_may_be_the_same_throughout_an_interval() {
    let mut output = Output::new(|erica| erica.one_feedback_per_interval = true);
    output.cells(MS(0), 0, 80_000.0, 0.0, 998);
    output.cells(MS(0), 1, 0.0, 0.0, 0);
    output.end(MS(10));
    assert_eq!(output.feedback(MS(11), 0, 0.0), 80_000);
    output.cells(MS(12), 0, 90_000.0, 0.0, 999);
    assert_eq!(output.feedback(MS(13), 0, 0.0), 80_000);
    output.end(MS(20));
    assert_eq!(output.feedback(MS(21), 0, 0.0), 100_000, "it is alone now");
}

#[test]
fn a_vc_below_the_fair_share_may_first_get_no_more_than_it() {
    let feedback = |fair_share_first| {
        let mut output = Output::new(|erica| erica.fair_share_first = fair_share_first);
        output.cells(MS(0), 0, 40_000.0, 0.0, 498);
        output.cells(MS(0), 1, 60_000.0, 0.0, 0);
        output.end(MS(10));
        [0, 1].map(|vc| output.feedback(MS(11), vc, 0.0))
    };
    assert_eq!(feedback(false), [80_000, 100_000]);
    assert_eq!(feedback(true), [50_000, 100_000]);
}

#[test]
fn a_vc_whose_rm_cells_come_back_may_be_active() {
    let feedback = |bidirectional_counting| {
        let mut output = Output::new(|erica| erica.bidirectional_counting = bidirectional_counting);
        output.cells(MS(1), 0, 0.0, 0.0, 10);
        output.feedback(MS(2), 1, 0.0);
        output.end(MS(10));
        output.feedback(MS(11), 0, 0.0)
    };
    assert_eq!([false, true].map(feedback), [100_000, 50_000]);
}

#[test]
fn the_weight_of_a_silent_vc_may_decay_and_a_new_vc_may_count_at_once() {
    let feedback = |decay: Option<f64>, immediate_fair_share| {
        let mut output = Output::new(|erica| {
            erica.decay_count = decay.map(|decay| DecayCount {
                decay: Fraction(decay),
            });
            erica.immediate_fair_share = immediate_fair_share;
        });
        output.cells(MS(1), 0, 0.0, 0.0, 10);
        output.cells(MS(1), 1, 0.0, 0.0, 10);
        output.end(MS(10));
        output.cells(MS(11), 0, 0.0, 0.0, 10);
        output.end(MS(20));
        let before = output.feedback(MS(21), 0, 0.0);
        output.cells(MS(22), 2, 0.0, 0.0, 10);
        [before, output.feedback(MS(23), 0, 0.0)]
    };
    assert_eq!(feedback(None, false), [100_000, 100_000]);
    assert_eq!(feedback(Some(0.6), false), [62_500, 62_500]);
    assert_eq!(feedback(None, true), [100_000, 50_000]);
    assert_eq!(feedback(Some(0.6), true), [62_500, 38_462]);
}

#[test]
fn the_rate_of_a_vc_may_be_measured() {
    let feedback = |per_vc_rate| {
        let mut output = Output::new(|erica| erica.per_vc_rate = per_vc_rate);
        // VC 0 reports a CCR of 90 000 cells/s and sends 20 000; with the other VCs the load factor
        // is one half.
        output.cells(MS(0), 0, 90_000.0, 0.0, 199);
        for vc in 1..4 {
            output.cells(MS(0), vc, 0.0, 0.0, 99);
        }
        output.end(MS(10));
        output.feedback(MS(11), 0, 0.0)
    };
    assert_eq!([false, true].map(feedback), [100_000, 40_000]);
}

#[test]
fn rates_may_be_minima_plus_equal_shares() {
    let feedback = |fairness| {
        let mut output = Output::new(|erica| erica.fairness = fairness);
        output.cells(MS(0), 0, 0.0, 50_000.0, 999);
        output.cells(MS(0), 1, 0.0, 10_000.0, 999);
        output.end(MS(10));
        [(0, 50_000.0), (1, 10_000.0)].map(|(vc, mcr)| output.feedback(MS(11), vc, mcr))
    };
    assert_eq!(feedback(Fairness::Maximum), [50_000, 50_000]);
    assert_eq!(feedback(Fairness::McrPlusEqualShare), [70_000, 30_000]);
}

#[test]
fn a_number_of_cells_may_end_an_interval() {
    let feedback = |count| {
        let mut output = Output::new(|erica| {
            erica.cells = Some(200);
            erica.count = count;
        });
        output.cells(MS(0), 0, 0.0, 0.0, 9);
        output.others(MS(1), 50);
        output.cells(MS(1), 1, 0.0, 0.0, 139);
        let early = output.feedback(MS(2), 0, 0.0);
        output.cells(MS(2), 1, 0.0, 0.0, 49);
        (early, output.feedback(MS(2), 0, 0.0), output.0.due())
    };
    // 50 cells of other classes in 2 ms leave three quarters of the link, and in 1 ms one half, to
    // be divided between two VCs.
    assert_eq!(feedback(IntervalCount::AbrIn), (100_000, 37_500, MS(12)));
    assert_eq!(feedback(IntervalCount::AllIn), (25_000, 25_000, MS(11)));
}

#[test]
fn averages_reach_the_feedback() {
    let mut output = Output::new(|erica| {
        erica.averaging = Some(AveragingSpec::Cells(Cells {
            alpha: Fraction(0.5),
            share: FairShareCapacity::Averaged,
        }));
    });
    output.cells(MS(0), 0, 60_000.0, 0.0, 999);
    output.end(MS(10));
    output.cells(MS(10), 0, 60_000.0, 0.0, 999);
    output.others(MS(11), 1000);
    output.end(MS(20));
    // Without averages the capacity would be zero; the average is half of the capacity of the
    // interval before.
    assert_eq!(output.feedback(MS(21), 0, 0.0), 50_000);
}
