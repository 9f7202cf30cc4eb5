//! Intervals without ABR cells may be skipped without a change of the results.

use kernel::{Duration, Time};
use parameters::{Fraction, ParameterTable};

use crate::abr::RmCell;
use crate::output::discard::Buffer;
use crate::output::scheduler::SchedulerSpec;
use crate::switch::rate::erica::averaging::AveragingSpec;
use crate::switch::rate::erica::averaging::cells::Cells;
use crate::switch::rate::erica::state::State;
use crate::switch::rate::erica::{DecayCount, Erica, MaxAlloc};
use crate::switch::rate::{Allocator, Queues, Supply, UnitPassage};
use crate::wire::vc::Vc;

/// Feedback and measurements of an allocator over many averaging intervals without cells, which it
/// skips or ends one by one.
fn over_silences(spec: &Erica, passes: bool) -> (Vec<f64>, Time, String) {
    let supply = Supply {
        buffer: Buffer::of_cells(1000, 53, 4),
        link: 100_000.0,
        scheduler: SchedulerSpec::default(),
    };
    let mut output = State::new(spec, &supply);
    let mut feedback = Vec::new();
    for (ms, vc) in [
        (1, 0),
        (2, 1),
        (73, 1),
        (74, 0),
        (1000, 0),
        (1001, 2),
        (1003, 0),
    ] {
        let now = Time::ZERO + Duration::from_ms(ms);
        while output.due() <= now {
            let until = if passes {
                now.just_before()
            } else {
                Time::ZERO
            };
            output.act(Queues::of(0), until);
        }
        let at = UnitPassage {
            now,
            vc: Vc(vc),
            queues: Queues::of(0),
        };
        let mut rm = RmCell {
            er: 1e6,
            ccr: 30_000.0,
            ..RmCell::default()
        };
        output.on_forward(at, &mut rm);
        output.on_cell(at);
        output.on_backward(at, &mut rm);
        feedback.push(rm.er);
    }
    (feedback, output.due(), format!("{:?}", output.meter()))
}

#[test]
fn silences_may_be_passed_over() {
    let changes: [fn(&mut Erica); 5] = [
        |_| {},
        |erica| {
            erica.max_alloc = Some(MaxAlloc {
                delta: Fraction(0.1),
            });
        },
        |erica| {
            erica.decay_count = Some(DecayCount {
                decay: Fraction(0.5),
            });
        },
        |erica| {
            erica.bidirectional_counting = true;
            erica.cells = Some(2);
        },
        |erica| {
            let alpha = Fraction(0.2);
            let cells = Cells {
                alpha,
                ..Cells::defaults()
            };
            erica.averaging = Some(AveragingSpec::Cells(cells));
        },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut spec = Erica {
            interval: Duration::from_ms(3),
            ..Erica::defaults()
        };
        change(&mut spec);
        let [passed, apart] = [true, false].map(|passes| over_silences(&spec, passes));
        assert_eq!(passed, apart, "change {number}");
    }
}
