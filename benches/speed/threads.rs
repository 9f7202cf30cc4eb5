//! How long a run takes on one thread and on two: see `benches/threads.py`.

use std::time::Instant;

use kernel::Time;
use scenario::lower::Plan;
use scenario::run::SteppedRun;

use super::measure::SEED;
use super::workload::Workload;

/// Pairs of runs, in turn, since other processes disturb most of them.
const PAIRS: usize = 12;

/// Pieces of a run, each of which some pair may make undisturbed.
const PIECES: u64 = 16;

/// Prints the least seconds on the clock that one thread and two took for each piece of the second half
/// of twice as many simulated seconds.
pub fn print(workload: &Workload, seconds: f64) {
    let plan = workload.plan(2.0 * seconds);
    let mut least = vec![[f64::INFINITY; 2]; PIECES as usize];
    for _ in 0..PAIRS {
        for threads in [1, 2] {
            let pieces = least.iter_mut().zip(second_half(&plan, threads));
            pieces.for_each(|(least, took)| least[threads - 1] = least[threads - 1].min(took));
        }
    }
    for [one, two] in least {
        println!("{one} {two}");
    }
}

/// The seconds of each piece.
fn second_half(plan: &Plan, threads: usize) -> Vec<f64> {
    let mut steps = SteppedRun::new(plan, SEED);
    if threads > 1 {
        let division = plan.division(threads);
        steps = steps.in_parts(division.expect("a network in parts"));
    }
    let half = steps.end().ps() / 2;
    steps.run_until(Time::from_ps(half));
    let pieces = (1..=PIECES).map(|piece| {
        let began = Instant::now();
        steps.run_until(Time::from_ps(half + half * piece / PIECES));
        began.elapsed().as_secs_f64()
    });
    pieces.collect()
}
