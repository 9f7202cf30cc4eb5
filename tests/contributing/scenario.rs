//! A scenario names the members that were added, and their parameters.

use kernel::Seed;
use parameters::Problems;
use scenario::Scenario;
use scenario::lower::Plan;
use scenario::simulation::Simulation;

/// A link that loses a packet now and then, before the window has filled it.
const LINE: &str = r#"
duration = "5 s"
[host.a]
[host.b]
[link.l]
between = ["a", "b"]
rate = "20 Mbit/s"
delay = "50 ms"
loss.nth = [100, 600, 1100]
[flow.f]
from = "a"
to = "b"
over.packet = {}
transport.tcp = { window = "256 KiB", window_scaling = true }
"#;

fn goodput(settings: &[(&str, &str)]) -> f64 {
    let settings: Vec<_> = settings
        .iter()
        .map(|(path, value)| (path.to_string(), value.to_string()))
        .collect();
    let read = Scenario::read(LINE, "line.toml", &settings);
    let spec = read.unwrap_or_else(|error| panic!("{error}")).spec;
    let plan = Plan::new(&spec, &mut Problems::default()).expect("it was checked");
    let seed = Seed {
        seed: 1,
        replication: 0,
    };
    let report = Simulation::new(&plan, seed).run(|_| true);
    let report = report.expect("nobody cancels");
    report.value("flow f", "goodput").expect("a flow")
}

#[test]
fn what_a_loss_costs_is_what_the_parameter_says() {
    let congestion = "flow.f.transport.tcp.congestion";
    let gentle = goodput(&[(congestion, "{ scalable = {} }")]);
    let harsh = goodput(&[(congestion, "{ scalable = { reduction = \"90 %\" } }")]);
    assert!(gentle > 2.0 * harsh, "{gentle} and {harsh} bit/s");
}

#[test]
fn each_member_runs_in_a_scenario() {
    let found = goodput(&[
        ("flow.f.source", "{ burst = { size = \"1 MB\" } }"),
        ("flow.f.over", "{ ethernet = {} }"),
    ]);
    // A megabyte in five seconds.
    assert!((found - 1.6e6).abs() < 1.0, "{found} bit/s");
}
