//! Losses on links: their effect on packets, and the conservation of units.

use crate::common::{CROSSING, by_every_runner, plan, run, seed, value};
use kernel::{OnDemand, Runner, Stepwise, Time, Windows};
use proptest::prelude::*;
use scenario::report::{Report, Scope};

/// One flow from host to host through a switch, in cells or, by a setting, in packets.
pub const LINE: &str = r#"
duration = "200 ms"
[host.a]
[host.b]
[switch.s]
buffer.per_output = "10000 cells"
[link.in]
between = ["a", "s"]
rate = "155.52 Mbit/s"
delay = "1 ms"
[link.out]
between = ["s", "b"]
rate = "155.52 Mbit/s"
delay = "1 ms"
[flow.f]
from = "a"
to = "b"
transport.tcp = { packet = "1500 B", timers.bsd = { tick = "1 ms" } }
"#;

/// Two hosts and nothing between them.
const PAIR: &str = r#"
duration = "100 ms"
[host.a]
[host.b]
[link.l]
between = ["a", "b"]
rate = "155.52 Mbit/s"
delay = "1 ms"
[flow.f]
from = "a"
to = "b"
transport.tcp = { packet = "1500 B", timers.bsd = { tick = "1 ms" } }
"#;

const IN_PACKETS: (&str, &str) = ("flow.f.over.packet", "{}");

#[test]
fn a_retransmission_is_not_joined_to_the_rest_of_its_packet() {
    // The last cell of the eleventh packet is lost, and the window has no space for another packet.
    let timeouts = |limit: &str| {
        let settings = [
            ("duration", "2 s"),
            ("link.out.loss.nth_cell", "[351]"),
            ("flow.f.transport.tcp.window", "1460 B"),
            ("flow.f.over.ubr", limit),
        ];
        let report = by_every_runner(&plan(LINE, &settings));
        let of_flow = |name| value(&report, "flow f", name);
        (of_flow("timeouts"), of_flow("packets_damaged"))
    };
    assert_eq!(timeouts("{}"), (2.0, 1.0));
    assert_eq!(timeouts(r#"{ reassembly_timeout = "1 ms" }"#), (1.0, 1.0));
    // A packet takes 84 us, so with this limit no packet arrives whole.
    let (_, damaged) = timeouts(r#"{ reassembly_timeout = "50 us" }"#);
    assert!(damaged >= 2.0);
}

#[test]
fn the_packets_listed_are_lost_and_no_others() {
    for over in [("flow.f.over.ubr", "{}"), IN_PACKETS] {
        for link in ["in", "out"] {
            let loss = format!("link.{link}.loss.nth");
            let report = run(LINE, &[over, (&loss, "[3, 5]")], 0);
            let scope = if link == "in" {
                "link a->s"
            } else {
                "link s->b"
            };
            assert_eq!(report.value(scope, "packets_lost"), Some(2.0));
            assert_eq!(report.value("link b->s", "packets_lost"), None);
            assert_eq!(report.value("link s->a", "packets_lost"), None);
            let resent = value(&report, "flow f", "retransmission_ratio");
            assert!(resent > 0.0);
            assert_eq!(report.value("flow f", "packets_damaged"), Some(0.0));
        }
    }
}

#[test]
fn a_lost_packet_takes_all_its_cells_and_only_those() {
    let report = run(LINE, &[("link.out.loss.nth", "[3]")], 0);
    // 1500 octets and the trailer make 32 cells.
    assert_eq!(report.value("link s->b", "cells_lost"), Some(32.0));
    assert_eq!(report.value("link s->b", "packets_lost"), Some(1.0));
}

#[test]
fn a_lost_cell_damages_its_packet_and_a_lost_end_the_next_one_too() {
    // Packet 3 consists of the cells 96 to 127; the loss of its last cell also damages packet 4.
    for (cell, damaged) in [("[100]", 1.0), ("[127]", 1.0)] {
        for link in ["in", "out"] {
            let loss = format!("link.{link}.loss.nth_cell");
            let report = run(LINE, &[(&loss, cell)], 0);
            assert_eq!(report.value("flow f", "packets_damaged"), Some(damaged));
            let octets = report.value("flow f", "octets_damaged");
            let cells = if cell == "[100]" { 31.0 } else { 63.0 };
            assert_eq!(octets, Some(cells * 53.0), "{link} {cell}");
        }
        let direct = run(PAIR, &[("link.l.loss.nth_cell", cell)], 0);
        assert_eq!(direct.value("flow f", "packets_damaged"), Some(damaged));
        assert_eq!(direct.value("link a->b", "cells_lost"), Some(1.0));
    }
}

#[test]
fn losses_happen_in_the_direction_that_is_given_and_draw_the_same_numbers_there() {
    let lost = |loss: &str, direction: Option<&str>| {
        let direction = direction.map(|one| ("link.l.loss_direction", one));
        let settings: Vec<_> = [("link.l.loss", loss)]
            .into_iter()
            .chain(direction)
            .collect();
        let report = by_every_runner(&plan(PAIR, &settings));
        ["link a->b", "link b->a"].map(|link| report.value(link, "packets_lost"))
    };
    for loss in [
        r#"{ packet = "2 %" }"#,
        r#"{ cell = "0.2 %" }"#,
        r#"{ gilbert_elliott = { good_to_bad = "1 %", bad_to_good = "50 %" } }"#,
        "{ bit_errors = { ratio = 2e-6 } }",
        r#"{ frame = { size = "400 B", probability = "0.5 %" } }"#,
    ] {
        let both = lost(loss, None);
        assert!(both.iter().all(Option::is_some), "{loss}: {both:?}");
        assert_eq!(lost(loss, Some("both")), both);
        let [there, back] = lost(loss, Some("forward"));
        assert!(there > Some(0.0) && back.is_none(), "{loss}");
        let [there, back] = lost(loss, Some("backward"));
        assert!(there.is_none() && back.is_some(), "{loss}");
    }
    let listed = lost("{ nth = [1, 2] }", Some("backward"));
    assert_eq!(listed, [None, Some(2.0)]);
}

#[test]
fn what_is_lost_has_taken_its_time_unless_it_is_lost_before_the_queue() {
    // Delay of the third packet: 77.16 us of transmission and 1 ms of propagation, plus the
    // transmission of the first two packets if they were lost on the link, after the queue.
    for (loss_at, delay) in [("queue", 1.07716e-3), ("transmission", 1.23148e-3)] {
        for over in ["packet", "ubr"] {
            let settings = [
                ("duration", "2 ms"),
                (&format!("flow.f.over.{over}"), "{}"),
                ("flow.f.transport.tcp.initial_window", "3"),
                ("link.l.loss.nth", "[0, 1]"),
                ("link.l.loss_at", loss_at),
            ];
            let report = run(PAIR, &settings, 0);
            // A packet of 1500 octets takes 1696 octets in 32 cells.
            let wire = if over == "ubr" { 1696.0 / 1500.0 } else { 1.0 };
            let expected = 1e-3 + (delay - 1e-3) * wire;
            let delay = value(&report, "flow f", "mean_delay");
            assert!(
                (delay - expected).abs() < 1e-8,
                "{over}, {loss_at}: {delay}"
            );
        }
    }
}

/// A flow of datagrams at twice the rate of the middle link, which node `s` feeds.
pub fn flood(node: &str) -> String {
    format!(
        r#"
duration = "2 s"
warm_up = "0.1 s"
[host.a]
[host.b]
{node}
[link.in]
between = ["a", "s"]
rate = "100 Mbit/s"
[link.out]
between = ["s", "b"]
rate = "10 Mbit/s"
[flow.f]
from = "a"
to = "b"
source.constant_rate = {{ rate = "20 Mbit/s" }}
transport.datagram = {{ packet = "1000 B", header = "0 B" }}
"#
    )
}

#[test]
fn a_saturated_link_that_loses_a_share_carries_that_much_less() {
    let switch = "[switch.s]\nbuffer.per_output = \"100 cells\"\n\
                  discard.early_packet.threshold = \"50 %\"";
    let router = "[router.s]\nbuffer.per_output = \"10 kB\"";
    let in_turn = format!("{router}\nscheduler.round_robin = {{}}");
    for (node, over) in [(switch, "ubr"), (router, "packet"), (&in_turn, "packet")] {
        let over = format!("flow.f.over.{over}");
        let goodput = |loss: &str| {
            let settings = [(&*over, "{}"), ("link.out.loss.packet", loss)];
            value(&run(&flood(node), &settings, 0), "flow f", "goodput")
        };
        let whole = goodput("0 %");
        for (loss, left) in [("10 %", 0.9), ("30 %", 0.7)] {
            let share = goodput(loss) / whole;
            // Four standard deviations of the share of 2000 packets that is lost.
            assert!((share - left).abs() < 0.042, "{node} {loss}: {share}");
        }
    }
}

#[test]
fn cells_that_are_lost_leave_gaps_on_the_link() {
    // Two of the first PDU's 32 cells are lost on the link; the second PDU arrives no earlier.
    let arrival = |loss_at| {
        let settings = [
            ("duration", "2 ms"),
            ("flow.f.transport.tcp.initial_window", "2"),
            ("link.l.loss.nth_cell", "[3, 4]"),
            ("link.l.loss_at", loss_at),
        ];
        value(&run(PAIR, &settings, 0), "flow f", "mean_delay")
    };
    let cell = 53.0 * 8.0 / 155.52e6;
    for (loss_at, cells) in [("transmission", 64.0), ("queue", 62.0)] {
        let delay = arrival(loss_at);
        assert!(
            (delay - 1e-3 - cells * cell).abs() < 1e-8,
            "{loss_at}: {delay}"
        );
    }
}

#[test]
#[should_panic(expected = "link.in.loss_at: `credit` is given too")]
fn a_link_controlled_by_credits_loses_what_is_sent() {
    let settings = [("link.in.credit.n23", "{}"), ("link.in.loss_at", "queue")];
    plan(LINE, &settings);
}

#[test]
fn random_loss_is_as_frequent_as_asked() {
    let settings = [("duration", "5 s"), ("link.out.loss.cell", "0.1 %")];
    let report = run(LINE, &settings, 0);
    let [lost, ratio] =
        ["cells_lost", "cell_loss_ratio"].map(|metric| value(&report, "link s->b", metric));
    // Four standard deviations of a binomial count.
    let deviation = (lost).sqrt() / lost;
    assert!(lost > 50.0);
    assert!(
        (ratio / 0.001 - 1.0).abs() < 4.0 * deviation,
        "{ratio} after {lost}"
    );
}

#[test]
fn bursts_lose_as_many_packets_as_their_states_do() {
    let settings = [
        ("duration", "20 s"),
        ("flow.f.over.packet", "{}"),
        (
            "link.out.loss.gilbert_elliott",
            "{ good_to_bad = \"1 %\", bad_to_good = \"50 %\" }",
        ),
    ];
    let report = run(LINE, &settings, 0);
    let ratio = value(&report, "link s->b", "packet_loss_ratio");
    // The bad state has a probability of 1 in 51; the run has some hundred bursts each way.
    assert!((ratio - 1.0 / 51.0).abs() < 0.008, "{ratio}");
    assert!(report.value("link b->s", "packet_loss_ratio").is_some());
}

#[test]
fn a_link_that_loses_everything_lets_nothing_arrive() {
    let report = run(LINE, &[("link.out.loss.packet", "100 %")], 0);
    assert_eq!(report.value("flow f", "goodput"), Some(0.0));
    assert_eq!(report.value("link s->b", "cell_loss_ratio"), Some(1.0));
    assert_eq!(report.warnings[0].to_string(), "flow f: nothing arrived");
}

#[test]
fn cells_lost_downstream_are_dead_cells_upstream() {
    let settings = [
        ("duration", "0.5 s"),
        ("link.right.loss.packet", "20 %"),
        ("link.left.loss.cell", "1 %"),
    ];
    let report = run(CROSSING, &settings, 0);
    let share = |metric| value(&report, "port west->east", metric);
    let [used, dead] = ["utilization", "dead_cell_share"].map(share);
    assert!(dead > 0.1 * used, "{dead} of {used}");
    assert!(share("underway_share").abs() < 0.1 * dead);
}

#[test]
fn a_run_without_loss_reports_no_links() {
    let report = run(LINE, &[], 0);
    assert!(
        report
            .scalars
            .iter()
            .all(|scalar| !matches!(*scalar.scope, Scope::Link(_)))
    );
}

#[test]
fn each_link_of_a_group_counts_for_itself() {
    let report = run(CROSSING, &[("link.left.loss.nth", "[0]")], 0);
    for member in 0..3 {
        let link = format!("link left[{member}]->west");
        assert_eq!(report.value(&link, "packets_lost"), Some(1.0));
    }
    let random = run(CROSSING, &[("link.left.loss.cell", "\"5 %\"")], 0);
    let lost: Vec<Option<f64>> = (0..3)
        .map(|member| random.value(&format!("link left[{member}]->west"), "cells_lost"))
        .collect();
    assert!(lost[0] != lost[1] || lost[1] != lost[2], "{lost:?}");
}

#[test]
fn what_is_lost_during_the_warm_up_is_not_reported() {
    let settings = [("link.out.loss.nth", "[3, 5]"), ("warm_up", "100 ms")];
    let report = run(LINE, &settings, 0);
    assert_eq!(report.value("link s->b", "packets_lost"), Some(0.0));
    assert_eq!(report.value("link s->b", "cells_lost"), Some(0.0));
}

#[test]
fn losses_are_recorded_when_asked() {
    let settings = [("link.out.loss.nth", "[3, 5]"), ("record.every", "1 ms")];
    let report = run(LINE, &settings, 0);
    assert_eq!(report.series["link s->b"]["drops"].times().len(), 64);
}

/// A random kind of loss, for cells or packets.
fn losses() -> impl Strategy<Value = (&'static str, &'static str)> {
    prop_oneof![
        Just(("nth", "[0, 7, 8, 30]")),
        Just(("nth_cell", "[0, 3, 40, 41, 1000]")),
        Just(("packet", "\"5 %\"")),
        Just(("cell", "\"1 %\"")),
        Just((
            "gilbert_elliott",
            "{ good_to_bad = \"2 %\", bad_to_good = \"20 %\" }"
        )),
        Just((
            "gilbert_elliott",
            "{ unit = \"cell\", good_to_bad = \"1 %\", bad_to_good = \"50 %\" }"
        )),
    ]
}

fn lost_on(link: &str, loss: (&str, &str)) -> (String, String) {
    (format!("link.{link}.loss.{}", loss.0), loss.1.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Every run asserts conservation at its end.
    #[test]
    fn every_runner_loses_the_same_and_nothing_is_lost_unseen(
        left in losses(),
        trunk in losses(),
        right in losses(),
        replication in 0u64..1000,
    ) {
        let settings = [lost_on("left", left), lost_on("trunk", trunk), lost_on("right", right)];
        let settings: Vec<(&str, &str)> =
            settings.iter().map(|(path, value)| (&**path, &**value)).collect();
        let expected = run(CROSSING, &settings, replication);
        let plan = plan(CROSSING, &settings);
        let end = Time::ZERO + plan.spec.duration;
        let report = |runner: &mut dyn FnMut(&mut _)| {
            let mut network = plan.network(seed(replication));
            runner(&mut network);
            Report::new(&plan, &mut network, 0).scalars
        };
        let stepwise = report(&mut |network| Stepwise.run(network, end));
        let windows = report(&mut |network| Windows::default().run(network, end));
        let on_demand = report(&mut |network| OnDemand::default().run(network, end));
        prop_assert_eq!(&stepwise, &expected.scalars);
        prop_assert_eq!(&windows, &expected.scalars);
        prop_assert_eq!(&on_demand, &expected.scalars);
    }

    #[test]
    fn two_hosts_side_by_side_account_for_every_cell(loss in losses(), replication in 0u64..1000) {
        let (path, value) = lost_on("l", loss);
        let report = run(PAIR, &[(&path, &value)], replication);
        prop_assert!(report.value("link a->b", "cells_lost").is_some());
    }
}
