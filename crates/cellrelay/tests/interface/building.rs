//! A scenario may be built, and is then the scenario that a file would give.

use cellrelay::{Builder, Duration, Error, NodeKind, Scenario, value};

use crate::TWO_SENDERS;

/// The scenario of the file, as values.
fn built() -> Builder {
    let mut builder = Builder::new();
    builder
        .set("title", "Two connections and a slow link")
        .set("duration", "10 s")
        .set("host.sender.count", 2)
        .set("host.receiver", value!({}))
        .set("switch.s1.buffer.per_output", "300 cells")
        .set("switch.s1.discard.early_packet", value!({}))
        .set(
            "link.fast",
            value!({ between = ["sender", "s1"], rate = "155.52 Mbit/s", delay = "1 ms" }),
        )
        .set(
            "link.slow",
            value!({ between = ["s1", "receiver"], rate = "25.6 Mbit/s", delay = "1 ms" }),
        )
        .set("flow.file.from", "sender")
        .set("flow.file.to", "receiver")
        .set(
            "flow.file.source.greedy.start",
            value!({ uniform = ["0 s", "10 ms"] }),
        )
        .set("flow.file.transport.tcp.congestion.sack", value!({}))
        .set("flow.file.jitter.packet_time", value!({}));
    builder
}

#[test]
fn a_built_scenario_is_that_of_the_file() {
    let (built, read) = (
        built().build().unwrap(),
        Scenario::parse(TWO_SENDERS).unwrap(),
    );
    assert_eq!(built.resolved(), read.resolved());
    assert_eq!(built.key(), read.key());
    assert_eq!(built.title(), read.title());
}

#[test]
fn a_scenario_tells_of_its_network() {
    let scenario = built().build().unwrap();
    let nodes = scenario.nodes();
    let hosts = nodes.iter().filter(|node| node.kind == NodeKind::Host);
    let hosts: Vec<String> = hosts.map(|node| node.name.to_string()).collect();
    assert_eq!(hosts, ["sender[0]", "sender[1]", "receiver"]);
    let links = scenario.links();
    assert_eq!(links.len(), 3);
    assert_eq!(links[2].bits_per_second, 25_600_000);
    assert_eq!(links[2].outputs[1].to_string(), "receiver->s1");
    let flow = &scenario.flows()[1];
    assert_eq!(flow.name.to_string(), "file[1]");
    assert_eq!(
        (flow.from().to_string(), flow.to().to_string()),
        ("sender[1]".to_string(), "receiver".to_string())
    );
}

#[test]
fn a_sweep_has_points() {
    let scenario = built()
        .set("sweep", value!({ duration = ["1 s", "2 s"] }))
        .build()
        .unwrap();
    assert_eq!(scenario.axes().collect::<Vec<_>>(), ["duration"]);
    let second = scenario.point(1).unwrap();
    assert_eq!(second.duration(), Duration::from_ms(2000));
    assert_eq!(scenario.points()[1], [("duration".into(), "2 s".into())]);
    assert!(scenario.point(2).is_none());
}

#[test]
fn mistakes_of_a_builder_are_told_by_their_paths() {
    let mut builder = built();
    builder
        .set("host.sender.cout", 3)
        .set("duration", "5 parsecs");
    let Err(Error::Scenario(error)) = builder.build() else {
        panic!("refused");
    };
    let mut paths: Vec<&str> = error.faults.iter().map(|fault| &*fault.path).collect();
    paths.sort_unstable();
    assert_eq!(paths, ["duration", "host.sender.cout"]);
    assert!(error.faults.iter().all(|fault| fault.location.is_none()));
    let bad_path = Builder::new().set("host..a", 3).build().unwrap_err();
    assert_eq!(
        bad_path.to_string(),
        "a name is missing in the path\n  hint: write a path such as `host.a.count`"
    );
}
