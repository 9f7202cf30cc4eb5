//! Connections that come and go, compared with results of queueing theory.

use crate::common::run;

/// Connections whose data is sent at once, since neither a window nor a handshake holds them back,
/// over a link of 100 Mbit/s.
const SHARED: &str = r#"
duration = "30 s"
warm_up = "1 s"
[host.server]
[host.client]
[router.r1]
buffer.per_output = "100 MB"
[link.near]
between = ["server", "r1"]
rate = "10 Gbit/s"
[link.far]
between = ["r1", "client"]
rate = "100 Mbit/s"
[flow.web]
from = "server"
to = "client"
source.connections = { arrivals.poisson.load = "60 %", size.constant = "1000 B" }
over.packet = {}
[flow.web.transport.tcp]
packet = "1500 B"
header = "1 B"
acknowledgment = "1 B"
window = "64 MiB"
initial_window = 1000
timers.rfc6298 = { min = "10 s", initial = "10 s" }
"#;

/// Mean and half-width of the 99 % confidence interval of the mean of eight independent samples.
fn summary(samples: &[f64]) -> (f64, f64) {
    assert_eq!(samples.len(), 8);
    let mean = samples.iter().sum::<f64>() / 8.0;
    let squares = samples.iter().map(|sample| (sample - mean).powi(2));
    // Student's t for 7 degrees of freedom and 99 %.
    (mean, 3.499 * (squares.sum::<f64>() / 7.0 / 8.0).sqrt())
}

/// The interval of a metric from eight independent runs.
fn interval(settings: &[(&str, &str)], metric: &str) -> (f64, f64) {
    let runs = 0..8;
    let samples = runs.map(|replication| {
        let report = run(SHARED, settings, replication);
        report.value("flow web", metric).expect(metric)
    });
    summary(&samples.collect::<Vec<f64>>())
}

/// Asserts that an interval has the value of a theory, but for a share of the value.
fn agrees((mean, half_width): (f64, f64), theory: f64, share: f64, what: &str) {
    println!("{what}: {mean} +- {half_width}, theory {theory}");
    assert!(
        (mean - theory).abs() < half_width + share * theory,
        "{what}: {mean} +- {half_width}, and the theory has {theory}"
    );
}

/// Transmission of one octet on both links, in seconds.
const OCTET: f64 = 8.0 / 100e6 + 8.0 / 10e9;

#[test]
fn connections_of_one_packet_wait_as_in_m_d_1() {
    let settings = [("duration", "4 s")];
    // Pollaczek and Khinchine: the wait, after the packet on both links.
    let service = 1001.0 * 8.0 / 100e6;
    let theory = 1001.0 * OCTET + service * 0.6 / (2.0 * 0.4);
    let found = interval(&settings, "mean_completion_time");
    agrees(found, theory, 0.002, "M/D/1");
}

#[test]
fn connections_of_one_exponential_packet_wait_as_in_m_m_1() {
    let settings = [
        (
            "flow.web.source.connections.size",
            "{ exponential.mean = \"1 kB\" }",
        ),
        ("flow.web.transport.tcp.packet", "20 kB"),
        ("duration", "4 s"),
    ];
    let service = 1000.0 * 8.0 / 100e6;
    // The time in the system is exponential with the mean service / (1 - load).
    let mean = service / 0.4;
    agrees(
        interval(&settings, "mean_completion_time"),
        mean,
        0.02,
        "M/M/1",
    );
    let p99 = mean * 100.0_f64.ln();
    agrees(
        interval(&settings, "p99_completion_time"),
        p99,
        0.02,
        "p99 of M/M/1",
    );
}

#[test]
fn the_slowdown_under_fair_queueing_is_that_of_m_g_1_processor_sharing() {
    let settings = [
        ("host.server.count", "40"),
        ("router.r1.scheduler.deficit_round_robin", "{}"),
        (
            "flow.web.source.connections",
            "{ arrivals.poisson.load = \"1.5 %\", size.pareto = { mean = \"60 kB\", max = \"1 MB\" } }",
        ),
        ("duration", "40 s"),
    ];
    let runs = 0..8;
    let samples = runs.map(|replication| {
        let report = run(SHARED, &settings, replication);
        let (mut sum, mut count) = (0.0, 0.0);
        for server in 0..40 {
            let value = |metric| report.value(&format!("flow web[{server}]"), metric);
            let completed = value("messages").expect("messages");
            sum += completed * value("mean_slowdown").unwrap_or(0.0);
            count += completed;
        }
        sum / count
    });
    let samples: Vec<f64> = samples.collect();
    // Kleinrock, "Queueing Systems", volume 2, section 4.4: each connection takes 1 / (1 - load) of
    // its service time in the mean, whatever the distribution of sizes. Turns of whole packets and
    // two connections of one server, which share a queue, depart from processor sharing.
    agrees(
        summary(&samples),
        1.0 / 0.4,
        0.04,
        "M/G/1 with processor sharing",
    );
}
