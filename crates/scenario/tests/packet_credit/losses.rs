//! Losses on links with credits for packets: every credit is found again.

use super::{LINE, dropped};
use crate::common::packets::{assert_counted, assert_in_order, traced};
use crate::common::{by_every_runner, cases, plan, run, value};
use crate::lossless::{both_ways, datagrams};
use crate::priorities::assert_sums;
use proptest::prelude::*;
use scenario::capture::packets::PacketEnd;

/// Packets in both directions, of two priorities, over three links with credits.
pub(super) const BOTH_WAYS: &str = both_ways!("60 ms", "400 MB");

/// A loss, as in a scenario.
pub(super) fn losses() -> impl Strategy<Value = (&'static str, String)> {
    prop_oneof![
        (0.0..30.0_f64).prop_map(|loss| ("loss.packet", format!("\"{loss:.2} %\""))),
        // Of a CF_Update, 64 bits, as many as one in 16 are lost.
        (3.0..7.0_f64).prop_map(|power| {
            let ratio = 10_f64.powf(-power);
            ("loss.bit_errors", format!("{{ ratio = {ratio:e} }}"))
        }),
        (1.0..20.0_f64).prop_map(|bad| {
            let bursts = format!("good_to_bad = \"{bad:.2} %\", bad_to_good = \"30 %\"");
            ("loss.gilbert_elliott", format!("{{ {bursts} }}"))
        }),
        (0_u32..200, 1_u32..900).prop_map(|(at, lasts)| {
            let outage = format!("at = \"{at} us\", lasts = \"{lasts} us\"");
            (
                "outages",
                format!("[{{ {outage}, repair_delay = \"1 h\" }}]"),
            )
        }),
    ]
}

/// Credits that both priorities share, or one of them uses; or none.
fn shared() -> impl Strategy<Value = String> {
    let threshold = prop_oneof![
        Just(String::new()),
        (1_u32..200).prop_map(|threshold| format!("threshold = {threshold}")),
        (-8_i32..8).prop_map(|power| format!("power = {power}")),
    ];
    let port_limit = prop::option::weighted(0.8, 250_u32..500);
    let shared = (threshold, port_limit, any::<bool>());
    prop::option::weighted(0.8, shared).prop_map(|shared| {
        let Some((threshold, port_limit, both)) = shared else {
            return String::new();
        };
        let port_limit = port_limit.map(|limit| format!("port_limit = {limit}"));
        let users = (!both).then(|| "priorities = [3]".to_string());
        let given = [
            Some(threshold).filter(|one| !one.is_empty()),
            port_limit,
            users,
        ];
        let given: Vec<String> = given.into_iter().flatten().collect();
        format!(", shared = {{ {} }}", given.join(", "))
    })
}

pub(super) fn credits() -> impl Strategy<Value = String> {
    (
        0_u32..40,
        64_u32..600,
        0_u32..128,
        800_u32..9000,
        20_u32..400,
        any::<bool>(),
        shared(),
    )
        .prop_map(
            |(more, credit_size, overhead, spacing, timer, by_packet, shared)| {
                let cost = if by_packet {
                    1
                } else {
                    (4000 + overhead).div_ceil(credit_size)
                };
                format!(
                    "{{ limit = {}, credit_size = \"{credit_size} B\", overhead = {overhead}, \
                 cf_min_spacing = \"{spacing} B\", cf_max_spacing = \"16 KiB\", \
                 cc_timer = \"{timer} us\", cost = \"{}\"{shared} }}",
                    cost + more,
                    if by_packet { "packet" } else { "octets" }
                )
            },
        )
}

proptest! {
    #![proptest_config(cases(12))]

    /// Whatever the links lose, no router drops a packet, each packet arrives or is lost on a link, and
    /// when nothing moves any more no credit is in use; and every runner agrees.
    #[test]
    fn after_any_losses_every_credit_is_found_again(
        there in prop::collection::vec((0_u64..4000, 41_u64..3960), 1..40),
        back in prop::collection::vec((0_u64..4000, 41_u64..3960), 1..40),
        other in prop::collection::vec((0_u64..4000, 41_u64..3960), 1..40),
        links in prop::collection::vec((credits(), prop::option::weighted(0.7, losses())), 3),
        cell in prop::option::of(16_u32..1000),
        ties in any::<bool>(),
    ) {
        let flows = [
            datagrams("there", ["a", "b"], "priority = 3", &there),
            datagrams("back", ["b", "a"], "priority = 3", &back),
            datagrams("other", ["a", "b"], "priority = 5", &other),
        ];
        let text = BOTH_WAYS.to_string() + &flows.concat();
        let mut settings = Vec::new();
        if ties {
            settings.push(("router.r.ties".to_string(), "random".to_string()));
        }
        if let Some(cell) = cell {
            settings.push(("router.s.memory.cell".to_string(), format!("{cell} B")));
        }
        for (link, (cbfc, loss)) in ["in", "trunk", "out"].iter().zip(links) {
            settings.push((format!("link.{link}.credit.cbfc"), cbfc));
            if let Some((loss, value)) = loss {
                settings.push((format!("link.{link}.{loss}"), value));
            }
        }
        let settings: Vec<(&str, &str)> = settings.iter().map(|(at, value)| (&**at, &**value)).collect();
        let plan = plan(&text, &settings);
        let report = by_every_runner(&plan);
        prop_assert!(dropped(&report) <= 0.0);
        let links = ["a->r", "r->s", "s->b", "b->s", "s->r", "r->a"];
        let of = |link: &str, metric: &str| report.value(&format!("link {link}"), metric);
        for link in links {
            prop_assert_eq!(of(link, "credits_used"), Some(0.0), "{}", link);
            prop_assert_eq!(of(link, "credits_consumed"), of(link, "credits_freed"), "{}", link);
            assert_sums(&report, link);
        }
        let (traced, packets) = traced(&plan);
        assert_in_order(&plan, &packets);
        assert_counted(&plan, &traced, &packets);
        let mut ends = [0; 2];
        for (row, _) in packets.iter() {
            match row.end {
                PacketEnd::Delivered(_) => ends[0] += 1,
                PacketEnd::Dropped { .. } => ends[1] += 1,
                PacketEnd::Underway => panic!("{row:?} after 60 ms"),
            }
        }
        let lost: f64 = links.iter().filter_map(|link| of(link, "packets_lost")).sum();
        let lost = lost as usize;
        prop_assert_eq!(ends, [there.len() + back.len() + other.len() - lost, lost]);
    }
}

#[test]
fn a_window_that_is_lost_waits_for_the_next_cc_update() {
    // The link is down when the second packet is sent: the only credit is lost with it.
    let settings = [
        ("duration", "3 ms"),
        (
            "flow.f.source",
            "{ trace.text = \"0 1000\\n0.0001 1000\\n0.0002 1000\" }",
        ),
        (
            "link.trunk.credit.cbfc",
            "{ limit = 8, cc_timer = \"700 us\", cf_min_spacing = \"800 B\" }",
        ),
        (
            "link.trunk.outages",
            "[{ at = \"90 us\", lasts = \"30 us\", repair_delay = \"1 h\" }]",
        ),
    ];
    let report = run(LINE, &settings, 0);
    let of = |metric: &str| value(&report, "link r->s", metric);
    assert_eq!(of("packets_lost") as u64, 1);
    assert_eq!(of("credits_recovered") as u64, 8);
    assert_eq!(of("credits_used") as u64, 0);
    // The third packet leaves the router when the CC_Update of 700 us has arrived, and its answer:
    // 84 ns, 8 ns and twice the delay later; the other links take 0.5 us each.
    let delay = value(&report, "flow f", "max_delay");
    let expected = (700e-6 + 84e-9 + 8e-9 + 2.0 * 5.25e-6 - 200e-6) + 1e-6 + 5.25e-6 + 0.5e-6;
    assert!((delay - expected).abs() < 1e-9, "{delay}, not {expected}");
}

#[test]
fn losses_cost_credits_until_the_next_cc_update_only() {
    let settings = [
        ("link.trunk.loss.packet", "1 %"),
        ("duration", "100 ms"),
        ("link.trunk.credit.cbfc.cc_timer", "10 us"),
    ];
    let report = by_every_runner(&plan(LINE, &settings));
    assert!(dropped(&report) <= 0.0);
    let of = |metric: &str| value(&report, "link r->s", metric);
    // Each lost packet of 1000 octets cost eight credits.
    assert!((of("credits_recovered") - 8.0 * of("packets_lost")).abs() <= 80.0);
    let found = value(&report, "flow f", "goodput") / 8e9;
    assert!(found > 0.97, "{found}");
}
