//! The same packet networks in ns-2: results and time side by side.

use std::process::{Command, ExitCode};

use scenario::lower::Plan;

use super::machine::{children_seconds, processor_seconds};
use super::measure::run;
use super::workload::lowered;

/// How far goodput may be from that of ns-2.
const TOLERANCE: f64 = 0.01;

/// Runs of each simulator; the median time is reported.
const RUNS: usize = 3;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/peers");

/// A network that both can simulate, in files of this name for each.
struct Network {
    name: &'static str,
    scenario: &'static str,
}

const NETWORKS: [Network; 2] = [
    Network {
        name: "ten-tcp",
        scenario: include_str!("../peers/ten-tcp.toml"),
    },
    Network {
        name: "three-reno",
        scenario: include_str!("../peers/three-reno.toml"),
    },
];

/// What one simulator made of a network.
#[derive(Clone, Copy)]
struct Outcome {
    /// Seconds of processor time.
    seconds: f64,
    /// Of all flows, in Mbit/s.
    goodput: f64,
    timeouts: f64,
}

/// Prints both, and fails where they do not agree.
pub fn compare() -> ExitCode {
    let mut agree = true;
    for network in NETWORKS {
        let plan = lowered(network.scenario, network.name, &[]);
        let ours = median(|| Ok(cellrelay(&plan)));
        let theirs = median(|| ns(network.name, plan.spec.duration.seconds()));
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => agree &= print(&plan, ours, theirs),
            (Err(problem), _) | (_, Err(problem)) => {
                eprintln!("{problem}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::from(u8::from(!agree))
}

/// Whether goodputs agree.
fn print(plan: &Plan, ours: Outcome, theirs: Outcome) -> bool {
    let title = format!("{}, {}", plan.spec.title, plan.spec.duration);
    println!(
        "{title:48} {:>6} {:>16} {:>9}",
        "CPU s", "goodput Mbit/s", "timeouts"
    );
    for (simulator, outcome) in [("cellrelay", ours), ("ns-2", theirs)] {
        println!(
            "{simulator:48} {:>6.3} {:>16.2} {:>9}",
            outcome.seconds, outcome.goodput, outcome.timeouts
        );
    }
    let apart = (ours.goodput / theirs.goodput - 1.0).abs();
    let faster = theirs.seconds / ours.seconds;
    println!(
        "{faster:.1} times as fast, goodput {:.2} % apart\n",
        apart * 100.0
    );
    if apart > TOLERANCE {
        eprintln!(
            "{title}: goodputs are more than {} % apart",
            TOLERANCE * 100.0
        );
    }
    apart <= TOLERANCE
}

fn median(once: impl Fn() -> Result<Outcome, String>) -> Result<Outcome, String> {
    let mut outcomes = (0..RUNS).map(|_| once()).collect::<Result<Vec<_>, _>>()?;
    outcomes.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    Ok(outcomes[RUNS / 2])
}

fn cellrelay(plan: &Plan) -> Outcome {
    let began = processor_seconds();
    let report = run(plan);
    let seconds = processor_seconds() - began;
    let sum = |metric| {
        let of_flows = report
            .scalars
            .iter()
            .filter(|scalar| scalar.scope.starts_with("flow "));
        of_flows
            .filter(|scalar| scalar.metric == metric)
            .map(|scalar| scalar.value)
            .sum::<f64>()
    };
    Outcome {
        seconds,
        goodput: sum("goodput") / 1e6,
        timeouts: sum("timeouts"),
    }
}

/// What ns-2 takes, without what it takes to start.
fn ns(name: &str, seconds: f64) -> Result<Outcome, String> {
    let (start, _) = script(name, 1e-9)?;
    let (whole, printed) = script(name, seconds)?;
    let mut numbers = printed.split_whitespace().map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(goodput)), Some(Ok(timeouts))) => Ok(Outcome {
            seconds: whole - start,
            goodput,
            timeouts,
        }),
        _ => Err(format!("ns-2 prints no goodput and timeouts: {printed}")),
    }
}

fn script(name: &str, seconds: f64) -> Result<(f64, String), String> {
    let began = children_seconds();
    let mut command = Command::new("ns");
    command
        .arg(format!("{FOLDER}/{name}.tcl"))
        .arg(seconds.to_string());
    let output = command
        .output()
        .map_err(|error| format!("ns-2 does not start: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok((children_seconds() - began, printed))
}
