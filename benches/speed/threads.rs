//! How long a run takes on one thread and on two: see `benches/threads.py`.

use std::time::Instant;

use kernel::Time;
use scenario::lower::Plan;
use scenario::steps::Steps;

use super::measure::SEED;
use super::workload::Workload;

/// Pairs of runs, in turn, since other processes disturb some of them.
const PAIRS: usize = 7;

/// Prints, for each pair, the seconds on the clock that one thread and two take for the second half
/// of twice as many simulated seconds.
pub fn print(workload: &Workload, seconds: f64) {
    let plan = workload.plan(2.0 * seconds);
    for _ in 0..PAIRS {
        let [one, two] = [1, 2].map(|threads| second_half(&plan, threads));
        println!("{one:?} {two:?}");
    }
}

fn second_half(plan: &Plan, threads: usize) -> (f64, f64) {
    let mut steps = Steps::new(plan, SEED);
    if threads > 1 {
        let division = plan.division(threads);
        steps = steps.in_parts(division.expect("a network in parts"));
    }
    let end = steps.end();
    steps.run_until(Time::from_ps(end.ps() / 2));
    let began = Instant::now();
    let cpu = super::machine::processor_seconds();
    steps.run_until(end);
    (began.elapsed().as_secs_f64(), super::machine::processor_seconds() - cpu)
}
