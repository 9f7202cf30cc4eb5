//! Runs a scenario once and prints its network metrics and speed.
use kernel::Seed;
use scenario::lower::Plan;
use scenario::simulation::Simulation;
use std::time::Instant;

fn main() {
    let mut args = std::env::args().skip(1);
    let name = args.next().expect("a file");
    let settings: Vec<(String, String)> = args
        .filter_map(|arg| {
            arg.split_once('=')
                .map(|(a, b)| (a.to_string(), b.to_string()))
        })
        .collect();
    let bytes = std::fs::read(&name).unwrap();
    let check = |spec: &scenario::ScenarioSpec, problems: &mut parameters::Problems| {
        Plan::new(spec, problems);
    };
    let scenario =
        scenario::Scenario::read_bytes(&bytes, &name, &settings, &check).unwrap_or_else(|error| {
            eprintln!("{error}");
            std::process::exit(2)
        });
    let plan = Plan::new(&scenario.spec, &mut parameters::Problems::default()).unwrap();
    let began = Instant::now();
    let report = Simulation::new(
        &plan,
        Seed {
            seed: 1,
            replication: 0,
        },
    )
    .run(|_| true)
    .unwrap();
    let took = began.elapsed().as_secs_f64();
    for scalar in &report.scalars {
        if true {
            println!(
                "{:24} {:24} {:.6} {}",
                scalar.scope, scalar.metric, scalar.value, scalar.unit
            );
        }
    }
    let e = report.events;
    println!(
        "{e:?} {took:.3} s, {:.2} ns/cell-hop, {:.1} ns/packet-hop, {:.1} M cell-hops/s",
        took * 1e9 / e.cell_hops as f64,
        took * 1e9 / e.packet_hops as f64,
        e.cell_hops as f64 / took / 1e6
    );
}
