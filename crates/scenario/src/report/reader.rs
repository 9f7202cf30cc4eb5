//! Metrics of flows, outputs and links from the counts of meters. Each meter names the sources of its
//! quantities.

use kernel::{Duration, Network, Time};
use models::link::loss::{LossAt, LossyEnd};
use models::metrics::{
    CrossingReading, FlowReading, Measurement, Metric, PortReading, PortUnit, VcShare,
};
use models::node::AnyNode;
use models::switch::Switch;
use models::wire::class::Class;
use models::wire::format::CellFormat;
use models::wire::vc::Vc;

use super::parted::Distances;
use super::{Place, Scope, passing};
use crate::lower::{Hop, Plan, PlannedVc};

/// An output, read at the end.
pub struct OutputReading {
    /// Unit in which the output counts.
    pub unit: PortUnit,
    /// Counts of the output.
    pub reading: PortReading,
    /// Octets that the policers before the output dropped, by VC; empty without policers.
    policed: Vec<u64>,
    /// Octets that the link beyond the output lost, by VC; empty if the link loses nothing.
    lost: Vec<u64>,
    /// Octets that the link beyond the output lost after their transmission, by VC.
    lost_when_sent: Vec<u64>,
}

/// The outputs of all nodes, read at the end.
pub struct Readings {
    /// Outputs with a buffer, by node; none of a host.
    pub outputs: Vec<Vec<OutputReading>>,
    /// Octets that a node sent to an output where flows have several paths, by node, output and VC.
    pub forwarded: Vec<Vec<Vec<u64>>>,
}

impl OutputReading {
    /// Octets of a VC that do not get beyond the link of the output.
    pub fn undelivered(&self, vc: Vc) -> u64 {
        let dropped = self.reading.dropped_by_vc[vc.index()] * self.unit.octets;
        let policed = self.policed.get(vc.index()).unwrap_or(&0);
        let lost = self.lost.get(vc.index()).unwrap_or(&0);
        dropped + policed + lost
    }
}

/// Reads the meters of a network.
pub struct MeterReader<'a> {
    pub(super) plan: &'a Plan,
    pub(super) end: Time,
    /// Measured time.
    pub span: Duration,
}

/// An output of a switch or router, read at the end.
pub struct PortMetrics {
    /// The hop that begins at the output.
    pub hop: Hop,
    /// Node of the output, and link.
    pub place: Place,
    /// Metrics with their values.
    pub metrics: Vec<Measurement>,
    /// Greedy flows whose data passes the output.
    pub greedy: usize,
    /// Time to send one octet; at the mean rate of a link whose rate changes.
    pub octet_time: f64,
}

impl PortMetrics {
    /// The value of a metric; zero if it is not reported.
    pub fn value(&self, wanted: &Metric) -> f64 {
        let found = self.metrics.iter().find(|(metric, _)| *metric == wanted);
        found.map_or(0.0, |(_, value)| *value)
    }
}

impl MeterReader<'_> {
    /// The reader at `end` of the counts since `start`.
    pub fn new(plan: &Plan, start: Time, end: Time) -> MeterReader<'_> {
        MeterReader {
            plan,
            end,
            span: end.since(start),
        }
    }

    /// Both ends of every flow.
    pub fn flows(&self, network: &mut Network<AnyNode>) -> Vec<FlowReading> {
        let mut flows = vec![FlowReading::default(); self.plan.paths.flows.len()];
        for (number, node) in network.nodes.iter_mut().enumerate() {
            match node {
                AnyNode::Host(host) => host.read(self.end, &mut flows),
                AnyNode::Edge(edge) => passing::read_edge(self.plan, number, edge, &mut flows),
                AnyNode::Switch(switch) => self.policed(number, switch, &mut flows),
                AnyNode::Router(_) => {}
            }
        }
        let trims = self.plan.spec.smallest_trimmed().is_some();
        for (number, flow) in flows.iter_mut().enumerate() {
            let spec = self.plan.flow_spec(number);
            let facts = spec.transport.facts();
            flow.finds_spurious = facts.finds_spurious;
            flow.may_give_up = facts.may_give_up;
            flow.may_be_trimmed = trims && !spec.over.is_cells();
            if flow.silence > Duration::ZERO {
                flow.judge_silence(self.plan.flows().idle_round_trip(&self.plan.links, number));
            }
        }
        flows
    }

    /// The metrics of the connections of each flow; empty where none come and go.
    pub fn connections(&self, network: &Network<AnyNode>) -> Vec<Vec<Measurement>> {
        let mut metrics = vec![Vec::new(); self.plan.paths.flows.len()];
        for node in &network.nodes {
            let AnyNode::Host(host) = node else {
                continue;
            };
            for sender in &host.senders {
                if let Some(counts) = sender.connections() {
                    metrics[sender.flow as usize] = counts.metrics(self.end, self.span);
                }
            }
        }
        metrics
    }

    /// Adds the counts of the policers of a switch to the flows that they police.
    fn policed(&self, node: usize, switch: &Switch, flows: &mut [FlowReading]) {
        let outputs = self.plan.topology.outputs(node).iter().enumerate();
        for ((output, hop), policers) in outputs.zip(switch.policers_by_output()) {
            for (vc, (planned, policer)) in
                (0..).map(Vc).zip(self.plan.paths.vcs(*hop).zip(policers))
            {
                // A VC with several paths uses one of its next links; policers on the others are skipped.
                if let Some(policer) = policer.as_ref().filter(|_| switch.is_used(output, vc)) {
                    flows[planned.flow].policed = Some(policer.meter);
                }
            }
        }
    }

    /// All outputs of switches and routers.
    pub fn ports(&self, network: &mut Network<AnyNode>, flows: &[FlowReading]) -> Vec<PortMetrics> {
        let nodes = network.nodes.iter().enumerate();
        let forwarded = nodes.map(|(number, node)| self.forwarded(number, node));
        let forwarded = forwarded.collect();
        let nodes = network.nodes.iter_mut();
        let outputs: Vec<Vec<OutputReading>> = nodes
            .map(|node| {
                let policed = dropped_by_policers(node, self.plan.cells());
                let sent = lost(node, |end| end.at == LossAt::Transmission);
                let lost = lost(node, |_| true);
                let crossing = self.crossings(node);
                let ports = node.ports_mut().into_iter().zip(crossing);
                ports
                    .zip(policed.into_iter().zip(lost).zip(sent))
                    .map(
                        |((port, crossing), ((policed, lost), lost_when_sent))| OutputReading {
                            // Read first, since an idle port does not follow the rate of its link.
                            reading: PortReading {
                                crossing,
                                ..port.read(self.end)
                            },
                            unit: port.unit(),
                            policed,
                            lost,
                            lost_when_sent,
                        },
                    )
                    .collect()
            })
            .collect();
        let readings = Readings { outputs, forwarded };
        let distances = Distances::new(self.plan, &readings);
        let numbers = readings.outputs.iter().enumerate();
        numbers
            .flat_map(|(node, outputs)| (0..outputs.len()).map(move |output| (node, output)))
            .map(|(node, output)| self.port((node, output), &readings, &distances, flows))
            .collect()
    }

    /// The counts of the cells that waited at the inputs of a node, by output.
    fn crossings(&self, node: &AnyNode) -> Vec<Option<CrossingReading>> {
        let outputs = 0..node.ports().len();
        let of = |output| match node {
            AnyNode::Switch(switch) => switch.read_crossing(output, self.end),
            _ => None,
        };
        outputs.map(of).collect()
    }

    /// Octets that a node forwarded, by output and VC; none by an output without VCs of flows that
    /// have several paths.
    fn forwarded(&self, node: usize, found: &AnyNode) -> Vec<Vec<u64>> {
        let outputs = self.plan.topology.outputs(node).iter().enumerate();
        let octets = outputs.map(|(output, hop)| {
            let mut vcs = self.plan.paths.vcs(*hop);
            let count = vcs.len() as u32;
            if !vcs.any(|planned| self.plan.paths.flows[planned.flow].mesh.is_some()) {
                return Vec::new();
            }
            let vcs = (0..count).map(Vc);
            vcs.map(|vc| found.forwarded(output, vc)).collect()
        });
        octets.collect()
    }

    fn port(
        &self,
        (node, output): (usize, usize),
        readings: &Readings,
        distances: &Distances,
        flows: &[FlowReading],
    ) -> PortMetrics {
        let hop = self.plan.topology.outputs(node)[output];
        let here = &readings.outputs[node][output];
        let vcs = self.plan.paths.vcs(hop).enumerate();
        let shares = vcs.map(|(vc, planned)| {
            // Of the hundreds of links in the mesh of a flow, most carry nothing of it.
            let is_unused = readings.forwarded[node][output].get(vc) == Some(&0)
                && distances.are_of(planned.flow);
            let (share, undelivered) = if is_unused {
                (passing::nothing(planned), 0)
            } else {
                let whole = passing::share(self.plan, hop, planned, &flows[planned.flow]);
                if let Some(part) = distances.part(planned, hop, whole.received()) {
                    (part.share(whole), part.undelivered_beyond)
                } else {
                    let beyond = self.undelivered_beyond(hop, planned, &readings.outputs);
                    (whole, beyond)
                }
            };
            VcShare {
                greedy: self.plan.flow_spec(planned.flow).source.is_greedy(),
                dead: share.dead + undelivered + here.lost_when_sent.get(vc).unwrap_or(&0),
                ..share
            }
        });
        let shares: Vec<VcShare> = shares.collect();
        let OutputReading { unit, reading, .. } = here;
        PortMetrics {
            hop,
            place: Place::of(self.plan, node, output),
            metrics: reading.metrics(*unit, &shares),
            greedy: shares.iter().filter(|vc| vc.data && vc.greedy).count(),
            octet_time: reading.unit_time(*unit) / unit.octets as f64,
        }
    }

    /// Octets of a VC that were dropped at ports beyond a hop, or lost on links beyond it.
    fn undelivered_beyond(
        &self,
        hop: Hop,
        planned: PlannedVc,
        readings: &[Vec<OutputReading>],
    ) -> u64 {
        let flow = &self.plan.paths.flows[planned.flow];
        let hops = flow.path.iter().zip(&flow.vcs);
        let at = hops
            .clone()
            .position(|(one, _)| one.link() == hop.link())
            .expect("a hop of the path");
        let undelivered = |(hop, vc): (Hop, &Vc)| {
            let tail = self.plan.topology.head(hop.back());
            readings[tail][self.plan.topology.output(hop)].undelivered(*vc)
        };
        if planned.back {
            // Cells of this VC travel the path backwards, so the hops that follow have lower
            // numbers; the last leads to the host at which the flow begins.
            hops.take(at)
                .map(|(hop, vc)| undelivered((hop.back(), vc)))
                .sum()
        } else {
            hops.skip(at + 1)
                .map(|(hop, vc)| undelivered((*hop, vc)))
                .sum()
        }
    }

    /// The metrics of every class at every output whose scheduler distinguishes classes.
    pub fn classes(&self, network: &mut Network<AnyNode>) -> Vec<(Scope, Vec<Measurement>)> {
        let mut classes = Vec::new();
        for (number, node) in network.nodes.iter_mut().enumerate() {
            for (output, port) in node.ports_mut().into_iter().enumerate() {
                let place = Place::of(self.plan, number, output);
                let metrics = port.classes(self.end);
                classes.extend(metrics.into_iter().map(|(class, metrics)| {
                    (Scope::Class(Class::ALL[class], place.clone()), metrics)
                }));
            }
        }
        classes
    }
}

/// Octets lost on the links that a node feeds, by output and VC; `ends` has their lossy ends.
fn lost(node: &AnyNode, ends: impl Fn(&LossyEnd) -> bool) -> Vec<Vec<u64>> {
    let losses = node.losses().into_iter();
    let chosen = losses.map(|end| end.filter(|end| ends(end)));
    let octets = chosen.map(|end| end.map_or(Vec::new(), |end| end.meter.octets_lost.clone()));
    let mut lost: Vec<Vec<u64>> = octets.collect();
    lost.resize(node.ports().len(), Vec::new());
    lost
}

/// Octets that the policers of a node dropped, by output and VC.
fn dropped_by_policers(node: &AnyNode, cells: CellFormat) -> Vec<Vec<u64>> {
    let mut policed = Vec::new();
    if let AnyNode::Switch(switch) = node {
        policed.extend(switch.policers_by_output().map(|policers| {
            let dropped = policers.iter().map(|policer| {
                let dropped = policer.as_ref().map_or(0, |policer| policer.meter.dropped);
                dropped * cells.octets()
            });
            dropped.collect()
        }));
    }
    policed.resize(node.ports().len(), Vec::new());
    policed
}
