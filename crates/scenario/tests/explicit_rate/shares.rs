//! Shares of a link between sources, with minimum cell rates and without.

use scenario::report::Report;

use super::{assert_close, from};
use crate::common::run;

/// Three sources, each with a flow of its own, through one switch.
const THREE: &str = r#"
duration = "0.8 s"
[host.source]
count = 3
[host.sink]
[switch.s1]
buffer.per_output = "1000000 cells"
[switch.s1.rate.erica]
target.utilization = "100 %"
interval = "5 ms"
one_feedback_per_interval = true
fairness = "mcr_plus_equal_share"
[link.access]
between = ["source", "s1"]
rate = "149.76 Mbit/s"
delay = "200 us"
[link.exit]
between = ["s1", "sink"]
rate = "149.76 Mbit/s"
delay = "200 us"
[flow.one]
from = "source[0]"
to = "sink"
source.greedy = {}
transport.tcp = { packet = "9180 B", window = "2 MiB" }
over.abr = { rif = "100 %", icr = "50 Mbit/s" }
[flow.two]
from = "source[1]"
to = "sink"
source.greedy = {}
transport.tcp = { packet = "9180 B", window = "2 MiB" }
over.abr = { rif = "100 %", icr = "50 Mbit/s" }
[flow.three]
from = "source[2]"
to = "sink"
source.greedy = {}
transport.tcp = { packet = "9180 B", window = "2 MiB" }
over.abr = { rif = "100 %", icr = "50 Mbit/s" }
[record]
every = "1 ms"
"#;

/// Allowed cell rates of the flows in the last 50 ms, in Mbit/s.
fn allowed(report: &Report, flows: &[&str], end: f64) -> Vec<f64> {
    let of_flow = |flow: &&str| {
        let acr = from(report, &format!("flow {flow}"), "acr", end - 0.05);
        acr.iter().take(50).sum::<f64>() / 50.0 * 424.0 / 1e6
    };
    flows.iter().map(of_flow).collect()
}

#[test]
fn greedy_sources_share_a_link_equally() {
    // Vandalore et al., 1998: the third source starts at 0.4 s.
    let settings = [("flow.three.source.greedy.start", "0.4 s")];
    let report = run(THREE, &settings, 0);
    assert_close(&allowed(&report, &["one", "two"], 0.4), &[74.88; 2], 0.005);
    let flows = ["one", "two", "three"];
    assert_close(&allowed(&report, &flows, 0.8), &[49.92; 3], 0.005);
    let port = "port s1->sink";
    let share = from(&report, port, "fair_share", 0.75);
    assert_close(&[share[0] * 424.0 / 1e6], &[49.92], 0.001);
    let active = from(&report, port, "active_channels", 0.35);
    assert_close(&[active[0], *active.last().unwrap()], &[2.0, 3.0], 1e-9);
}

#[test]
fn minima_come_on_top_of_equal_shares_of_the_rest() {
    let mut settings = vec![
        ("flow.one.over.abr.mcr", "10 Mbit/s"),
        ("flow.two.over.abr.mcr", "30 Mbit/s"),
        ("flow.three.over.abr.mcr", "50 Mbit/s"),
    ];
    let flows = ["one", "two", "three"];
    let report = run(THREE, &settings, 0);
    let rates = allowed(&report, &flows, 0.8);
    assert_close(&rates, &[29.92, 49.92, 69.92], 0.005);
    // The first source sends less than its fair share: 10 Mbit/s with cell headers.
    settings.extend([
        (
            "flow.one.transport.datagram",
            "{ packet = \"472 B\", header = \"0 B\" }",
        ),
        (
            "flow.one.source.constant_rate",
            "{ rate = \"8.627 Mbit/s\" }",
        ),
        ("switch.s1.rate.erica.per_vc_rate", "true"),
        ("switch.s1.rate.erica.max_alloc.delta", "0 %"),
    ]);
    let report = run(THREE, &settings, 0);
    let rates = allowed(&report, &flows, 0.8);
    assert_close(&rates[1..], &[59.88, 79.88], 0.005);
}

#[test]
fn a_minimum_above_the_equal_share_leaves_the_load_where_it_is_meant_to_be() {
    // The first source is limited to 10 Mbit/s, and the third is guaranteed 50 Mbit/s of the
    // 100 Mbit/s that all share, so the second gets 40 Mbit/s.
    let settings = [
        ("duration", "2 s"),
        ("link.exit.rate", "100 Mbit/s"),
        ("switch.s1.rate.erica.fairness", "maximum"),
        ("switch.s1.rate.erica.max_alloc.delta", "0 %"),
        ("flow.one.over.abr.icr", "10 Mbit/s"),
        ("flow.one.over.abr.pcr", "10 Mbit/s"),
        ("flow.three.over.abr.mcr", "50 Mbit/s"),
    ];
    let report = run(THREE, &settings, 0);
    let rates = allowed(&report, &["two", "three"], 2.0);
    assert_close(&rates, &[40.0, 50.0], 0.005);
    let load = from(&report, "port s1->sink", "load_factor", 1.0);
    assert_close(
        &[load.iter().sum::<f64>() / load.len() as f64],
        &[1.0],
        0.005,
    );
    // The queue that built up at the start does not grow.
    let queue = from(&report, "port s1->sink", "queue", 0.5);
    let growth = queue.last().unwrap() - queue[0];
    assert!(growth < 500.0, "{growth}");
}

#[test]
fn a_minimum_of_nothing_changes_nothing() {
    let settings = [
        ("duration", "0.2 s"),
        ("flow.three.over.abr.mcr", "0 Mbit/s"),
    ];
    assert_eq!(run(THREE, &settings, 0), run(THREE, &settings[..1], 0));
}
