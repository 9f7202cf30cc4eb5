//! Sweeps and settings: the points of a scenario, and the values at each.

use std::sync::Arc;

use scenario::{Scenario, ScenarioError};

const BASE: &str = r#"
duration = "1 s"
[host.a]
[host.b]
[switch.s]
buffer.per_output = "1000 cells"
[link.in]
between = ["a", "s"]
rate = "155.52 Mbit/s"
[link.out]
between = ["s", "b"]
rate = "155.52 Mbit/s"
[flow.f]
from = "a"
to = "b"
transport.tcp = {}
"#;

fn read(sweep: &str, settings: &[(&str, &str)]) -> Result<Scenario, ScenarioError> {
    let settings: Vec<(String, String)> = settings
        .iter()
        .map(|(path, value)| (path.to_string(), value.to_string()))
        .collect();
    Scenario::read(&format!("{BASE}{sweep}"), "x.toml", &settings)
}

/// The points of a scenario as text, with a line for each.
fn points(scenario: &Scenario) -> Vec<String> {
    let show = |(axis, value): &(String, String)| format!("{axis}={value}");
    let points = scenario.points.iter();
    points
        .map(|point| point.iter().map(show).collect::<Vec<_>>().join(" "))
        .collect()
}

const SWEEP: &str = r#"
[sweep]
"switch.s.buffer.per_output" = ["0.25 KiB", "1000 cells"]
[sweep.packet]
small = { "flow.f.transport.tcp.packet" = "512 B", "link.out.rate" = "150 Mbit/s" }
large = { "flow.f.transport.tcp.packet" = "9180 B" }
"#;

#[test]
fn a_scenario_without_sweep_has_one_point() {
    let scenario = read("", &[]).unwrap();
    assert_eq!(scenario.points, [vec![]]);
    assert_eq!(scenario.point(0).resolved(), scenario.resolved());
}

#[test]
fn points_are_called_as_they_are_written() {
    let scenario = read(SWEEP, &[]).unwrap();
    assert_eq!(
        points(&scenario),
        [
            "switch.s.buffer.per_output=0.25 KiB packet=small",
            "switch.s.buffer.per_output=0.25 KiB packet=large",
            "switch.s.buffer.per_output=1000 cells packet=small",
            "switch.s.buffer.per_output=1000 cells packet=large",
        ]
    );
}

#[test]
fn a_point_is_a_scenario_of_its_own() {
    let scenario = read(SWEEP, &[]).unwrap();
    let resolved = scenario.point(2).resolved();
    assert!(resolved.contains("packet = \"512 B\"") && resolved.contains("\"150 Mbit/s\""));
    assert!(!resolved.contains("sweep"), "{resolved}");
    let resolved = scenario.point(3).resolved();
    assert!(resolved.contains("\"9180 B\"") && !resolved.contains("\"150 Mbit/s\""));
}

#[test]
fn a_setting_of_a_path_that_varies_pins_it() {
    let pinned = read(SWEEP, &[("switch.s.buffer.per_output", "500 cells")]).unwrap();
    assert_eq!(points(&pinned), ["packet=small", "packet=large"]);
    assert!(
        pinned
            .point(0)
            .resolved()
            .contains("per_output = \"500 cells\"")
    );
    let without = read(SWEEP, &[("sweep", "{}")]).unwrap();
    assert_eq!(without.points.len(), 1);
    let along = read("", &[("sweep.\"seed\"", "[1, 2, 3]")]).unwrap();
    assert_eq!(points(&along), ["seed=1", "seed=2", "seed=3"]);
}

#[test]
fn a_setting_of_a_path_that_points_set_holds_at_all_of_them() {
    let pinned = read(SWEEP, &[("flow.f.transport.tcp.packet", "1500 B")]).unwrap();
    assert_eq!(pinned.points.len(), 4);
    for index in 0..4 {
        let resolved = pinned.point(index).resolved();
        assert!(resolved.contains("packet = \"1500 B\""), "{resolved}");
    }
}

#[test]
fn a_setting_of_a_table_that_holds_a_path_that_varies_is_refused() {
    let whole = ("flow.f.transport", "{ tcp = { packet = '1 kB' } }");
    let error = read(SWEEP, &[whole]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "--set:1:1: flow.f.transport: `sweep.packet` sets this as well\n  \
         hint: set only `flow.f.transport.tcp.packet`, or vary nothing: `--set 'sweep={}'`"
    );
    let alone = read(SWEEP, &[whole, ("sweep", "{}")]).unwrap();
    assert_eq!(alone.points.len(), 1);
    assert!(alone.resolved().contains("packet = \"1000 B\""));
}

#[test]
fn a_setting_of_a_family_takes_the_place_of_an_axis_of_its_kinds() {
    let sweep = "[sweep.policy]\n\
        tail = { 'switch.s.discard.tail_drop' = {} }\n\
        early = { 'switch.s.discard.early_packet' = {} }";
    let set = read(sweep, &[("switch.s.discard", "{ partial_packet = {} }")]).unwrap();
    assert_eq!(set.points.len(), 1);
    assert!(set.resolved().contains("partial_packet"));
}

#[test]
fn a_setting_within_what_an_axis_sets_is_refused() {
    let sweep = "[sweep]\n'flow.f.over' = [{ packet = {} }, { ubr = {} }]";
    let error = read(sweep, &[("flow.f.over.packet.framing", "40 B")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "--set:1:1: flow.f.over.packet.framing: `sweep.\"flow.f.over\"` sets this as well\n  \
         hint: leave it out and write the value into `sweep.\"flow.f.over\"`, or vary nothing: \
         `--set 'sweep={}'`"
    );
    let sweep = "[sweep]\n'flow.f.over.ubr.encapsulation' = ['8 B']";
    let error = read(sweep, &[("flow.f.over.packet", "{}")]).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("encapsulation\"` sets this as well")
    );
}

/// The setting that a hint proposes: a path and a value.
fn proposed(hint: &str) -> (String, String) {
    let (_, command) = hint.split_once("`--set '").expect("a setting in the hint");
    let (setting, _) = command.split_once("'`").expect("the end of the setting");
    let (path, value) = setting.split_once('=').expect("a path and a value");
    (path.to_string(), value.to_string())
}

#[test]
fn the_setting_that_a_hint_about_an_axis_proposes_mends_the_error() {
    let policies = include_str!("../../../examples/policies.toml");
    let framed = format!("{BASE}[sweep]\n'flow.f.over' = [{{ packet = {{}} }}, {{ ubr = {{}} }}]");
    let table = format!("{BASE}{SWEEP}");
    for (text, path, value) in [
        (
            policies,
            "switch.s1.discard.early_packet.threshold",
            "400 cells",
        ),
        (&framed, "flow.f.over.packet.framing", "40 B"),
        (&table, "flow.f.transport", "{ tcp = { packet = '1 kB' } }"),
    ] {
        let mut settings = vec![(path.to_string(), value.to_string())];
        let error = Scenario::read(text, "x.toml", &settings).unwrap_err();
        let hint = error.faults[0].hint.as_deref().unwrap();
        settings.push(proposed(hint));
        let mended = Scenario::read(text, "x.toml", &settings);
        assert!(mended.is_ok(), "{hint}: {}", mended.unwrap_err());
    }
}

#[test]
fn the_spelling_of_a_value_changes_nothing_but_what_the_point_is_called() {
    let sweep = |value: &str| format!("[sweep]\n'switch.s.buffer.per_output' = ['{value}']");
    let first = read(&sweep("500 kB"), &[]).unwrap();
    let second = read(&sweep("500000 B"), &[]).unwrap();
    assert_eq!(points(&first), ["switch.s.buffer.per_output=500 kB"]);
    assert_eq!(first.point(0).resolved(), second.point(0).resolved());
    let again = Scenario::read(&first.resolved(), "again.toml", &[]).unwrap();
    assert_eq!(again.points, first.points);
}

#[test]
fn a_sweep_may_be_narrowed_to_some_values() {
    let scenario = read(SWEEP, &[]).unwrap();
    let narrowed = scenario.narrowed("packet", &["large".to_string()]);
    let left = [
        "switch.s.buffer.per_output=0.25 KiB packet=large",
        "switch.s.buffer.per_output=1000 cells packet=large",
    ];
    assert_eq!(points(&narrowed), left);
    assert_eq!(
        narrowed.point(1).resolved(),
        scenario.point(3).resolved(),
        "the same point"
    );
    let again = Scenario::read(&narrowed.resolved(), "again.toml", &[]).unwrap();
    assert_eq!(points(&again), left);
    assert_eq!(again.point(1).resolved(), scenario.point(3).resolved());
}

#[test]
fn a_scenario_is_lowered_once_and_so_is_a_point() {
    let scenario = read(SWEEP, &[]).unwrap();
    assert!(Arc::ptr_eq(scenario.plan(), scenario.plan()));
    assert!(Arc::ptr_eq(scenario.plan(), scenario.point(0).plan()));
    let last = scenario.point(3);
    assert!(Arc::ptr_eq(last.plan(), last.clone().plan()));
    assert!(!Arc::ptr_eq(last.plan(), scenario.plan()));
    assert_eq!(last.plan().link_spec(1).rate.to_string(), "155.52 Mbit/s");
    assert_eq!(scenario.plan().link_spec(1).rate.to_string(), "150 Mbit/s");
}

#[test]
fn a_metric_of_something_that_is_not_there_is_told() {
    let scenario = read("", &[]).unwrap();
    for known in [
        "goodput",
        "flow f goodput",
        "port s->b mean_queue",
        "link a->s packets_lost",
        "class ubr at s->b mean_wait",
        "drop f at s->b overflow",
        "drop f overflow",
    ] {
        assert_eq!(scenario.fault_of_metric(known), None, "{known}");
    }
    for (unknown, problem, hint) in [
        (
            "godput",
            "`godput` is not a metric of the network",
            "did you mean `goodput`?",
        ),
        ("flow g goodput", "there is no flow `g`", "expected `f`"),
        (
            "port a->s mean_queue",
            "there is no port `a->s`",
            "expected one of `s->a`, `s->b`",
        ),
        (
            "drop g at s->b overflow",
            "there is no drop `g at s->b`",
            "expected `f`",
        ),
        (
            "host a goodput",
            "there are no metrics of a `host`",
            "write for example",
        ),
    ] {
        let told = scenario.fault_of_metric(unknown).expect(unknown);
        assert_eq!(told.0, problem);
        assert!(told.1.starts_with(hint), "{unknown}: {}", told.1);
    }
}

#[test]
fn a_setting_that_is_wrong_is_shown_in_its_place() {
    let error = read(
        "",
        &[
            ("switch.s.buffer.per_output", "500 celsl"),
            ("flow.f.over.pcket", "{}"),
        ],
    );
    assert_eq!(
        error.unwrap_err().to_string(),
        "--set:1:28: switch.s.buffer.per_output: `500 celsl` is not a buffer size: unknown unit \
         `celsl`\n  hint: did you mean `cells`? the units are `cells`, `B`, `kB`, `MB`, `GB`, `TB`, \
         `KiB`, `MiB`, `GiB`, `TiB`, `packets`\n\
         --set:1:19: flow.f.over.pcket: unknown kind `pcket`\n  \
         hint: did you mean `packet`? the kinds are `ubr`, `cbr`, `vbr`, `abr`, `packet`, \
         `ptm`, `gse`"
    );
}
