//! Switches in packet mode: the cells of a packet cross without interruption, and the switch carries
//! every uniform load.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::common::packets::{assert_counted, assert_in_order, traced};
use crate::common::{plan, run, value};
use kernel::Duration;

/// A cell time, and a slot.
const SLOT: Duration = Duration::from_us(1);

/// Lengths that vary.
const GEOMETRIC: &str = "geometric = { mean = \"10 cells\", max = \"31 cells\" }";

/// Packets of random lengths from every input to every output, `load` times what the links behind
/// the switch carry. The links before it are twice as fast.
pub fn text(fabric: &str, ports: u32, load: f64, duration: &str) -> String {
    let each = load * 424e6 / f64::from(ports);
    let mut flows = String::new();
    for output in 0..ports {
        write!(
            flows,
            "[flow.to{output}]\nfrom = \"input\"\nto = \"output[{output}]\"\n\
             transport.datagram = {{ packet = \"1500 B\", header = \"0 B\" }}\n\
             source.poisson = {{ length.{GEOMETRIC}, load = \"{each:.0} bit/s\" }}\n"
        )
        .expect("a text takes all");
    }
    format!(
        r#"
duration = "{duration}"
warm_up = "2 ms"
[host.input]
count = {ports}
[host.output]
count = {ports}
[switch.s]
fabric.virtual_output_queues = {{ clock = "424 Mbit/s", {fabric} }}
buffer.per_output = "1000000 cells"
[link.in]
between = ["input", "s"]
rate = "848 Mbit/s"
[link.out]
between = ["s", "output"]
rate = "424 Mbit/s"
{flows}"#
    )
}

#[test]
fn cells_of_a_packet_leave_together() {
    for (fabric, is_together) in [
        ("mode = \"packet\"", true),
        ("mode = \"packet\", matching.pim.iterations = 1", true),
        (
            "mode = \"packet\", matching.maximum_weight.weight = \"oldest_cell\"",
            true,
        ),
        ("mode = \"packet\", matching.maximum_size = {}", true),
        (
            "mode = \"packet\", matching.wavefront = {}, \
             input = { buffer.per_input = \"200 cells\", discard.partial_packet = {} }",
            true,
        ),
        ("mode = \"cell\"", false),
    ] {
        let text = text(fabric, 4, 0.9, "5 ms").replace("warm_up = \"2 ms\"", "warm_up = \"0 s\"");
        let plan = plan(&text, &[]);
        let (report, packets) = traced(&plan);
        assert_in_order(&plan, &packets);
        assert_counted(&plan, &report, &packets);
        // The times at which the packets have left each output, and their cells.
        let mut left: BTreeMap<u32, Vec<_>> = BTreeMap::new();
        for (row, hops) in packets.iter() {
            if let [_, at_switch] = hops {
                let ended = (at_switch.departed, row.cells);
                left.entry(at_switch.output).or_default().push(ended);
            }
        }
        let mut divided = 0;
        for ends in left.values_mut() {
            ends.sort_unstable();
            assert!(ends.len() > 100, "{fabric}: {}", ends.len());
            let pairs = ends.windows(2);
            let apart = pairs.filter(|pair| {
                let [(before, _), (end, cells)] = pair else {
                    unreachable!("windows of two")
                };
                end.since(*before) < SLOT * u64::from(*cells)
            });
            divided += apart.count();
        }
        assert_eq!(divided == 0, is_together, "{fabric}: {divided}");
    }
}

#[test]
fn packet_mode_carries_all_that_the_links_do() {
    for matching in [
        "islip.iterations = 1",
        "islip.iterations = 4",
        "wavefront = {}",
        "maximum_weight = {}",
        "maximum_size = {}",
    ] {
        let fabric = format!("mode = \"packet\", matching.{matching}");
        let report = run(&text(&fabric, 8, 1.6, "30 ms"), &[("warm_up", "10 ms")], 0);
        let carried: f64 = (0..8)
            .map(|output| value(&report, &format!("port s->output[{output}]"), "utilization"))
            .sum();
        println!("{matching}: {}", carried / 8.0);
        assert!(carried / 8.0 >= 0.9999, "{matching}: {}", carried / 8.0);
    }
}

#[test]
fn packets_of_one_length_wait_less_than_in_cell_mode() {
    // In cell mode the cells of several packets for one output alternate, and all of them arrive
    // late, as if the packets shared a processor.
    let delays = ["cell", "packet"].map(|mode| {
        let fabric = format!("mode = \"{mode}\", matching.islip.iterations = 4");
        let text = text(&fabric, 4, 0.8, "100 ms").replace(GEOMETRIC, "constant = \"20 cells\"");
        let report = run(&text, &[], 0);
        let delay = |flow| value(&report, &format!("flow to{flow}[0]"), "mean_delay");
        (0..4).map(delay).sum::<f64>() / 4.0
    });
    println!("{delays:?}");
    assert!(delays[1] < 0.95 * delays[0], "{delays:?}");
}
