//! Scheduled fabrics: the departure of each packet against an independent program, the throughput
//! that a round trip of grants allows, and the bounds of the buffers of an egress.

mod by_phases;
mod departures;

use std::fmt::Write;

use crate::common::packets::{assert_counted, assert_in_order, traced};
use crate::common::{assert_close, by_every_runner, plan, run, value};
use by_phases::{End, Packet, Setting, ends};
use models::metrics::Cause;
use scenario::capture::packets::PacketEnd;
use scenario::lower::Plan;

/// Transmission time of a cell of 424 bits at the outputs, in picoseconds.
const CELL_TIME: u64 = 1_000_000;

/// End of the runs that are compared with the independent program, in picoseconds.
const UNTIL: u64 = 1_000_000_000;

const LENGTHS: &str = "length.geometric = { mean = \"5 cells\", max = \"31 cells\" }";

/// The text of a fabric.
fn fabric(of: &Setting) -> String {
    let cell = of.payload.map_or(String::new(), |payload| {
        let header = of.header;
        format!(
            "cell = {{ payload = \"{payload} B\", header = \"{header} B\", adaptation.none = {{}} }}\n"
        )
    });
    let outages = of.outages.iter().map(|(link, from, to)| {
        let (link, at, lasts) = (link + 1, from / 1000, (to - from) / 1000);
        format!("{{ link = {link}, at = \"{at} ns\", lasts = \"{lasts} ns\" }}")
    });
    let outages = outages.collect::<Vec<_>>().join(", ");
    format!(
        "[switch.s.fabric.scheduled_cells]\ngrant = \"{} B\"\negress = \"{} B\"\n\
         speedup = {:?}\ncontrol_delay = \"{} ns\"\nlinks = {}\nlink_rate = \"{} bit/s\"\n\
         link_delay = \"{} ns\"\nskew = \"{} ns\"\ndetection = \"{} ns\"\n\
         reassembly_timeout = \"{} ns\"\noutages = [{outages}]\n{cell}",
        of.grant,
        of.egress,
        of.speedup,
        of.control_delay / 1000,
        of.links,
        of.link_rate,
        of.link_delay / 1000,
        of.skew / 1000,
        of.detection / 1000,
        of.reassembly_timeout / 1000,
    )
}

/// Inputs that send packets of random lengths to every output, `load` times what an output carries
/// in all.
fn network(of: &Setting, load: f64, duration: &str) -> String {
    let each = load * 424e6 / of.inputs as f64;
    sending(
        of,
        duration,
        &format!("poisson = {{ {LENGTHS}, load = \"{each:.0} bit/s\" }}"),
    )
}

/// Packets as those of [`network`], which come in slots of the transmission time of a cell.
fn slotted_network(of: &Setting, load: f64, duration: &str) -> String {
    let probability = load / of.inputs as f64 / 5.0 * 100.0;
    let source = format!("{LENGTHS}, slot = \"1 us\", probability = \"{probability:.3} %\"");
    sending(of, duration, &format!("bernoulli = {{ {source} }}"))
}

/// Inputs that send from this source to every output.
fn sending(of: &Setting, duration: &str, source: &str) -> String {
    let mut flows = String::new();
    for output in 0..of.outputs {
        write!(
            flows,
            "[flow.to{output}]\nfrom = \"input\"\nto = \"output[{output}]\"\n\
             transport.datagram = {{ packet = \"1500 B\", header = \"0 B\" }}\n\
             source.{source}\n"
        )
        .expect("a text takes all");
    }
    format!(
        r#"
duration = "{duration}"
warm_up = "0 s"
[host.input]
count = {}
[host.output]
count = {}
[switch.s]
buffer.per_output = "1000000 cells"
{}
[link.in]
between = ["input", "s"]
rate = "848 Mbit/s"
[link.out]
between = ["s", "output"]
rate = "424 Mbit/s"
{flows}"#,
        of.inputs,
        of.outputs,
        fabric(of),
    )
}

/// A setting without skew, in which grants are of `grant` cells and fit `grants` times into the
/// buffer.
fn setting(inputs: usize, grant: i64, grants: i64) -> Setting {
    Setting {
        inputs,
        outputs: 1,
        grant: grant * 53,
        egress: grants * grant * 53,
        speedup: 1.0,
        control_delay: 5_000_000,
        links: 2,
        link_rate: 424_000_000,
        link_delay: 0,
        skew: 0,
        payload: None,
        header: 0,
        cell_time: CELL_TIME,
        outages: Vec::new(),
        detection: 0,
        reassembly_timeout: 1_000_000,
    }
}

/// The packets that came to the switch, and their ends there.
fn passed(plan: &Plan) -> (Vec<Packet>, Vec<End>) {
    let (report, rows) = traced(plan);
    assert_in_order(plan, &rows);
    assert_counted(plan, &report, &rows);
    let number = |name: &str| -> usize {
        let (_, number) = name.split_once('[').unwrap_or(("", "0]"));
        number.trim_end_matches(']').parse().expect("a number")
    };
    let mut packets = Vec::new();
    for (row, hops) in rows.iter() {
        let [at_host, rest @ ..] = hops else { continue };
        let arrival = at_host.departed.ps();
        let flow = &plan.paths.flows[row.flow as usize];
        let ends = [flow.path[0].back(), flow.path[1]];
        let [input, output] = ends.map(|hop| number(&plan.node_name(plan.topology.head(hop))));
        let packet = Packet {
            input,
            output,
            cells: u64::from(row.cells),
            arrival,
        };
        let end = match (&row.end, rest) {
            (
                PacketEnd::Dropped {
                    at: Some(at),
                    cause: Cause::Fabric,
                    ..
                },
                [],
            ) => End::Dropped(at.ps()),
            (_, [at_switch]) if at_switch.departed.ps() < UNTIL => {
                End::Left(at_switch.departed.ps())
            }
            _ => End::Inside,
        };
        packets.push((packet, end));
    }
    packets.sort_by_key(|(packet, _)| (packet.arrival, packet.input));
    packets.into_iter().unzip()
}

/// The share of an output's link that greedy packets of one cell carry from `inputs` inputs.
fn utilization(of: &Setting) -> f64 {
    let text = single_cells(of);
    value(&run(&text, &[], 0), "port s->output", "utilization")
}

/// Packets of one cell from every input, together more than the output carries, all the time.
fn single_cells(of: &Setting) -> String {
    let text = network(of, 1.0, "3 ms").replace("count = 1\n", "");
    let text = text.replace("output[0]", "output");
    let source = "source.constant_rate = { rate = \"400 Mbit/s\" }";
    let lines = text.lines().map(|line| match line.split_once(" = ") {
        Some(("source.poisson", _)) => source.to_string(),
        Some(("warm_up", _)) => "warm_up = \"1 ms\"".to_string(),
        _ => line.to_string(),
    });
    let lines: Vec<String> = lines.map(|line| line + "\n").collect();
    lines
        .concat()
        .replace("packet = \"1500 B\"", "packet = \"40 B\"")
}

#[test]
fn the_throughput_is_that_of_the_grants_in_flight_over_their_round_trip() {
    // A grant of a cell is free again when its cell leaves: after the delay of the grant, and two
    // transmissions of a microsecond each with their delays.
    for (grants, control_delay, link_delay) in [(4, 5, 0), (6, 5, 1), (8, 5, 0), (3, 10, 4)] {
        let of = Setting {
            control_delay: control_delay * 1_000_000,
            link_delay: link_delay * 1_000_000,
            ..setting(3, 1, grants)
        };
        let round_trip = control_delay + 2 * (1 + link_delay);
        let expected = (grants as f64 / round_trip as f64).min(1.0);
        let found = utilization(&of);
        assert_close(
            found,
            expected,
            0.001,
            &format!("{grants} grants in {round_trip} us"),
        );
    }
}

#[test]
fn inputs_keep_what_does_not_fit_into_the_buffer_of_an_egress() {
    for (inputs, grant, grants) in [(2, 1, 20), (8, 1, 40), (16, 3, 16)] {
        let of = Setting {
            links: 4,
            ..setting(inputs, grant, grants)
        };
        let cells = grant * grants;
        // The output holds what the egress grants, and no cell more.
        let text = single_cells(&of).replace("1000000 cells", &format!("{cells} cells"));
        let report = run(&text, &[], 0);
        let of_port = |metric| value(&report, "port s->output", metric);
        assert!(of_port("cell_loss_ratio") <= 0.0, "{of:?}");
        assert!(of_port("max_queue") <= cells as f64, "{of:?}");
        assert_close(of_port("utilization"), 1.0, 0.001, "utilization");
        // Each input brings a cell of 40 octets of data in 0.8 us, and the output takes one in 1 us.
        let brought = inputs as f64 * 3000.0 / 0.8;
        let kept = brought - 3000.0;
        assert_close(
            of_port("max_input_queue"),
            kept,
            0.03,
            "cells that wait at inputs",
        );
    }
}

#[test]
fn an_output_holds_the_buffer_of_its_egress_and_an_overdraft_of_each_input() {
    // Packets of 31 cells; an input overdraws its credit by all octets of a packet but one.
    let mut most_held = 0.0;
    for grant in [53, 500, 1000, 2048] {
        let of = Setting {
            links: 4,
            grant,
            egress: 8 * grant,
            ..setting(4, 1, 8)
        };
        let held = (of.egress + 4 * (31 * 53 - 1)) / 53;
        let text = single_cells(&of).replace("1000000 cells", &format!("{held} cells"));
        let text = text.replace("packet = \"40 B\"", "packet = \"1480 B\"");
        let report = run(&text, &[], 0);
        let of_port = |metric| value(&report, "port s->output", metric);
        assert!(of_port("cell_loss_ratio") <= 0.0, "{of:?}");
        most_held = f64::max(most_held, of_port("max_queue") / (of.egress / 53) as f64);
    }
    assert!(most_held > 1.5, "{most_held}");
}

#[test]
fn inputs_that_ask_get_the_same_number_of_grants() {
    // Packets of 30 cells beside packets of one: inputs get the same octets.
    let of = setting(3, 10, 12);
    let text = single_cells(&of).replace("warm_up = \"1 ms\"", "warm_up = \"0.5 ms\"");
    let text = text.replacen("from = \"input\"", "from = \"input[0]\"", 1);
    let large = "[flow.large]\nfrom = \"input[1]\"\nto = \"output\"\n\
                 transport.datagram = { packet = \"1432 B\", header = \"0 B\" }\n\
                 source.constant_rate = { rate = \"600 Mbit/s\" }\n";
    let report = run(&format!("{text}{large}"), &[], 0);
    let [small, large] = ["flow to0", "flow large"].map(|flow| value(&report, flow, "goodput"));
    // A cell of 53 octets carries 40 octets of a small packet, and 30 cells carry 1432 of a large one.
    assert_close(
        small / 40.0,
        large / (1432.0 / 30.0),
        0.02,
        "cells of each input",
    );
    let whole = small / 40.0 + large / (1432.0 / 30.0);
    assert_close(whole * 53.0, 424e6, 0.02, "cells of both");
}

#[test]
fn cells_of_the_faster_link_wait_for_those_of_the_slower_one() {
    // One cell in a microsecond, by two links in turn, whose paths differ by twice the skew: the half of
    // the cells that take the faster one wait, each for twice the skew less a microsecond.
    for (skew, cells) in [(0, 0), (1, 1), (5, 5), (10, 10), (20, 20)] {
        let of = Setting {
            skew: skew * 1_000_000,
            ..setting(1, 1, 100)
        };
        let report = run(
            &single_cells(&of).replace("400 Mbit/s", "319 Mbit/s"),
            &[],
            0,
        );
        let most = value(&report, "port s->output", "max_reorder_buffer");
        assert_eq!(most as u64, cells * 53, "a skew of {skew} us");
    }
}

#[test]
fn packets_of_a_lane_keep_their_order_however_cells_are_sprayed() {
    let of = Setting {
        outputs: 2,
        links: 4,
        skew: 7_000_000,
        ..setting(3, 4, 30)
    };
    let text = network(&of, 0.9, "3 ms");
    let mut all_left = Vec::new();
    for spray in ["in_turn", "random"] {
        let setting = ("switch.s.fabric.scheduled_cells.spray", spray);
        let plan = plan(&text, &[setting]);
        let (packets, left) = passed(&plan);
        let mut last = std::collections::BTreeMap::new();
        for (packet, left) in packets.iter().zip(&left) {
            let End::Left(left) = left else { continue };
            let before = last.insert((packet.input, packet.output), *left);
            assert!(
                before.is_none_or(|before| before < *left),
                "{spray}: {packet:?}"
            );
        }
        let report = by_every_runner(&plan);
        assert!(value(&report, "port s->output[1]", "cell_loss_ratio") <= 0.0);
        assert!(value(&report, "port s->output[1]", "max_reorder_buffer") > 0.0);
        all_left.push(left);
    }
    assert_ne!(all_left[0], all_left[1]);
}

#[test]
fn a_fabric_without_a_link_carries_what_the_others_do() {
    // Four links of 106 Mbit/s carry what the output does; three carry three quarters of it, once the
    // inputs know of the outage.
    let of = Setting {
        links: 4,
        link_rate: 106_000_000,
        outages: vec![(2, 1_200_000_000, 3_000_000_000)],
        detection: 100_000_000,
        reassembly_timeout: 50_000_000,
        ..setting(3, 1, 100)
    };
    let text = single_cells(&of).replace("warm_up = \"1 ms\"", "warm_up = \"1.5 ms\"");
    let report = run(&text, &[], 0);
    let carried = value(&report, "port s->output", "utilization");
    assert_close(carried, 0.75, 0.002, "utilization without a link");
    let whole = Setting {
        outages: Vec::new(),
        ..of.clone()
    };
    assert_close(utilization(&whole), 1.0, 0.002, "utilization");
    // All packets are of one cell, so those that are lost were on the link: it begins one in 4 us for
    // 100 us until the inputs know, and some are on their way at the beginning.
    let plan = plan(&single_cells(&of), &[("warm_up", "0 s")]);
    let (packets, found) = passed(&plan);
    let lost = |ends: &[End]| {
        ends.iter()
            .filter(|end| matches!(end, End::Dropped(_)))
            .count()
    };
    assert_eq!(lost(&found), lost(&ends(&of, &packets, 3_000_000_000)));
    assert!((25..=60).contains(&lost(&found)), "{}", lost(&found));
}
