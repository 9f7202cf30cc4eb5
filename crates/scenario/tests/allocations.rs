//! A run allocates no memory per cell or per packet.

use crate::common::{plan, seed, ten_tcp};
use kernel::{OnDemand, Runner, Time};

/// Allocations of ten TCP connections, counted once queues and tables have reached their sizes.
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
    // 170,000 cells leave the switch while allocations are counted, in 900 or 15,000 PDUs.
    let immediate = ("switch.s1.fabric.immediate", "{}");
    let slotted = ("switch.s1.fabric.slotted", "{}");
    let virtual_queues = ("switch.s1.fabric.virtual_output_queues", "{}");
    let knockout = ("switch.s1.fabric.knockout", "{ paths = 2 }");
    let scheduled_cells = (
        "switch.s1.fabric.scheduled_cells",
        "{ grant = \"50 cells\", egress = \"1000 cells\", control_delay = \"2 us\", links = 4, \
         link_rate = \"50 Mbit/s\" }",
    );
    let round_robin = ("switch.s1.scheduler.round_robin", "{}");
    let shared = ("switch.s1.buffer.shared", "{ size = \"1000 cells\" }");
    let fair = ("switch.s1.scheduler.self_clocked", "{}");
    let drop = ("switch.s1.discard.selective_drop", "{}");
    let mark = ("switch.s1.mark.threshold.above", "100 cells");
    for (size, most) in [("9180 B", 20), ("512 B", 100)] {
        let packet = ("flow.bulk.transport.tcp.packet", size);
        for settings in [
            &[packet, immediate][..],
            &[packet, slotted],
            &[packet, virtual_queues],
            &[packet, knockout],
            &[packet, scheduled_cells],
            &[packet, round_robin, shared, mark],
            &[packet, immediate, drop],
            &[packet, fair, drop],
        ] {
            let counted = allocations(settings);
            assert!(counted <= most, "{counted} allocations with {settings:?}");
        }
    }
}

#[test]
fn half_a_second_of_packets_allocates_next_to_nothing() {
    for scheduler in [
        "fifo",
        "deficit_round_robin",
        "self_clocked",
        "headers_first",
    ] {
        let scheduler = format!("switch.s1.scheduler.{scheduler}");
        let settings = [
            (&*scheduler, "{}"),
            ("flow.bulk.transport.tcp.packet", "512 B"),
            ("flow.bulk.over.packet", "{}"),
            ("flow.telnet.over.packet", "{}"),
        ];
        let counted = allocations(&settings);
        assert!(counted <= 100, "{counted} allocations for 17,000 packets");
        let trims = ("switch.s1.discard.trim", "{}");
        let counted = allocations(&[&settings[..], &[trims]].concat());
        assert!(
            counted <= 100,
            "{counted} allocations where packets are trimmed"
        );
    }
}
