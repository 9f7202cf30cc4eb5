//! Schedulers, shared memory and marks, in whole networks.

use crate::common::{CROSSING, run, value};
use scenario::report::Scope;

/// The example: one connection from a fast link to a slow one, through 48 KiB of shared memory.
fn creditnet() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/creditnet.toml");
    std::fs::read_to_string(path).expect("the example is part of the repository")
}

/// True if two whole numbers are equal.
fn same(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

#[test]
fn a_memory_counted_in_payload_holds_a_cell_for_48_octets() {
    for (counted, cells) in [("payload", 1024.0), ("cells", 927.0)] {
        let counted = format!("\"{counted}\"");
        let settings = [
            ("switch.creditnet.buffer.shared.size", "48 KiB"),
            ("switch.creditnet.buffer.shared.counted", &*counted),
        ];
        let report = run(&creditnet(), &settings, 0);
        let queue = value(&report, "port creditnet->receiver", "max_queue");
        assert!((queue - cells).abs() < 0.5, "{queue} cells");
    }
}

#[test]
fn the_first_overflow_damages_two_pdus_and_early_discard_refuses_them_whole() {
    let dropped = |discard, parameters| {
        let settings = [
            ("switch.creditnet.buffer.shared.size", "48 KiB"),
            (discard, parameters),
            ("warm_up", "0 s"),
            ("duration", "0.2 s"),
            ("record.every", "1 ms"),
        ];
        let report = run(&creditnet(), &settings, 0);
        let flows = report.series["port creditnet->receiver"]["drops"].values();
        let pdus = report.series["port creditnet->receiver"]["dropped_pdus"].values();
        assert!(flows.len() == pdus.len() && flows.iter().all(|flow| same(*flow, 0.0)));
        pdus.chunk_by(|one, other| same(*one, *other))
            .map(<[f64]>::len)
            .collect::<Vec<usize>>()
    };
    // Kung and Morris: an overflow that costs a packet switch one packet damages two PDUs here.
    let plain = dropped("switch.creditnet.discard.tail_drop", "{}");
    let partial = dropped("switch.creditnet.discard.partial_packet", "{}");
    assert!(
        plain.len() == 2 && plain.iter().all(|cells| *cells < 192),
        "{plain:?}"
    );
    assert!(
        partial.len() == 2 && partial.iter().all(|cells| *cells < 192),
        "{partial:?}"
    );
    let early = dropped(
        "switch.creditnet.discard.early_packet",
        "{ headroom = \"192 cells\" }",
    );
    assert!(
        !early.is_empty() && early.iter().all(|cells| *cells == 192),
        "{early:?}"
    );
}

#[test]
fn an_output_may_take_what_the_others_leave() {
    let at_most = |buffer, size| {
        let settings = [(buffer, size), ("record.every", "0.02 ms")];
        let report = run(CROSSING, &settings, 0);
        let queues: Vec<Vec<f64>> = report
            .series
            .0
            .iter()
            .filter(|(scope, _)| matches!(scope, Scope::Port(place) if place.node.group == "east"))
            .map(|(_, quantities)| quantities["queue"].values())
            .collect();
        assert_eq!(queues.len(), 4);
        let occupied = |sample: usize| queues.iter().map(|queue| queue[sample]).sum::<f64>();
        let together = (0..queues[0].len()).map(occupied).fold(0.0, f64::max);
        let alone = queues.iter().flat_map(|queue| queue.iter());
        (alone.copied().fold(0.0, f64::max), together)
    };
    let (alone, together) = at_most("switch.east.buffer.shared", "{ size = \"60 cells\" }");
    assert!(
        alone > 40.0 && together > 55.0 && together <= 60.0,
        "{alone}, {together}"
    );
    let (alone, together) = at_most("switch.east.buffer.per_output", "20 cells");
    assert!(alone <= 20.0 && together > 20.0, "{alone}, {together}");
}

#[test]
fn the_queues_of_the_vcs_add_up_to_that_of_the_port() {
    let settings = [
        ("switch.west.scheduler.round_robin", "{}"),
        ("record.every", "0.05 ms"),
    ];
    let report = run(CROSSING, &settings, 0);
    let all = report.series["port west->east"]["queue"].values();
    let of_flow =
        |flow: &str| report.series[&format!("port west->east of {flow}")]["queue"].values();
    let flows = ["east", "west"]
        .iter()
        .flat_map(|flow| (0..3).map(move |n| format!("{flow}[{n}]")));
    let flows: Vec<_> = flows.map(|flow| of_flow(&flow)).collect();
    assert!(
        flows
            .iter()
            .filter(|queue| queue.iter().any(|cells| *cells > 0.0))
            .count()
            > 3
    );
    for (sample, cells) in all.iter().enumerate() {
        let sum: f64 = flows.iter().map(|queue| queue[sample]).sum();
        assert!((sum - cells).abs() < 1e-9);
    }
}

/// Two connections, one with four times the other's window, share a slow link without losses.
const UNEQUAL: &str = r#"
duration = "3 s"
warm_up = "1 s"
[host.large]
[host.small]
[host.sink]
[switch.s1]
buffer.per_output = "10000 cells"
[link.large]
between = ["large", "s1"]
rate = "100 Mbit/s"
[link.small]
between = ["small", "s1"]
rate = "100 Mbit/s"
[link.exit]
between = ["s1", "sink"]
rate = "20 Mbit/s"
[flow.large]
from = "large"
to = "sink"
transport.tcp = { packet = "1500 B", window = "120000 B" }
[flow.small]
from = "small"
to = "sink"
transport.tcp = { packet = "1500 B", window = "30000 B" }
"#;

#[test]
fn connections_share_by_their_windows_in_order_and_equally_round_robin() {
    for (scheduler, expected) in [("fifo", 4.0), ("round_robin", 1.0)] {
        let scheduler = format!("switch.s1.scheduler.{scheduler}");
        let report = run(UNEQUAL, &[(&scheduler, "{}")], 0);
        let goodput = |flow| value(&report, flow, "goodput");
        let ratio = goodput("flow large") / goodput("flow small");
        assert!(
            (ratio / expected - 1.0).abs() < 0.01,
            "{scheduler}: {ratio}"
        );
        assert!(same(
            value(&report, "flow large", "retransmission_ratio"),
            0.0
        ));
    }
}

const BOTTLENECK: &str = "port s1->sink";

#[test]
fn marks_keep_the_queue_of_dctcp_near_the_threshold() {
    for over in ["ubr", "packet"] {
        let [large, small] = ["large", "small"].map(|flow| format!("flow.{flow}.over.{over}"));
        let congestion =
            ["large", "small"].map(|flow| format!("flow.{flow}.transport.tcp.congestion.dctcp"));
        let settings = [
            (&*large, "{}"),
            (&*small, "{}"),
            (&*congestion[0], "{}"),
            (&*congestion[1], "{}"),
            ("flow.large.transport.tcp.window", "1 MiB"),
            ("flow.small.transport.tcp.window", "1 MiB"),
            ("switch.s1.buffer.per_output", "1000 cells"),
            ("switch.s1.mark.threshold.above", "200 cells"),
        ];
        let marked = run(UNEQUAL, &settings, 0);
        assert!(same(value(&marked, BOTTLENECK, "packet_loss_ratio"), 0.0));
        let queue = match over {
            "packet" => value(&marked, BOTTLENECK, "mean_queue_octets") / 53.0,
            _ => value(&marked, BOTTLENECK, "mean_queue"),
        };
        assert!((100.0..300.0).contains(&queue), "{over}: {queue} cells");
        let share = value(&marked, BOTTLENECK, "marked_share");
        assert!(0.01 < share && share < 0.9, "{over}: {share}");
        // The same without marks fills the buffer.
        let unmarked = run(UNEQUAL, &settings[..7], 0);
        assert!(value(&unmarked, BOTTLENECK, "packet_loss_ratio") > 0.0);
        assert_eq!(unmarked.value(BOTTLENECK, "marked_share"), None);
    }
}

#[test]
fn a_threshold_at_the_end_of_the_buffer_marks_nothing_and_none_marks_what_waits() {
    let share = |above| {
        let report = run(UNEQUAL, &[("switch.s1.mark.threshold.above", above)], 0);
        value(&report, BOTTLENECK, "marked_share")
    };
    assert!(same(share("100 %"), 0.0));
    assert!(share("0 cells") > 0.99);
}
