//! Credits that virtual channels share: nothing is dropped, each uses what its threshold allows, and
//! those that are its own remain.

use super::{CHAIN, LINE, dropped, refused, share};
use crate::common::{by_every_runner, plan, run, scenario, value};
use scenario::report::Report;

/// Flows of different priorities over a link with credits, to a router that sends on a tenth of what
/// comes, so that all credits are in use. A packet costs eight.
fn blocked(flows: usize, cbfc: &str) -> String {
    let rate = 9.0 / flows as f64;
    let flow = |number| {
        format!(
            "[flow.f{number}]\nfrom = \"a\"\nto = \"b\"\npriority = {number}\nover.packet = {{}}\n\
             source.constant_rate = {{ rate = \"{rate} Gbit/s\" }}\n\
             transport.datagram = {{ packet = \"1000 B\", header = \"0 B\" }}\n"
        )
    };
    let flows: Vec<String> = (0..flows).map(flow).collect();
    format!(
        "duration = \"20 ms\"\n[host.a]\n[host.b]\n[router.r]\nbuffer.per_output = \"10 MB\"\n\
         [link.in]\nbetween = [\"a\", \"r\"]\nrate = \"10 Gbit/s\"\ncredit.cbfc = {cbfc}\n\
         [link.out]\nbetween = [\"r\", \"b\"]\nrate = \"1 Gbit/s\"\n{}",
        flows.concat()
    )
}

/// Credits in use at the end of a run.
fn used(report: &Report) -> f64 {
    assert!(dropped(report) <= 0.0);
    value(report, "link a->r", "credits_used")
}

#[test]
fn virtual_channels_use_what_their_threshold_gives_them() {
    let shared = 1600.0;
    for flows in [1, 2, 5] {
        let limit = 16.0;
        let of = |threshold: &str| {
            let port = limit * flows as f64 + shared;
            let cbfc =
                format!("{{ limit = {limit}, shared = {{ port_limit = {port}{threshold} }} }}");
            used(&run(&blocked(flows, &cbfc), &[], 0)) - limit * flows as f64
        };
        let count = flows as f64;
        // Each may miss less than a packet, and as much is on its way back.
        let tolerance = 2.0 * 8.0 * count;
        for power in [-4, -1, 0, 2] {
            let alpha = f64::from(power).exp2();
            let expected = shared * count * alpha / (1.0 + count * alpha);
            let found = of(&format!(", power = {power}"));
            assert!(
                (found - expected).abs() < tolerance,
                "{flows} flows, 2^{power}: {found}, not {expected}"
            );
        }
        for threshold in [160.0, 800.0, 5000.0] {
            let expected = f64::min(shared, count * threshold);
            let found = of(&format!(", threshold = {threshold}"));
            assert!(
                found <= expected && found > expected - tolerance,
                "{flows} flows, {threshold}: {found}, not {expected}"
            );
        }
        let all = of("");
        assert!(all <= shared && all > shared - tolerance, "{all}");
    }
}

#[test]
fn a_priority_that_may_not_use_shared_credits_has_its_own() {
    let own = used(&run(&blocked(3, "{ limit = 16 }"), &[], 0));
    let with = |priorities: &str| {
        let shared = format!("{{ port_limit = 448, priorities = {priorities} }}");
        let cbfc = format!("{{ limit = 16, shared = {shared} }}");
        used(&run(&blocked(3, &cbfc), &[], 0))
    };
    assert!((own - 48.0).abs() < 17.0, "{own}");
    for priorities in ["[1]", "[0, 2]"] {
        let found = with(priorities);
        assert!(
            found <= 448.0 && found > 448.0 - 48.0,
            "{priorities}: {found}"
        );
    }
    // Priority 7 has no flow, so all others have their own alone.
    assert!((with("[7]") - own).abs() < 0.5);
}

/// A report as text, to compare it with another.
fn text(report: &Report) -> String {
    format!("{:?}", report.scalars)
}

#[test]
fn one_virtual_channel_with_shared_credits_is_one_with_a_larger_limit() {
    let with = |cbfc: &str| text(&run(LINE, &[("link.trunk.credit.cbfc", cbfc)], 0));
    for (limit, port) in [(8, 40), (17, 90), (40, 41)] {
        let shared = with(&format!(
            "{{ limit = {limit}, shared.port_limit = {port} }}"
        ));
        assert_eq!(shared, with(&format!("{{ limit = {port} }}")));
        let dynamic =
            format!("{{ limit = {limit}, shared = {{ port_limit = {port}, power = 0 }} }}");
        let alone = limit + (port - limit) / 2;
        assert_eq!(with(&dynamic), with(&format!("{{ limit = {alone} }}")));
    }
}

#[test]
fn credits_of_which_nothing_is_shared_are_those_of_each() {
    let own = text(&run(&blocked(3, "{ limit = 100 }"), &[], 0));
    let none = "{ limit = 100, shared.port_limit = 300 }";
    assert_eq!(text(&run(&blocked(3, none), &[], 0)), own);
}

#[test]
fn shared_credits_fill_the_link_with_less_memory() {
    for threshold in ["{}", "{ power = -2 }", "{ power = 3 }"] {
        for octets in [64, 1000, 9000] {
            let cbfc = format!("{{ shared = {threshold} }}");
            let found = share(octets, 5250, &cbfc);
            assert!(found > 0.998, "{octets} B, {threshold}: {found}");
        }
    }
    // Octets of memory that the router needs, for three priorities.
    let needed = |cbfc: &str| {
        let settings = [("router.r.buffer.per_output", "1 kB")];
        let told = refused::told(&blocked(3, cbfc), &settings);
        let (_, hint) = told.split_once("write at least `\"").expect("a hint");
        let number = hint
            .split(' ')
            .next()
            .and_then(|number| number.parse::<f64>().ok());
        number.expect("a number of octets")
    };
    let [own, shared] = ["{}", "{ shared = {} }"].map(needed);
    // A window and three packets, not three windows.
    assert!(
        (own / 3.0 + 3.0 * 1024.0 - shared).abs() < 3.0 * 1024.0,
        "{own} {shared}"
    );
}

#[test]
fn a_threshold_leaves_shared_credits_for_those_that_are_not_blocked() {
    // The flow to the slow exit takes all credits that it may; the flow beside it has another way, and its
    // own credits, of one packet in a round trip, are too few for its rate.
    let with = |cbfc: &str| {
        let chain = CHAIN.replace("credit.cbfc = {}", &format!("credit.cbfc = {cbfc}"));
        let report = by_every_runner(&plan(&chain, &[("flow.beside.priority", "5")]));
        assert!(dropped(&report) <= 0.0);
        value(&report, "flow beside", "max_delay")
    };
    let all = with("{ shared = {} }");
    assert!(all > 500e-6, "{all}");
    for shared in ["{ threshold = 100 }", "{ power = -1 }"] {
        let delay = with(&format!("{{ shared = {shared} }}"));
        assert!(delay < 100e-6, "{shared}: {delay}");
    }
}

#[test]
fn random_ties_and_cells_of_memory_keep_the_laws_of_shared_credits() {
    let chain = CHAIN.replace("cbfc = {}", "cbfc.shared.power = 1");
    for memory in ["{ preset = \"spectrum_1\" }", "{ cell = \"2 KiB\" }"] {
        let settings = [
            ("router.r1.ties", "random"),
            ("router.r2.ties", "random"),
            ("router.r1.memory", memory),
            ("router.r2.memory", memory),
            ("router.r1.buffer", "{ shared.size = \"8 MB\" }"),
            ("router.r2.buffer", "{ shared.size = \"8 MB\" }"),
            ("flow.beside.priority", "3"),
        ];
        let report = by_every_runner(&plan(&chain, &settings));
        assert!(dropped(&report) <= 0.0, "{memory}");
    }
}

#[test]
fn check_tells_the_credits_of_the_port() {
    let told = |cbfc: &str| {
        let computed = scenario(&blocked(2, cbfc), &[]).plan().computed();
        let of = |name: &str| {
            let at = format!("link.in.credit.cbfc.{name}");
            let found = computed.iter().find(|(path, _)| *path == at);
            found.map(|(_, told)| told.clone())
        };
        [of("limit"), of("shared")]
    };
    // Only one direction has flows.
    let [limit, shared] = told("{ shared = { port_limit = 116, power = 0 } }");
    assert_eq!(limit.as_deref(), Some("8 credits"));
    let shared = shared.expect("shared credits");
    assert_eq!(
        shared,
        "116 credits of the port, 100 of them shared, up to 50 by one"
    );
    assert_eq!(told("{ limit = 10 }"), [None, None]);
}

#[test]
fn shared_credits_that_cannot_be_are_refused() {
    let cases = [
        (
            "{ limit = 100, shared.port_limit = 199 }",
            "link.in.credit.cbfc.shared: the limits of all virtual channels of `in` are 200 credits",
            "at least `200`",
        ),
        (
            "{ limit = 600000, shared = {} }",
            "are 1200000 credits together, more than the port may use",
            "lower `limit`: a port has `1048575` at most",
        ),
        (
            "{ limit = 7, shared = {} }",
            "link.in.credit.cbfc.limit: the largest packets on `in` cost more credits",
            "write at least `8`",
        ),
        (
            "{ shared = { threshold = 10, power = 1 } }",
            "link.in.credit.cbfc.shared.power: `threshold` is given too",
            "leave one out",
        ),
        (
            "{ shared.priorities = [] }",
            "link.in.credit.cbfc.shared.priorities: no packet may use shared credits",
            "leave `shared` out",
        ),
        (
            "{ priorities = [0, 1], shared.priorities = [1, 2] }",
            "link.in.credit.cbfc.shared: priority 2 may use shared credits, and needs none",
            "leave it out of `shared`",
        ),
    ];
    for (cbfc, problem, hint) in cases {
        let told = refused::told(&blocked(2, cbfc), &[]);
        assert!(
            told.contains(problem) && told.contains(hint),
            "{cbfc}: {told}"
        );
    }
}
