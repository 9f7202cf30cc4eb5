//! Credits for packets that cannot work, and are refused before the run.

use super::CHAIN;
use scenario::Scenario;

/// The problem of a scenario with these settings.
pub fn told(text: &str, settings: &[(&str, &str)]) -> String {
    let settings = settings
        .iter()
        .map(|(at, value)| ((*at).into(), (*value).into()));
    let settings: Vec<(String, String)> = settings.collect();
    match Scenario::read(text, "test.toml", &settings) {
        Ok(_) => panic!("{settings:?} is not refused"),
        Err(error) => error.to_string(),
    }
}

/// Settings, the problem that they cause, and a hint.
type Refused<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str);

fn assert_refused(cases: &[Refused<'_>]) {
    for (settings, problem, hint) in cases {
        let told = told(CHAIN, settings);
        assert!(
            told.contains(problem) && told.contains(hint),
            "{settings:?}: {told}"
        );
    }
}

#[test]
fn credits_that_cannot_work_are_refused() {
    assert_refused(&[
        (
            &[("link.trunk.credit.cbfc.limit", "11")],
            "link.trunk.credit.cbfc.limit: the largest packets on `trunk` cost more credits",
            "write at least `12`",
        ),
        (
            // An acknowledgment may be larger than a packet of data: 2,000 octets, and 36 of SACK
            // blocks.
            &[
                (
                    "flow.left.transport",
                    "{ tcp = { packet = \"576 B\", acknowledgment = \"2000 B\" } }",
                ),
                ("flow.left.source", "{ greedy = {} }"),
                ("link.left.credit.cbfc.limit", "15"),
            ],
            "link.left.credit.cbfc.limit: the largest packets on `left` cost more credits",
            "write at least `16`",
        ),
        (
            &[("link.trunk.rate", "1 Mbit/s")],
            "link.trunk.credit.cbfc.cc_timer: `CC_Update`s would take more than half of `trunk`",
            "write at least `\"1.344 ms\"`",
        ),
        (
            &[("link.trunk.pause.pfc", "{}")],
            "link.trunk.pause.pfc: `credit` is given too",
            "by credits or by pauses",
        ),
        (
            &[
                ("link.trunk.loss", "{ packet = \"1 %\" }"),
                ("link.trunk.loss_at", "queue"),
            ],
            "`credit` is given too, and recovers only losses on the link",
            "`transmission`",
        ),
    ]);
}

#[test]
fn routers_without_room_or_order_are_refused() {
    assert_refused(&[
        (
            &[("router.r2.buffer.per_output", "10 kB")],
            "router.r2.buffer.per_output: the buffer of `r2` has no room for what its inputs may hold, by their credits",
            "or lower the parameters of `credit`",
        ),
        (
            &[("router.r1.scheduler.round_robin", "{}")],
            "router.r1.scheduler.round_robin: packets wait at `r1` for credits, by priority",
            "`fifo`",
        ),
        (
            &[
                ("router.r2.buffer", "{ per_vc = \"200 kB\" }"),
                ("router.r2.scheduler.round_robin", "{}"),
            ],
            "the credits of the links to `r2` are for all outputs together",
            "`buffer.per_output` or `buffer.shared`",
        ),
    ]);
}

#[test]
fn credits_for_packets_are_not_for_cells_nor_for_edges() {
    let cells = CHAIN
        .replace("over.packet = {}", "over.ubr = {}")
        .replace("router.", "switch.");
    let cells = told(&cells, &[]);
    assert!(
        cells.contains("flow `left` sends cells over `left`") && cells.contains("`credit.n23`"),
        "{cells}"
    );
}
