//! Captures: the contents of the files, octet by octet, and runs that a capture leaves unchanged.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use crate::common::{CROSSING, check, plan, run, seed};
use scenario::capture::CaptureOptions;
use scenario::report::Report;
use scenario::run::{Simulation, Stopped};

/// Files by name.
pub type Files = BTreeMap<String, Vec<u8>>;

/// One run with its captures.
pub fn capture(text: &str, settings: &[(&str, &str)], options: &CaptureOptions) -> (Report, Files) {
    let plan = plan(text, settings);
    let files = RefCell::new(Files::new());
    let mut simulation = Simulation::new(&plan, seed(0));
    simulation.capture(
        options,
        Box::new(|name, octets| {
            let mut files = files.borrow_mut();
            files.entry(name.to_string()).or_default().extend(octets);
            Ok(())
        }),
    );
    let report = simulation.run(|_| true).expect("nobody stops it");
    (report, files.into_inner())
}

/// A packet block of a file.
#[derive(Debug)]
pub struct Packet {
    pub nanoseconds: u64,
    pub length: u32,
    pub data: Vec<u8>,
    flags: u32,
    comment: String,
}

/// The blocks of a file: kind and body, which stands between two equal lengths.
fn blocks(mut file: &[u8]) -> Vec<(u32, &[u8])> {
    let mut blocks = Vec::new();
    while !file.is_empty() {
        let length = word(file, 4) as usize;
        assert_eq!(length % 4, 0);
        assert_eq!(word(file, length - 4) as usize, length);
        blocks.push((word(file, 0), &file[8..length - 4]));
        file = &file[length..];
    }
    blocks
}

fn word(octets: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(octets[at..at + 4].try_into().expect("four octets"))
}

/// Options by code; a list of them ends with a zero.
fn options(mut octets: &[u8]) -> BTreeMap<u32, &[u8]> {
    let mut options = BTreeMap::new();
    loop {
        let (code, length) = (word(octets, 0) & 0xFFFF, (word(octets, 0) >> 16) as usize);
        if code == 0 {
            return options;
        }
        options.insert(code, &octets[4..4 + length]);
        octets = &octets[4 + length.next_multiple_of(4)..];
    }
}

/// The packets of a file.
pub fn packets(file: &[u8]) -> Vec<Packet> {
    let blocks = blocks(file);
    let packets = blocks.iter().filter(|(kind, _)| *kind == 6);
    packets
        .map(|(_, body)| {
            let kept = word(body, 12) as usize;
            let options = options(&body[20 + kept.next_multiple_of(4)..]);
            let comment = options.get(&1).copied().unwrap_or_default();
            Packet {
                nanoseconds: u64::from(word(body, 4)) << 32 | u64::from(word(body, 8)),
                length: word(body, 16),
                data: body[20..20 + kept].to_vec(),
                flags: word(options[&2], 0),
                comment: String::from_utf8(comment.to_vec()).expect("text"),
            }
        })
        .collect()
}

/// A connection with a handshake, a lost cell, and SACK blocks for the data beyond it.
const SMALL: &str = r#"
title = "A lost cell"
duration = "1.1 ms"
[host.a]
[host.b]
[switch.s]
buffer.per_output = "100 cells"
[link.in]
between = ["a", "s"]
rate = "155.52 Mbit/s"
delay = "100 us"
[link.out]
between = ["s", "b"]
rate = "155.52 Mbit/s"
delay = "100 us"
loss.nth_cell = [2]
[flow.f]
from = "a"
to = "b"
over.ubr.encapsulation = "8 B"
[flow.f.transport.tcp]
packet = "140 B"
initial_window = 3
window = "1 MiB"
window_counts = "data"
handshake = true
congestion.sack = {}
"#;

/// Directions, as the flags of a packet have them.
const INWARD: u32 = 1;
const OUTWARD: u32 = 2;

/// Every block of every file, in hexadecimal.
#[test]
fn a_small_capture_octet_by_octet() {
    let options = CaptureOptions {
        origin: "test.toml".to_string(),
        snaplen: None,
    };
    let (_, files) = capture(SMALL, &[], &options);
    let mut text = String::new();
    for (name, file) in &files {
        writeln!(text, "{name}").expect("a string can be written to");
        for (kind, body) in blocks(file) {
            writeln!(text, "  block {kind:#x} of {} octets", body.len() + 12)
                .expect("a string can be written to");
            for line in body.chunks(16) {
                let hex: Vec<String> = line.iter().map(|octet| format!("{octet:02x}")).collect();
                let plain = line.iter().map(|octet| match octet {
                    0x20..0x7f => char::from(*octet),
                    _ => '.',
                });
                let plain: String = plain.collect();
                writeln!(text, "    {:47}  {plain}", hex.join(" "))
                    .expect("a string can be written to");
            }
        }
    }
    check("capture.txt", &text);
}

#[test]
fn capturing_changes_nothing_and_gives_the_same_files_again() {
    let mut plain = run(CROSSING, &[], 0);
    let (report, files) = capture(CROSSING, &[], &CaptureOptions::default());
    // A tap inspects every cell, so a captured run takes more node visits.
    plain.events.visits = report.events.visits;
    assert_eq!(report, plain);
    // Six hosts and the outputs of two switches, to three hosts each and to one another.
    assert_eq!(files.len(), 6 + 8);
    let (_, again) = capture(CROSSING, &[], &CaptureOptions::default());
    assert!(files == again);
}

#[test]
fn a_file_for_each_point_holds_what_passed_it_in_order() {
    let (report, files) = capture(CROSSING, &[], &CaptureOptions::default());
    for (name, file) in &files {
        let packets = packets(file);
        assert!(!packets.is_empty(), "{name}");
        assert!(
            packets.is_sorted_by_key(|packet| packet.nanoseconds),
            "{name}"
        );
        assert!(
            packets
                .iter()
                .all(|packet| packet.nanoseconds <= 30_000_000)
        );
    }
    let sent = report
        .value("flow east[0]", "packets_sent")
        .expect("a count");
    let outward = packets(&files["host-left-0.pcapng"]);
    let data = outward
        .iter()
        .filter(|packet| packet.flags == OUTWARD && packet.length > 40);
    // All packets except those whose jitter at the host has not ended.
    let data = data.count() as f64;
    assert!(sent - 3.0 <= data && data <= sent, "{data} of {sent}");
}

#[test]
fn damaged_pdus_are_told_from_whole_ones() {
    let (report, files) = capture(CROSSING, &[], &CaptureOptions::default());
    let trunk = packets(&files["port-west-east.pcapng"]);
    let (damaged, whole): (Vec<&Packet>, Vec<&Packet>) =
        trunk.iter().partition(|packet| packet.flags & 1 << 24 != 0);
    let lost = report
        .value("port west->east", "packet_loss_ratio")
        .expect("a ratio");
    assert!(lost > 0.0 && !damaged.is_empty() && !whole.is_empty());
    for packet in damaged {
        // The ATM header must not be followed by octets that look like a datagram.
        assert_eq!(packet.data.len(), 4);
        assert!(
            packet.comment.starts_with("damaged: "),
            "{}",
            packet.comment
        );
    }
    assert!(whole.iter().all(|packet| packet.comment.is_empty()));
}

#[test]
fn routers_count_the_time_to_live_down() {
    let over = [
        ("flow.east.over.packet", "{}"),
        ("flow.west.over.packet", "{}"),
    ];
    let (_, files) = capture(CROSSING, &over, &CaptureOptions::default());
    let ttls = |name: &str, flags: u32| -> Vec<u8> {
        let mut ttls: Vec<u8> = packets(&files[name])
            .iter()
            .filter(|packet| packet.flags == flags)
            .map(|packet| packet.data[8])
            .collect();
        ttls.dedup();
        ttls
    };
    assert_eq!(ttls("host-left-0.pcapng", OUTWARD), [64]);
    assert_eq!(ttls("port-west-east.pcapng", OUTWARD), [63]);
    assert_eq!(ttls("port-east-right-0.pcapng", OUTWARD), [62]);
    assert_eq!(ttls("host-right-0.pcapng", INWARD), [62]);
    assert_eq!(ttls("host-left-0.pcapng", INWARD), [62]);
}

#[test]
fn a_packet_has_the_same_identification_wherever_it_passes() {
    let over = [
        ("flow.east.over.packet", "{}"),
        ("flow.west.over.packet", "{}"),
    ];
    let (_, files) = capture(CROSSING, &over, &CaptureOptions::default());
    // Compares addresses, identification and the TCP header, but no field that routers change.
    let keys = |name: &str| -> Vec<Vec<u8>> {
        let passed = packets(&files[name]);
        let keys = passed
            .iter()
            .map(|packet| [&packet.data[4..6], &packet.data[12..]].concat());
        keys.collect()
    };
    let sent = keys("host-left-0.pcapng");
    let from = |key: &&Vec<u8>| key[2..6] == [10, 0, 0, 1];
    let arrived = keys("host-right-0.pcapng");
    let arrived: Vec<&Vec<u8>> = arrived.iter().filter(from).collect();
    assert!(arrived.len() > 50);
    assert!(arrived.iter().all(|key| sent.contains(key)));
}

#[test]
fn snaplen_is_what_is_kept_of_a_packet() {
    for (snaplen, kept) in [
        (None, 40),
        (Some(20), 20),
        (Some(100), 100),
        (Some(9000), 1500),
    ] {
        let options = CaptureOptions {
            origin: String::new(),
            snaplen,
        };
        let (_, files) = capture(CROSSING, &[("duration", "5 ms")], &options);
        let packets = packets(&files["host-left-0.pcapng"]);
        let full: Vec<&Packet> = packets
            .iter()
            .filter(|packet| packet.length == 1500)
            .collect();
        assert!(!full.is_empty());
        assert!(full.iter().all(|packet| packet.data.len() == kept));
    }
}

#[test]
fn marks_of_routers_show_in_the_headers() {
    let settings = [
        ("flow.east.over.packet", "{}"),
        ("flow.west.over.packet", "{}"),
        ("flow.east.transport.tcp.congestion.dctcp", "{}"),
        ("switch.west.mark.threshold", "{ above = \"2 cells\" }"),
    ];
    let (_, files) = capture(CROSSING, &settings, &CaptureOptions::default());
    let count = |name: &str, is: &dyn Fn(&[u8]) -> bool| {
        let packets = packets(&files[name]);
        packets.iter().filter(|packet| is(&packet.data)).count()
    };
    // Data leave a host as ECN-capable, acknowledgments do not.
    let ecn = |octets: &[u8]| octets[1] & 0b11;
    assert!(count("host-left-0.pcapng", &|octets| ecn(octets) == 0b10) > 20);
    assert_eq!(
        count("host-left-0.pcapng", &|octets| ecn(octets) == 0b11),
        0
    );
    assert!(count("port-west-east.pcapng", &|octets| ecn(octets) == 0b11) > 2);
    let marked = count("host-right-0.pcapng", &|octets| ecn(octets) == 0b11);
    // The receiver answers each mark with ECE in its acknowledgment.
    let echoed = |octets: &[u8]| octets[12..16] == [10, 0, 0, 4] && octets[33] & 0x40 != 0;
    assert!(marked > 2);
    assert_eq!(count("host-right-0.pcapng", &echoed), marked);
}

/// RFC 3168, section 6.1.5.
#[test]
fn retransmissions_leave_without_ecn() {
    let settings = [
        ("flow.east.over.packet", "{}"),
        ("flow.west.over.packet", "{}"),
        ("flow.east.transport.tcp.congestion.sack", "{}"),
        ("flow.east.transport.tcp.ecn", "classic"),
        ("switch.west.buffer.per_output", "100 cells"),
    ];
    let (_, files) = capture(CROSSING, &settings, &CaptureOptions::default());
    let mut highest = None;
    let mut counts = [0, 0];
    for packet in packets(&files["host-left-0.pcapng"]) {
        let (is_data, is_outward) = (packet.length > 60, packet.flags & 0b11 == OUTWARD);
        if !(is_data && is_outward) {
            continue;
        }
        let number = u32::from_be_bytes(packet.data[24..28].try_into().expect("four octets"));
        let is_new = highest.is_none_or(|before| number > before);
        highest = highest.max(Some(number));
        counts[usize::from(is_new)] += 1;
        assert_eq!(packet.data[1] & 0b11, if is_new { 0b10 } else { 0 });
    }
    let [resent, new] = counts;
    assert!(resent > 2 && new > 20, "{counts:?}");
}

#[test]
fn what_cannot_be_written_stops_the_run() {
    let plan = plan(CROSSING, &[]);
    let mut simulation = Simulation::new(&plan, seed(0));
    let full = |_: &str, _: &[u8]| Err(io::Error::from(io::ErrorKind::StorageFull));
    simulation.capture(&CaptureOptions::default(), Box::new(full));
    let stopped = simulation
        .run(|_| true)
        .expect_err("nothing can be written");
    let Stopped::Unwritable(error) = stopped else {
        panic!("{stopped:?}");
    };
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}
