//! Links with credits for whole packets: nothing is dropped, the throughput is that of a window in
//! a round trip, and no loss on a link loses a credit for long.

mod deadlocks;
mod losses;
mod refused;
mod retried;
mod shared;

use crate::common::{SHARES, by_every_runner, plan, run, scenario, value};
use crate::lossless::chain;
use scenario::report::Report;

/// Two hosts and two routers, all of whose links have credits. At the trunk an octet takes a
/// nanosecond, and more packets come than it can carry.
const LINE: &str = r#"
duration = "20 ms"
[host.a]
[host.b]
[router.r]
buffer.per_output = "10 MB"
[router.s]
buffer.per_output = "10 MB"
[link.in]
between = ["a", "r"]
rate = "16 Gbit/s"
credit.cbfc = {}
[link.trunk]
between = ["r", "s"]
rate = "8 Gbit/s"
delay = "5.25 us"
credit.cbfc = { cf_min_spacing = "800 B" }
[link.out]
between = ["s", "b"]
rate = "16 Gbit/s"
credit.cbfc = {}
[flow.f]
from = "a"
to = "b"
over.packet = {}
transport.datagram = { packet = "1000 B", header = "0 B" }
source.constant_rate = { rate = "10 Gbit/s" }
"#;

/// Packets dropped, for whatever cause.
fn dropped(report: &Report) -> f64 {
    let losses = report.scalars.iter();
    let losses = losses.filter(|one| one.metric.name == "packet_loss_ratio");
    let ports = losses.filter(|one| one.scope.to_string().starts_with("port"));
    ports.map(|one| one.value).sum()
}

/// Share of the trunk that the flow takes, of packets of `octets`, where `credits` are given on a trunk
/// of this delay.
fn share(octets: u32, delay_ns: u32, cbfc: &str) -> f64 {
    let packet = format!("{{ packet = \"{octets} B\", header = \"0 B\" }}");
    let delay = format!("{delay_ns} ns");
    let settings = [
        ("flow.f.transport.datagram", &*packet),
        ("link.trunk.delay", &delay),
        ("link.trunk.credit.cbfc", cbfc),
    ];
    let report = run(LINE, &settings, 0);
    assert!(dropped(&report) <= 0.0);
    value(&report, "flow f", "goodput") / 8e9
}

#[test]
fn the_throughput_is_that_of_the_credits_in_a_round_trip() {
    for octets in [800_u32, 1500, 4096] {
        for delay in [0, 5250, 20_000] {
            for (credit_size, overhead) in [(128, 0), (256, 64)] {
                let cost = (octets + overhead).div_ceil(credit_size);
                // The packet is sent, and sent on at twice the rate; its update takes 8 ns.
                let round_trip = f64::from(octets) * 1.5 + 8.0 + 2.0 * f64::from(delay);
                for packets in [1, 2, 3, 8, 20, 60] {
                    // What is left beyond a whole packet is of no use.
                    let limit = cost * packets + cost / 2;
                    let cbfc = format!(
                        "{{ limit = {limit}, credit_size = \"{credit_size} B\", \
                         overhead = {overhead}, cf_min_spacing = \"800 B\" }}"
                    );
                    let found = share(octets, delay, &cbfc);
                    let window = f64::from(packets * octets);
                    let expected = (window / round_trip).min(1.0);
                    // One packet in the 20 ms, the first round trip, and 84 octets each 256 us, for
                    // which both directions may wait.
                    let tolerance = (f64::from(octets) + round_trip + 2.0 * 84.0 * 79.0) / 20e6;
                    assert!(
                        (found - expected).abs() < tolerance,
                        "{octets} B, {delay} ns, {cbfc}: {found}, not {expected}"
                    );
                }
            }
        }
    }
}

#[test]
fn packets_below_the_spacing_of_updates_wait_for_it_at_most_once() {
    for octets in [64_u32, 200, 500] {
        for packets in [1, 4, 30, 100] {
            let limit = octets.div_ceil(128) * packets;
            let cbfc = format!("{{ limit = {limit}, cf_min_spacing = \"6400 B\" }}");
            let found = share(octets, 5250, &cbfc);
            let round_trip = f64::from(octets) * 1.5 + 8.0 + 10_500.0;
            let window = f64::from(packets * octets);
            let [least, most] = [6400.0, 0.0].map(|wait| (window / (round_trip + wait)).min(1.0));
            assert!(
                least - 2e-3 < found && found < most + 2e-3,
                "{octets} B, {packets}: {found}, not {least} to {most}"
            );
        }
    }
}

#[test]
fn the_default_limit_fills_the_link() {
    for octets in ["64 B", "129 B", "1000 B", "9000 B"] {
        for (spacing, delay) in [("800 B", "0 s"), ("6400 B", "5.25 us"), ("1 MiB", "100 us")] {
            let packet = format!("{{ packet = \"{octets}\", header = \"0 B\" }}");
            let settings = [
                ("flow.f.transport.datagram", &*packet),
                ("link.trunk.delay", delay),
                ("link.trunk.credit.cbfc.cf_min_spacing", spacing),
                ("link.in.credit.cbfc.cf_min_spacing", "800 B"),
                ("link.out.credit.cbfc.cf_min_spacing", "800 B"),
                ("router.r.buffer.per_output", "200 MB"),
                ("router.s.buffer.per_output", "200 MB"),
                ("warm_up", "2 ms"),
            ];
            let report = run(LINE, &settings, 0);
            let found = value(&report, "flow f", "goodput") / 8e9;
            // A CC_Update takes 84 octets each 256 us.
            assert!(
                found > 1.0 - 84.0 / 256e3 - 1e-3,
                "{octets} {spacing}: {found}"
            );
            assert!(dropped(&report) <= 0.0);
        }
    }
}

#[test]
fn one_credit_a_packet_needs_the_memory_of_the_largest_one_for_each() {
    // The memory that is kept for the credits: twice the octets in a round trip of the largest packets.
    let kept = 32_768.0;
    for octets in [256_u32, 1024, 4096] {
        let [by_octets, by_packet] =
            ["{ limit = 256 }", "{ limit = 8, cost = \"packet\" }"].map(|cbfc| {
                share(
                    octets,
                    5250,
                    &cbfc.replace("{ ", "{ cf_min_spacing = \"800 B\", "),
                )
            });
        let round_trip = f64::from(octets) * 1.5 + 8.0 + 10_500.0;
        assert!(by_octets > 0.999, "{octets}: {by_octets}");
        let expected = (8.0 * f64::from(octets) / round_trip).min(1.0);
        // Packets of 256 octets wait for the spacing of updates.
        assert!(
            by_packet < expected + 2e-3 && by_packet > expected - 0.02,
            "{octets}: {by_packet}, not {expected}"
        );
    }
    // What the router keeps: for packets of up to 4096 octets, both take the same.
    let needed = |cbfc: &str| {
        let settings = [
            ("flow.f.transport.datagram.packet", "4096 B"),
            ("link.trunk.credit.cbfc", cbfc),
            ("link.out.credit.cbfc", cbfc),
            ("router.s.buffer.per_output", "1 kB"),
        ];
        refused::told(LINE, &settings)
    };
    for cbfc in ["{ limit = 256 }", "{ limit = 8, cost = \"packet\" }"] {
        let hint = format!("write at least `\"{kept} B\"`");
        let told = needed(cbfc);
        assert!(told.contains(&hint), "{cbfc}: {told}");
    }
}

const CHAIN: &str = chain!("credit.cbfc = {}");

#[test]
fn a_chain_of_credits_drops_nothing() {
    let memories = ["{}", "{ preset = \"spectrum_1\" }", "{ cell = \"2 KiB\" }"];
    for memory in memories {
        for buffer in ["{ per_output = \"8 MB\" }", "{ shared.size = \"8 MB\" }"] {
            let mut settings = vec![("router.r1.buffer", buffer), ("router.r2.buffer", buffer)];
            if memory != "{}" {
                settings.extend([("router.r1.memory", memory), ("router.r2.memory", memory)]);
            }
            let report = run(CHAIN, &settings, 0);
            assert!(dropped(&report) <= 0.0, "{memory} {buffer}");
            let exit = value(&report, "port r2->sink", "idle_share");
            assert!(exit < 0.01, "{memory} {buffer}: {exit}");
            assert!(value(&report, "port r1->r2", "stalled_share") > 0.4);
        }
    }
    let lossy = CHAIN.replace("credit.cbfc = {}", "");
    assert!(dropped(&run(&lossy, &[], 0)) > 0.1);
}

#[test]
fn all_runners_agree_on_credits_for_packets() {
    by_every_runner(&plan(CHAIN, &[]));
    let random = [("router.r1.ties", "random"), ("router.r2.ties", "random")];
    by_every_runner(&plan(CHAIN, &random));
}

#[test]
fn a_router_may_pause_one_link_and_give_credits_on_another() {
    let trunk = "delay = \"300 m\"\ncredit.cbfc = {}";
    assert!(CHAIN.contains(trunk));
    let mixed = CHAIN.replace(trunk, "delay = \"300 m\"\npause.pfc = {}");
    let report = by_every_runner(&plan(&mixed, &[]));
    assert!(dropped(&report) <= 0.0);
    assert!(value(&report, "link r1->r2", "link_paused_share") > 0.1);
    assert!(value(&report, "link left->r1", "credits_consumed") > 0.0);
}

#[test]
fn a_virtual_channel_without_credits_delays_no_other() {
    let delay = |priority| {
        let report = run(CHAIN, &[("flow.beside.priority", priority)], 0);
        assert!(dropped(&report) <= 0.0);
        value(&report, "flow beside", "max_delay")
    };
    let [behind, beside] = ["0", "5"].map(delay);
    assert!(behind > 500e-6 && beside < 100e-6, "{behind} {beside}");
}

#[test]
fn packets_that_need_no_credits_take_no_memory_from_those_that_do() {
    let settings = [
        ("link.left.credit.cbfc.priorities", "[3]"),
        ("link.right.credit.cbfc.priorities", "[3]"),
        ("link.trunk.credit.cbfc.priorities", "[3]"),
        ("flow.left.priority", "3"),
    ];
    for buffer in ["per_output", "shared.size"] {
        let shared = CHAIN.replace("buffer.per_output", &format!("buffer.{buffer}"));
        let report = run(&shared, &settings, 0);
        assert!(dropped(&report) > 0.1, "the other flow is dropped");
        let drops = report.scalars.iter().map(|one| one.scope.to_string());
        assert!(drops.filter(|scope| scope.starts_with("drop left")).count() == 0);
        assert!(value(&report, "flow left", "goodput") > 2e9);
    }
}

#[test]
fn the_shares_of_a_port_add_up_and_the_counts_are_those_of_the_messages() {
    let settings = [
        ("warm_up", "1.0005 ms"),
        ("link.trunk.credit.cbfc.limit", "80"),
    ];
    let report = run(LINE, &settings, 0);
    for port in ["port r->s", "port s->r", "port s->b"] {
        let shares = SHARES.iter().chain(&["link_control_share"]);
        let shares = shares.filter_map(|share| report.value(port, share));
        assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9, "{port}");
    }
    let of = |metric: &str| value(&report, "link r->s", metric);
    let back = |metric: &str| value(&report, "link s->r", metric);
    assert!((of("max_credits_used") - 80.0).abs() < 0.5);
    // A CC_Update each 256 us, and one octet less of time for packets.
    assert!((of("cc_updates_sent") - 19.0e-3 / 256e-6).abs() < 1.0);
    assert!((of("cc_updates_sent") - of("cc_updates_received")).abs() < 1.5);
    // One CF_Update for each packet of eight credits.
    assert!((of("cf_updates_sent") - of("credits_freed") / 8.0).abs() < 2.0);
    assert!((of("cf_updates_sent") - of("cf_updates_received")).abs() < 1.5);
    assert!((of("credits_consumed") - of("credits_freed")).abs() <= 80.0);
    // What the port sends of both kinds is its share of control frames.
    let octets = 84.0 * back("cc_updates_sent") + 8.0 * of("cf_updates_sent");
    let share = value(&report, "port s->r", "link_control_share");
    assert!((share - octets / 18.9995e6).abs() < 1e-5, "{share}");
    assert!(of("credits_recovered") <= 0.0);
}

#[test]
fn check_tells_the_limit_that_fills_the_link() {
    let computed = scenario(CHAIN, &[]).plan().computed();
    let of = |link: &str| {
        let at = format!("link.{link}.credit.cbfc.limit");
        let found = computed.iter().find(|(path, _)| *path == at);
        found.expect("a computed limit").1.clone()
    };
    // 300 m more of cable take 1.5 us more each way: 1,875 octets at 10 Gbit/s.
    assert!(of("trunk").ends_with(" credits"), "{}", of("trunk"));
    let number = |text: String| {
        text.split(' ')
            .next()
            .and_then(|one| one.parse::<u32>().ok())
    };
    assert!(number(of("trunk")) > number(of("left")));
    let given = scenario(CHAIN, &[("link.trunk.credit.cbfc.limit", "500")]);
    let computed = given.plan().computed();
    assert!(
        computed
            .iter()
            .all(|(path, _)| path != "link.trunk.credit.cbfc.limit")
    );
}
