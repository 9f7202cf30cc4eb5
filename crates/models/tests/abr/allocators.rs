//! Bounds on the rates that allocators write into RM cells, for any arrivals.

use kernel::{Duration, Rate, Time};
use models::abr::RmCell;
use models::output::discard::Buffer;
use models::output::scheduler::SchedulerSpec;
use models::switch::rate::{Allocator, AllocatorSpec, Queues, Supply, UnitPassage};
use models::wire::class::{ByClass, Class};
use models::wire::vc::Vc;
use parameters::{understand, value};
use proptest::prelude::*;

/// An event at the output.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// Data cells on a VC: the VC, and their number.
    Cells(u32, u8),
    /// Cells of another class, and their number.
    Others(Class, u8),
    /// A forward RM cell: the VC, its allowed cell rate (CCR), and its minimum cell rate.
    Forward(u32, f64, f64),
    /// A backward RM cell: the VC, and the explicit rate.
    Backward(u32, f64),
    /// The lengths of the queues change: ABR cells, and cells of each other class.
    Queue(u64, u64),
    Pass(u64),
}

/// Rates of zero, tiny and usual rates, and rates beyond any link.
fn rate() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(f64::MIN_POSITIVE),
        0.0..1e6,
        Just(4_290_772_992.0),
        Just(1e300),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let class = prop::sample::select(&[Class::Cbr, Class::RtVbr, Class::NrtVbr, Class::Ubr][..]);
    prop_oneof![
        (any::<u32>(), any::<u8>()).prop_map(|(vc, cells)| Event::Cells(vc, cells)),
        (class, any::<u8>()).prop_map(|(class, cells)| Event::Others(class, cells)),
        (any::<u32>(), rate(), rate()).prop_map(|(vc, ccr, mcr)| Event::Forward(vc, ccr, mcr)),
        (any::<u32>(), rate()).prop_map(|(vc, er)| Event::Backward(vc, er)),
        (any::<u32>(), any::<u32>()).prop_map(|(abr, all)| Event::Queue(abr.into(), all.into())),
        prop_oneof![Just(0), Just(1), 1u64..1_000_000_000, Just(1 << 33)].prop_map(Event::Pass),
    ]
}

/// ERICA in all its variants.
fn erica() -> impl Strategy<Value = AllocatorSpec> {
    let targets = [
        value!({ utilization = "90 %" }),
        value!({ utilization = "1 %" }),
        value!({ queue = {} }),
        value!({ queue = { cells = "1 cells", curve = { linear = { a = 1.0, b = 1.0 } } } }),
        value!({ queue = { delay = "1 us", curve = { inverse_hyperbolic = { a = 0.01 } } } }),
        value!({ queue = { curve = { step = { a = 0.0, b = 2.0 } }, drain_limit = "1 %" } }),
    ];
    let averages = [
        value!({}),
        value!({ averaging = { load = { alpha = "0.1 %" } } }),
        value!({ averaging = { cells = { share = "averaged" } } }),
        value!({ averaging = { cells = { alpha = "100 %" } } }),
    ];
    let counts = [
        value!({ interval = "10 us" }),
        value!({ cells = 1 }),
        value!({ cells = 1, count = "all_in" }),
        value!({ cells = 2, count = "abr_out" }),
    ];
    let modifications = [
        value!({}),
        value!({ max_alloc = {}, fair_share_first = true, fairness = "mcr_plus_equal_share" }),
        value!({ decay_count = { decay = "100 %" }, immediate_fair_share = true }),
        value!({ per_vc_rate = true, bidirectional_counting = true, max_alloc = { delta = "0 %" } }),
        value!({ one_feedback_per_interval = true, decay_count = {}, immediate_fair_share = true }),
    ];
    let select = prop::sample::select::<parameters::Value>;
    let parts = [averages.to_vec(), counts.to_vec(), modifications.to_vec()];
    (select(targets.to_vec()), parts.map(select)).prop_map(|(target, parts)| {
        let mut table = parameters::ValueTable::of([("target", target)]);
        for part in parts {
            for entry in part.table().expect("a table") {
                table.set(entry.name.clone(), None, entry.written.clone());
            }
        }
        let spec = parameters::ValueTable::of([("erica", table.into())]);
        understand(&spec.into()).expect("an allocator")
    })
}

fn scheduler() -> impl Strategy<Value = SchedulerSpec> {
    let schedulers = [
        value!({ fifo = {} }),
        value!({ strict_priority = {} }),
        value!({ multiclass = {} }),
        value!({ multiclass = { abr = { share = "100 %" } } }),
        value!({ multiclass = { cbr = { share = "60 %" }, abr = { share = "40 %", greedy = false } } }),
        value!({ multiclass = { ubr = { share = "100 %", weight = 1000 } } }),
    ];
    let understood = schedulers.map(|spec| understand(&spec).expect("a scheduler"));
    prop::sample::select(understood.to_vec())
}

struct Output {
    allocator: Box<dyn Allocator>,
    link: f64,
    vcs: u32,
    now: Time,
    abr: u64,
    waiting: ByClass<u64>,
}

impl Output {
    fn happen(&mut self, event: Event) {
        let Output { now, vcs, .. } = *self;
        let waiting = self.waiting;
        let queues = Queues {
            abr: self.abr,
            by_class: &waiting,
        };
        let at = |vc: u32| UnitPassage {
            now,
            vc: Vc(vc % vcs),
            queues,
        };
        match event {
            Event::Cells(vc, cells) => {
                for _ in 0..cells {
                    self.allocator.on_cell(at(vc));
                    if self.allocator.counts_starts() {
                        self.allocator.on_start(now);
                    }
                }
            }
            Event::Others(class, cells) => {
                (0..cells).for_each(|_| self.allocator.on_other(at(0), class));
            }
            Event::Forward(vc, ccr, mcr) => {
                let mut rm = RmCell {
                    ccr,
                    mcr,
                    er: ccr,
                    ..RmCell::default()
                };
                self.allocator.on_forward(at(vc), &mut rm);
                assert!(rm.er <= ccr, "a rate is raised");
            }
            Event::Backward(vc, er) => self.answer(at(vc), er),
            Event::Queue(abr, all) => {
                self.abr = abr;
                self.waiting = [all; Class::ALL.len()];
                return;
            }
            Event::Pass(ps) => self.now += Duration::from_ps(ps),
        }
        while self.allocator.due() <= self.now {
            self.allocator.act(queues, Time::ZERO);
        }
    }

    fn answer(&mut self, at: UnitPassage<'_>, er: f64) {
        for mcr in [0.0, self.link / 4.0] {
            let mut rm = RmCell {
                er,
                mcr,
                backward: true,
                ..RmCell::default()
            };
            self.allocator.on_backward(at, &mut rm);
            assert!(rm.er.is_finite() && rm.er >= 0.0, "{rm:?}");
            assert!(rm.er <= er, "a rate is raised: {rm:?}");
            assert!(rm.er >= mcr.min(er), "a promise is broken: {rm:?}");
            // Even for an empty queue, the explicit rate is at most twice the rate of the link.
            assert!(
                rm.er <= (2.000_001 * self.link).max(mcr),
                "{rm:?} of {}",
                self.link
            );
        }
        if let Some(meter) = self.allocator.meter() {
            let present = meter.present;
            for value in [present.capacity, present.fair_share, present.active] {
                assert!(value.is_finite() && value >= 0.0, "{present:?}");
            }
            assert!(present.load >= 0.0, "{present:?}");
        }
    }
}

proptest! {
    #[test]
    fn allocators_never_raise_a_rate_nor_exceed_twice_the_link_nor_undercut_a_minimum_rate(
        spec in erica(),
        scheduler in scheduler(),
        vcs in prop::sample::select(&[1u32, 2, 1000][..]),
        link in prop::sample::select(&[1u64, 424, 155_520_000, 10_000_000_000_000][..]),
        events in prop::collection::vec(event(), 1..80),
    ) {
        let supply = Supply::new(
            Buffer::of_cells(1000, 53, vcs as usize),
            Rate::from_bits_per_second(link),
            &scheduler,
        );
        let mut output = Output {
            allocator: spec.build(&supply),
            link: supply.link,
            vcs,
            now: Time::ZERO,
            abr: 0,
            waiting: ByClass::default(),
        };
        for event in events {
            output.happen(event);
        }
    }
}
