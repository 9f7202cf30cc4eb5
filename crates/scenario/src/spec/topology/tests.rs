//! Topologies, tested by the plans to which they are lowered.

use std::sync::Arc;

use crate::Scenario;
use crate::lower::{NodeKind, Plan};

const SWITCH: &str = "switch.buffer.per_output = \"100 cells\"";

/// The plan of a scenario with a topology and a flow, or its problems.
fn plan(topology: &str, flow: &str) -> Result<Arc<Plan>, String> {
    let text = format!(
        "duration = \"1 s\"\n[topology]\n{topology}\n[flow.f]\n{flow}\ntransport.tcp = {{}}\n"
    );
    let scenario = Scenario::read(&text, "x.toml", &[]).map_err(|error| error.to_string())?;
    Ok(scenario.plan().clone())
}

/// Names of the nodes that a flow passes.
fn passed(plan: &Plan, flow: usize) -> Vec<String> {
    let path = plan.paths.flows[flow].path.iter();
    path.map(|hop| plan.node_name(plan.topology.head(hop.back())))
        .collect()
}

fn count(plan: &Plan, kind: NodeKind) -> usize {
    let nodes = plan.topology.nodes.iter();
    nodes.filter(|node| node.kind == kind).count()
}

fn sizes(plan: &Plan) -> [usize; 3] {
    let links = plan.topology.links.len();
    [
        count(plan, NodeKind::Host),
        count(plan, NodeKind::Switch),
        links,
    ]
}

const LINES: &str =
    "access = { rate = \"100 Mbit/s\" }, trunk = { rate = \"50 Mbit/s\", delay = \"1 ms\" }";

#[test]
fn a_sweep_may_vary_parameters_of_a_topology() {
    let topology = format!("bottleneck = {{ pairs = 3, {LINES}, {SWITCH} }}");
    let text = format!(
        "duration = \"1 s\"\n[topology]\n{topology}\n\
         [flow.f]\nfrom = \"sender\"\nto = \"receiver\"\ntransport.tcp = {{}}\n\
         [sweep]\n\"topology.bottleneck.pairs\" = [1, 4]\n\
         \"topology.bottleneck.trunk.rate\" = [\"10 Mbit/s\", \"20 Mbit/s\"]\n"
    );
    let scenario = Scenario::read(&text, "x.toml", &[]).expect("no mistakes");
    let points = (0..4).map(|index| {
        let point = scenario.point(index);
        let plan = point.plan();
        let rates = (0..plan.topology.links.len()).map(|link| plan.link_spec(link).rate);
        let slowest = rates.min().expect("there are links");
        (count(plan, NodeKind::Host), slowest.to_string())
    });
    let points: Vec<(usize, String)> = points.collect();
    let told: Vec<(usize, &str)> = points.iter().map(|(n, rate)| (*n, &**rate)).collect();
    assert_eq!(
        told,
        [
            (2, "10 Mbit/s"),
            (2, "20 Mbit/s"),
            (8, "10 Mbit/s"),
            (8, "20 Mbit/s")
        ]
    );
}

#[test]
fn a_bottleneck_has_one_link_that_all_share() {
    let topology = format!("bottleneck = {{ pairs = 3, {LINES}, {SWITCH} }}");
    let plan = plan(&topology, "from = \"sender\"\nto = \"receiver\"").expect("no mistakes");
    assert_eq!(sizes(&plan), [6, 2, 7]);
    assert_eq!(passed(&plan, 2), ["sender[2]", "s1", "s2"]);
}

#[test]
fn a_chain_is_as_long_as_it_says() {
    let topology = format!("chain = {{ switches = 4, hosts = 2, {LINES}, {SWITCH} }}");
    let plan = plan(&topology, "from = \"h1\"\nto = \"h4\"").expect("no mistakes");
    assert_eq!(sizes(&plan), [8, 4, 11]);
    assert_eq!(passed(&plan, 1), ["h1[1]", "s1", "s2", "s3", "s4"]);
}

#[test]
fn senders_join_a_parking_lot_one_after_another_and_are_as_far_as_it_says() {
    let topology = format!(
        "parking_lot = {{ switches = 4, cross = 2, path_delay = \"5 ms\", {LINES}, {SWITCH} }}"
    );
    let plan = plan(&topology, "from = \"sender\"\nto = \"receiver\"").expect("no mistakes");
    // Three senders, three receivers, and two pairs of hosts beside each of three trunks.
    assert_eq!(sizes(&plan), [6 + 12, 4, 6 + 3 + 12]);
    assert_eq!(passed(&plan, 0), ["sender[0]", "s1", "s2", "s3", "s4"]);
    assert_eq!(passed(&plan, 2), ["sender[2]", "s3", "s4"]);
    for flow in &plan.paths.flows {
        let delays = flow.path.iter().map(|hop| plan.link_spec(hop.link()).delay);
        assert_eq!(delays.map(|delay| delay.0.ps()).sum::<u64>(), 5_000_000_000);
    }
}

#[test]
fn a_star_has_one_switch() {
    let topology = format!("star = {{ hosts = 5, access = {{ rate = \"1 Gbit/s\" }}, {SWITCH} }}");
    let plan = plan(&topology, "from = \"host[0]\"\nto = \"host[4]\"").expect("no mistakes");
    assert_eq!(sizes(&plan), [5, 1, 5]);
}

#[test]
fn a_fat_tree_has_as_many_of_all_as_was_published() {
    for (ports, hosts, switches) in [(2, 2, 5), (4, 16, 20), (8, 128, 80)] {
        let topology = format!(
            "fat_tree = {{ ports = {ports}, access = {{ rate = \"1 Gbit/s\" }}, {SWITCH} }}"
        );
        let far = format!("from = \"host[0]\"\nto = \"host[{}]\"", hosts - 1);
        let plan = plan(&topology, &far).expect("no mistakes");
        // Each of the three layers has an equal number of links.
        assert_eq!(sizes(&plan), [hosts, switches, 3 * hosts]);
        assert_eq!(plan.paths.flows[0].path.len(), 6);
        // All ports of every switch have links; a core switch has a link to each pod.
        for (number, node) in plan.topology.nodes.iter().enumerate() {
            if node.kind == NodeKind::Switch {
                assert_eq!(plan.topology.outputs(number).len(), ports);
            }
        }
    }
}

#[test]
fn a_flow_of_a_fat_tree_may_take_any_of_its_cores() {
    let topology =
        format!("fat_tree = {{ ports = 4, access = {{ rate = \"1 Gbit/s\" }}, {SWITCH} }}");
    let flow = "from = \"host[0]\"\nto = \"host[15]\"\n\
                route = [\"edge1_1\", \"aggregation1_2\", \"core4\", \"aggregation4_2\", \"edge4_2\"]";
    let plan = plan(&topology, flow).expect("no mistakes");
    let expected = [
        "host[0]",
        "edge1_1",
        "aggregation1_2",
        "core4",
        "aggregation4_2",
        "edge4_2",
    ];
    assert_eq!(passed(&plan, 0), expected);
}

#[test]
fn mistakes_in_parts_name_the_parameters_of_the_topology() {
    let switch = "switch = { buffer.per_output = \"100 cells\", discard.early_packet.threshold = \"200 cells\" }";
    let topology = format!("bottleneck = {{ pairs = 2, {LINES}, {switch} }}");
    let error = plan(&topology, "from = \"sender\"\nto = \"receiver\"").err();
    let error = error.expect("a mistake");
    assert_eq!(error.lines().count(), 2, "{error}");
    assert!(
        error.contains(
            "topology.bottleneck.switch.discard.early_packet.threshold: `200 cells` exceeds"
        ),
        "{error}"
    );
}
