//! Queues that wait for the credits of one another.

use super::{CHAIN, dropped};
use crate::common::{by_every_runner, plan, run, value};
use scenario::report::Report;

/// Three routers in a ring, whose flows each pass two of its links.
const RING: &str = include_str!("../../../../examples/credit-ring.toml");

fn deadlocks(report: &Report) -> Vec<String> {
    let found = report.warnings.iter();
    let found = found.filter(|one| one.code == "deadlock");
    found.map(ToString::to_string).collect()
}

/// User data that each flow has delivered after 2 and after 4 ms, in bits, and the deadlocks told after
/// 2 ms.
fn after(settings: &[(&str, &str)]) -> ([[f64; 3]; 2], Vec<String>) {
    let [early, late] = ["2 ms", "4 ms"].map(|duration| {
        let mut settings = settings.to_vec();
        settings.push(("duration", duration));
        let report = run(RING, &settings, 0);
        assert!(dropped(&report) <= 0.0);
        report
    });
    let flows = ["from_a", "from_b", "from_c"];
    let delivered = [(&early, 0.002), (&late, 0.004)].map(|(report, span)| {
        flows.map(|flow| value(report, &format!("flow {flow}"), "goodput") * span)
    });
    (delivered, deadlocks(&early))
}

/// True if no flow has delivered an octet more.
fn stands([early, late]: [[f64; 3]; 2]) -> bool {
    let mut flows = early.into_iter().zip(late);
    flows.all(|(early, late)| early > 0.0 && (early - late).abs() < 1.0)
}

/// The settings of shared credits on the links of the ring.
fn shared<'a>(links: &'a [String; 3], given: &'a str) -> Vec<(&'a str, &'a str)> {
    links.iter().map(|link| (&**link, given)).collect()
}

fn ring() -> [String; 3] {
    ["first", "second", "third"].map(|link| format!("link.{link}.credit.cbfc"))
}

#[test]
fn a_ring_of_queues_that_wait_for_credits_is_told_and_nothing_moves_any_more() {
    let (delivered, told) = after(&[]);
    let circle = "packets of priority 0 wait at `r1->r2`, `r2->r3`, `r3->r1`";
    let [told] = &told[..] else {
        panic!("{told:?}");
    };
    assert!(
        told.starts_with("port r1->r2: a deadlock of credits: ") && told.contains(circle),
        "{told}"
    );
    assert!(stands(delivered), "{delivered:?}");
}

#[test]
fn queues_that_wait_for_credits_and_move_on_are_no_deadlock() {
    assert!(deadlocks(&run(CHAIN, &[], 0)).is_empty());
    // With a virtual channel of their own for the flows that pass the third link, no circle closes,
    // although both share credits.
    let cut = [("flow.from_b.priority", "1"), ("flow.from_c.priority", "1")];
    let links = ring();
    for given in [
        "{ limit = 320 }",
        "{ limit = 24, shared = { port_limit = 320 } }",
        "{ limit = 24, shared = { port_limit = 320, power = -1 } }",
    ] {
        let settings = [&cut[..], &shared(&links, given)].concat();
        let ([early, late], told) = after(&settings);
        assert!(told.is_empty(), "{given}: {told:?}");
        for (early, late) in early.into_iter().zip(late) {
            assert!(late > 1.8 * early, "{given}: {early} {late}");
        }
    }
}

#[test]
fn a_ring_with_shared_credits_of_one_virtual_channel_stands_and_is_told() {
    let links = ring();
    for given in [
        "{ limit = 24, shared = { port_limit = 320 } }",
        "{ limit = 24, shared = { port_limit = 400, threshold = 100 } }",
        "{ limit = 24, shared = { port_limit = 400, power = 0 } }",
    ] {
        let (delivered, told) = after(&shared(&links, given));
        assert_eq!(
            (stands(delivered), told.len()),
            (true, 1),
            "{given}: {told:?}"
        );
    }
}

#[test]
fn pauses_and_credits_may_be_in_one_circle() {
    let text = RING.replacen(
        "delay = \"20 m\"\ncredit.cbfc.limit = 320",
        "delay = \"20 m\"\npause.pfc.xoff = \"40 kB\"",
        1,
    );
    let [early, late] = ["2 ms", "4 ms"].map(|span| run(&text, &[("duration", span)], 0));
    let [told] = &deadlocks(&early)[..] else {
        panic!("{:?}", early.warnings);
    };
    assert!(told.contains("a deadlock of pauses and credits"), "{told}");
    for flow in ["flow from_a", "flow from_b", "flow from_c"] {
        let [early, late] = [(&early, 1.0), (&late, 2.0)]
            .map(|(report, span)| value(report, flow, "goodput") * span);
        assert!((early - late).abs() < 1e3, "{flow}: {early} {late}");
    }
}

#[test]
fn losses_let_no_deadlock_of_credits_go() {
    // Each packet on its way when the ring closes may be lost, and its credits are found again.
    let links = ["first", "second", "third"].map(|link| format!("link.{link}.loss.packet"));
    let losses: Vec<(&str, &str)> = links.iter().map(|link| (&**link, "1 %")).collect();
    let links = ["first", "second", "third"].map(|link| format!("link.{link}.retry.llr"));
    let retries: Vec<(&str, &str)> = links.iter().map(|link| (&**link, "{}")).collect();
    for settings in [losses.clone(), [losses, retries].concat()] {
        let (delivered, told) = after(&settings);
        assert_eq!(stands(delivered), told.len() == 1, "{settings:?}: {told:?}");
        assert!(stands(delivered), "{settings:?}: {delivered:?}");
    }
}

#[test]
fn all_runners_agree_on_a_deadlock_of_credits() {
    by_every_runner(&plan(RING, &[]));
    let links = ring();
    let given = "{ limit = 24, shared = { port_limit = 320 } }";
    by_every_runner(&plan(RING, &shared(&links, given)));
}
