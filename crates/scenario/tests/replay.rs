//! Replayed captures: what a capture shows is sent again, and a bad file is refused before a run.

use crate::capture::{Packet, capture, packets};
use crate::common::seed;
use proptest::prelude::*;
use scenario::Scenario;
use scenario::capture::CaptureOptions;
use scenario::run::Simulation;
use scenario::run::key::key;
use scenario::scenario::Surroundings;

/// Datagrams of random lengths at random times; each octet takes a microsecond.
const SENT: &str = r#"
duration = "0.2 s"
[host.a]
[host.b]
[switch.s]
buffer.per_output = "1000 cells"
[link.in]
between = ["a", "s"]
rate = "8 Mbit/s"
[link.out]
between = ["s", "b"]
rate = "8 Mbit/s"
[flow.f]
from = "a"
to = "b"
source.poisson = { length.geometric = { mean = "100 B", max = "400 B" }, gap = "1 ms" }
transport.datagram = {}
over.ubr = {}
"#;

/// The same network, in which the flow replays a capture.
fn replaying(source: &str) -> String {
    let (before, rest) = SENT.split_once("source.poisson").expect("a source");
    let (_, after) = rest.split_once('\n').expect("a line");
    format!("{before}source.pcap = {{ {source} }}\n{after}")
}

/// The scenario of `text`, where `file` is all that its folder holds.
fn read(text: &str, file: &[u8]) -> Result<Scenario, String> {
    let open = |name: &str, _most| match name {
        "one.pcap" => Ok(file.to_vec()),
        _ => Err("no such file".to_string()),
    };
    let surroundings = Surroundings {
        open: &open,
        ..Surroundings::default()
    };
    Scenario::read_bytes(text.as_bytes(), "x.toml", &surroundings)
        .map_err(|error| error.to_string())
}

/// The lines of the text to which a capture is resolved, or the message of the refusal.
fn lines(source: &str, file: &[u8]) -> Result<Vec<String>, String> {
    let scenario = read(&replaying(&format!("file = \"one.pcap\", {source}")), file)?;
    let resolved = scenario.resolved();
    let (_, text) = resolved.split_once("text = ").expect("a text");
    let (text, _) = text[3..].split_once("\"\"\"").unwrap_or_else(|| {
        let (text, _) = text[1..].split_once('"').expect("it ends");
        (text, "")
    });
    Ok(text
        .replace("\\n", "\n")
        .lines()
        .filter(|line| !line.is_empty())
        .map(str::to_string)
        .collect())
}

/// The problem of a file, without the names of the scenario and of the path.
fn refusal(source: &str, file: &[u8]) -> String {
    let message = lines(source, file).expect_err("it cannot be replayed");
    let (_, told) = message.split_once("source.pcap.").expect("the path");
    told.to_string()
}

/// Times and lengths of packets, since the first.
fn shown(packets: &[Packet]) -> Vec<(u64, u32)> {
    let first = packets[0].nanoseconds;
    let shown = packets.iter();
    shown
        .map(|packet| (packet.nanoseconds - first, packet.length))
        .collect()
}

#[test]
fn what_a_host_sent_is_sent_again_at_the_same_times_with_the_same_lengths() {
    let options = CaptureOptions::default();
    let (_, files) = capture(SENT, &[], &options);
    let scenario = read(
        &replaying("file = \"one.pcap\", filter = { from = \"10.0.0.1\" }"),
        &files["host-a.pcapng"],
    )
    .expect("it can be replayed");
    // The resolved scenario needs no file.
    let (_, again) = capture(&scenario.resolved(), &[], &options);
    let sent = shown(&packets(&files["host-a.pcapng"]));
    assert!(sent.len() > 150, "{}", sent.len());
    assert_eq!(shown(&packets(&again["host-a.pcapng"])), sent);
}

#[test]
fn packets_within_aal5_are_replayed_too() {
    for bearer in ["over.ubr = {}", "over.ubr.encapsulation = \"8 B\""] {
        let text = SENT.replace("over.ubr = {}", bearer);
        let (_, files) = capture(&text, &[], &CaptureOptions::default());
        let file = &files["port-s-b.pcapng"];
        let lengths = packets(file);
        // VPI and VCI, and LLC/SNAP, are not part of the IP packet.
        let added = if bearer.contains("8 B") { 12 } else { 4 };
        let lengths = lengths.iter().map(|packet| packet.length - added);
        let replayed = lines("", file).expect("it can be replayed");
        assert_eq!(replayed.len(), lengths.len());
        for (line, length) in replayed.iter().zip(lengths) {
            assert!(line.ends_with(&format!(" {length}")), "{line}: {length}");
        }
    }
}

#[test]
fn the_key_of_a_run_covers_the_selected_packets() {
    let (_, files) = capture(SENT, &[], &CaptureOptions::default());
    let file = &files["host-a.pcapng"];
    let of = |source: &str, file: &[u8]| {
        let text = replaying(&format!("file = \"one.pcap\"{source}"));
        key(&read(&text, file).expect("it can be replayed").spec)
    };
    let later = {
        // The time of the last packet, which is a microsecond later.
        let mut file = file.clone();
        let at = place_of_last_time(&file);
        let time = u32::from_le_bytes(file[at..at + 4].try_into().expect("four octets"));
        file[at..at + 4].copy_from_slice(&(time + 1000).to_le_bytes());
        file
    };
    assert_ne!(of("", file), of("", &later));
    assert_eq!(of("", file), of("", &file.clone()));
    assert_ne!(of("", file), of(", length = \"data\"", file));
}

/// Place of the lower half of the time of the last packet block.
fn place_of_last_time(file: &[u8]) -> usize {
    let (mut at, mut found) = (0, 0);
    while at < file.len() {
        if file[at] == 6 {
            found = at + 16;
        }
        let length = file[at + 4..at + 8].try_into().expect("four octets");
        at += u32::from_le_bytes(length) as usize;
    }
    found
}

#[test]
fn a_filter_may_vary_along_a_sweep() {
    let axis = "[sweep]\n\"flow.f.source.pcap.length\" = [\"packet\", \"data\"]\n";
    let text = format!("{}{axis}", replaying("file = \"one.pcap\""));
    let file = pcap(101, &[(0, 0, udp(17, 1, 2, 50))]);
    let scenario = read(&text, &file).expect("it can be replayed");
    assert!(scenario.point(0).resolved().contains("0 78"));
    assert!(scenario.point(1).resolved().contains("0 50"));
}

/// An IPv4 packet with `data` octets over UDP or another protocol, of which the headers are captured.
fn udp(protocol: u8, from: u16, to: u16, data: u16) -> Vec<u8> {
    let mut packet = vec![0x45, 0];
    packet.extend((28 + data).to_be_bytes());
    packet.extend([0, 0, 0, 0, 64, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
    packet.extend([from, to, 8 + data, 0].map(u16::to_be_bytes).concat());
    packet
}

/// An IPv6 packet with `data` octets over TCP with ten words of headers.
fn tcp6(data: u16) -> Vec<u8> {
    let mut packet = vec![0x60, 0, 0, 0];
    packet.extend((40 + data).to_be_bytes());
    packet.extend([6, 64]);
    packet.extend([0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    packet.extend([0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
    packet.extend([443_u16, 6000].map(u16::to_be_bytes).concat());
    packet.extend([0; 8]);
    packet.extend([0xA0, 0x10]);
    packet.extend([0; 26]);
    packet
}

/// An Ethernet frame around a packet, with a VLAN tag.
fn ethernet(kind: u16, packet: &[u8]) -> Vec<u8> {
    let mut frame = vec![2; 12];
    frame.extend([0x81, 0, 0, 7]);
    frame.extend(kind.to_be_bytes());
    frame.extend(packet);
    frame
}

/// A pcap file in microseconds: link type, and packets with seconds and microseconds.
fn pcap(link: u32, packets: &[(u32, u32, Vec<u8>)]) -> Vec<u8> {
    let mut file = 0xA1B2_C3D4_u32.to_le_bytes().to_vec();
    file.extend([2_u16, 4].map(u16::to_le_bytes).concat());
    file.extend([0, 0, 65535, link].map(u32::to_le_bytes).concat());
    for (seconds, microseconds, data) in packets {
        let kept = data.len() as u32;
        // The frame was longer by what is not captured.
        let fields = [*seconds, *microseconds, kept, kept + 1000];
        file.extend(fields.map(u32::to_le_bytes).concat());
        file.extend(data);
    }
    file
}

#[test]
fn the_packets_of_a_filter_keep_their_time_since_the_first_of_the_capture() {
    let file = pcap(
        1,
        &[
            (100, 999_999, ethernet(0x0806, &[0; 28])),
            (101, 500_000, ethernet(0x0800, &udp(17, 53, 9000, 100))),
            (101, 0, ethernet(0x86DD, &tcp6(1200))),
            (102, 0, ethernet(0x0800, &udp(1, 0, 0, 56))),
        ],
    );
    let all = ["0.000001 1280", "0.500001 128", "1.000001 84"];
    assert_eq!(lines("", &file).expect("packets"), all);
    let only = |filter: &str| lines(&format!("filter = {{ {filter} }}"), &file).expect("packets");
    assert_eq!(only("protocol = \"udp\""), all[1..2]);
    assert_eq!(only("protocol = \"icmp\""), all[2..]);
    assert_eq!(only("from_port = 443, to = \"2001:db8::2\""), all[..1]);
    assert_eq!(only("from = \"10.0.0.0/24\""), all[1..]);
    let data = lines("length = \"data\", filter = { protocol = \"tcp\" }", &file);
    assert_eq!(data.expect("packets"), ["0.000001 1200"]);
}

#[test]
fn a_packet_without_a_length_has_that_of_its_frame() {
    let mut packet = udp(17, 1, 2, 5);
    packet[2..4].fill(0);
    let file = pcap(1, &[(0, 0, ethernet(0x0800, &packet))]);
    assert_eq!(lines("", &file).expect("packets"), ["0 1028"]);
}

#[test]
fn a_file_that_cannot_be_replayed_is_refused_with_its_place() {
    let packet = |data| (1, 0, udp(17, 1, 2, data));
    let good = pcap(101, &[packet(100), packet(200)]);
    assert_eq!(
        refusal("", &good[..good.len() - 3]),
        "file: `one.pcap` cannot be replayed: the file is cut off, at octet 68, in or before \
         packet 2\n  hint: `editcap FILE WHOLE` writes the packets that are whole to another file"
    );
    assert_eq!(
        refusal("", &pcap(127, &[packet(100)])),
        "file: `one.pcap` cannot be replayed: link type 127 is not one whose packets can be \
         replayed, at octet 24, in or before packet 1\n  hint: capture at an interface of Ethernet (link \
         type 1), raw IP (101), Linux (113, 276), BSD loopback (0, 108) or AAL5 (123)"
    );
    assert_eq!(
        refusal("filter = { from_port = 7 }", &good),
        "file: `one.pcap` cannot be replayed: none of its 2 packets is selected, and 2 are \
         IP\n  hint: write a `filter` that agrees with some; `tshark -r FILE` lists them"
    );
    let starts = |file: &[u8], problem: &str| {
        let told = refusal("", file);
        let expected = format!("file: `one.pcap` cannot be replayed: {problem}\n");
        assert!(told.starts_with(&expected), "{told}");
    };
    starts(b"", "it is empty");
    starts(b"\x1f\x8b\x08", "it is compressed with gzip");
    starts(b"0 1500\n", "it is neither pcap nor pcapng, at octet 0");
    assert!(
        read(&replaying("file = \"two.pcap\""), &good)
            .expect_err("no such file")
            .contains("`two.pcap` cannot be read: no such file")
    );
}

#[test]
fn a_capture_that_is_cut_off_anywhere_is_refused_or_lacks_whole_packets() {
    let short = SENT.replace("0.2 s", "6 ms");
    let (_, files) = capture(&short, &[], &CaptureOptions::default());
    let file = &files["port-s-b.pcapng"];
    let whole = lines("", file).expect("it can be replayed");
    assert!(whole.len() > 1, "{whole:?}");
    for end in 0..file.len() {
        match lines("", &file[..end]) {
            Ok(part) => assert!(whole.starts_with(&part)),
            Err(told) => assert!(told.contains("cannot be replayed"), "{told}"),
        }
    }
}

proptest! {
    /// Nothing in a file makes the reader fail.
    #[test]
    fn whatever_is_in_a_capture_it_is_replayed_or_refused(
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        is_old in any::<bool>(),
    ) {
        let mut file = if is_old {
            let frame = ethernet(0x86DD, &tcp6(1200));
            pcap(1, &[(1, 0, frame), (2, 0, ethernet(0x0800, &udp(17, 1, 2, 9)))])
        } else {
            let short = SENT.replace("0.2 s", "6 ms");
            let (_, mut files) = capture(&short, &[], &CaptureOptions::default());
            files.remove("port-s-b.pcapng").expect("a file")
        };
        for (place, octet) in flips {
            let place = place.index(file.len());
            file[place] = octet;
        }
        if let Err(told) = lines("", &file) {
            prop_assert!(told.contains("\n  hint: "), "{told}");
        }
    }
}

#[test]
fn a_replay_that_repeats_goes_on_to_the_end() {
    let file = pcap(
        101,
        &[(0, 0, udp(17, 1, 2, 72)), (0, 1000, udp(17, 1, 2, 172))],
    );
    let source = "file = \"one.pcap\", period = \"4 ms\", time_scale = 2.0";
    let scenario = read(&replaying(source), &file).expect("it can be replayed");
    let plan = scenario.plan();
    let report = Simulation::new(plan, seed(0)).run(|_| true);
    let report = report.expect("nobody cancels");
    // 50 passes of two packets in 0.2 s; the last packet is still on its way.
    let sent = crate::common::value(&report, "flow f", "packets_sent");
    assert!((sent - 100.0).abs() < 1.5, "{sent}");
}
