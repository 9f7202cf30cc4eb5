//! Links that routers pause, in whole networks: nothing is lost, and all runners agree.

use crate::common::{by_every_runner, plan, run, scenario, seed};
use scenario::report::Report;
use scenario::run::Simulation;

/// Two hosts send more than the link between two routers carries, and that link more than the last.
const CHAIN: &str = r#"
duration = "3 ms"
[host.left]
[host.right]
[host.other]
[host.sink]
[router.r1]
buffer.per_output = "200 kB"
[router.r2]
buffer.per_output = "200 kB"
[link.left]
between = ["left", "r1"]
rate = "10 Gbit/s"
delay = "100 m"
pause.pfc = {}
[link.right]
between = ["right", "r1"]
rate = "10 Gbit/s"
delay = "20 m"
pause.pfc = {}
[link.trunk]
between = ["r1", "r2"]
rate = "10 Gbit/s"
delay = "300 m"
pause.pfc = {}
[link.other]
between = ["r1", "other"]
rate = "10 Gbit/s"
[link.exit]
between = ["r2", "sink"]
rate = "5 Gbit/s"
[flow.left]
from = "left"
to = "sink"
source.constant_rate = { rate = "6 Gbit/s" }
transport.datagram = { packet = "1500 B" }
over.packet = {}
[flow.right]
from = "right"
to = "sink"
source.constant_rate = { rate = "6 Gbit/s" }
transport.datagram = { packet = "700 B" }
over.packet = {}
[flow.beside]
from = "right"
to = "other"
source.constant_rate = { rate = "2 Gbit/s" }
transport.datagram = { packet = "700 B" }
over.packet = {}
"#;

fn value(report: &Report, scope: &str, metric: &str) -> f64 {
    let found = report.value(scope, metric);
    found.unwrap_or_else(|| panic!("no {metric} of {scope}: {:#?}", report.scalars))
}

/// Packets dropped, for whatever cause.
fn dropped(report: &Report) -> f64 {
    let losses = report.scalars.iter();
    let losses = losses.filter(|one| one.metric.name == "packet_loss_ratio");
    losses.map(|one| one.value).sum()
}

#[test]
fn a_chain_of_pauses_loses_nothing() {
    let report = run(CHAIN, &[], 0);
    assert_eq!(dropped(&report), 0.0);
    for link in ["left->r1", "right->r1", "r1->r2"] {
        let scope = format!("link {link}");
        assert!(value(&report, &scope, "pause_frames") > 1.0, "{link}");
        assert!(value(&report, &scope, "paused_share") > 0.1, "{link}");
        assert_eq!(value(&report, &scope, "headroom_drops"), 0.0);
    }
    // Without pauses, most of the excess is dropped.
    let pause = ["left", "right", "trunk"].map(|link| format!("link.{link}.loss"));
    drop(pause);
    let lossy = CHAIN.replace("pause.pfc = {}", "");
    assert!(dropped(&run(&lossy, &[], 0)) > 0.1);
}

#[test]
fn all_runners_agree_on_pauses() {
    by_every_runner(&plan(CHAIN, &[]));
}
