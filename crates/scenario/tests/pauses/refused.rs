//! Pauses that cannot work, and are refused before the run.

use super::CHAIN;
use crate::common::run;
use scenario::Scenario;

/// The problem of a scenario with these settings.
fn refused(settings: &[(&str, &str)]) -> String {
    let settings = settings
        .iter()
        .map(|(at, value)| ((*at).into(), (*value).into()));
    let settings: Vec<(String, String)> = settings.collect();
    match Scenario::read(CHAIN, "test.toml", &settings) {
        Ok(_) => panic!("{settings:?} is not refused"),
        Err(error) => error.to_string(),
    }
}

/// Settings, the problem that they cause, and a hint.
type Refused<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str);

fn assert_refused(cases: &[Refused<'_>]) {
    for (settings, problem, hint) in cases {
        let told = refused(settings);
        assert!(
            told.contains(problem) && told.contains(hint),
            "{settings:?}: {told}"
        );
    }
}

#[test]
fn thresholds_without_room_are_refused() {
    assert_refused(&[
        (
            &[
                ("link.trunk.pause.pfc.xoff", "9 kB"),
                ("link.trunk.pause.pfc.xon", "10 kB"),
            ],
            "link.trunk.pause.pfc.xon: `xon` is above `xoff`",
            "write at most `\"9000 B\"`",
        ),
        (
            &[("router.r2.buffer.per_output", "10 kB")],
            "router.r2.buffer.per_output: the buffer of `r2` has no room",
            "write at least",
        ),
        (
            &[("link.trunk.pause.pfc.xoff", "300 kB")],
            "router.r2.buffer.per_output: the buffer of `r2` has no room",
            "or lower the parameters of `pause`",
        ),
        (
            &[
                ("router.r2.buffer", "{ per_vc = \"200 kB\" }"),
                ("router.r2.scheduler.round_robin", "{}"),
            ],
            "paused by what their inputs hold together",
            "`buffer.per_output` or `buffer.shared`",
        ),
    ]);
}

#[test]
fn pauses_that_cannot_work_are_refused() {
    assert_refused(&[
        (
            &[("link.trunk.loss.packet", "1 %")],
            "`trunk` loses packets although it may be paused, and nothing sends them again",
            "give the link `retry`",
        ),
        (
            &[("router.r1.scheduler.round_robin", "{}")],
            "router.r1.scheduler.round_robin: a link from `r1` may be paused",
            "`fifo`",
        ),
        (
            &[("link.trunk.pause.pfc.quanta", "20")],
            "a pause may end before it is refreshed",
            "write at least `",
        ),
        (
            &[("link.trunk.pause.pfc.priorities", "[3, 8]")],
            "`8` is not a priority",
            "from `0` to `7`",
        ),
        (
            &[("flow.left.priority", "8")],
            "flow.left.priority",
            "from `0` to `7`",
        ),
    ]);
}

#[test]
fn dynamic_thresholds_that_cannot_work_are_refused() {
    let shared = ("router.r2.buffer", "{ shared.size = \"300 kB\" }");
    assert_refused(&[
        (
            &[("link.trunk.pause.pfc.dynamic", "{}")],
            "router.r2.buffer.per_output: a dynamic threshold of the links to `r2` needs one buffer",
            "write `buffer.shared`",
        ),
        (
            &[
                shared,
                ("link.trunk.pause.pfc", "{ xoff = \"9 kB\", dynamic = {} }"),
            ],
            "link.trunk.pause.pfc.dynamic: `xoff` is given too",
            "leave one out",
        ),
        (
            &[shared, ("link.trunk.pause.pfc.dynamic.power", "8")],
            "link.trunk.pause.pfc.dynamic.power: `8` is out of range",
            "from `-8` to `7`",
        ),
        (
            &[shared, ("link.trunk.pause.pfc.dynamic.alpha", "1")],
            "alpha",
            "write `power`",
        ),
        (
            &[
                shared,
                ("link.trunk.pause.pfc", "{ xon = \"250 kB\", dynamic = {} }"),
            ],
            "link.trunk.pause.pfc.xon: `xon` is above the highest threshold",
            "write at most",
        ),
        (
            // A packet of 1500 octets needs 257 times as much.
            &[shared, ("link.trunk.pause.pfc.dynamic.power", "-8")],
            "router.r2.buffer.shared.size: the buffer of `r2` has no room",
            "write at least",
        ),
    ]);
}

#[test]
fn the_quanta_that_the_hint_proposes_suffice() {
    let told = refused(&[("link.trunk.pause.pfc.quanta", "20")]);
    let (_, rest) = told.split_once("write at least `").expect("a hint");
    let quanta = rest.split('`').next().expect("a number");
    run(CHAIN, &[("link.trunk.pause.pfc.quanta", quanta)], 0);
}

#[test]
fn only_links_of_packets_between_routers_and_hosts_are_paused() {
    let cells = CHAIN
        .replace("over.packet = {}", "over.ubr = {}")
        .replace("router", "switch");
    let direct = r#"
duration = "1 ms"
[host.a]
[host.b]
[link.ab]
between = ["a", "b"]
rate = "1 Gbit/s"
pause.pfc = {}
[flow.f]
from = "a"
to = "b"
transport.tcp = {}
over.packet = {}
"#;
    let refused = |text: &str| match Scenario::read(text, "test.toml", &[]) {
        Ok(_) => panic!("{text} is not refused"),
        Err(error) => error.to_string(),
    };
    assert!(refused(&cells).contains("`left` carries cells, and only whole packets are paused"));
    assert!(refused(direct).contains("neither end of `ab` is a router"));
}
