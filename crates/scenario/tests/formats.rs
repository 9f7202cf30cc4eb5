//! Cells of other sizes than those of ATM, and memories that hold packets in cells.

use crate::common::{run, scenario, value};

/// A greedy flow over a link that limits it, in cells.
const GREEDY: &str = r#"
duration = "2 s"
warm_up = "1 s"
[host.a]
[host.b]
[switch.s]
buffer.per_output = "4000 cells"
[link.in]
between = ["a", "s"]
rate = "200 Mbit/s"
[link.out]
between = ["s", "b"]
rate = "100 Mbit/s"
[flow.bulk]
from = "a"
to = "b"
transport.tcp = { packet = "1500 B", header = "40 B", window = "60 kB" }
over.ubr = {}
"#;

/// Packets of one length that exceed a link, through a node that forwards them whole.
const OVERLOAD: &str = r#"
duration = "300 ms"
warm_up = "100 ms"
[host.a]
[host.b]
[router.r]
buffer.per_output = "1000 cells"
[link.in]
between = ["a", "r"]
rate = "100 Mbit/s"
[link.out]
between = ["r", "b"]
rate = "50 Mbit/s"
[flow.bulk]
from = "a"
to = "b"
source.constant_rate = { rate = "60 Mbit/s" }
transport.datagram = { packet = "97 B", header = "0 B" }
over.packet = {}
"#;

/// The share of the slow link that the user data of [`GREEDY`] takes.
fn share(cell: &str) -> f64 {
    let settings = [("cell", cell)];
    let report = run(GREEDY, &settings[..usize::from(!cell.is_empty())], 0);
    value(&report, "flow bulk", "goodput") / 100e6
}

#[test]
fn cells_of_atm_that_are_written_out_give_the_same_run() {
    let without = run(GREEDY, &[], 0).digest();
    for cell in [
        "{ preset = 'atm' }",
        "{ payload = '48 B', header = '5 B', adaptation = { aal5 = {} } }",
        "{ adaptation = { segments = { segment = '0 B', packet = '8 B' } } }",
    ] {
        assert_eq!(
            run(GREEDY, &[("cell", cell)], 0).digest(),
            without,
            "{cell}"
        );
    }
}

/// A packet of 1500 octets with 1460 of user data, in cells that are counted by hand.
#[test]
fn user_data_take_the_share_of_the_cells_that_carry_them() {
    for (cell, octets) in [
        // ceil(1508 / 48) = 32 cells.
        ("", 32 * 53),
        // ceil(1508 / 44) = 35 cells.
        ("{ preset = 'atm_aal34' }", 35 * 53),
        // ceil(1500 / 64) = 24, ceil(1500 / 96) = 16 and ceil(1500 / 256) = 6 cells.
        ("{ preset = 'octets_64' }", 24 * 64),
        ("{ preset = 'octets_96' }", 16 * 96),
        ("{ preset = 'octets_256' }", 6 * 256),
        ("{ preset = 'octets_256', header = '16 B' }", 6 * 272),
        // ceil(1508 / 240) = 7 cells.
        ("{ payload = '240 B', header = '16 B' }", 7 * 256),
    ] {
        let expected = 1460.0 / f64::from(octets);
        let found = share(cell);
        assert!(
            (found - expected).abs() < 0.001,
            "{cell}: {found}, not {expected}"
        );
    }
}

/// Packets of 97 octets take one cell of a memory, or several, counted by hand.
#[test]
fn a_memory_holds_as_many_packets_as_their_cells_fit() {
    for (memory, octets, cells) in [
        ("{ preset = 'spectrum_1' }", 96.0, 2.0),
        ("{ preset = 'spectrum_2' }", 144.0, 1.0),
        ("{ preset = 'spectrum_6' }", 256.0, 1.0),
        ("{ cell = '32 B' }", 32.0, 4.0),
        // One octet of the packet is not stored.
        ("{ cell = '96 B', framing = '1 B' }", 96.0, 1.0),
    ] {
        let report = run(OVERLOAD, &[("router.r.memory", memory)], 0);
        let port = "port r->b";
        assert!(
            (value(&report, port, "max_queue_octets") - 1000.0 * octets).abs() < 1e-9,
            "{memory}"
        );
        // A packet that is accepted into a full queue waits for those in 1000 cells: 97 octets at
        // 50 Mbit/s for each, and the packet in transmission.
        let longest = (1000.0 / cells) * 97.0 * 8.0 / 50e6;
        let delay = value(&report, "flow bulk", "max_delay");
        let own = 97.0 * 8.0 * (1.0 / 100e6 + 1.0 / 50e6);
        let packet = 97.0 * 8.0 / 50e6;
        assert!(
            delay > longest - packet && delay < longest + own + packet,
            "{memory}: {delay} s, not {longest} s"
        );
    }
}

/// Packets that fill their cells take what they would take of a memory that counts octets.
#[test]
fn cells_that_packets_fill_change_nothing() {
    let settings = |memory: &'static str| {
        [
            ("router.r.buffer.per_output", "97 kB"),
            ("flow.bulk.transport.datagram.packet", "'100 B'"),
            ("router.r.memory", memory),
        ]
    };
    let plain = run(OVERLOAD, &settings("")[..2], 0);
    let stored = run(OVERLOAD, &settings("{ cell = '50 B' }"), 0);
    assert_eq!(plain.scalars.len(), stored.scalars.len());
    for (one, other) in plain.scalars.iter().zip(&stored.scalars) {
        assert_eq!(
            (&one.scope, one.metric.name),
            (&other.scope, other.metric.name)
        );
        assert!(
            (one.value - other.value).abs() <= 1e-9 * one.value.abs(),
            "{one:?}, {other:?}"
        );
    }
}

/// A switch that stores ATM cells in cells of its own counts those: 64 octets each.
#[test]
fn a_switch_counts_its_own_cells_whatever_cells_travel() {
    let settings = [
        ("switch.s.buffer.per_output", "64 kB"),
        ("switch.s.memory.cell", "64 B"),
        (
            "flow.bulk.transport",
            "{ datagram = { packet = '1500 B' } }",
        ),
        (
            "flow.bulk.source",
            "{ constant_rate = { rate = '120 Mbit/s' } }",
        ),
    ];
    let stored = run(GREEDY, &settings, 0);
    let queue = value(&stored, "port s->b", "max_queue");
    assert!((queue - 1000.0).abs() < 1e-9, "{queue} cells");
    let plain = run(GREEDY, &[settings[0], settings[2], settings[3]], 0);
    let queue = value(&plain, "port s->b", "max_queue");
    assert!((queue - 1207.0).abs() < 1e-9, "{queue} cells");
}

/// `cell` is a part of the key of a run, unless it is left out.
#[test]
fn runs_of_other_cells_have_other_keys() {
    let key = |settings: &[(&str, &str)]| scenario::run::key::key(&scenario(GREEDY, settings).spec);
    assert_ne!(key(&[]), key(&[("cell.preset", "octets_64")]));
}
