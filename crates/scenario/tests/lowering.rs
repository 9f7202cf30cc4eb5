//! Lowering: the flows of a scenario, their names and their paths.

use std::sync::Arc;

use scenario::Scenario;
use scenario::lower::Plan;

/// Two switches in a row, a detour over a third switch, and hosts at both ends.
fn plan(hosts: &str, flow: &str) -> Result<Arc<Plan>, String> {
    let join = |name: &str, first: &str, second: &str| {
        format!("[link.{name}]\nbetween = ['{first}', '{second}']\nrate = '155.52 Mbit/s'\n")
    };
    let switch = |name: &str| format!("[switch.{name}]\nbuffer.per_output = '1000 cells'\n");
    let text = [
        "duration = '1 s'\n".to_string(),
        hosts.to_string(),
        ["s", "upper", "lower", "t"].map(switch).concat(),
        join("left", "a", "s"),
        join("down", "s", "lower"),
        join("up", "s", "upper"),
        join("from_upper", "upper", "t"),
        join("from_lower", "lower", "t"),
        join("right", "t", "b"),
        format!("[flow.bulk]\ntransport.tcp = {{}}\n{flow}"),
    ];
    let scenario = Scenario::read(&text.concat(), "x.toml", &[]);
    let scenario = scenario.map_err(|error| error.to_string())?;
    Ok(scenario.plan().clone())
}

fn way(plan: &Plan, flow: usize) -> Vec<String> {
    let path = plan.paths.flows[flow].path.iter();
    path.map(|hop| plan.link_name(hop.link())).collect()
}

#[test]
fn flows_take_the_fewest_links_and_among_equals_those_written_first() {
    let there = plan("[host.a]\n[host.b]\n", "from = 'a'\nto = 'b'\n").unwrap();
    assert_eq!(way(&there, 0), ["left", "down", "from_lower", "right"]);
    let back = plan("[host.a]\n[host.b]\n", "from = 'b'\nto = 'a'\n").unwrap();
    assert_eq!(way(&back, 0), ["right", "from_upper", "up", "left"]);
    let near = plan(
        "[host.a]\ncount = 2\n[host.b]\n",
        "from = 'a[0]'\nto = 'a[1]'\n",
    );
    assert_eq!(way(&near.unwrap(), 0), ["left[0]", "left[1]"]);
}

#[test]
fn hosts_joined_without_a_switch_are_one_link_apart() {
    let hosts = "[host.a]\n[host.b]\n[host.x]\n[host.y]\n[link.xy]\nrate = '1 Mbit/s'\n\
                 between = ['x', 'y']\n";
    let joined = plan(hosts, "from = 'y'\nto = 'x'\n").unwrap();
    assert_eq!(way(&joined, 0), ["xy"]);
    let apart = plan(hosts, "from = 'y'\nto = 'a'\n").unwrap_err();
    assert!(
        apart.contains("there is no path from `y` to `a`"),
        "{apart}"
    );
}

#[test]
fn flows_are_numbered_where_their_hosts_are() {
    let names = |count: &str| {
        let hosts = format!("[host.a]\n{count}\n[host.b]\n");
        let plan = plan(&hosts, "from = 'a'\nto = 'b'\n").unwrap();
        let flows = 0..plan.paths.flows.len();
        flows.map(|flow| plan.flow_name(flow)).collect::<Vec<_>>()
    };
    assert_eq!(names(""), ["bulk"]);
    assert_eq!(names("count = 1"), ["bulk[0]"]);
    assert_eq!(names("count = 2"), ["bulk[0]", "bulk[1]"]);
}

#[test]
fn a_host_without_a_link_is_all_that_is_told() {
    let hosts = "[host.a]\n[host.b]\n[host.c]\n";
    let told = plan(hosts, "from = 'a'\nto = 'c'\n").unwrap_err();
    assert!(told.contains(": host.c: no link leads to `c`"), "{told}");
    assert_eq!(told.matches("hint").count(), 1, "{told}");
}

/// Lowering in time quadratic in the number of hosts would not end.
#[test]
fn a_hundred_thousand_hosts_are_lowered() {
    for (hosts, from, to, flows) in [
        ("[host.a]\ncount = 99999\n[host.b]\n", "a", "b", 99_999),
        ("[host.a]\n[host.b]\ncount = 99999\n", "a", "b", 99_999),
        (
            "[host.a]\ncount = 50000\n[host.b]\ncount = 50000\n",
            "b",
            "a",
            50_000,
        ),
    ] {
        let plan = plan(hosts, &format!("from = '{from}'\nto = '{to}'\n")).unwrap();
        assert_eq!(plan.paths.flows.len(), flows);
        assert_eq!(way(&plan, flows - 1).len(), 4);
    }
}
