//! The network of a plan: nodes, links and flows at the start of a run.

pub(in crate::lower) mod division;
pub(in crate::lower) mod losses;
pub(in crate::lower) mod queueing;
pub(crate) mod routers;

use kernel::{Network, Rate, Seed, Wire};
use models::connections;
use models::credit::CreditBuffer;
use models::host::nic::Nic;
use models::host::{End, Host, ReceivingEnd, SendingEnd};
use models::jitter::{self, Jitter};
use models::node::AnyNode;
use models::output::Queueing;
use models::paced::Pacer;
use models::switch::credits::Credits;
use models::switch::fabric::Inputs;
use models::switch::outputs::Outputs;
use models::switch::rate::{OutputRateControl, Supply};
use models::switch::{CellOutput, Switch, SwitchSpec};
use models::ties::{Chance, TieRule};
use models::traffic::{Application, Source};
use models::transport::{Connection, Ends, Receiver, Sender};
use models::wire::cell::CELL_BITS;
use models::wire::class::Class;
use models::wire::contents::Cargo;
use models::wire::vc::{Route, Vc};

use crate::lower::routes::forwarding::Forwarding;
use crate::lower::topology::NodeKind;
use crate::lower::{Hop, Plan, PlannedNode, PlannedVc};

impl Plan {
    /// The network at the start of a run.
    pub fn network(&self, seed: Seed) -> Network<AnyNode> {
        let mut ends = self.ends(seed);
        let mut forwarding = Forwarding::new(self, seed);
        let mut nodes: Vec<AnyNode> = (0..self.topology.nodes.len())
            .map(|number| (number, self.topology.nodes[number]))
            .map(|(number, PlannedNode { kind, member })| match kind {
                NodeKind::Host => AnyNode::Host(self.host(number, &mut ends, seed)),
                NodeKind::Switch => {
                    let spec = &self.spec.switch.0[member.spec()].1;
                    let routes = std::mem::take(&mut forwarding.routes[number]);
                    if self.carries_cells(number) {
                        AnyNode::Switch(self.switch(number, spec, seed, routes))
                    } else {
                        let spec = routers::of_switch(spec);
                        let forks = forwarding.forks(self, number, seed);
                        AnyNode::Router(self.router(number, &spec, seed, routes, forks))
                    }
                }
                NodeKind::Router => {
                    let spec = &self.spec.router.0[member.spec()].1;
                    let routes = std::mem::take(&mut forwarding.routes[number]);
                    let forks = forwarding.forks(self, number, seed);
                    AnyNode::Router(self.router(number, spec, seed, routes, forks))
                }
                NodeKind::Edge => {
                    let spec = &self.spec.edge.0[member.spec()].1;
                    let routes = std::mem::take(&mut forwarding.routes[number]);
                    AnyNode::Edge(self.edge(number, spec, seed, routes))
                }
            })
            .collect();
        self.join_switches(&mut nodes);
        Network::new(nodes, Cargo::default(), &self.wires())
    }

    /// Lets the outputs of switches send interleaved trains on the links to switches that take them.
    fn join_switches(&self, nodes: &mut [AnyNode]) {
        for from in 0..nodes.len() {
            for (output, hop) in self.topology.outputs(from).iter().enumerate() {
                let takes = match &nodes[self.topology.head(*hop)] {
                    AnyNode::Switch(switch) => switch.takes_interleaved(),
                    _ => false,
                };
                if takes && let AnyNode::Switch(switch) = &mut nodes[from] {
                    switch.outputs.send_interleaved(output);
                }
            }
        }
    }

    /// The wires of each link, one in each direction; the outputs and inputs of a node have the
    /// same numbers.
    pub fn wires(&self) -> Vec<Wire> {
        let links = 0..self.topology.links.len();
        let hops = links.flat_map(|link| [false, true].map(|reverse| Hop::new(link, reverse)));
        hops.map(|hop| {
            let link = self.link_spec(hop.link());
            let smallest = self.vcs(hop).map(|planned| {
                let flow = self.flow_spec(planned.flow);
                match flow.wrap(planned.in_cells, flow.transport.smallest_packet()) {
                    (octets, 0) => octets * 8,
                    _ => CELL_BITS,
                }
            });
            Wire {
                from: self.topology.head(hop.back()),
                to: self.topology.head(hop),
                shortest: link.rate.transmission(smallest.min().unwrap_or(CELL_BITS)),
                propagation: link.delay.0,
            }
        })
        .collect()
    }

    /// Both ends of every flow.
    fn ends(&self, seed: Seed) -> Vec<FlowEnds> {
        (0..self.flows.len())
            .map(|flow| {
                let spec = self.flow_spec(flow);
                let name = self.flow_name(flow);
                let application = Application {
                    name: name.clone(),
                    host: self.node_name(self.hosts(flow)[0]),
                    seed,
                    message: spec.transport.full_payload(),
                    message_time: spec.message_time(),
                    packets: spec.packets(),
                    carried: self.carried(flow),
                    siblings: self.siblings(flow),
                    awaited: self.awaited(flow).len(),
                };
                let packet_time = self.packet_time(flow);
                let path = jitter::FlowPath {
                    name: name.clone(),
                    seed,
                    packet_time,
                };
                let connection = Connection {
                    name,
                    seed,
                    over: spec.over.wrapping(),
                };
                let Ends { sender, receiver } = match spec.source.connections() {
                    None => spec.transport.build(&connection),
                    Some(source) => connections::ends(
                        &spec.transport,
                        &connection,
                        source.calls(&application),
                        self.idle_path(flow),
                    ),
                };
                let source = spec.source.build(&application);
                let jitter = spec.jitter.as_ref().map(|jitter| jitter.build(&path));
                FlowEnds {
                    beginning: Some(Beginning {
                        sender,
                        source,
                        jitter,
                    }),
                    end: Some(receiver),
                }
            })
            .collect()
    }

    fn host(&self, node: usize, ends: &mut [FlowEnds], seed: Seed) -> Host {
        let hop = self.topology.outputs(node)[0];
        let rate = self.rate(hop);
        let outgoing = self.vcs(hop);
        let vcs = outgoing.len();
        let ending = self.vcs(hop).filter(|planned| planned.back).count();
        let mut senders = Vec::with_capacity(vcs - ending);
        let mut receivers = Vec::with_capacity(ending);
        let mut led_to = Vec::with_capacity(vcs);
        for (vc, planned) in (0u32..).map(Vc).zip(outgoing) {
            let PlannedVc { flow, back, .. } = planned;
            let over = self.bearer(planned).wrapping();
            if back {
                led_to.push(End::Receiver(receivers.len() as u32));
                let receiver = ends[flow].end.take().expect("each flow has one receiver");
                let mut receiver = ReceivingEnd::new(flow as u32, vc, over, receiver);
                if let Some(order) = self.arrival_order(flow) {
                    receiver.follow(order);
                }
                receivers.push(receiver);
            } else {
                led_to.push(End::Sender(senders.len() as u32));
                let beginning = ends[flow].beginning.take();
                let Beginning {
                    sender,
                    source,
                    jitter,
                } = beginning.expect("each flow has one sender");
                senders.push(SendingEnd::new(
                    flow as u32,
                    vc,
                    over,
                    sender,
                    source,
                    jitter,
                ));
            }
        }
        let buffer = self.credit_buffer(hop);
        let pacers = self.vcs(hop).map(|planned| {
            // A VC that needs credit is paced: its cells leave one by one.
            let pacer = self.pacer(planned, rate);
            pacer.or_else(|| buffer.map(|_| Pacer::at_most(rate)))
        });
        let transmitter = self.transmitter(0, hop, seed);
        let mut nic = Nic::new(rate, pacers.collect(), transmitter);
        if let (Some(paced), Some(buffer)) = (&mut nic.paced, buffer) {
            paced.wait_for_credit(buffer);
        }
        let mut host = Host::new(nic, senders, receivers, led_to);
        let senders = host.senders.iter().map(|sender| sender.flow as usize);
        host.await_flows(senders.map(|flow| self.awaited(flow)).collect());
        host
    }

    /// The pacer of the cells of a VC at a host whose link has the rate `line`; none if they
    /// are sent back to back.
    pub(in crate::lower) fn pacer(&self, planned: PlannedVc, line: Rate) -> Option<Pacer> {
        let over = &self.flow_spec(planned.flow).over;
        match over.rate_control() {
            Some(abr) if planned.back && !abr.controls_reverse() => Some(Pacer::Immediate),
            Some(abr) => {
                let round_trip = self.round_trip_of_cells(planned.flow);
                Some(Pacer::abr(abr.contract(line, round_trip)))
            }
            None => over.descriptor().as_ref().map(Pacer::shaped),
        }
    }

    fn switch(
        &self,
        node: usize,
        spec: &SwitchSpec,
        seed: Seed,
        routes: Vec<Vec<Route>>,
    ) -> Switch {
        let hops = self.topology.outputs(node);
        let cell_time = |hop: &Hop| self.rate(*hop).transmission(CELL_BITS);
        let ports = hops.iter().enumerate().map(|(output, hop)| {
            let transmitter = self.transmitter(output, *hop, seed);
            let classes = self.classes(*hop);
            let layout = self.layout(*hop, spec, classes.len(), seed);
            let queueing = Queueing::new(layout, self.scheduling(*hop, spec, seed));
            let control = self.control(*hop, spec, &classes);
            let mut port =
                CellOutput::new(transmitter, cell_time(hop), queueing, &classes, control);
            if self.sends_credits(*hop) {
                port.meter.send_credits();
            }
            port
        });
        let chance = self.chance(node, spec.ties, seed);
        let inputs = Inputs {
            inputs: hops.len(),
            outputs: hops.len(),
            cell_time: hops
                .iter()
                .map(cell_time)
                .min()
                .unwrap_or(kernel::Duration::from_us(1)),
            random: seed.stream(&self.node_name(node), "fabric"),
            chance,
        };
        let fabric = spec.fabric.build(&inputs);
        let policers = self.policers(node);
        let shared = spec.buffer.is_shared();
        let mut outputs = Outputs::new(ports.collect(), policers, shared);
        if self.is_controlled(node) {
            let buffers = |hop: fn(&Hop) -> Hop| -> Vec<Option<CreditBuffer>> {
                hops.iter()
                    .map(|out| self.credit_buffer(hop(out)))
                    .collect()
            };
            let [here, beyond] = [buffers(|hop| hop.back()), buffers(|hop| *hop)];
            outputs.set_credits(Credits::new(&here, &beyond, &routes));
        }
        let mut switch = Switch::new(fabric, outputs, routes);
        if let Some(chance) = chance {
            switch.leave_ties_to(chance);
        }
        switch
    }

    /// The random draw that decides ties at a node, if ties are random.
    pub(in crate::lower) fn chance(
        &self,
        node: usize,
        ties: TieRule,
        seed: Seed,
    ) -> Option<Chance> {
        ties.build(seed.stream(&self.node_name(node), "ties"))
    }

    /// The rate allocator of an output with VCs of these classes.
    fn control(&self, hop: Hop, spec: &SwitchSpec, classes: &[Class]) -> Option<OutputRateControl> {
        if !classes.contains(&Class::Abr) {
            return None;
        }
        let buffer = spec.buffer.of_class(Class::Abr, classes.len())?;
        let link = self.rate(hop);
        let allocator = spec
            .rate
            .as_ref()?
            .build(&Supply::new(buffer, link, &spec.scheduler));
        Some(OutputRateControl::new(allocator, classes))
    }

    /// True if the cells of a PDU are gathered on a hop, because its far end reassembles them.
    pub(in crate::lower) fn gathers(&self, hop: Hop) -> bool {
        let far = self.topology.nodes[self.topology.head(hop)].kind;
        matches!(far, NodeKind::Host | NodeKind::Edge)
    }
}

/// The two ends of a flow, one for each host.
struct FlowEnds {
    beginning: Option<Beginning>,
    end: Option<Box<dyn Receiver>>,
}

/// The sending end of a flow, for its host.
struct Beginning {
    sender: Box<dyn Sender>,
    source: Box<dyn Source>,
    jitter: Option<Box<dyn Jitter>>,
}
