//! The metrics of the whole network: goodput (RFC 2647, section 3.17), Jain's fairness index, and the
//! effective throughput of Romanow and Floyd, "Dynamics of TCP Traffic over ATM Networks", IEEE JSAC
//! 13(4), 1995, section 3.

use models::metrics::table::{network, port};
use models::metrics::{FlowReading, Measurement, Metric};

use super::reader::{MeterReader, PortMetrics};

impl MeterReader<'_> {
    /// The metrics of the network.
    ///
    /// The bottleneck is the port on the paths of the most greedy flows, and among equal ports the
    /// slowest.
    pub fn network(&self, flows: &[FlowReading], ports: &[PortMetrics]) -> Vec<Measurement> {
        let greedy = (0..flows.len()).filter(|flow| self.plan.flow_spec(*flow).source.is_greedy());
        let goodputs: Vec<f64> = greedy.map(|flow| flows[flow].goodput(self.span)).collect();
        // Rust's sum of no floats is -0.0; adding zero removes the sign from the printed result.
        let sum = 0.0 + goodputs.iter().sum::<f64>();
        let of_all = flows.iter().map(|flow| flow.goodput(self.span));
        let squares: f64 = goodputs.iter().map(|goodput| goodput * goodput).sum();
        let mut metrics = Vec::new();
        // Of equal ports the first is chosen; `max_by` would choose the last.
        let bottleneck = ports.iter().rev().max_by(|a, b| {
            a.greedy
                .cmp(&b.greedy)
                .then(a.octet_time.total_cmp(&b.octet_time))
        });
        if let Some(bottleneck) = bottleneck.filter(|port| port.greedy > 0) {
            let effective =
                bottleneck.value(port::greedy_useful_share) + bottleneck.value(port::padding_share);
            metrics.push((network::effective_throughput, effective));
        }
        metrics.push((network::goodput, 0.0 + of_all.sum::<f64>()));
        if !goodputs.is_empty() && goodputs.len() < flows.len() {
            metrics.push((network::greedy_goodput, sum));
        }
        if squares > 0.0 {
            // Jain, Chiu and Hawe, "A Quantitative Measure of Fairness and Discrimination for
            // Resource Allocation in Shared Computer Systems", DEC TR-301, 1984.
            metrics.push((
                network::fairness_index,
                sum * sum / (goodputs.len() as f64 * squares),
            ));
        }
        if self.plan.spec.smallest_trimmed().is_some() {
            metrics.extend(trimmed(ports));
        }
        if self.plan.spec.returns_packets() {
            let returned = ports.iter().map(|port| port.value(port::packets_returned));
            metrics.push((network::packets_returned, 0.0 + returned.sum::<f64>()));
        }
        metrics
    }
}

/// The sums of the trimmed packets of all outputs.
fn trimmed(ports: &[PortMetrics]) -> [Measurement; 3] {
    let of_ports = [
        (network::packets_trimmed, port::packets_trimmed),
        (network::trimmed_sent, port::trimmed_sent),
        (network::trimmed_dropped, port::trimmed_dropped),
    ];
    let sum = |of: &Metric| ports.iter().map(|port| port.value(of)).sum::<f64>();
    of_ports.map(|(of_all, of_one)| (of_all, 0.0 + sum(of_one)))
}
