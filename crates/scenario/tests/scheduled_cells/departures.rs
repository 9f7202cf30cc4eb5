//! The departure of each packet against an independent program.

use super::by_phases::{End, Setting, ends};
use super::{CELL_TIME, UNTIL, network, passed, slotted_network};
use crate::common::plan;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// The independent program knows the packets and nothing of how the model counts them.
    #[test]
    fn packets_leave_when_another_program_says(
        (inputs, outputs) in (1usize..5, 1usize..4),
        (grant, grants) in (53i64..1500, 4i64..20),
        (speedup, control_delay) in (0.5..2.0, 1u64..30_000),
        (links, link_rate) in (1usize..5, 50_000_000u64..500_000_000),
        (link_delay, skew) in (prop_oneof![Just(0), 0u64..5_000], prop_oneof![Just(0), 0u64..9_000]),
        (payload, header) in (prop::option::of(40u64..300), 0u64..17),
        outages in prop_oneof![
            Just(vec![]),
            Just(vec![(0, 200_000_000, 500_000_000)]),
            Just(vec![(0, 100_000_000, 101_000_000), (1, 0, 1_000_000_000), (0, 150_000_000, 600_000_000)]),
        ],
        (detection, reassembly_timeout) in (0u64..100_000, 1u64..200_000),
        load in 0.3..1.3,
        is_slotted: bool,
        ties in prop::sample::select(vec!["in_order", "random"]),
    ) {
        let mut of = Setting {
            inputs,
            outputs,
            grant,
            egress: grants.max(inputs as i64) * grant,
            speedup,
            control_delay: control_delay * 1000,
            links,
            link_rate,
            link_delay: link_delay * 1000,
            skew: skew * 1000,
            payload,
            header,
            cell_time: CELL_TIME,
            outages: outages.into_iter().filter(|outage| outage.0 < links).collect(),
            detection: detection * 1000,
            reassembly_timeout: reassembly_timeout * 1000,
        };
        // The link of an input carries twice what that of an output does.
        let load = f64::min(load, 1.8 * inputs as f64 / outputs as f64);
        let text = if is_slotted {
            in_slots(&mut of);
            slotted_network(&of, load, "1 ms")
        } else {
            network(&of, load, "1 ms")
        };
        assert_departs(&of, &text, ties);
    }
}

/// Rounds a setting so that many events fall on the same instants.
fn in_slots(of: &mut Setting) {
    let round = |time: u64| time / CELL_TIME * CELL_TIME;
    let cells = (of.grant / 53).max(1);
    of.egress = of.egress / of.grant * cells * 53;
    of.grant = cells * 53;
    of.speedup = 1.0;
    of.control_delay = round(of.control_delay) / 4 + CELL_TIME;
    of.control_delay = round(of.control_delay);
    of.link_rate = if of.link_rate.is_multiple_of(2) {
        424_000_000
    } else {
        212_000_000
    };
    of.link_delay = round(of.link_delay);
    of.skew = round(of.skew);
    of.payload = None;
    of.detection = round(of.detection);
    of.reassembly_timeout = round(of.reassembly_timeout) + CELL_TIME;
}

/// Asserts that packets leave as the independent program says.
fn assert_departs(of: &Setting, text: &str, ties: &str) {
    let plan = plan(text, &[("switch.s.ties", ties)]);
    let (mut packets, found) = passed(&plan);
    if ties == "random" {
        // With random ties units arrive a picosecond later.
        for packet in &mut packets {
            packet.arrival += 1;
        }
    }
    let count = |is_meant: fn(&&End) -> bool| found.iter().filter(is_meant).count();
    assert!(count(|end| *end != &End::Inside) > 5, "{of:?}");
    if of.outages.is_empty() {
        assert_eq!(count(|end| matches!(end, End::Dropped(_))), 0, "{of:?}");
    }
    assert_eq!(found, ends(of, &packets, UNTIL), "{of:?}");
}
