//! Results that queueing theory or arithmetic predicts.

use crate::common::run;

/// Many independent Poisson sources of single cells share a port: an M/D/1 queue.
fn poisson(gap: &str) -> String {
    format!(
        r#"
duration = "4 s"
warm_up = "0.1 s"
[host.source]
count = 40
[host.sink]
[switch.s1]
buffer.per_output = "100000 cells"
[link.access]
between = ["source", "s1"]
rate = "10 Gbit/s"
[link.exit]
between = ["s1", "sink"]
rate = "42.4 Mbit/s"
[flow.cells]
from = "source"
to = "sink"
source.telnet = {{ gap = {{ exponential = {{ mean = "{gap}" }} }}, message = "40 B" }}
transport.tcp = {{ packet = "512 B", header = "0 B", window = "1 MiB", initial_window = 100 }}
"#
    )
}

/// Mean and half-width of the 99 % confidence interval of the mean, from eight independent runs.
fn interval(samples: &[f64; 8]) -> (f64, f64) {
    let mean = samples.iter().sum::<f64>() / 8.0;
    let variance = samples
        .iter()
        .map(|sample| (sample - mean).powi(2))
        .sum::<f64>()
        / 7.0;
    // Student's t for 7 degrees of freedom and 99 %.
    (mean, 3.499 * (variance / 8.0).sqrt())
}

#[test]
fn the_mean_queue_of_poisson_cells_is_that_of_m_d_1() {
    // 40 sources at a cell time of 10 us.
    let cases = [
        ("fifo", "4 s", "0.8 ms", 0.5),
        ("fifo", "4 s", "0.5 ms", 0.8),
        ("round_robin", "2 s", "0.5 ms", 0.8),
    ];
    for (scheduler, duration, gap, load) in cases {
        // With service times of one length, the mean queue does not depend on the order of service.
        let scheduler = format!("switch.s1.scheduler.{scheduler}");
        let queues: Vec<f64> = (0..8)
            .map(|replication| {
                let settings = [(&*scheduler, "{}"), ("duration", duration)];
                let report = run(&poisson(gap), &settings, replication);
                report
                    .value("port s1->sink", "mean_queue")
                    .expect("a queue")
            })
            .collect();
        let (mean, half_width) = interval(&queues.try_into().expect("eight runs"));
        // Pollaczek-Khinchine formula for constant service times: mean number of waiting cells.
        let theory = load * load / (2.0 * (1.0 - load));
        assert!(
            (mean - theory).abs() < half_width,
            "{scheduler}, load {load}: {mean} +- {half_width}, and M/D/1 has {theory}"
        );
    }
}

/// Poisson cells of two classes before a port.
const TWO_CLASSES: &str = r#"
duration = "2 s"
warm_up = "0.1 s"
[host.first]
count = 100
[host.second]
count = 100
[host.sink]
[switch.s1]
scheduler.strict_priority = {}
buffer.per_output = "100000 cells"
[link.first]
between = ["first", "s1"]
rate = "10 Gbit/s"
[link.second]
between = ["second", "s1"]
rate = "10 Gbit/s"
[link.exit]
between = ["s1", "sink"]
rate = "42.4 Mbit/s"
[flow.first]
from = "first"
to = "sink"
source.telnet = { gap = { exponential = { mean = "2.5 ms" } }, message = "40 B" }
transport.datagram = { packet = "40 B", header = "0 B" }
over.vbr = { peak = "42.4 Mbit/s" }
[flow.second]
from = "second"
to = "sink"
source.telnet = { gap = { exponential = { mean = "2.5 ms" } }, message = "40 B" }
transport.datagram = { packet = "40 B", header = "0 B" }
"#;

#[test]
fn by_priority_the_mean_waits_are_those_of_cobham() {
    // A load of 0.4 from each class, at a cell time of 10 us.
    let (cell, first, all) = (10e-6, 0.4, 0.8);
    // Mean remaining time of the transmission in progress when a cell arrives.
    let residual = all * cell / 2.0;
    let theory = [
        ("rt_vbr", residual / (1.0 - first)),
        ("ubr", residual / ((1.0 - first) * (1.0 - all))),
    ];
    let reports: Vec<_> = (0..8)
        .map(|replication| run(TWO_CLASSES, &[], replication))
        .collect();
    for (class, theory) in theory {
        let waits: Vec<f64> = reports
            .iter()
            .map(|report| {
                let wait = report.value(&format!("class {class} at s1->sink"), "mean_wait");
                wait.expect("a wait")
            })
            .collect();
        let (mean, half_width) = interval(&waits.try_into().expect("eight runs"));
        // Cells of one source are at least a cell time of its peak rate apart, which shortens waits
        // by less than 1 %.
        assert!(
            (mean - theory).abs() < half_width + 0.01 * theory,
            "{class}: {mean} +- {half_width}, and theory has {theory}"
        );
    }
}

const ALONE: &str = r#"
duration = "1 s"
warm_up = "0.1 s"
[host.a]
[host.b]
[switch.s1]
buffer.per_output = "10000 cells"
[link.a]
between = ["a", "s1"]
rate = "141.333 Mbit/s"
delay = "3 us"
[link.b]
between = ["s1", "b"]
rate = "141.333 Mbit/s"
delay = "3 us"
[flow.f]
from = "a"
to = "b"
transport.tcp = { packet = "9180 B", header = "0 B", window = "64 KiB", congestion.tahoe_gbn = {} }
"#;

#[test]
fn one_connection_alone_fills_its_link() {
    for (packet, cells) in [
        ("512 B", 11.0),
        ("1500 B", 32.0),
        ("4352 B", 91.0),
        ("9180 B", 192.0),
    ] {
        let report = run(ALONE, &[("flow.f.transport.tcp.packet", packet)], 0);
        let octets: f64 = packet.trim_end_matches(" B").parse().expect("a number");
        let goodput = report.value("flow f", "goodput").expect("a goodput");
        let possible = 141.333e6 * octets / (cells * 53.0);
        assert!(
            (goodput / possible - 1.0).abs() < 1e-3,
            "{packet}: {goodput} of {possible}"
        );
        let effective = report
            .value("network", "effective_throughput")
            .expect("a share");
        assert!((effective - 1.0).abs() < 1e-3);
    }
}

#[test]
fn a_window_smaller_than_the_path_limits_the_rate() {
    // One packet of 512 octets in each round trip: 11 cells and an acknowledgment of 1 cell,
    // 1 cell time at the switch in each direction, and 2 x 20 ms of propagation.
    let settings = [
        ("flow.f.transport.tcp.packet", "512 B"),
        ("flow.f.transport.tcp.window", "512 B"),
        ("link.a.delay", "10 ms"),
        ("link.b.delay", "10 ms"),
        ("duration", "20 s"),
    ];
    let report = run(ALONE, &settings, 0);
    let goodput = report.value("flow f", "goodput").expect("a goodput");
    let cell = 424.0 / 141.333e6;
    let round_trip = 0.04 + (11.0 + 1.0 + 2.0) * cell;
    assert!((goodput / (512.0 * 8.0 / round_trip) - 1.0).abs() < 3e-3);
    let window = report
        .value("flow f", "limited_by_receiver_window")
        .expect("a share");
    assert!((window - 1.0).abs() < 1e-3);
}

#[test]
fn a_slow_reader_sets_the_rate() {
    let settings = [
        ("flow.f.transport.tcp.read_rate", "10 Mbit/s"),
        // A probe of a closed window is a header.
        ("flow.f.transport.tcp.header", "40 B"),
        ("duration", "20 s"),
    ];
    let report = run(ALONE, &settings, 0);
    let value = |name| report.value("flow f", name).expect("a value");
    // What is in the buffer at the end has arrived, and is not read yet: at most 64 KiB of 25 MB.
    assert!((value("goodput") / 10e6 - 1.0).abs() < 3e-3);
    assert!(value("limited_by_receiver_window") > 0.9);
    assert!(value("timeouts").abs() < 0.5 && value("packets_retransmitted").abs() < 0.5);
}

#[test]
fn packets_and_cells_differ_by_their_overhead_when_nothing_is_lost() {
    let cells = run(ALONE, &[], 0)
        .value("flow f", "goodput")
        .expect("a goodput");
    let packets = run(ALONE, &[("flow.f.over.packet", "{}")], 0);
    let packets = packets.value("flow f", "goodput").expect("a goodput");
    assert!((packets / cells - 192.0 * 53.0 / 9180.0).abs() < 2e-3);
}

/// Rates up to the link rate; a packet takes 192 cells on the link.
#[test]
fn xtp_gets_the_rate_that_it_keeps_to() {
    for (rate, counts, burst) in [
        (50e6, "wire", 1),
        (50e6, "packets", 1),
        (20e6, "wire", 5),
        (141.333e6, "wire", 1),
    ] {
        let xtp = format!(
            "{{ xtp = {{ packet = \"9172 B\", rate = \"{rate} bit/s\", buffer = 100, \
             burst = {burst}, rate_counts = \"{counts}\" }} }}"
        );
        let report = run(ALONE, &[("flow.f.transport", &xtp)], 0);
        let goodput = report.value("flow f", "goodput").expect("a goodput");
        let counted = if counts == "wire" {
            192.0 * 53.0
        } else {
            9172.0
        };
        let expected = rate * 9140.0 / counted;
        // The measured 0.9 s may contain one burst more or less at each end.
        let tolerance = f64::from(2 * burst) * 9140.0 * 8.0 / 0.9;
        assert!(
            (goodput - expected).abs() < tolerance,
            "{xtp}: {goodput} of {expected}"
        );
        assert_eq!(
            report.value("flow f", "efficiency").map(f64::round),
            Some(1.0)
        );
    }
}

/// A buffer of one packet is stop-and-wait; a buffer of several is sent once per round trip.
#[test]
fn an_output_buffer_smaller_than_the_path_limits_the_rate() {
    for buffer in [1.0, 3.0] {
        let xtp = format!(
            "{{ xtp = {{ packet = \"1174 B\", rate = \"100 Mbit/s\", buffer = {buffer} }} }}"
        );
        let settings = [
            ("flow.f.transport", &*xtp),
            ("link.a.delay", "5 ms"),
            ("link.b.delay", "5 ms"),
        ];
        let report = run(ALONE, &settings, 0);
        let goodput = report.value("flow f", "goodput").expect("a goodput");
        // Cell times of a round trip: 25 + 1 for the packet over both links, 2 + 1 for the answer.
        let cell = 424.0 / 141.333e6;
        let round_trip = 0.02 + 29.0 * cell;
        let expected = buffer * 1142.0 * 8.0 / round_trip;
        assert!(
            (goodput / expected - 1.0).abs() < 0.025,
            "{goodput} of {expected}"
        );
    }
}
