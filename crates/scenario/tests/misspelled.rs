//! Messages about names that only a setting or an axis has, and about values of settings.

use scenario::Scenario;

const NETWORK: &str = r#"duration = "1 s"
[host.a]
[host.b]
[switch.s1]
buffer.per_output = "100 cells"
[link.near]
between = ["a", "s1"]
rate = "10 Mbit/s"
[link.exit]
between = ["s1", "b"]
rate = "10 Mbit/s"
[flow.bulk]
from = "a"
to = "b"
transport.tcp = {}
"#;

/// The message about `text` with settings, and its warnings if it has no mistake.
fn told(text: &str, settings: &[(&str, &str)]) -> String {
    let settings = settings
        .iter()
        .map(|(path, value)| (path.to_string(), value.to_string()));
    let settings: Vec<_> = settings.collect();
    match Scenario::read(text, "x.toml", &settings) {
        Ok(scenario) => {
            let doubts: Vec<String> = scenario.doubts.iter().map(ToString::to_string).collect();
            doubts.join("\n") + if doubts.is_empty() { "" } else { "\n" }
        }
        Err(error) => error.to_string() + "\n",
    }
}

#[test]
fn a_setting_of_a_misspelled_part_names_the_part_that_was_meant() {
    let cases = [
        (
            "switch.s9.buffer.per_output",
            "10 cells",
            "switch `s9`",
            "s1",
        ),
        ("switch.s9.scheduler.round_robin", "{}", "switch `s9`", "s1"),
        (
            "flow.bluk.transport.tcp.window",
            "1 MiB",
            "flow `bluk`",
            "bulk",
        ),
        ("link.exti.rate", "5 Mbit/s", "link `exti`", "exit"),
    ];
    for (path, value, part, meant) in cases {
        let name = path.splitn(3, '.').take(2).collect::<Vec<_>>().join(".");
        let problem = format!("{name}: there is no {part}\n  hint: did you mean `{meant}`?\n");
        let set = format!("--set:1:{}: {problem}", path.len() + 2);
        assert_eq!(told(NETWORK, &[(path, value)]), set);
        let swept = format!("{NETWORK}[sweep]\n\"{path}\" = [{}]\n", quoted(value));
        let of_axis = told(&swept, &[]);
        assert!(
            of_axis.starts_with("x.toml:17:") && of_axis.ends_with(&problem),
            "{of_axis}"
        );
    }
    let unlike = told(NETWORK, &[("host.c.count", "2")]);
    assert_eq!(
        unlike,
        "--set:1:14: host.c: there is no host `c`\n  hint: expected one of `a`, `b`\n"
    );
    let edge = told(NETWORK, &[("edge.e.queue", "5 cells")]);
    assert_eq!(
        edge,
        "--set:1:14: edge.e: there is no edge `e`\n  hint: declare it as `[edge.e]`\n"
    );
}

fn quoted(value: &str) -> String {
    if value.starts_with('{') {
        value.to_string()
    } else {
        format!("\"{value}\"")
    }
}

#[test]
fn a_part_that_settings_give_as_a_whole_is_not_taken_for_a_misspelled_one() {
    let flow = (
        "flow.blk",
        r#"{ from = "a", to = "b", transport.tcp = {} }"#,
    );
    let window = ("flow.blk.transport.tcp.window", "1 MiB");
    assert_eq!(told(NETWORK, &[flow, window]), "");
    let router = ("router.r", r#"{ buffer.per_output = "1 MB" }"#);
    let between = (
        "link.side",
        r#"{ between = ["s1", "r"], rate = "1 Mbit/s" }"#,
    );
    assert_eq!(told(NETWORK, &[router, between]), "");
    assert_eq!(
        told(NETWORK, &[router]),
        "--set:1:10: router.r: no link leads to `r`\n  hint: join it by a `[link.NAME]` table, or leave out \
         `[router.r]`\n"
    );
    let lacks = told(
        NETWORK,
        &[("flow.blk", r#"{ from = "a", transport.tcp = {} }"#)],
    );
    assert!(lacks.contains("flow.blk.to: `to` is missing"), "{lacks}");
}

#[test]
fn columns_of_keys_and_values_of_a_setting_count_from_its_path() {
    let message = told(
        NETWORK,
        &[("flow.bulk.over.cbr", r#"{ bit = "1 Gbit/s" }"#)],
    );
    let places: Vec<&str> = message
        .lines()
        .filter(|line| line.starts_with("--set"))
        .collect();
    assert_eq!(places.len(), 2, "{message}");
    let of = |part: &str| {
        places
            .iter()
            .find(|line| line.contains(part))
            .unwrap()
            .split(": ")
            .next()
    };
    assert_eq!(of("rate"), Some("--set:1:20"));
    assert_eq!(of("bit"), Some("--set:1:22"));
}

#[test]
fn an_unknown_kind_beside_a_known_one_is_the_mistake() {
    let timers = ("flow.bulk.transport.tcp.timers", "{ bsd = {}, rfc = {} }");
    let message = told(NETWORK, &[timers]);
    assert!(
        message.contains(".timers.rfc: unknown kind `rfc`\n"),
        "{message}"
    );
}

/// The field's words, and those of other simulators, each with the name that the hint must give.
const WORDS: &[(&str, &str, &str)] = &[
    ("switch.s1.discard.epd", "{}", "`early_packet`"),
    ("switch.s1.discard.ppd", "{}", "`partial_packet`"),
    ("switch.s1.discard.red", "{}", "`random_early`"),
    ("switch.s1.scheduler.drr", "{}", "`deficit_round_robin`"),
    ("switch.s1.scheduler.wfq", "{}", "`self_clocked`"),
    ("flow.bulk.transport.udp", "{}", "`datagram`"),
    ("flow.bulk.over.atm", "{}", "`ubr`"),
    ("flow.bulk.source.cbr", "{}", "`constant_rate`"),
    (
        "flow.bulk.transport.tcp.mss",
        "536 B",
        "`packet`, which is `mss` and `header` together",
    ),
    (
        "flow.bulk.transport.tcp.rto_min",
        "1 s",
        "`timers.rfc6298 = { min = \"200 ms\" }`",
    ),
    ("flow.bulk.transport.tcp.rwnd", "1 MB", "`window`"),
    ("link.near.bandwidth", "1 Mbit/s", "`rate`"),
    ("link.near.latency", "1 ms", "`delay`"),
    (
        "flow.bulk.transport.tcp.congestion.tahoe",
        "{}",
        "`tahoe_gbn` or `tahoe_bsd`",
    ),
];

#[test]
fn the_words_of_the_field_lead_to_the_names_here() {
    for (path, value, name) in WORDS {
        let message = told(NETWORK, &[(path, value)]);
        let hint = message.split("  hint: ").nth(1).unwrap_or_default();
        assert!(hint.contains(name), "{message}");
    }
}

#[test]
fn a_value_that_is_no_rate_is_called_that() {
    let message = told(NETWORK, &[("flow.bulk.over.abr", r#"{ mcr = "x" }"#)]);
    assert!(message.contains("`x` is not a rate"), "{message}");
}

#[test]
fn warnings_about_flows_have_places_and_hints() {
    let text = NETWORK.replace(
        "tcp = {}",
        "tcp = { packet = \"1500 B\", congestion.dctcp = {} }\nover.abr = {}",
    );
    assert_eq!(
        told(&text, &[]),
        "x.toml:15:17: flow.bulk.transport.tcp: `dctcp` reacts to congestion marks, and no switch or \
         router on its path marks\n  hint: set `mark` at one of them\n\
         x.toml:16:12: flow.bulk.over.abr: `over.abr` adapts its rate to feedback, and no switch on its \
         path gives any\n  hint: set `rate` at one of them, for example `rate.erica = {}`\n"
    );
    let narrow = told(NETWORK, &[("flow.bulk.transport.tcp.window", "1 B")]);
    assert!(
        narrow.starts_with("--set:1:32: flow.bulk.transport.tcp.window: "),
        "{narrow}"
    );
    for feedback in ["rate", "mark"] {
        let given = format!("switch.s1.{feedback}");
        let kind = if feedback == "rate" {
            "{ erica = {} }"
        } else {
            "{ threshold = { above = \"50 cells\" } }"
        };
        assert_eq!(
            told(
                &text,
                &[
                    (&given, kind),
                    ("flow.bulk.transport.tcp.congestion", "{ sack = {} }")
                ]
            ),
            "",
            "{feedback}"
        );
    }
}
