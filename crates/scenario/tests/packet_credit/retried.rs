//! Credits for packets on links with link-level retry, which loses neither packets nor credits.

use super::losses::{BOTH_WAYS, credits, losses};
use super::{LINE, dropped};
use crate::common::packets::{assert_counted, assert_in_order, traced};
use crate::common::{SHARES, by_every_runner, cases, plan, run, value};
use crate::lossless::datagrams;
use std::sync::Arc;

use kernel::Time;
use proptest::prelude::*;
use scenario::capture::packets::PacketEnd;
use scenario::lower::Plan;
use scenario::report::Report;

/// The directions of the links of a network.
const LINKS: [&str; 6] = ["a->r", "r->s", "s->b", "b->s", "s->r", "r->a"];

/// Writes of a flow: gaps in nanoseconds, and octets.
type Writes = Vec<(u64, u64)>;

fn writes() -> impl Strategy<Value = Writes> {
    prop::collection::vec((0_u64..4000, 41_u64..3960), 1..40)
}

/// The controls of a link: its credits, if it has any, its retry, and what it loses.
type Link = (
    Option<String>,
    Option<String>,
    Option<(&'static str, String)>,
);

/// A network whose links have these controls.
fn network(flows: &[Writes; 3], links: &[Link], ties: bool, cell: Option<u32>) -> Arc<Plan> {
    let flows = [
        datagrams("there", ["a", "b"], "priority = 3", &flows[0]),
        datagrams("back", ["b", "a"], "priority = 3", &flows[1]),
        datagrams("other", ["a", "b"], "priority = 5", &flows[2]),
    ];
    let text = BOTH_WAYS.to_string() + &flows.concat();
    let mut settings = Vec::new();
    if ties {
        settings.push(("router.r.ties".to_string(), "random".to_string()));
    }
    if let Some(cell) = cell {
        settings.push(("router.s.memory.cell".to_string(), format!("{cell} B")));
    }
    for (link, (credit, retry, loss)) in ["in", "trunk", "out"].iter().zip(links) {
        let given = [("credit.cbfc", credit), ("retry.llr", retry)];
        let given = given
            .into_iter()
            .filter_map(|(at, value)| Some((at, value.clone()?)));
        for (at, value) in given.chain(loss.clone()) {
            settings.push((format!("link.{link}.{at}"), value));
        }
    }
    let settings: Vec<(&str, &str)> = settings
        .iter()
        .map(|(at, value)| (&**at, &**value))
        .collect();
    plan(&text, &settings)
}

/// A loss after which a replay arrives soon: bit errors lose no more than every third of the largest
/// packets.
fn repaired() -> impl Strategy<Value = (&'static str, String)> {
    losses().prop_map(|(at, value)| match at {
        "loss.bit_errors" => {
            let ratio: f64 = value
                .split_whitespace()
                .nth(3)
                .expect("a ratio")
                .parse()
                .expect("a number");
            (at, format!("{{ ratio = {:e} }}", ratio / 100.0))
        }
        _ => (at, value),
    })
}

/// Retry whose replays never end, with limits that are reached.
fn patient() -> impl Strategy<Value = String> {
    let octets = prop::option::of(4000_u32..40_000);
    (1_u32..40, octets, 8_u32..8000).prop_map(|(frames, octets, spacing)| {
        let octets = octets.map_or(String::new(), |octets| format!(", octets = \"{octets} B\""));
        format!("{{ replays = 255, frames = {frames}, spacing = \"{spacing} B\"{octets} }}")
    })
}

/// Retry that gives up soon.
fn impatient() -> impl Strategy<Value = String> {
    let action = prop_oneof![Just("block"), Just("best_effort")];
    (1_u32..3, action, 8_u32..8000).prop_map(|(replays, action, spacing)| {
        format!("{{ replays = {replays}, flush_action = \"{action}\", spacing = \"{spacing} B\" }}")
    })
}

/// Asserts that no credit is in use any more, and that each consumed one was freed.
fn assert_credits_are_back(report: &Report) {
    let of = |link: &str, metric: &str| report.value(&format!("link {link}"), metric);
    for link in LINKS {
        if let Some(used) = of(link, "credits_used") {
            assert!(used <= 0.0, "{link}: {used} credits in use");
            let [consumed, freed] = ["credits_consumed", "credits_freed"].map(|one| of(link, one));
            assert_eq!(consumed, freed, "{link}");
        }
    }
}

/// The numbers of packets delivered and lost; each flow is delivered in order.
fn ends(plan: &Plan) -> [usize; 2] {
    let (report, packets) = traced(plan);
    assert_in_order(plan, &packets);
    assert_counted(plan, &report, &packets);
    let mut last = vec![Time::ZERO; plan.paths.flows.len()];
    let mut ends = [0; 2];
    for (row, _) in packets.iter() {
        match row.end {
            PacketEnd::Delivered(at) => {
                assert!(last[row.flow as usize] < at, "{row:?}");
                last[row.flow as usize] = at;
                ends[0] += 1;
            }
            PacketEnd::Dropped { .. } => ends[1] += 1,
            PacketEnd::Underway => panic!("{row:?} after 60 ms"),
        }
    }
    ends
}

proptest! {
    #![proptest_config(cases(12))]

    /// While the limit of replays is not reached, links with retry lose neither a packet nor a credit:
    /// whatever they lose, each packet is delivered once and in order, and no `CC_Update` finds a credit
    /// that is missing; and every runner agrees.
    #[test]
    fn retry_loses_neither_packets_nor_credits(
        flows in [writes(), writes(), writes()],
        links in prop::collection::vec(
            (prop::option::weighted(0.8, credits()), prop::option::weighted(0.8, (patient(), repaired()))),
            3,
        ),
        ties in any::<bool>(),
        cell in prop::option::of(16_u32..1000),
    ) {
        let links: Vec<Link> = links
            .into_iter()
            .map(|(credit, retry)| (credit, retry.clone().map(|(llr, _)| llr), retry.map(|(_, loss)| loss)))
            .collect();
        let plan = network(&flows, &links, ties, cell);
        let report = by_every_runner(&plan);
        prop_assert!(dropped(&report) <= 0.0);
        assert_credits_are_back(&report);
        for link in LINKS {
            let found = report.value(&format!("link {link}"), "credits_recovered");
            prop_assert!(found.is_none_or(|found| found <= 0.0), "{}: {:?} credits", link, found);
        }
        let all = flows.iter().map(Vec::len).sum();
        prop_assert_eq!(ends(&plan), [all, 0]);
    }

    /// Where frames are given up, their credits are found again, and all counts add up.
    #[test]
    fn the_credits_of_frames_that_are_given_up_are_found_again(
        flows in [writes(), writes(), writes()],
        links in prop::collection::vec((credits(), prop::option::of(impatient()), losses()), 3),
        ties in any::<bool>(),
    ) {
        let links: Vec<Link> = links
            .into_iter()
            .map(|(credit, retry, loss)| (Some(credit), retry, Some(loss)))
            .collect();
        let plan = network(&flows, &links, ties, None);
        let report = by_every_runner(&plan);
        prop_assert!(dropped(&report) <= 0.0);
        assert_credits_are_back(&report);
        let lost = LINKS.iter().filter_map(|link| report.value(&format!("link {link}"), "packets_lost"));
        let lost = lost.sum::<f64>() as usize;
        let all: usize = flows.iter().map(Vec::len).sum();
        prop_assert_eq!(ends(&plan), [all - lost, lost]);
    }
}

#[test]
fn credits_and_retry_without_a_loss_send_as_credits_alone() {
    let goodput = |more: &[(&str, &str)]| {
        let report = run(LINE, more, 0);
        assert!(dropped(&report) <= 0.0);
        value(&report, "flow f", "goodput") / 8e9
    };
    for limit in ["16", "40", "160"] {
        let credit = ("link.trunk.credit.cbfc.limit", limit);
        let alone = goodput(&[credit]);
        let both = goodput(&[credit, ("link.trunk.retry.llr", "{}")]);
        // The CF_Update of a round trip of 12 us, or more, may wait for one ACK of 8 ns.
        assert!(
            (alone - both).abs() < 8.0 / 12_000.0,
            "{limit}: {alone}, {both}"
        );
    }
}

#[test]
fn the_smaller_of_both_windows_limits_the_throughput() {
    // A packet takes 1 us on the trunk, 0.5 us on the way on, and both messages 8 ns.
    let credits = |packets: f64| packets / (1.0 + 0.5 + 10.5 + 0.008);
    let retry = |packets: f64| packets / (1.0 + 10.5 + 0.008);
    for (limit, frames) in [(4_u32, 8_u32), (8, 4), (6, 6), (2, 20)] {
        // A CC_Update would take the place of a frame in the replay buffer.
        let credit = format!(
            "{{ limit = {}, cf_min_spacing = \"800 B\", cc_timer = \"100 ms\" }}",
            8 * limit
        );
        let llr = format!("{{ frames = {frames}, spacing = \"8 B\" }}");
        let settings = [
            ("link.trunk.credit.cbfc", &*credit),
            ("link.trunk.retry.llr", &*llr),
        ];
        let report = run(LINE, &settings, 0);
        let found = value(&report, "flow f", "goodput") / 8e9;
        let expected = credits(f64::from(limit)).min(retry(f64::from(frames)));
        assert!(
            (found - expected).abs() < 3e-3,
            "{limit} packets, {frames} frames: {found}, not {expected}"
        );
    }
}

#[test]
fn replays_and_messages_take_their_share_of_the_port() {
    let settings = [
        ("link.trunk.loss.packet", "5 %"),
        ("link.trunk.retry.llr", "{ replays = 255 }"),
        ("link.trunk.credit.cbfc.cc_timer", "5 us"),
        ("warm_up", "1.0005 ms"),
    ];
    let report = run(LINE, &settings, 0);
    for port in ["port r->s", "port s->r", "port s->b"] {
        let shares = SHARES.iter().chain(&["retry_share", "link_control_share"]);
        let shares = shares.filter_map(|share| report.value(port, share));
        assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9, "{port}");
    }
    let of = |metric: &str| value(&report, "link r->s", metric);
    assert!(of("frames_replayed") > 100.0 && of("credits_recovered") <= 0.0);
    // A CC_Update is a frame, and so none is lost.
    let [sent, received] = ["cc_updates_sent", "cc_updates_received"].map(of);
    assert!(
        sent > 1000.0 && (sent - received).abs() < 20.0,
        "{sent}, {received}"
    );
}
