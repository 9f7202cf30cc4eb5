//! The same packet networks in ns-2: results and time side by side.

use std::process::{Command, ExitCode};

use models::metrics::Metric;
use models::metrics::table::flow;
use scenario::lower::Plan;

use super::machine::{children_seconds, processor_seconds, ring_ns};
use super::measure::run;
use super::workload::lowered;

/// How far goodput, and the fairness index, may be from those of ns-2.
const TOLERANCE: f64 = 0.01;

/// Runs of each simulator; the median time is reported.
const RUNS: usize = 3;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/peers");

/// Networks that both can simulate, by name: scenarios of which ns-2 has a script of that name.
const NETWORKS: [(&str, &str); 4] = [
    ("ten-tcp", include_str!("../peers/ten-tcp.toml")),
    ("three-reno", include_str!("../peers/three-reno.toml")),
    ("one-cubic", include_str!("../peers/one-cubic.toml")),
    ("two-reno", include_str!("../peers/two-reno.toml")),
];

/// What one simulator made of a network.
#[derive(Clone, Copy)]
struct Outcome {
    /// Seconds of processor time.
    seconds: f64,
    /// Of all flows, in Mbit/s.
    goodput: f64,
    fairness: f64,
    /// Share of the packets that were sent which had been sent before.
    resent: f64,
    timeouts: f64,
    /// Packets, counted on each link; as many in both, as far as results agree.
    hops: u64,
}

/// Prints both, and fails where they do not agree.
pub fn compare() -> ExitCode {
    let mut agree = true;
    for (name, scenario) in NETWORKS {
        let plan = lowered(scenario, name, &[]);
        let ours = median(|| Ok(cellrelay(&plan)));
        let theirs = median(|| ns(name, plan.spec.duration.seconds()));
        match ours.and_then(|ours| Ok((ours, theirs?))) {
            Ok((ours, theirs)) => agree &= print(&plan, ours, theirs),
            Err(problem) => {
                eprintln!("{problem}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::from(u8::from(!agree))
}

/// Whether they agree.
fn print(plan: &Plan, ours: Outcome, theirs: Outcome) -> bool {
    let title = format!("{}, {}", plan.spec.title, plan.spec.duration);
    println!(
        "{title:46} {:>6} {:>15} {:>9} {:>7} {:>9}",
        "CPU s", "goodput Mbit/s", "fairness", "resent", "timeouts"
    );
    for (simulator, outcome) in [("cellrelay", ours), ("ns-2", theirs)] {
        println!(
            "{simulator:46} {:>6.3} {:>15.2} {:>9.4} {:>5.2} % {:>9}",
            outcome.seconds,
            outcome.goodput,
            outcome.fairness,
            outcome.resent * 100.0,
            outcome.timeouts
        );
    }
    let faster = theirs.seconds / ours.seconds;
    let apart = [
        ("goodput", ours.goodput / theirs.goodput - 1.0),
        ("fairness", ours.fairness / theirs.fairness - 1.0),
    ];
    let [goodput, _] = apart.map(|(_, apart)| apart * 100.0);
    println!("{faster:.1} times as fast, goodput {goodput:+.2} %");
    let ring = ring_ns();
    let [here, there] = [ours, theirs].map(|outcome| outcome.seconds * 1e9 / ours.hops as f64);
    println!(
        "a packet-hop: {here:.0} and {there:.0} ns, {:.0} and {:.0} rings\n",
        here / ring,
        there / ring
    );
    for (name, apart) in apart {
        if apart.abs() > TOLERANCE {
            eprintln!(
                "{title}: {name} is {:+.2} % from that of ns-2",
                apart * 100.0
            );
        }
    }
    apart.iter().all(|(_, apart)| apart.abs() <= TOLERANCE)
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
    let of_flows = |metric: &'static Metric| {
        let scalars = report.scalars.iter();
        scalars.filter(move |scalar| scalar.metric == metric)
    };
    let sum = |metric| of_flows(metric).map(|scalar| scalar.value).sum::<f64>();
    let sent = of_flows(flow::packets_sent).map(|scalar| scalar.value);
    let ratios = of_flows(flow::retransmission_ratio).map(|scalar| scalar.value);
    let resent: f64 = sent
        .zip(ratios)
        .map(|(sent, ratio)| sent * ratio / (1.0 + ratio))
        .sum();
    Outcome {
        seconds,
        goodput: sum(flow::goodput) / 1e6,
        fairness: report
            .value("network", "fairness_index")
            .unwrap_or(f64::NAN),
        resent: resent / sum(flow::packets_sent),
        timeouts: sum(flow::timeouts),
        hops: report.events.packet_hops,
    }
}

/// What ns-2 takes, without what it takes to start.
fn ns(name: &str, seconds: f64) -> Result<Outcome, String> {
    let (start, _) = script(&["/dev/null"])?;
    let file = format!("{FOLDER}/{name}.tcl");
    let (whole, printed) = script(&[&file, &seconds.to_string()])?;
    // Agents of Linux say which control they have, on lines of their own.
    let numbers: Vec<f64> = printed
        .lines()
        .filter_map(|line| line.trim().parse().ok())
        .collect();
    match numbers[..] {
        [goodput, fairness, resent, timeouts] => Ok(Outcome {
            seconds: whole - start,
            goodput,
            fairness,
            resent,
            timeouts,
            hops: 0,
        }),
        _ => Err(format!(
            "ns-2 prints something else than results: {printed}"
        )),
    }
}

/// Processor time that a script takes, and what it prints.
fn script(arguments: &[&str]) -> Result<(f64, String), String> {
    let began = children_seconds();
    let started = Command::new("ns").args(arguments).output();
    let output = started.map_err(|error| format!("ns-2 does not start: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok((children_seconds() - began, printed))
}
