//! Edges: routers between packets and cells, with a queue for each VC.

use crate::common::{by_every_runner, plan, run, value};
use scenario::report::Report;

/// Two clients behind one edge and two servers behind another; cells on the three links between.
const BACKBONE: &str = r#"
duration = "200 ms"
[host.client]
count = 2
[host.server]
count = 2
[edge.ingress]
queue = "400 cells"
[edge.egress]
queue = "400 cells"
[switch.s1]
buffer.per_output = "5000 cells"
[switch.s2]
buffer.per_output = "2000 cells"
[link.client]
between = ["client", "ingress"]
rate = "155.52 Mbit/s"
delay = "5 us"
[link.up]
between = ["ingress", "s1"]
rate = "155.52 Mbit/s"
delay = "100 us"
[link.trunk]
between = ["s1", "s2"]
rate = "100 Mbit/s"
delay = "300 us"
[link.down]
between = ["s2", "egress"]
rate = "155.52 Mbit/s"
delay = "100 us"
[link.server]
between = ["egress", "server"]
rate = "155.52 Mbit/s"
delay = "5 us"
[flow.bulk]
from = "client"
to = "server"
over.ubr = { encapsulation = "8 B" }
transport.tcp = { packet = "1500 B", window = "64 KiB", congestion.new_reno = {} }
"#;

const ABR: (&str, &str) = (
    "flow.bulk.over",
    r#"{ abr = { encapsulation = "8 B", icr = "10 Mbit/s", rif = "100 %" } }"#,
);
const ERICA: (&str, &str) = ("switch.s1.rate.erica", "{}");

fn of_port(report: &Report, port: &str, metric: &str) -> f64 {
    value(report, &format!("port {port}"), metric)
}

#[test]
fn what_goes_in_as_packets_comes_out_as_packets() {
    let report = run(BACKBONE, &[], 0);
    let goodput = report.value("network", "goodput").expect("goodput");
    // 1460 octets of each 1500 in 32 cells of 53; two windows of 64 KiB fill the trunk.
    let most = 100e6 * 1460.0 / (32.0 * 53.0);
    assert!(
        (0.9 * most..=most).contains(&goodput),
        "{goodput} of {most}"
    );
    assert!(of_port(&report, "s1->s2", "cell_loss_ratio") < 1e-12);
}

#[test]
fn each_side_is_accounted_for_in_its_own_octets() {
    for settings in [&[][..], &[ABR, ERICA][..]] {
        let report = run(BACKBONE, &[settings, &[("duration", "1 s")]].concat(), 0);
        for port in ["ingress->s1", "s1->s2", "egress->server[0]", "egress->s2"] {
            let underway = of_port(&report, port, "underway_share");
            // Two windows of 64 KiB take 8 ms.
            assert!((-0.001..0.009).contains(&underway), "{port}: {underway}");
        }
        let cells = of_port(&report, "ingress->s1", "useful_share");
        let share = cells / (cells + of_port(&report, "ingress->s1", "padding_share"));
        assert!((share - 1460.0 / 1696.0).abs() < 1e-3, "{share} in cells");
        let packets = of_port(&report, "egress->server[0]", "useful_share");
        let share = packets / (packets + of_port(&report, "egress->server[0]", "padding_share"));
        assert!((share - 1460.0 / 1500.0).abs() < 1e-3, "{share} in packets");
    }
}

#[test]
fn with_abr_packets_wait_and_are_lost_at_the_edge() {
    let ubr = run(BACKBONE, &[], 0);
    let abr = run(BACKBONE, &[ABR, ERICA], 0);
    let queue = |report, port| of_port(report, port, "mean_queue");
    assert!(queue(&ubr, "s1->s2") > 10.0 * queue(&ubr, "ingress->s1"));
    assert!(queue(&abr, "ingress->s1") > 10.0 * queue(&abr, "s1->s2"));
    let small = run(
        BACKBONE,
        &[ABR, ERICA, ("edge.ingress.queue", "100 cells")],
        0,
    );
    assert!(of_port(&small, "ingress->s1", "packet_loss_ratio") > 0.0);
    assert!(of_port(&small, "s1->s2", "packet_loss_ratio") < 1e-12);
    assert!(of_port(&small, "ingress->s1", "max_queue") <= 200.0);
}

const CREDIT: &[(&str, &str)] = &[
    ("link.up.credit.n23", "{}"),
    ("link.trunk.credit.n23", "{}"),
    ("switch.s1.scheduler.round_robin", "{}"),
    ("switch.s2.scheduler.round_robin", "{}"),
];

#[test]
fn with_credit_packets_wait_at_the_edge_and_nothing_is_lost_inside() {
    let report = run(BACKBONE, CREDIT, 0);
    let queue = |port| of_port(&report, port, "mean_queue");
    assert!(queue("ingress->s1") > queue("s1->s2"));
    assert!(of_port(&report, "s1->s2", "cell_loss_ratio") < 1e-12);
    assert!(of_port(&report, "s1->s2", "utilization") > 0.9);
}

#[test]
fn a_vc_keeps_to_its_peak() {
    let cbr = r#"{ cbr = { rate = "10 Mbit/s", encapsulation = "8 B" } }"#;
    let report = run(BACKBONE, &[("flow.bulk.over", cbr)], 0);
    let utilization = of_port(&report, "ingress->s1", "utilization");
    assert!(
        (utilization - 20e6 / 155.52e6).abs() < 0.01,
        "{utilization}"
    );
}

#[test]
fn a_cell_that_has_started_leaves_its_space_in_the_queue() {
    // A packet of 32 cells each 1.2 ms, and one cell each 4.24 ms: 31 cells wait when the second
    // packet comes.
    let loss = |queue: &str| {
        let slow = r#"{ cbr = { rate = "100 kbit/s", encapsulation = "8 B" } }"#;
        let settings = [
            ("duration", "2 ms"),
            ("flow.bulk.over", slow),
            (
                "flow.bulk.transport",
                r#"{ datagram = { packet = "1500 B" } }"#,
            ),
            (
                "flow.bulk.source",
                r#"{ on_off = { rate = "10 Mbit/s", on = "2 ms", off = "1 s", start = "0 s" } }"#,
            ),
            ("edge.ingress.queue", queue),
        ];
        of_port(
            &run(BACKBONE, &settings, 0),
            "ingress->s1",
            "packet_loss_ratio",
        )
    };
    assert!(loss("63 cells") < 1e-12);
    assert!((loss("62 cells") - 0.5).abs() < 1e-12);
}

#[test]
fn edges_may_be_joined_directly_and_have_lossy_links() {
    let direct = BACKBONE
        .replace(r#"["ingress", "s1"]"#, r#"["ingress", "egress"]"#)
        .replace(r#"["s1", "s2"]"#, r#"["s1", "egress"]"#)
        .replace(r#"["s2", "egress"]"#, r#"["s1", "s2"]"#);
    let lossy = ("link.up.loss.cell", "0.1 %");
    for settings in [&[][..], &[lossy][..]] {
        let report = run(&direct, settings, 0);
        let goodput = report.value("network", "goodput").expect("goodput");
        assert!(goodput > 1e6, "{goodput}");
    }
}

#[test]
fn an_edge_counts_the_packets_that_it_marks() {
    let marking = ("edge.ingress.mark.threshold.above", "50 cells");
    let report = run(BACKBONE, &[ABR, ERICA, marking], 0);
    let marked = of_port(&report, "ingress->s1", "marked_share");
    assert!(marked > 0.0 && marked < 1.0, "{marked}");
}

#[test]
fn every_runner_gives_the_same_results() {
    let lossy = ("link.up.loss.cell", "0.1 %");
    let marking = ("edge.ingress.mark.threshold.above", "50 cells");
    let short = ("duration", "50 ms");
    for settings in [
        &[][..],
        &[ABR, ERICA],
        &[ABR, ERICA, lossy, marking],
        CREDIT,
    ] {
        let plan = plan(BACKBONE, &[settings, &[short]].concat());
        by_every_runner(&plan);
    }
}

#[test]
fn edges_may_be_groups_joined_member_by_member() {
    let each = BACKBONE
        .replace("[edge.ingress]", "[edge.ingress]\ncount = 2")
        .replace("[edge.egress]", "[edge.egress]\ncount = 2");
    let report = run(&each, &[], 0);
    assert!(of_port(&report, "ingress[1]->s1", "utilization") > 0.1);
}
