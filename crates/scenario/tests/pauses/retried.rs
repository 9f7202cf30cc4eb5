//! Pauses on links with link-level retry: what is lost is sent again, and the headroom has room for it.

use crate::common::packets::{assert_counted, assert_in_order, traced};
use crate::common::{by_every_runner, cases, plan, run, scenario, value};
use crate::lossless::{both_ways, datagrams};
use kernel::Time;
use models::metrics::Cause;
use proptest::prelude::*;
use scenario::capture::packets::PacketEnd;
use scenario::lower::Plan;

/// Packets from one host to another over two links that are paused, and a slow last link.
const BOTH_WAYS: &str = both_ways!("30 ms", "400 kB");

/// Writes of a flow: gaps in nanoseconds, and octets.
fn writes(most: usize) -> impl Strategy<Value = Vec<(u64, u64)>> {
    prop::collection::vec((0_u64..3000, 41_u64..3960), 1..most)
}

/// The pauses and the retry of a link: replays never end, and both windows are reached.
fn controls() -> impl Strategy<Value = (String, String)> {
    let pause = (0_u32..20, 0_u32..3000).prop_map(|(xoff, response)| {
        format!(
            "{{ xoff = \"{} B\", response = \"{response} ns\" }}",
            4000 + 1000 * xoff
        )
    });
    let octets = prop::option::of(4000_u32..60_000);
    let timer = prop::option::of(30_u32..100);
    let retry = (octets, timer, 8_u32..8000).prop_map(|(octets, timer, spacing)| {
        let octets = octets.map_or(String::new(), |octets| format!(", octets = \"{octets} B\""));
        let timer = timer.map_or(String::new(), |timer| format!(", timer = \"{timer} us\""));
        format!("{{ replays = 255, spacing = \"{spacing} B\"{octets}{timer} }}")
    });
    (pause, retry)
}

/// The settings of the links, of which each loses what `losses` says.
fn settings(links: &[(String, String)], losses: &[(&str, String)]) -> Vec<(String, String)> {
    let mut settings = vec![("link.out.rate".to_string(), "2 Gbit/s".to_string())];
    let links = ["in", "trunk"].iter().zip(links).zip(losses);
    for ((link, (pause, retry)), (loss, value)) in links {
        settings.push((format!("link.{link}.pause.pfc"), pause.clone()));
        settings.push((format!("link.{link}.retry.llr"), retry.clone()));
        settings.push((format!("link.{link}.loss.{loss}"), value.clone()));
    }
    settings
}

fn borrowed(settings: &[(String, String)]) -> Vec<(&str, &str)> {
    let settings = settings.iter();
    settings.map(|(at, value)| (&**at, &**value)).collect()
}

/// The numbers of packets that were delivered, in order, and of those that did not fit the headroom.
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
            PacketEnd::Dropped { cause, .. } => {
                assert_eq!(cause, Cause::Headroom, "{row:?}");
                ends[1] += 1;
            }
            PacketEnd::Underway => panic!("{row:?} after 30 ms"),
        }
    }
    ends
}

proptest! {
    #![proptest_config(cases(12))]

    /// While no pause frame is lost, headroom of the computed size loses no packet, whatever is lost
    /// and replayed: each packet is delivered once and in order; and every runner agrees.
    #[test]
    fn headroom_has_room_for_replays(
        writes in writes(150),
        links in prop::collection::vec(controls(), 2),
        lost in prop::collection::vec(prop::collection::btree_set(0_u32..300, 1..60), 2),
        ties in any::<bool>(),
    ) {
        let text = BOTH_WAYS.to_string() + &datagrams("there", ["a", "b"], "", &writes);
        // These losses are those of the way from the first node of a link to the second.
        let lost: Vec<(&str, String)> = lost
            .iter()
            .map(|lost| ("nth", format!("{:?}", lost.iter().collect::<Vec<_>>())))
            .collect();
        let mut settings = settings(&links, &lost);
        if ties {
            settings.push(("router.r.ties".to_string(), "random".to_string()));
        }
        let plan = plan(&text, &borrowed(&settings));
        by_every_runner(&plan);
        prop_assert_eq!(ends(&plan), [writes.len(), 0]);
    }

    /// Whatever is lost, pause frames too, each packet is delivered once and in order, or does not fit
    /// the headroom.
    #[test]
    fn lost_pause_frames_cost_only_what_does_not_fit(
        there in writes(80),
        back in writes(80),
        links in prop::collection::vec(controls(), 2),
        loss in 0.0..25.0_f64,
        ratio in 5.0..7.0_f64,
    ) {
        let flows = [
            datagrams("there", ["a", "b"], "", &there),
            datagrams("back", ["b", "a"], "priority = 4", &back),
        ];
        let text = BOTH_WAYS.to_string() + &flows.concat();
        let losses = [
            ("packet", format!("\"{loss:.2} %\"")),
            ("bit_errors", format!("{{ ratio = {:e} }}", 10_f64.powf(-ratio))),
        ];
        let plan = plan(&text, &borrowed(&settings(&links, &losses)));
        by_every_runner(&plan);
        let [delivered, dropped] = ends(&plan);
        prop_assert_eq!(delivered + dropped, there.len() + back.len());
    }
}

#[test]
fn pauses_do_not_stop_a_replay() {
    // A transmission is lost, and its replay too: only the replay timer tells, and meanwhile the host
    // fills its replay buffer, all of which arrives after the first replay has crossed xoff.
    let packets = [(0, 3960)].repeat(60);
    let text = BOTH_WAYS.to_string() + &datagrams("there", ["a", "b"], "", &packets);
    let pause = ("link.in.pause.pfc", "{ xoff = \"4 kB\" }");
    let with_retry = [
        pause,
        ("link.trunk.rate", "100 Mbit/s"),
        (
            "link.in.retry.llr",
            "{ octets = \"100 kB\", timer = \"150 us\", replays = 9 }",
        ),
        ("link.in.loss.nth", "[1, 4]"),
    ];
    let report = run(&text, &with_retry, 0);
    let used = value(&report, "link a->r", "max_headroom");
    assert!(value(&report, "link a->r", "headroom_drops") <= 0.0);
    let computed = |settings: &[(&str, &str)]| {
        let computed = scenario(&text, settings).plan().computed();
        let mut told = computed
            .iter()
            .filter(|(at, _)| at == "link.in.pause.pfc.headroom");
        let (_, told) = told.next().expect("a computed headroom");
        let octets = told.split(' ').next().expect("a number");
        octets.replace(',', "").parse::<f64>().expect("octets")
    };
    let [alone, together] = [computed(&[pause]), computed(&with_retry)];
    assert!(
        alone < used && used <= together,
        "{alone} {used} {together}"
    );
    assert!(used > 0.8 * 100_000.0, "{used}");
}
