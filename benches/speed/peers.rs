//! What came of a network that other simulators have too: see `benches/peers.py`.

use models::metrics::Metric;
use models::metrics::table::flow;

use super::measure::run_as;
use super::workload::Workload;

/// Networks of which ns-2 has a script of that name.
pub const PEERS: [(&str, &str); 4] = [
    ("ten-tcp", include_str!("../peers/ten-tcp.toml")),
    ("three-reno", include_str!("../peers/three-reno.toml")),
    ("one-cubic", include_str!("../peers/one-cubic.toml")),
    ("two-reno", include_str!("../peers/two-reno.toml")),
];

/// Runs once and prints the goodput of all flows in Mbit/s, their fairness, what share of packets was
/// resent, how often one timed out, and the number of packet-hops: the first four as scripts of ns-2
/// print them.
pub fn print(workload: &Workload, seconds: f64) {
    let report = run_as(workload, seconds);
    let of_flows = |metric: &'static Metric| {
        let scalars = report.scalars.iter();
        scalars.filter(move |scalar| scalar.metric == metric)
    };
    let sum = |metric| of_flows(metric).map(|scalar| scalar.value).sum::<f64>();
    let sent = of_flows(flow::packets_sent).map(|scalar| scalar.value);
    let ratios = of_flows(flow::retransmission_ratio).map(|scalar| scalar.value);
    let resent: f64 = sent
        .zip(ratios)
        .map(|(sent, ratio)| sent * ratio / (1.0 + ratio))
        .sum();
    let fairness = report.value("network", "fairness_index");
    println!("{}", sum(flow::goodput) / 1e6);
    println!("{}", fairness.unwrap_or(f64::NAN));
    println!("{}", resent / sum(flow::packets_sent));
    println!("{}", sum(flow::timeouts));
    println!("{}", report.events.packet_hops);
}
