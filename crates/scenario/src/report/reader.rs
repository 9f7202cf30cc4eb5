//! From what was counted to metrics.

use kernel::{Duration, Network, Time};
use models::metrics::{FlowReading, ReceiverMeter, SenderMeter, VcShare};
use models::node::Node;
use models::port::Port;

use super::port_name;
use crate::lower::{Channel, Plan};

/// Reads the meters of a network.
pub struct Reader<'a> {
    plan: &'a Plan,
    end: Time,
    /// Time counted over.
    pub span: Duration,
}

/// An output of a switch or router, read at the end.
pub struct PortMetrics {
    /// Its name.
    pub name: String,
    /// Metrics by name.
    pub metrics: Vec<(&'static str, f64)>,
    /// Greedy flows whose data passes it.
    greedy: usize,
    /// Time to send one octet.
    octet_time: f64,
}

impl PortMetrics {
    fn value(&self, name: &str) -> f64 {
        let found = self.metrics.iter().find(|(metric, _)| *metric == name);
        found.map_or(0.0, |(_, value)| *value)
    }
}

impl Reader<'_> {
    /// Reads at `end`, when the run is over.
    pub fn new(plan: &Plan, end: Time) -> Reader<'_> {
        Reader {
            plan,
            end,
            span: end.since(Time::ZERO + plan.spec.warm_up),
        }
    }

    /// Both ends of every flow.
    pub fn flows(&self, network: &mut Network<Node>) -> Vec<FlowReading> {
        let unread = FlowReading {
            sender: SenderMeter::default(),
            receiver: ReceiverMeter::default(),
        };
        let mut flows = vec![unread; self.plan.flows.len()];
        for node in &mut network.nodes {
            if let Node::Host(host) = node {
                for sender in &mut host.senders {
                    flows[sender.flow].sender = *sender.meter();
                }
                for receiver in &host.receivers {
                    flows[receiver.flow].receiver = receiver.meter;
                }
            }
        }
        flows
    }

    /// All outputs of switches and routers.
    pub fn ports(&self, network: &mut Network<Node>, flows: &[FlowReading]) -> Vec<PortMetrics> {
        let mut ports = Vec::new();
        for (number, node) in network.nodes.iter_mut().enumerate() {
            for (output, port) in node.ports_mut().into_iter().enumerate() {
                ports.push(self.port(number, output, port, flows));
            }
        }
        ports
    }

    fn port(
        &self,
        node: usize,
        output: usize,
        port: &mut dyn Port,
        flows: &[FlowReading],
    ) -> PortMetrics {
        let channels = self.plan.channels(self.plan.topology.outputs(node)[output]);
        let greedy = |flow: usize| self.plan.flow_spec(flow).source.is_greedy();
        let share = |channel: &Channel| {
            let receiver = &flows[channel.flow].receiver;
            VcShare {
                data: !channel.back,
                greedy: greedy(channel.flow),
                user: receiver.user,
                useful: receiver.useful,
                resent: receiver.resent,
            }
        };
        let shares: Vec<VcShare> = channels.iter().map(share).collect();
        let capacity = port.capacity();
        PortMetrics {
            name: port_name(self.plan, node, output),
            metrics: port.read(self.end).metrics(capacity, &shares),
            greedy: shares.iter().filter(|vc| vc.data && vc.greedy).count(),
            octet_time: capacity.unit_time / capacity.octets as f64,
        }
    }

    /// What describes the network as a whole.
    ///
    /// The bottleneck is the port that the most greedy flows pass, and of those the slowest.
    pub fn network(
        &self,
        flows: &[FlowReading],
        ports: &[PortMetrics],
    ) -> Vec<(&'static str, f64)> {
        let greedy = (0..flows.len()).filter(|flow| self.plan.flow_spec(*flow).source.is_greedy());
        let goodputs: Vec<f64> = greedy.map(|flow| flows[flow].goodput(self.span)).collect();
        let sum: f64 = goodputs.iter().sum();
        let squares: f64 = goodputs.iter().map(|goodput| goodput * goodput).sum();
        let mut metrics = Vec::new();
        // Of equal ports the first: `max_by` would keep the last.
        let bottleneck = ports.iter().rev().max_by(|a, b| {
            a.greedy
                .cmp(&b.greedy)
                .then(a.octet_time.total_cmp(&b.octet_time))
        });
        if let Some(port) = bottleneck.filter(|port| port.greedy > 0) {
            let effective = port.value("useful_share") + port.value("padding_share");
            metrics.push(("effective_throughput", effective));
        }
        metrics.push(("goodput", sum));
        if squares > 0.0 {
            // Jain, Chiu and Hawe, "A Quantitative Measure of Fairness", DEC TR-301, 1984.
            metrics.push((
                "fairness_index",
                sum * sum / (goodputs.len() as f64 * squares),
            ));
        }
        metrics
    }

    /// Greedy flows that got nothing through.
    pub fn warnings(&self, flows: &[FlowReading]) -> Vec<String> {
        let starved = flows.iter().enumerate().filter(|(flow, reading)| {
            self.plan.flow_spec(*flow).source.is_greedy() && reading.receiver.user == 0
        });
        starved
            .map(|(flow, _)| format!("flow {}: nothing arrived", self.plan.flows[flow].name))
            .collect()
    }
}
