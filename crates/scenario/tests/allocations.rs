//! Nothing is allocated per cell, nor per packet.

mod common;

use common::{plan, seed, ten_tcp};
use kernel::{OnDemand, Runner, Time};

/// Allocations while ten TCPs run, once queues and tables have reached their sizes.
fn allocations(settings: &[(&str, &str)]) -> u64 {
    let plan = plan(&ten_tcp(), settings);
    let mut network = plan.network(seed(0));
    let mut runner = OnDemand::default();
    let at = |ms: u64| Time::from_ps(ms * 1_000_000_000);
    runner.run(&mut network, at(1_000));
    let counted = allocation_counter::measure(|| runner.run(&mut network, at(1_500)));
    counted.count_total
}

#[test]
fn half_a_second_of_cells_allocates_next_to_nothing() {
    // 170,000 cells leave the switch in that time, in 900 PDUs or 15,000.
    for (packet, most) in [("9180 B", 20), ("512 B", 100)] {
        for fabric in ["immediate", "slotted"] {
            let fabric = format!("switch.s1.fabric.{fabric}");
            let settings = [("flow.bulk.transport.tcp.packet", packet), (&*fabric, "{}")];
            let counted = allocations(&settings);
            assert!(
                counted <= most,
                "{counted} allocations for packets of {packet}"
            );
        }
    }
}

#[test]
fn half_a_second_of_packets_allocates_next_to_nothing() {
    let settings = [
        ("flow.bulk.transport.tcp.packet", "512 B"),
        ("flow.bulk.over.packet", "{}"),
        ("flow.telnet.over.packet", "{}"),
    ];
    let counted = allocations(&settings);
    assert!(counted <= 100, "{counted} allocations for 17,000 packets");
}
