//! What comes back from a run: labelled numbers in a fixed order, and series on request.

use std::collections::BTreeMap;

use kernel::{Duration, Network, Time};
use models::cell::CELL_OCTETS;
use models::metrics::{
    Capacity, FlowReading, METRICS, PortReading, ReceiverMeter, Scope, SenderMeter, Series, VcShare,
};
use models::node::Node;

use crate::lower::{Channel, Plan};

/// The results of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Numbers: the network first, then flows, then ports, each as written in the scenario.
    pub scalars: Vec<Scalar>,
    /// Recorded series by name, such as `port s1->receiver queue`.
    pub series: BTreeMap<String, Recorded>,
    /// Why the results may have to be distrusted.
    pub warnings: Vec<String>,
    /// How much was simulated, for benchmarks: not part of the results.
    pub events: Events,
}

/// One number.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// What it describes: `network`, `flow bulk[3]`, `port s1->receiver`.
    pub scope: String,
    /// Name of the metric.
    pub metric: &'static str,
    /// Its value, in the unit of the metric.
    pub value: f64,
    /// SI unit.
    pub unit: &'static str,
}

/// A series and its unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// SI unit, or cells.
    pub unit: &'static str,
    /// Times in seconds.
    pub times: Vec<f64>,
    /// Values.
    pub values: Vec<f64>,
}

/// How much was simulated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// Cells, counted on every link that they entered.
    pub cell_hops: u64,
    /// Packets or PDUs, counted likewise.
    pub packet_hops: u64,
    /// Operations on the heaps of hosts; there is no other heap.
    pub heap_operations: u64,
    /// Times that a node was let run.
    pub visits: u64,
}

impl Report {
    /// Reads all meters at the end of a run.
    pub fn new(plan: &Plan, network: &mut Network<Node>, visits: u64) -> Report {
        let end = Time::ZERO + plan.spec.duration;
        let reader = Reader {
            plan,
            end,
            span: end.since(Time::ZERO + plan.spec.warm_up),
        };
        let flows = reader.flows(network);
        let ports = reader.ports(network, &flows);
        let mut scalars = Vec::new();
        let mut add = |scope: &str, kind: Scope, metrics: Vec<(&'static str, f64)>| {
            for (metric, value) in metrics {
                scalars.push(Scalar {
                    scope: scope.into(),
                    metric,
                    value,
                    unit: unit(kind, metric),
                });
            }
        };
        add("network", Scope::Network, reader.network(&flows, &ports));
        for (flow, reading) in plan.flows.iter().zip(&flows) {
            let metrics = reading.metrics(end, reader.span);
            add(&format!("flow {}", flow.name), Scope::Flow, metrics);
        }
        for port in &ports {
            add(
                &format!("port {}", port.name),
                Scope::Port,
                port.metrics.clone(),
            );
        }
        let series = reader.series(network);
        let warnings = reader.warnings(&flows);
        Report {
            scalars,
            series,
            warnings,
            events: events(network, visits),
        }
    }

    /// The value of a metric.
    pub fn value(&self, scope: &str, metric: &str) -> Option<f64> {
        let mut scalars = self.scalars.iter();
        let found = scalars.find(|scalar| scalar.scope == scope && scalar.metric == metric);
        found.map(|scalar| scalar.value)
    }
}

fn unit(scope: Scope, name: &str) -> &'static str {
    let metric = METRICS
        .iter()
        .find(|metric| metric.scope == scope && metric.name == name);
    metric.expect("every metric is in the table").unit
}

struct Reader<'a> {
    plan: &'a Plan,
    end: Time,
    span: Duration,
}

/// An output of a switch or router, read at the end.
struct Port {
    name: String,
    metrics: Vec<(&'static str, f64)>,
    /// Greedy flows whose data passes it.
    greedy: usize,
    /// Time to send one cell or octet.
    unit_time: f64,
}

impl Port {
    fn value(&self, name: &str) -> f64 {
        let found = self.metrics.iter().find(|(metric, _)| *metric == name);
        found.map_or(0.0, |(_, value)| *value)
    }
}

impl Reader<'_> {
    fn flows(&self, network: &mut Network<Node>) -> Vec<FlowReading> {
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

    fn ports(&self, network: &mut Network<Node>, flows: &[FlowReading]) -> Vec<Port> {
        let mut ports = Vec::new();
        for (number, node) in network.nodes.iter_mut().enumerate() {
            match node {
                Node::Host(_) => {}
                Node::Switch(switch) => {
                    for (output, port) in switch.ports.iter_mut().enumerate() {
                        let (waiting, rest) = port.backlog(self.end);
                        let reading = port.meter.read(self.end, waiting, rest);
                        let unit_time = port.cell_time().seconds();
                        let capacity = Capacity {
                            octets: CELL_OCTETS,
                            unit_time,
                        };
                        ports.push(self.port(number, output, &reading, capacity, flows));
                    }
                }
                Node::Router(router) => {
                    for (output, port) in router.ports.iter_mut().enumerate() {
                        let (waiting, rest) = port.backlog(self.end);
                        let reading = port.meter.read(self.end, waiting, rest);
                        let unit_time = 8.0 / port.rate().bits_per_second() as f64;
                        let capacity = Capacity {
                            octets: 1,
                            unit_time,
                        };
                        ports.push(self.port(number, output, &reading, capacity, flows));
                    }
                }
            }
        }
        ports
    }

    fn port(
        &self,
        node: usize,
        output: usize,
        reading: &PortReading,
        capacity: Capacity,
        flows: &[FlowReading],
    ) -> Port {
        let channels = self.plan.channels(self.plan.topology.outputs(node)[output]);
        let greedy = |flow: usize| self.plan.flow_spec(flow).source.is_greedy();
        let shares: Vec<VcShare> = channels
            .iter()
            .map(|Channel { flow, back }| {
                let receiver = &flows[*flow].receiver;
                VcShare {
                    data: !back,
                    greedy: greedy(*flow),
                    user: receiver.user,
                    useful: receiver.useful,
                    resent: receiver.resent,
                }
            })
            .collect();
        Port {
            name: self.port_name(node, output),
            metrics: reading.metrics(capacity, &shares),
            greedy: channels
                .iter()
                .filter(|channel| !channel.back && greedy(channel.flow))
                .count(),
            unit_time: capacity.unit_time / capacity.octets as f64,
        }
    }

    fn port_name(&self, node: usize, output: usize) -> String {
        let topology = &self.plan.topology;
        let head = topology.head(topology.outputs(node)[output]);
        format!(
            "{}->{}",
            topology.nodes[node].name, topology.nodes[head].name
        )
    }

    /// The bottleneck is the port that the most greedy flows pass, and of those the slowest.
    fn network(&self, flows: &[FlowReading], ports: &[Port]) -> Vec<(&'static str, f64)> {
        let greedy = (0..flows.len()).filter(|flow| self.plan.flow_spec(*flow).source.is_greedy());
        let goodputs: Vec<f64> = greedy.map(|flow| flows[flow].goodput(self.span)).collect();
        let sum: f64 = goodputs.iter().sum();
        let squares: f64 = goodputs.iter().map(|goodput| goodput * goodput).sum();
        let mut metrics = Vec::new();
        // Of equal ports the first: `max_by` would keep the last.
        let bottleneck = ports.iter().rev().max_by(|a, b| {
            a.greedy
                .cmp(&b.greedy)
                .then(a.unit_time.total_cmp(&b.unit_time))
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

    fn warnings(&self, flows: &[FlowReading]) -> Vec<String> {
        let starved = flows.iter().enumerate().filter(|(flow, reading)| {
            self.plan.flow_spec(*flow).source.is_greedy() && reading.receiver.user == 0
        });
        starved
            .map(|(flow, _)| format!("flow {}: nothing arrived", self.plan.flows[flow].name))
            .collect()
    }

    fn series(&self, network: &mut Network<Node>) -> BTreeMap<String, Recorded> {
        let mut all = BTreeMap::new();
        let mut add = |name: String, unit, scale: f64, series: &Series| {
            let times = series.times.iter().map(|time| time.seconds()).collect();
            let values = series.values.iter().map(|value| value * scale).collect();
            all.insert(
                name,
                Recorded {
                    unit,
                    times,
                    values,
                },
            );
        };
        for (number, node) in network.nodes.iter_mut().enumerate() {
            match node {
                Node::Host(host) => {
                    for sender in &mut host.senders {
                        sender.catch_up(self.end);
                        let name = &self.plan.flows[sender.flow].name;
                        let Some(series) = &sender.series else {
                            continue;
                        };
                        add(format!("flow {name} cwnd"), "B", 1.0, &series.cwnd);
                        add(format!("flow {name} ssthresh"), "B", 1.0, &series.ssthresh);
                        add(format!("flow {name} srtt"), "s", 1.0, &series.srtt);
                        add(format!("flow {name} rto"), "s", 1.0, &series.rto);
                    }
                }
                Node::Switch(switch) => {
                    for (output, port) in switch.ports.iter_mut().enumerate() {
                        let name = self.port_name(number, output);
                        if let Some(queue) = port.recorded_queue(self.end) {
                            add(format!("port {name} queue"), "cells", 1.0, queue);
                        }
                        if let Some(drops) = &port.meter.drops {
                            add(format!("port {name} drops"), "vc", 1.0, drops);
                        }
                    }
                }
                Node::Router(router) => {
                    for (output, port) in router.ports.iter_mut().enumerate() {
                        let name = self.port_name(number, output);
                        if let Some(queue) = port.recorded_queue(self.end) {
                            let cells = 1.0 / CELL_OCTETS as f64;
                            add(format!("port {name} queue"), "cells", cells, queue);
                        }
                        if let Some(drops) = &port.meter.drops {
                            add(format!("port {name} drops"), "vc", 1.0, drops);
                        }
                    }
                }
            }
        }
        all
    }
}

/// Counts what entered links: at hosts what they sent, at ports what they accepted.
fn events(network: &Network<Node>, visits: u64) -> Events {
    let mut events = Events {
        visits,
        ..Events::default()
    };
    for node in &network.nodes {
        match node {
            Node::Host(host) => {
                events.cell_hops += host.nic.cells_sent;
                events.packet_hops += host.nic.frames_sent;
                events.heap_operations += host.heap_operations();
            }
            Node::Switch(switch) => {
                for port in &switch.ports {
                    events.cell_hops += port.meter.accepted_ever().units;
                    events.packet_hops += port.meter.accepted_ever().frames;
                }
            }
            Node::Router(router) => {
                let ports = router.ports.iter();
                events.packet_hops += ports
                    .map(|port| port.meter.accepted_ever().frames)
                    .sum::<u64>();
            }
        }
    }
    events
}
