//! Sweeps that are read, narrowed and refused.

use super::*;
use crate::document;
use crate::spec::ScenarioSpec;
use parameters::SourceId;

pub(crate) fn read(text: &str) -> Result<Sweep, String> {
    let mut problems = Problems::default();
    let root = document::parse(SourceId(0), text).unwrap();
    let sweep = Sweep::read(&root, &Path::root().key("sweep"), &mut problems);
    sweep.ok_or_else(|| problems.to_string())
}

pub(crate) fn pin(sweep: &mut Sweep, path: &str) {
    sweep.pin(&Path::parse(path).unwrap(), ScenarioSpec::known_shape());
}

pub(crate) const SWEEP: &str = r#"
    "switch.s1.buffer.per_output" = ["256 cells", "1000 cells"]
    [packet]
    512 = { "flow.bulk.transport.tcp.packet" = "512 B", "link.exit.rate" = "141 Mbit/s" }
    1500 = { "flow.bulk.transport.tcp.packet" = "1500 B", "link.exit.rate" = "142 Mbit/s" }
    9180 = { "flow.bulk.transport.tcp.packet" = "9180 B" }
"#;

#[test]
fn points_are_all_combinations_and_the_last_axis_varies_fastest() {
    let sweep = read(SWEEP).unwrap();
    let labels = |index| {
        let labels: Vec<&str> = sweep
            .at(index)
            .iter()
            .map(|point| point.label.as_str())
            .collect();
        labels.join(", ")
    };
    assert_eq!(sweep.len(), 6);
    assert_eq!(labels(0), "256 cells, 512");
    assert_eq!(labels(1), "256 cells, 1500");
    assert_eq!(labels(5), "1000 cells, 9180");
    assert_eq!(sweep.at(1)[1].settings.len(), 2);
}

#[test]
fn what_is_written_reads_back() {
    let sweep = read(SWEEP).unwrap();
    let again = read(&crate::document::render::render(
        sweep.write().table().unwrap(),
    ))
    .unwrap();
    assert_eq!(again.write(), sweep.write());
}

#[test]
fn a_pinned_path_no_longer_varies() {
    let mut sweep = read(SWEEP).unwrap();
    pin(&mut sweep, "switch.s1.buffer.per_output");
    assert_eq!(sweep.len(), 3);
    pin(&mut sweep, "link.exit.rate");
    assert_eq!(sweep.len(), 3);
    pin(&mut sweep, "flow.bulk.transport.tcp.packet");
    assert!(sweep.is_empty());
}

#[test]
fn an_axis_may_be_narrowed_to_some_of_its_points() {
    let without =
        "without = [{ packet = ['512', '9180'], 'switch.s1.buffer.per_output' = '256 cells' }]";
    let mut sweep = read(&format!("{without}\n{SWEEP}")).unwrap();
    sweep.narrow("packet", &["9180".to_string(), "1500".to_string()]);
    assert_eq!(sweep.len(), 3);
    let again = read(&crate::document::render::render(
        sweep.write().table().unwrap(),
    ))
    .unwrap();
    assert_eq!(again.len(), 3);
    sweep.narrow("packet", &["1500".to_string()]);
    assert_eq!((sweep.len(), sweep.without.len()), (2, 0));
}

#[test]
fn points_that_differ_only_in_a_pinned_path_become_one() {
    let mut sweep = read(SWEEP).unwrap();
    pin(&mut sweep, "link.exit.rate");
    pin(&mut sweep, "switch.s1.buffer.per_output");
    assert_eq!(sweep.len(), 3);
    let mut sweep = read(SWEEP).unwrap();
    pin(&mut sweep, "flow.bulk.transport.tcp.packet");
    assert_eq!(sweep.len(), 2 * 3);
}

#[test]
fn a_table_above_a_path_pins_it_only_if_the_path_names_one_of_its_kinds() {
    let mut sweep = read(SWEEP).unwrap();
    for above in ["switch", "flow.bulk.transport.tcp", "flow.bulk.transport"] {
        pin(&mut sweep, above);
        assert_eq!(sweep.len(), 2 * 3, "{above}");
    }
    // `per_output` is a kind of buffer.
    pin(&mut sweep, "switch.s1.buffer");
    assert_eq!(sweep.len(), 3);
}

#[test]
fn mistakes_are_told() {
    for (text, problem) in [
        (
            "seed = 1",
            "sweep.seed: `1` is not a list of values\n  hint: write `[1]`",
        ),
        ("seed = []", "sweep.seed: an axis has no values"),
        ("seed = [1, 1]", "sweep.seed[1]: `1` is listed twice"),
        (
            "title = ['a']",
            "sweep.title: `title` is not the path of a value that may vary",
        ),
        (
            "'flow.bulk' = [1]",
            "sweep.\"flow.bulk\": `flow.bulk` is not the path",
        ),
        (
            "'fow.bulk.to' = ['a']",
            "sweep.\"fow.bulk.to\": `fow.bulk.to` is not the path of a value that may vary\n  hint: did you mean a path that begins with `flow`?",
        ),
        (
            "'flow..to' = ['a']",
            "sweep.\"flow..to\": a name is missing",
        ),
        (
            "switch.s1.buffer = [1]",
            "sweep.switch: `switch` cannot name an axis\n  hint: a path is written in quotes",
        ),
        ("packet = {}", "sweep.packet: an axis has no points"),
        (
            "packet.a = 1",
            "sweep.packet.a: `1` is not a table of paths",
        ),
        (
            "packet.a = { b = 1 }",
            "sweep.packet.a.b: `b` is not the path",
        ),
        (
            "seed = [1]\nx.a = { seed = 2 }",
            "sweep.x: `seed` is set by the axis `seed` as well",
        ),
    ] {
        let told = read(text).unwrap_err();
        assert!(told.starts_with(problem), "{text}: {told}");
        assert!(told.contains("hint: "), "{told}");
    }
    let thousand: Vec<String> = (0..1000).map(|value| value.to_string()).collect();
    let axis = |path: &str| format!("'{path}' = [{}]\n", thousand.join(","));
    let text = axis("flow.a.b") + &axis("flow.a.c") + &axis("flow.a.d");
    assert!(read(&text).unwrap_err().contains("more than 20000 points"));
}
