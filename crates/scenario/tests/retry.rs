//! Link-level retry: over links that lose, packets arrive in order and once, and the throughput is that
//! of go-back-N.

use crate::common::packets::{assert_counted, assert_in_order, traced};
use crate::common::{SHARES, by_every_runner, cases, plan, run, value};
use crate::lossless::{both_ways, datagrams};
use kernel::Time;
use proptest::prelude::*;
use scenario::capture::packets::PacketEnd;
use scenario::lower::Plan;
use scenario::report::Report;

/// Two hosts and two routers, and a link between the routers that has retry. Each packet takes 1 us
/// there, and more packets come than it can carry.
const LINE: &str = r#"
duration = "20 ms"
[host.a]
[host.b]
[router.r]
buffer.per_output = "60 kB"
[router.s]
buffer.per_output = "60 kB"
[link.in]
between = ["a", "r"]
rate = "16 Gbit/s"
[link.trunk]
between = ["r", "s"]
rate = "8 Gbit/s"
delay = "5.25 us"
retry.llr = { replays = 255, timer = "40 us", octets = "1 MB" }
[link.out]
between = ["s", "b"]
rate = "16 Gbit/s"
[flow.f]
from = "a"
to = "b"
over.packet = {}
transport.datagram = { packet = "1000 B", header = "0 B" }
source.constant_rate = { rate = "10 Gbit/s" }
"#;

/// Packets that the trunk delivers in each microsecond, of ten replications: their mean, and half of
/// the interval of Student's t at 99.9 %.
fn throughput(loss: (&str, &str)) -> (f64, f64) {
    let settings = [loss, ("duration", "100 ms")];
    let shares: Vec<f64> = (0..10)
        .map(|replication| {
            let report = run(LINE, &settings, replication);
            assert_eq!(value(&report, "link r->s", "packets_lost") as u64, 0);
            value(&report, "flow f", "goodput") / 8e9
        })
        .collect();
    let mean = shares.iter().sum::<f64>() / 10.0;
    let squares: f64 = shares.iter().map(|share| (share - mean).powi(2)).sum();
    // The quantile of Student's t with nine degrees of freedom is 4.781.
    (mean, 4.781 * (squares / 9.0 / 10.0).sqrt())
}

/// The throughput of go-back-N, in packets for each packet time, where each transmission is lost with
/// probability `loss`.
///
/// A packet is sent once, and again from the lost transmission on: `detected` packet times later if
/// the first transmission was lost, which a NACK tells, and `timeout` packet times later if a replay
/// was lost, which only the replay timer tells. Bertsekas and Gallager, “Data Networks”, 2nd edition,
/// 1992, section 2.4, count like this.
fn go_back_n(loss: f64, detected: f64, timeout: f64) -> f64 {
    1.0 / (1.0 + loss * (detected + loss / (1.0 - loss) * timeout))
}

#[test]
fn throughput_under_independent_losses_is_that_of_go_back_n() {
    // The NACK arrives 11.5 us and 8 ns after the frame that reveals the gap has begun, and the replay
    // begins at the end of a frame: 12 us after this beginning. The frame comes 1 us after the lost
    // one, or later if it is lost too.
    for (loss, written) in [(0.01, "1 %"), (0.05, "5 %")] {
        let (found, half) = throughput(("link.trunk.loss.packet", written));
        let expected = go_back_n(loss, 12.0 + 1.0 / (1.0 - loss), 41.0);
        assert!(
            (found - expected).abs() < half,
            "{written}: {found}, not {expected}"
        );
        assert!(half < 0.02 * found, "{written}: {found} within {half}");
    }
}

#[test]
fn transmissions_are_lost_as_often_as_asked_and_no_packet_is() {
    let report = run(LINE, &[("link.trunk.loss.packet", "5 %")], 0);
    let of = |metric: &str| value(&report, "link r->s", metric);
    // Four standard deviations of the share of 20,000 transmissions.
    let tolerance = 4.0 * (0.05 * 0.95 / 20_000.0_f64).sqrt();
    assert!((of("frame_loss_ratio") - 0.05).abs() < tolerance);
    let all = of("frames_sent") + of("frames_replayed");
    assert!((of("transmissions") - all).abs() < 0.5);
    assert!(of("packet_loss_ratio").abs() < 1e-12 && of("packets_offered") > 10_000.0);
}

#[test]
fn a_damaged_frame_is_replayed_a_packet_time_earlier_than_a_missing_one() {
    let ratio = 3e-6_f64;
    let loss = 1.0 - (1.0 - ratio).powi(8000);
    let (found, half) = throughput(("link.trunk.loss.bit_errors", "{ ratio = 3e-6 }"));
    // One NACK in 5,200 is lost too, which costs less than 1e-4.
    let expected = go_back_n(loss, 12.0, 41.0);
    assert!((found - expected).abs() < half, "{found}, not {expected}");
    assert!(half < 0.02 * found, "{found} within {half}");
}

#[test]
fn a_replay_buffer_limits_the_throughput_to_its_size_in_a_round_trip() {
    // A frame takes 1 us, the propagation 10.5 us both ways, and the ACK 8 ns.
    let round_trip = 1.0 + 10.5 + 0.008;
    for packets in [1_u32, 5, 11, 12, 20] {
        let llr = format!("{{ octets = \"{packets} kB\", spacing = \"8 B\" }}");
        let report = run(LINE, &[("link.trunk.retry.llr", &llr)], 0);
        let expected = (f64::from(packets) / round_trip).min(1.0);
        let found = value(&report, "flow f", "goodput") / 8e9;
        // One packet of 20,000, and the first packets, which are under way for 12 us.
        assert!(
            (found - expected).abs() < 2e-3,
            "{packets}: {found}, not {expected}"
        );
        let llr = format!("{{ frames = {packets}, spacing = \"8 B\" }}");
        let by_frames = run(LINE, &[("link.trunk.retry.llr", &llr)], 0);
        let by_frames = value(&by_frames, "flow f", "goodput") / 8e9;
        assert!(
            (found - by_frames).abs() < 1e-9,
            "{packets}: {found}, not {by_frames}"
        );
    }
}

#[test]
fn the_default_replay_buffer_fills_the_link() {
    for spacing in ["8 B", "2048 B", "65535 B"] {
        let llr = format!("{{ spacing = \"{spacing}\" }}");
        let report = run(LINE, &[("link.trunk.retry.llr", &llr)], 0);
        let found = value(&report, "flow f", "goodput") / 8e9;
        assert!(found > 0.999, "{spacing}: {found}");
        let quiet = [
            "frames_replayed",
            "replay_timeouts",
            "nacks_sent",
            "flushes",
        ];
        for metric in quiet {
            assert_eq!(value(&report, "link r->s", metric) as u64, 0, "{metric}");
        }
        // At most one ACK in each spacing.
        let acks = value(&report, "link s->r", "acks_sent");
        let octets: f64 = spacing.split(' ').next().unwrap().parse().unwrap();
        assert!(acks <= 20e-3 * 1e9 / octets.max(1000.0) + 1.0, "{acks}");
    }
}

#[test]
fn after_too_many_replays_frames_are_given_up_and_the_link_goes_on() {
    // An outage is longer than two replays last.
    for action in ["block", "best_effort"] {
        let llr = format!("{{ flush_action = \"{action}\" }}");
        let settings = [
            ("link.trunk.retry.llr", &*llr),
            (
                "link.trunk.outages",
                "[{ at = \"5 ms\", lasts = \"1 ms\", repair_delay = \"1 h\" }]",
            ),
        ];
        let report = run(LINE, &settings, 0);
        let of = |scope: &str, metric: &str| value(&report, scope, metric);
        assert_eq!(of("link r->s", "flushes") as u64, 1, "{action}");
        assert!(of("link r->s", "frames_given_up") > 0.0, "{action}");
        // The link carries nothing for a millisecond, and everything before and after.
        let found = of("flow f", "goodput") / 8e9;
        assert!((found - 0.95).abs() < 0.005, "{action}: {found}");
        // What is sent without a number meanwhile is lost with the link.
        let lost = of("link r->s", "packets_lost");
        assert_eq!(action == "best_effort", lost > 300.0, "{action}: {lost}");
        by_every_runner(&plan(LINE, &settings));
    }
}

/// Asserts that the shares of a port add up.
fn assert_shares(report: &Report, port: &str) {
    let shares = SHARES.iter().chain(&["retry_share"]);
    let shares = shares.filter_map(|share| report.value(port, share));
    assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9, "{port}");
}

#[test]
fn replays_and_ordered_sets_take_their_share_of_the_port() {
    let settings = [("link.trunk.loss.packet", "5 %"), ("warm_up", "1.0005 ms")];
    let report = run(LINE, &settings, 0);
    for port in ["port r->s", "port s->r", "port s->b"] {
        assert_shares(&report, port);
    }
    // The link is never idle.
    assert!(value(&report, "port r->s", "idle_share").abs() < 1e-3);
    let share = value(&report, "link r->s", "replay_share");
    let replayed = value(&report, "link r->s", "frames_replayed");
    assert!(
        (share - replayed * 1e-6 / 18.9995e-3).abs() < 1e-4,
        "{share}"
    );
}

/// Packets in both directions over three links that may all have retry.
const BOTH_WAYS: &str = both_ways!("30 ms", "1 MB");

/// Asserts that each packet is delivered once, and the packets of each flow in order.
fn assert_delivered(plan: &Plan, writes: usize) {
    let (report, packets) = traced(plan);
    assert_in_order(plan, &packets);
    assert_counted(plan, &report, &packets);
    let mut last = vec![Time::ZERO; plan.paths.flows.len()];
    let mut delivered = 0;
    for (row, _) in packets.iter() {
        let PacketEnd::Delivered(at) = row.end else {
            panic!("{row:?}");
        };
        assert!(last[row.flow as usize] < at, "{row:?}");
        last[row.flow as usize] = at;
        delivered += 1;
    }
    assert_eq!(delivered, writes);
}

/// A loss, as in a scenario.
fn losses() -> impl Strategy<Value = (&'static str, String)> {
    prop_oneof![
        (0.0..30.0_f64).prop_map(|loss| ("packet", format!("\"{loss:.2} %\""))),
        (5.0..7.0_f64).prop_map(|power| {
            (
                "bit_errors",
                format!("{{ ratio = {:e} }}", 10_f64.powf(-power)),
            )
        }),
        (1.0..20.0_f64).prop_map(|bad| {
            let bursts = format!("good_to_bad = \"{bad:.2} %\", bad_to_good = \"30 %\"");
            ("gilbert_elliott", format!("{{ {bursts} }}"))
        }),
        (100_u32..9000).prop_map(|size| {
            (
                "frame",
                format!("{{ size = \"{size} B\", probability = \"3 %\" }}"),
            )
        }),
    ]
}

/// Retry with limits that are reached, and replays that are not.
fn retries() -> impl Strategy<Value = String> {
    (1_u32..40, 4000_u32..40_000, 8_u32..8000, 0_u64..20_000).prop_map(
        |(frames, octets, spacing, longer)| {
            // A packet, 4 us of propagation, the spacing and two ordered sets, at 5 Gbit/s.
            let timer = 6400 + 4000 + u64::from(spacing) * 8 / 5 + 30 + longer;
            format!(
                "{{ replays = 255, frames = {frames}, octets = \"{octets} B\", \
                 spacing = \"{spacing} B\", timer = \"{timer} ns\" }}"
            )
        },
    )
}

proptest! {
    #![proptest_config(cases(16))]

    /// While the limit of replays is not reached, no packet is lost, none arrives twice, and all keep
    /// their order, whatever the links lose; and every runner agrees.
    #[test]
    fn no_packet_is_lost_doubled_or_overtaken(
        there in prop::collection::vec((0_u64..4000, 41_u64..3960), 1..60),
        back in prop::collection::vec((0_u64..4000, 41_u64..3960), 0..60),
        retries in prop::collection::vec(prop::option::weighted(0.7, (retries(), losses())), 3),
        scheduler in prop_oneof![Just("fifo"), Just("round_robin"), Just("deficit_round_robin")],
        ties in any::<bool>(),
    ) {
        let mut text = BOTH_WAYS.to_string() + &datagrams("there", ["a", "b"], "", &there);
        if !back.is_empty() {
            text += &datagrams("back", ["b", "a"], "", &back);
        }
        let scheduler = format!("router.r.scheduler.{scheduler}");
        let mut settings = vec![(scheduler, "{}".to_string())];
        if ties {
            settings.push(("router.r.ties".to_string(), "random".to_string()));
        }
        for (link, retry) in ["in", "trunk", "out"].iter().zip(retries) {
            if let Some((llr, (loss, value))) = retry {
                settings.push((format!("link.{link}.retry.llr"), llr));
                settings.push((format!("link.{link}.loss.{loss}"), value));
            }
        }
        let settings: Vec<(&str, &str)> = settings.iter().map(|(at, value)| (&**at, &**value)).collect();
        let plan = plan(&text, &settings);
        by_every_runner(&plan);
        assert_delivered(&plan, there.len() + back.len());
    }

    /// Where frames are given up, the counts still add up, and every runner agrees.
    #[test]
    fn what_is_given_up_is_counted(
        writes in prop::collection::vec((0_u64..3000, 41_u64..3960), 1..100),
        loss in 5.0..80.0_f64,
        ratio in 5.0..7.0_f64,
        replays in 1_u32..3,
        action in prop_oneof![Just("block"), Just("best_effort")],
    ) {
        let text = BOTH_WAYS.to_string() + &datagrams("there", ["a", "b"], "", &writes);
        let llr = format!("{{ replays = {replays}, flush_action = \"{action}\" }}");
        let loss = format!("\"{loss:.1} %\"");
        let errors = format!("{{ ratio = {:e} }}", 10_f64.powf(-ratio));
        let settings = [
            ("link.trunk.retry.llr", &*llr),
            ("link.trunk.loss.packet", &*loss),
            ("link.in.retry.llr", &*llr),
            ("link.in.loss.bit_errors", &*errors),
        ];
        let plan = plan(&text, &settings);
        let report = by_every_runner(&plan);
        let (traced, packets) = traced(&plan);
        assert_in_order(&plan, &packets);
        prop_assert_eq!(&traced.scalars, &report.scalars);
        let mut ends = [0_u64; 2];
        for (row, _) in packets.iter() {
            match row.end {
                PacketEnd::Delivered(_) => ends[0] += 1,
                PacketEnd::Dropped { .. } => ends[1] += 1,
                PacketEnd::Underway => panic!("{row:?} after 30 ms"),
            }
        }
        prop_assert_eq!(ends[0] + ends[1], writes.len() as u64);
        let given_up = ["link a->r", "link r->s"].map(|link| value(&report, link, "frames_given_up"));
        prop_assert!(given_up.iter().sum::<f64>() as u64 <= ends[1]);
    }
}

#[test]
fn connections_over_links_with_retry_see_no_loss() {
    let settings = [
        ("flow.f.transport", "{ tcp = { packet = \"1500 B\" } }"),
        ("flow.f.source", "{ greedy = {} }"),
        ("link.trunk.loss.packet", "0.5 %"),
        ("link.trunk.retry.llr", "{ replays = 255 }"),
        ("router.r.buffer.per_output", "1 MB"),
    ];
    let report = by_every_runner(&plan(LINE, &settings));
    assert_eq!(value(&report, "flow f", "retransmission_ratio") as u64, 0);
    assert!(value(&report, "link s->r", "nacks_sent") > 0.0);
    assert!(value(&report, "flow f", "goodput") > 0.8 * 8e9);
}
