//! Watching: snapshots show the true state of a run, and change nothing in it.

use std::collections::BTreeMap;

use crate::common::{CROSSING, plan, run, seed, ten_tcp};
use kernel::{Duration, Time};
use proptest::prelude::*;
use scenario::lower::Plan;
use scenario::report::Report;
use scenario::run::{Simulation, Stopped};
use scenario::watch::{
    self, Directive, Gauge, NextPause, Snapshot, WatchedRun, WatchedStep, Watcher,
};

/// A watcher that pauses after these times, in turn, and checks each snapshot.
struct SteppedRun {
    lengths: Vec<u64>,
    every: Duration,
    snapshots: Vec<Snapshot>,
}

impl Watcher for SteppedRun {
    fn paused(&mut self, snapshot: Snapshot) -> Option<NextPause> {
        let now = *snapshot.times.last().expect("a snapshot has a time");
        let step = self.lengths[self.snapshots.len() % self.lengths.len()];
        self.snapshots.push(snapshot);
        Some(NextPause {
            until: now + Duration::from_us(step),
            every: self.every,
        })
    }

    fn underway(&mut self, _: Time) -> Directive {
        Directive::Continue
    }
}

/// Pauses at the next possible instant, which the watcher cannot know in advance.
#[derive(Default)]
struct Impatient {
    asked: u32,
    snapshots: Vec<Snapshot>,
}

impl Watcher for Impatient {
    fn paused(&mut self, snapshot: Snapshot) -> Option<NextPause> {
        self.snapshots.push(snapshot);
        Some(NextPause {
            until: Time::NEVER,
            every: Duration::ZERO,
        })
    }

    fn underway(&mut self, _: Time) -> Directive {
        self.asked += 1;
        Directive::Pause
    }
}

fn watched(plan: &Plan, steps: Vec<u64>, every: Duration) -> (Report, Vec<Snapshot>) {
    let mut watcher = SteppedRun {
        lengths: steps,
        every,
        snapshots: Vec::new(),
    };
    let simulation = Simulation::new(plan, seed(0));
    let report = watch::run(simulation, &mut watcher).expect("nobody gives it up");
    (report, watcher.snapshots)
}

/// The numbers of a report, bit for bit, without the drops, which a watcher removes.
fn numbers(report: &Report) -> Vec<u64> {
    let scalars = report.scalars.iter().map(|scalar| scalar.value);
    let numbers = scalars.chain(report.batches.iter().flatten().copied());
    numbers.map(f64::to_bits).collect()
}

const SETTINGS: &[&[(&str, &str)]] = &[
    &[],
    &[("warm_up", "5 ms"), ("flow.east.over", "{ abr = {} }")],
    &[
        ("switch.west.fabric.slotted", "{ speedup = 2 }"),
        ("batches", "3"),
    ],
    &[
        ("flow.east.over", "{ packet = {} }"),
        ("flow.west.over", "{ packet = {} }"),
    ],
    &[
        ("switch.west.scheduler.round_robin", "{}"),
        ("link.trunk.loss", "{ cell = \"0.1 %\" }"),
    ],
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn who_looks_at_a_run_does_not_change_it(
        settings in prop::sample::select(SETTINGS),
        steps in prop::collection::vec(1_u64..4000, 1..5),
        every in 0_u64..300,
    ) {
        let unseen = run(CROSSING, settings, 0);
        let plan = plan(CROSSING, settings);
        let (seen, snapshots) = watched(&plan, steps, Duration::from_us(every));
        prop_assert!(numbers(&seen) == numbers(&unseen));
        let times: Vec<Time> = snapshots.iter().flat_map(|snapshot| snapshot.times.clone()).collect();
        prop_assert!(times.is_sorted());
        prop_assert_eq!(times.last().copied(), Some(Time::ZERO + plan.spec.duration));
    }
}

/// The report and the snapshots of a run that its caller advances.
fn advanced(plan: &Plan, steps: &[u64], every: Duration) -> (Report, Vec<Snapshot>) {
    let mut run = WatchedRun::new(plan, seed(0));
    let mut snapshots = Vec::new();
    loop {
        if let WatchedStep::Paused(snapshot) = run.advance() {
            let now = *snapshot.times.last().expect("a snapshot has a time");
            let step = steps[snapshots.len() % steps.len()];
            snapshots.push(snapshot);
            if run.has_ended() {
                return (run.finish(), snapshots);
            }
            let until = now + Duration::from_us(step);
            run.go_on(NextPause { until, every });
        }
    }
}

#[test]
fn a_run_that_its_caller_advances_shows_the_same() {
    for settings in SETTINGS {
        let plan = plan(CROSSING, settings);
        for (steps, every) in [(vec![300, 1700], 70), (vec![2500], 0)] {
            let every = Duration::from_us(every);
            let (report, snapshots) = advanced(&plan, &steps, every);
            let (seen, others) = watched(&plan, steps, every);
            assert_eq!(report.digest(), seen.digest());
            assert_eq!(snapshots, others);
        }
    }
}

#[test]
fn a_run_that_is_told_to_pause_shows_an_instant() {
    let settings = [("duration", "1.6 s"), ("warm_up", "0.2 s")];
    let plan = plan(CROSSING, &settings);
    let mut impatient = Impatient::default();
    let seen = watch::run(Simulation::new(&plan, seed(0)), &mut impatient).expect("it ends");
    assert!(numbers(&seen) == numbers(&run(CROSSING, &settings, 0)));
    let snapshots = impatient.snapshots;
    assert!(impatient.asked > 1, "{}", impatient.asked);
    assert_eq!(snapshots.len() as u32, impatient.asked + 2);
    // A pause at an unplanned instant shows the same state as a planned pause at that instant.
    let mut before = Time::ZERO;
    for snapshot in &snapshots[1..] {
        let at = snapshot.times[0];
        let mut known = Until(at, Snapshot::default());
        let _ = watch::run(Simulation::new(&plan, seed(0)), &mut known);
        assert_eq!(known.1.rows, snapshot.rows);
        assert_eq!(known.1.moving, snapshot.moving);
        assert!(at > before);
        before = at;
    }
}

/// A watcher that pauses at a single instant.
struct Until(Time, Snapshot);

impl Watcher for Until {
    fn paused(&mut self, snapshot: Snapshot) -> Option<NextPause> {
        let now = *snapshot.times.last().expect("a snapshot has a time");
        self.1 = snapshot;
        (now < self.0).then_some(NextPause {
            until: self.0,
            every: Duration::ZERO,
        })
    }

    fn underway(&mut self, _: Time) -> Directive {
        Directive::Continue
    }
}

/// Compares recorded series with the readings of a watcher; returns the quantities compared, with
/// the number of values.
fn compared(text: &str, settings: &[(&str, &str)]) -> BTreeMap<String, usize> {
    let recorded = run(text, &[settings, &[("record.every", "0.5 ms")]].concat(), 0);
    let plan = plan(text, settings);
    let (_, snapshots) = watched(&plan, vec![700, 5000], Duration::from_us(500));
    let gauges = watch::gauges(&plan);
    let rows: Vec<(Time, &[f64])> = snapshots
        .iter()
        .flat_map(|snapshot| {
            let rows = snapshot.rows.chunks(gauges.len());
            snapshot.times.iter().copied().zip(rows)
        })
        .collect();
    let mut compared = BTreeMap::new();
    for (column, gauge) in gauges.iter().enumerate() {
        let (scope, quantity) = (&gauge.scope, gauge.quantity.name);
        let of_scope = recorded.series.0.get(scope);
        let Some(series) = of_scope.and_then(|of_scope| of_scope.get(quantity)) else {
            continue;
        };
        let name = format!("{scope} {quantity}");
        assert_eq!(gauge.quantity.unit, series.unit, "{name}");
        for (time, value) in series.times().into_iter().zip(series.values()) {
            let found = rows
                .iter()
                .find(|(at, _)| at.seconds().to_bits() == time.to_bits());
            let (_, row) = found.unwrap_or_else(|| panic!("nothing was read at {time}"));
            assert!(
                (row[column] - value).abs() <= 1.0,
                "{name} at {time}: {} for {value}",
                row[column]
            );
            *compared.entry(quantity.to_string()).or_insert(0) += 1;
        }
    }
    compared
}

#[test]
fn gauges_are_what_series_record() {
    let settings = [("duration", "40 ms"), ("warm_up", "0 s")];
    let of_tcp = compared(&ten_tcp(), &settings);
    assert!(of_tcp["cwnd"] > 500 && of_tcp["queue"] > 500, "{of_tcp:?}");
    let of_abr = compared(CROSSING, &[("flow.east.over", "{ abr = {} }")]);
    assert!(
        of_abr["acr"] > 150 && of_abr["source_queue"] > 150,
        "{of_abr:?}"
    );
    let of_credits = compared(
        CROSSING,
        &[
            ("switch.west.scheduler.round_robin", "{}"),
            ("switch.west.buffer.per_output", "1000 cells"),
            ("switch.east.scheduler.round_robin", "{}"),
            ("switch.east.buffer.per_output", "1000 cells"),
            ("link.left.credit.n23", "{}"),
            ("link.trunk.credit.adaptive", "{}"),
        ],
    );
    // Three VCs at their hosts and six at the trunk, at 61 instants.
    assert!(of_credits["vc_credit"] > 500, "{of_credits:?}");
}

/// Cells dropped up to a snapshot, summed over all ports or over all flows.
fn dropped(gauges: &[Gauge], snapshot: &Snapshot, scope: &str) -> usize {
    let row = &snapshot.rows[snapshot.rows.len() - gauges.len()..];
    let wanted = gauges
        .iter()
        .zip(row)
        .filter(|(gauge, _)| gauge.scope.word() == scope && gauge.quantity.name == "dropped");
    wanted.map(|(_, value)| *value as usize).sum()
}

#[test]
fn every_drop_is_seen_once_with_its_place_and_flow() {
    let settings = [("duration", "0.6 s"), ("warm_up", "0 s")];
    let plan = plan(&ten_tcp(), &settings);
    let (_, snapshots) = watched(&plan, vec![200], Duration::from_us(200));
    let gauges = watch::gauges(&plan);
    let last = snapshots.last().expect("snapshots");
    let dropped = dropped(&gauges, last, "port");
    assert_eq!(self::dropped(&gauges, last, "flow"), dropped);
    let drops: Vec<_> = snapshots
        .iter()
        .flat_map(|snapshot| &snapshot.drops)
        .collect();
    assert!(dropped > 0, "the buffer overflows");
    let cells: u32 = drops.iter().map(|drop| drop.cells).sum();
    assert_eq!(cells as usize, dropped);
    assert!(drops.iter().all(|drop| drop.at <= drop.until));
    assert!(drops.is_sorted_by_key(|drop| drop.at));
    let names: Vec<String> = (drops.iter())
        .map(|drop| plan.link_name(drop.hop as usize / 2))
        .collect();
    assert!(
        names.iter().all(|name| *name == names[0]),
        "one port overflows"
    );
}

#[test]
fn the_latest_drops_are_kept_and_all_are_counted() {
    let settings = [
        ("duration", "4 s"),
        ("warm_up", "0 s"),
        ("switch.s1.buffer.per_output", "300 cells"),
    ];
    let plan = plan(&ten_tcp(), &settings);
    let (_, snapshots) = watched(&plan, vec![4_000_000], Duration::from_ms(4000));
    let end = snapshots.last().expect("snapshots");
    let gauges = watch::gauges(&plan);
    let counted = dropped(&gauges, end, "flow");
    assert_eq!(end.drops.len(), 1000);
    assert!(counted > 10_000, "{counted}");
    assert!(end.drops.is_sorted_by_key(|drop| drop.at));
}

/// Values of the gauges of credit, by quantity, in a run with this kind of credit on the trunk.
fn credits(credit: &str) -> Vec<(String, Vec<u64>)> {
    let settings = [
        ("switch.west.scheduler.round_robin", "{}"),
        ("switch.east.scheduler.round_robin", "{}"),
        ("switch.west.buffer.per_output", "1000 cells"),
        ("switch.east.buffer.per_output", "1000 cells"),
        ("link.trunk.credit", credit),
    ];
    let plan = plan(CROSSING, &settings);
    let (report, snapshots) = watched(&plan, vec![1000], Duration::from_us(50));
    assert!(numbers(&report) == numbers(&run(CROSSING, &settings, 0)));
    let gauges = watch::gauges(&plan);
    let columns = gauges
        .iter()
        .enumerate()
        .filter(|(_, gauge)| matches!(gauge.quantity.name, "vc_credit" | "part"));
    columns
        .map(|(column, gauge)| {
            let rows = snapshots
                .iter()
                .flat_map(|snapshot| snapshot.rows.chunks(gauges.len()));
            let name = format!("{}: {}", gauge.scope, gauge.quantity.name);
            (name, rows.map(|row| row[column] as u64).collect())
        })
        .collect()
}

#[test]
fn credit_left_is_between_nothing_and_all() {
    let seen = credits("{ n23 = { n2 = 5, n3 = 20 } }");
    assert!(!seen.is_empty());
    for (name, values) in &seen {
        assert!(name.ends_with(": vc_credit"), "{name}");
        assert_eq!(values[0], 25, "{name}: all at the start");
        assert!(values.iter().all(|value| *value <= 25));
    }
    assert!(seen.iter().any(|(_, values)| values.contains(&0)));
}

#[test]
fn parts_of_a_pool_are_never_more_than_all_of_it() {
    let seen = credits("{ adaptive = { n2 = 5, pool = 80 } }");
    let of = |quantity: &str| -> Vec<&Vec<u64>> {
        let wanted = seen
            .iter()
            .filter(|(name, _)| name.contains("west->east") && name.ends_with(quantity));
        wanted.map(|(_, values)| values).collect()
    };
    let (left, parts) = (of(": vc_credit"), of(": part"));
    assert!(left.len() > 1 && left.len() == parts.len());
    for row in 0..parts[0].len() {
        let all: u64 = parts.iter().map(|part| part[row]).sum();
        assert!(all <= 80, "{all}");
        assert!((left.iter().zip(&parts)).all(|(left, part)| left[row] <= part[row]));
    }
    assert!(
        parts
            .iter()
            .any(|part| part.iter().any(|value| *value != part[0]))
    );
}

#[test]
fn a_watcher_can_give_a_run_up() {
    struct Impatient;
    impl Watcher for Impatient {
        fn paused(&mut self, snapshot: Snapshot) -> Option<NextPause> {
            (snapshot.times == [Time::ZERO]).then_some(NextPause {
                until: Time::ZERO + Duration::from_ms(1),
                every: Duration::ZERO,
            })
        }
        fn underway(&mut self, _: Time) -> Directive {
            Directive::Continue
        }
    }
    let plan = plan(CROSSING, &[]);
    let ended = watch::run(Simulation::new(&plan, seed(0)), &mut Impatient);
    assert!(matches!(ended, Err(Stopped::Cancelled)));
}
