//! The metrics of priorities of links: those of a few packets are known exactly, and those of a
//! direction of a link are the sums or the largest of those of its priorities.

use crate::common::{by_every_runner, plan, run, value};
use crate::lossless::chain;
use scenario::Scenario;
use scenario::report::{Report, Scope};

/// A host and a router, whose link has the flow control `$control`, and carries an octet in a
/// nanosecond; packets of priority 3 come at once.
fn line(control: &str, exit: &str, packets: usize) -> String {
    let writes = vec!["0.0 1000"; packets].join("\\n");
    format!(
        "duration = \"20 us\"\n[host.a]\n[host.b]\n[router.r]\nbuffer.per_output = \"1 MB\"\n\
         [link.in]\nbetween = [\"a\", \"r\"]\nrate = \"8 Gbit/s\"\ndelay = \"1 us\"\n{control}\n\
         [link.out]\nbetween = [\"r\", \"b\"]\nrate = \"{exit}\"\n\
         [flow.f]\nfrom = \"a\"\nto = \"b\"\npriority = 3\nover.packet = {{}}\n\
         transport.datagram = {{ packet = \"1000 B\", header = \"0 B\" }}\n\
         source.trace.text = \"{writes}\"\n"
    )
}

/// Asserts the values of metrics of a priority.
fn assert_values(report: &Report, scope: &str, expected: &[(&str, f64)]) {
    for (metric, expected) in expected {
        let found = value(report, scope, metric);
        assert!(
            (found - expected).abs() <= 1e-12 * expected.abs(),
            "{scope} {metric}: {found}, not {expected}"
        );
    }
}

/// One packet has credits. It is sent in 1000 ns, arrives after 1000 more, and is sent on in 1000; the
/// `CF_Update` takes 8 ns and arrives after 1000: a packet each 4008 ns.
const CREDITS: &str = "credit.cbfc = { limit = 8, cf_min_spacing = \"800 B\" }";

#[test]
fn the_credits_of_three_packets_are_known_exactly() {
    let report = run(&line(CREDITS, "8 Gbit/s", 3), &[], 0);
    let held_back = 2.0 * 4008.0 / 20e3;
    let used = 3.0 * 8.0 * 4008.0 / 20e3;
    assert_values(
        &report,
        "priority 3 at a->r",
        &[
            ("packets_sent", 3.0),
            ("held_back_share", held_back),
            ("credits_used", 0.0),
            ("mean_credits_used", used),
            ("max_credits_used", 8.0),
            ("credits_consumed", 24.0),
            ("credits_freed", 24.0),
            ("credits_received", 24.0),
            ("credits_released", 24.0),
            ("credits_recovered", 0.0),
        ],
    );
}

#[test]
fn the_credits_of_a_virtual_channel_count_from_the_end_of_the_warm_up() {
    // The second packet is sent at 4008 ns and the third at 8016 ns, whose update arrives at 12,024 ns.
    let report = run(&line(CREDITS, "8 Gbit/s", 3), &[("warm_up", "5 us")], 0);
    assert_values(
        &report,
        "priority 3 at a->r",
        &[
            ("packets_sent", 1.0),
            ("held_back_share", (8016.0 - 5000.0) / 15e3),
            ("mean_credits_used", 8.0 * (12_024.0 - 5000.0) / 15e3),
            ("max_credits_used", 8.0),
            ("credits_consumed", 8.0),
            ("credits_freed", 16.0),
            ("credits_received", 16.0),
            ("credits_released", 16.0),
        ],
    );
}

#[test]
fn a_pause_is_known_exactly() {
    // The second packet has arrived at 3000 ns, and the router holds 2000 octets. Its frame takes 84 ns
    // and arrives at 4084 ns, when the fifth packet is being sent. A packet leaves each 10 us, from
    // 12 us on; at 42 us one is left, and the frame that resumes arrives at 43,084 ns.
    let control = "pause.pfc = { xoff = \"1500 B\", xon = \"1000 B\", headroom = \"10 kB\", \
                   response = \"0 s\" }";
    let text = line(control, "800 Mbit/s", 6);
    let report = run(&text, &[("duration", "44 us")], 0);
    let paused = 43_084.0 - 4084.0;
    let expected = [
        ("packets_sent", 6.0),
        ("held_back_share", paused / 44e3),
        ("pause_frames", 2.0),
        ("pause_frames_received", 2.0),
        ("priority_paused_share", paused / 44e3),
        ("priority_paused_time", paused * 1e-9),
        ("max_headroom", 3500.0),
        ("headroom_drops", 0.0),
    ];
    assert_values(&report, "priority 3 at a->r", &expected);
    // Without a sixth packet none is held back, though the priority is paused as long.
    let fewer = run(&line(control, "800 Mbit/s", 5), &[("duration", "44 us")], 0);
    let expected = [
        ("packets_sent", 5.0),
        ("held_back_share", 0.0),
        ("priority_paused_time", paused * 1e-9),
    ];
    assert_values(&fewer, "priority 3 at a->r", &expected);
    // After a warm-up of 40 us, the end of the pause is left.
    let settings = [("duration", "44 us"), ("warm_up", "40 us")];
    let expected = [
        ("packets_sent", 1.0),
        ("held_back_share", 3084.0 / 4e3),
        ("pause_frames", 1.0),
        ("priority_paused_time", 3084e-9),
        ("max_headroom", 0.0),
    ];
    assert_values(&run(&text, &settings, 0), "priority 3 at a->r", &expected);
}

#[test]
fn a_router_counts_what_it_holds_back() {
    // The link from the router has the credits; that from the host is twice as fast, and brings the
    // packets at 500, 1000 and 1500 ns.
    let text = line("", "8 Gbit/s", 3);
    let settings = [
        ("link.in.rate", "16 Gbit/s"),
        ("link.in.delay", "0 s"),
        ("link.out.delay", "1 us"),
        ("link.out.credit.cbfc.limit", "8"),
        ("link.out.credit.cbfc.cf_min_spacing", "800 B"),
    ];
    // A host takes a packet in at once: a packet each 1000 + 1000 + 8 + 1000 ns.
    let report = run(&text, &settings, 0);
    let expected = [
        ("packets_sent", 3.0),
        ("held_back_share", (500.0 + 2.0 * 3008.0 - 1000.0) / 20e3),
        ("mean_credits_used", 3.0 * 8.0 * 3008.0 / 20e3),
        ("max_credits_used", 8.0),
        ("credits_released", 24.0),
    ];
    assert_values(&report, "priority 3 at r->b", &expected);
}

/// The values of a metric of the priorities at a link.
fn of_priorities(report: &Report, link: &str, metric: &str) -> Vec<f64> {
    let at_link = report.scalars.iter().filter(|one| match &*one.scope {
        Scope::Priority(_, place) => place.to_string() == link,
        _ => false,
    });
    let of_metric = at_link.filter(|one| one.metric.name == metric);
    of_metric.map(|one| one.value).collect()
}

/// Asserts that the metrics of a link follow from those of its priorities.
pub fn assert_sums(report: &Report, link: &str) {
    let scope = format!("link {link}");
    let of_link = |metric: &str| report.value(&scope, metric);
    let each = |metric: &str| of_priorities(report, link, metric);
    let close = |one: f64, other: f64| (one - other).abs() <= 1e-9 * one.abs().max(1.0);
    let sums = [
        "credits_used",
        "credits_consumed",
        "credits_freed",
        "credits_recovered",
        "headroom_drops",
    ];
    for metric in sums {
        let sum: f64 = each(metric).iter().sum();
        assert!(
            close(of_link(metric).unwrap_or(0.0), sum),
            "{scope} {metric}"
        );
    }
    let largest = |metric: &str| each(metric).into_iter().fold(0.0, f64::max);
    if let Some(most) = of_link("max_headroom") {
        assert!(close(most, largest("max_headroom")), "{scope}");
    }
    // A frame may pause several priorities, several may be paused at a time, and they need not use most
    // credits at the same time.
    for (of_all, of_each) in [
        ("pause_frames", "pause_frames"),
        ("pause_frames_received", "pause_frames_received"),
        ("link_paused_share", "priority_paused_share"),
        ("max_credits_used", "max_credits_used"),
    ] {
        if let Some(all) = of_link(of_all) {
            let (most, sum) = (largest(of_each), each(of_each).iter().sum::<f64>());
            let within = most - 1e-9 <= all && all <= sum + 1e-9;
            assert!(within, "{scope} {of_all}: {most} {all} {sum}");
        }
    }
    // A link that is stalled holds back all that waits; the mean is below the most.
    let stalled = report.value(&format!("port {link}"), "stalled_share");
    let held_back: f64 = each("held_back_share").iter().sum();
    assert!(stalled.unwrap_or(0.0) <= held_back + 1e-9, "{scope}");
    let means = each("mean_credits_used").into_iter();
    for (mean, most) in means.zip(each("max_credits_used")) {
        assert!(mean <= most + 1e-9, "{scope}: {mean} of {most}");
    }
}

/// The directions of links of the chain that have flow control and packets.
const LINKS: [&str; 3] = ["left->r1", "right->r1", "r1->r2"];

#[test]
fn a_link_counts_what_its_priorities_count() {
    for (chain, control) in [
        (chain!("credit.cbfc = {}"), "link.trunk.credit.cbfc.limit"),
        (chain!("pause.pfc = {}"), "link.trunk.pause.pfc.quanta"),
    ] {
        let settings = [("flow.left.priority", "3"), (control, "200")];
        let report = by_every_runner(&plan(chain, &settings));
        for link in LINKS {
            assert_sums(&report, link);
        }
        assert_eq!(of_priorities(&report, "r1->r2", "packets_sent").len(), 2);
        let started = value(&report, "priority 3 at left->r1", "packets_sent");
        assert!((started - value(&report, "flow left", "packets_sent")).abs() < 1000.0);
        assert!(value(&report, "priority 3 at r1->r2", "held_back_share") > 0.1);
    }
}

#[test]
fn one_priority_alone_is_the_link() {
    let report = run(chain!("pause.pfc = {}"), &[], 0);
    for link in LINKS {
        let of = |metric| value(&report, &format!("priority 0 at {link}"), metric);
        let scope = format!("link {link}");
        for (here, there) in [
            ("pause_frames", "pause_frames"),
            ("pause_frames_received", "pause_frames_received"),
            ("priority_paused_share", "link_paused_share"),
            ("max_headroom", "max_headroom"),
        ] {
            let (one, all) = (of(here), value(&report, &scope, there));
            assert!((one - all).abs() <= 0.0, "{link} {here}: {one} {all}");
        }
    }
}

#[test]
fn only_links_with_pauses_or_credits_have_priorities() {
    let report = run(chain!(""), &[("flow.left.priority", "3")], 0);
    let mut scopes = report.scalars.iter().map(|one| &*one.scope);
    assert!(!scopes.any(|scope| matches!(scope, Scope::Priority(..))));
    let some = chain!("pause.pfc.priorities = [3, 4]");
    let report = run(some, &[("flow.left.priority", "3")], 0);
    assert_eq!(of_priorities(&report, "r1->r2", "pause_frames").len(), 1);
    assert_eq!(of_priorities(&report, "right->r1", "pause_frames").len(), 0);
}

#[test]
fn a_goal_names_a_priority_that_a_link_pauses() {
    let refused = |text: &str, goal: &str| {
        let until = format!("{{ metric = \"{goal} packets_sent\" }}");
        let settings = [
            ("replications.at_most".to_string(), "5".to_string()),
            ("replications.until".to_string(), until),
        ];
        let read = Scenario::read(text, "test.toml", &settings);
        read.err().map(|error| error.to_string())
    };
    let paused = chain!("pause.pfc.priorities = [0, 3]");
    for goal in ["priority 0 at r1->r2", "priority 0 at left->r1"] {
        assert_eq!(refused(paused, goal), None);
    }
    // No flow has the first, and the other links are without pauses.
    for goal in [
        "priority 3 at r1->r2",
        "priority 0 at r1->other",
        "priority 0 at r2->sink",
    ] {
        let told = refused(paused, goal).unwrap_or_else(|| panic!("{goal} is not refused"));
        assert!(told.contains("there is no priority `"), "{told}");
        assert!(told.contains("`0 at r1->r2`"), "{told}");
    }
    let told = refused(chain!(""), "priority 0 at r1->r2").expect("a refusal");
    assert!(told.contains("the scenario has none"), "{told}");
}
