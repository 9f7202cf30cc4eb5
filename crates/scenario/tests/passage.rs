//! A count that is wrong stops the run, in every build, and the message names the nodes around it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kernel::{Duration, Time};
use models::metrics::DroppedUnit;
use models::node::AnyNode;
use scenario::run::SteppedRun;

use crate::common::{plan, seed};

const CHAIN: &str = r#"
duration = "0.2 s"
warm_up = "0.1 s"
[host.a]
[host.b]
[switch.first]
buffer.per_output = "100 cells"
[switch.second]
buffer.per_output = "100 cells"
[link.in]
between = ["a", "first"]
rate = "100 Mbit/s"
[link.trunk]
between = ["first", "second"]
rate = "20 Mbit/s"
[link.out]
between = ["second", "b"]
rate = "100 Mbit/s"
[flow.bulk]
from = "a"
to = "b"
source.greedy = {}
transport.tcp = { packet = "1500 B", window = "256 KiB" }
"#;

/// The message of a run of `text` whose network `fault` changes before it ends; empty if the run
/// ends well.
fn message(text: &str, settings: &[(&str, &str)], fault: impl Fn(&mut [AnyNode])) -> String {
    let plan = plan(text, settings);
    let mut steps = SteppedRun::new(&*plan, seed(0));
    steps.run_until(Time::from_ps(150_000_000_000));
    fault(&mut steps.network_mut().nodes);
    let ended = catch_unwind(AssertUnwindSafe(|| {
        steps.finish();
    }));
    ended.err().map_or_else(String::new, |panic| {
        *panic.downcast::<String>().expect("a text")
    })
}

/// Counts a unit at the first output of a node that never came there.
fn accept_one(node: &mut AnyNode) {
    for port in node.ports_mut() {
        port.meter_mut().accept(0, 1, true, Duration::ZERO, 0);
    }
}

fn packets() -> String {
    CHAIN.replace("[switch.", "[router.").replace("cells", "kB") + "over.packet = {}\n"
}

#[test]
fn a_run_with_right_counts_ends() {
    assert_eq!(message(CHAIN, &[], |_| ()), "");
    assert_eq!(message(&packets(), &[], |_| ()), "");
}

#[test]
fn a_unit_that_an_output_counts_twice_is_found_between_its_node_and_the_next() {
    for text in [CHAIN.to_string(), packets()] {
        let said = message(&text, &[], |nodes| accept_one(&mut nodes[2]));
        assert!(said.contains("` took "), "{said}");
        assert!(said.contains("`first` took"), "{said}");
        assert!(said.contains("`second` took"), "{said}");
    }
    // Also behind a scheduler, where accepted units wait in queues.
    let scheduled = [("switch.first.scheduler.round_robin", "{}")];
    let said = message(CHAIN, &scheduled, |nodes| accept_one(&mut nodes[2]));
    assert!(said.contains("switch `first` took"), "{said}");
}

#[test]
fn a_drop_that_did_not_happen_is_found_at_its_node() {
    let said = message(CHAIN, &[], |nodes| {
        let dropped = DroppedUnit {
            vc: 0,
            pdu: Some(1),
            eom: false,
            is_packet: false,
        };
        let now = Time::from_ps(150_000_000_000);
        nodes[3].ports_mut()[1]
            .meter_mut()
            .drop_unit(now, dropped, 1);
    });
    assert!(said.starts_with("switch `second` took "), "{said}");
    assert!(!said.contains("first"), "{said}");
}

#[test]
fn a_unit_that_a_host_does_not_count_is_found_at_the_host() {
    let said = message(CHAIN, &[], |nodes| {
        let AnyNode::Host(host) = &mut nodes[1] else {
            unreachable!("hosts come first")
        };
        host.arrived.cells -= 1;
    });
    assert!(said.starts_with("host `b` took "), "{said}");
}
