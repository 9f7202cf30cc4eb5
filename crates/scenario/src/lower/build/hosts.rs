//! The hosts of a plan at the start of a run: the ends of flows, and an interface for each link.

use models::connections;
use models::host::nic::Nic;
use models::host::{End, Host, Nics, ReceivingEnd, SendingEnd, Via};
use models::jitter::{self, Jitter};
use models::paced::Pacer;
use models::traffic::{Application, Source};
use models::transport::{Connection, Ends, Receiver, Sender};
use models::wire::vc::{Route, Vc};

use super::Builder;
use super::forwarding::Forwarding;
use crate::lower::{Hop, PlannedVc};

impl Builder<'_> {
    /// Both ends of every flow.
    pub(super) fn ends(&self) -> Vec<FlowEnds> {
        (0..self.flows.paths.flows.len())
            .map(|flow| {
                let spec = self.flows.spec(flow);
                let name = self.flows.name(flow);
                let application = Application {
                    name: name.clone(),
                    host: self
                        .topology
                        .name(self.spec, self.flows.paths.hosts(self.topology, flow)[0]),
                    seed: self.seed,
                    message: spec.transport.facts().full_payload,
                    message_time: spec.message_time(self.flows.cells),
                    packets: spec.packets(self.flows.cells),
                    carried: self.flows.carried(self.links, flow),
                    siblings: self.flows.siblings(self.topology, flow),
                    awaited: self.flows.awaited(self.topology, flow).len(),
                };
                let packet_time = self.flows.packet_time(self.links, flow);
                let path = jitter::FlowPath {
                    name: name.clone(),
                    seed: self.seed,
                    packet_time,
                };
                let connection = Connection {
                    name,
                    seed: self.seed,
                    over: spec.over.wrapping(self.flows.cells),
                };
                let Ends { sender, receiver } = match spec.source.connections() {
                    None => spec.transport.build(&connection),
                    Some(source) => connections::ends(
                        &spec.transport,
                        &connection,
                        source.calls(&application),
                        self.flows.idle_path(self.links, flow),
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

    /// A host at the start of a run.
    pub(super) fn host(
        &self,
        node: usize,
        ends: &mut [FlowEnds],
        forwarding: &mut Forwarding,
    ) -> Host {
        let hops = self.topology.outputs(node);
        let nics = hops.iter().enumerate();
        let nics = nics.map(|(output, hop)| self.nic(output, *hop, &forwarding.starts));
        let nics = Nics::new(nics.collect(), forwarding.forks(self, node));
        let vcs = hops
            .iter()
            .flat_map(|hop| self.flows.paths.vcs(*hop))
            .enumerate();
        // Flow by flow; a flow with several next links has a VC on each of them.
        let mut vcs: Vec<(usize, PlannedVc)> = vcs.collect();
        vcs.sort_by_key(|(_, planned)| planned.flow);
        let flows = vcs.chunk_by(|(_, one), (_, next)| one.flow == next.flow);
        let flows = flows.map(|vcs| (vcs, vcs[0].1));
        let ending = flows.clone().filter(|(_, planned)| planned.back).count();
        let mut senders = Vec::with_capacity(flows.clone().count() - ending);
        let mut receivers = Vec::with_capacity(ending);
        let mut led_to = vec![End::Sender(0); vcs.len()];
        for (vcs, planned) in flows {
            let start = forwarding.starts[planned.flow][usize::from(planned.back)];
            let via = nics.via(start);
            let ends = &mut ends[planned.flow];
            let end = if planned.back {
                receivers.push(self.receiving_end(planned, via, ends));
                End::Receiver(receivers.len() as u32 - 1)
            } else {
                senders.push(self.sending_end(planned, via, ends));
                End::Sender(senders.len() as u32 - 1)
            };
            for (place, _) in vcs {
                led_to[*place] = end;
            }
        }
        let mut host = Host::new(nics, senders, receivers, led_to);
        let senders = host.senders.iter().map(|sender| sender.flow as usize);
        host.await_flows(
            senders
                .map(|flow| self.flows.awaited(self.topology, flow))
                .collect(),
        );
        let receivers = host.receivers.iter().map(|one| one.flow as usize);
        host.pace_pulls(
            receivers
                .map(|flow| self.flows.pull_time(self.links, flow))
                .collect(),
        );
        host
    }

    fn receiving_end(&self, planned: PlannedVc, via: Via, ends: &mut FlowEnds) -> ReceivingEnd {
        let PlannedVc { flow, .. } = planned;
        let over = self.flows.bearer(planned).wrapping(self.flows.cells);
        let receiver = ends.end.take().expect("each flow has one receiver");
        let mut receiver = ReceivingEnd::new(flow as u32, via, over, receiver);
        if let Some(order) = self.flows.arrival_order(flow) {
            receiver.follow(order);
        }
        if self.flows.spec(flow).source.takes_turns() {
            receiver.follow_messages();
        }
        receiver
    }

    fn sending_end(&self, planned: PlannedVc, via: Via, ends: &mut FlowEnds) -> SendingEnd {
        let PlannedVc { flow, .. } = planned;
        let over = self.flows.bearer(planned).wrapping(self.flows.cells);
        let beginning = ends.beginning.take();
        let Beginning {
            sender,
            source,
            jitter,
        } = beginning.expect("each flow has one sender");
        SendingEnd::new(flow as u32, via, over, sender, source, jitter)
    }

    /// The interface of a host to its link number `output`.
    fn nic(&self, output: usize, hop: Hop, starts: &[[Route; 2]]) -> Nic {
        let rate = self.links.rate(hop);
        let buffer = self.links.cell_credit(hop);
        let pacers = (0u32..)
            .map(Vc)
            .zip(self.flows.paths.vcs(hop))
            .map(|(vc, planned)| {
                let start = starts[planned.flow][usize::from(planned.back)];
                let here = Route {
                    output: output as u32,
                    vc,
                };
                // A VC with several paths was set up along one of them.
                let pacer = self
                    .flows
                    .pacer(self.links, planned, rate)
                    .filter(|_| start == here);
                // A VC that needs credit is paced: its cells leave one by one.
                pacer.or_else(|| buffer.map(|_| Pacer::at_most(self.links.cell_time(hop))))
            });
        let pacers = pacers.collect();
        let mut nic = Nic::new(
            rate,
            self.flows.cells,
            pacers,
            self.waiting(hop),
            self.transmitter(output, hop),
        );
        if let Some(clock) = self.clock(hop) {
            nic.follow_rate(clock);
        }
        if let (Some(paced), Some(buffer)) = (&mut nic.paced, buffer) {
            paced.wait_for_credit(buffer);
        }
        nic
    }
}

/// The two ends of a flow, one for each host.
pub(super) struct FlowEnds {
    beginning: Option<Beginning>,
    end: Option<Box<dyn Receiver>>,
}

/// The sending end of a flow, for its host.
struct Beginning {
    sender: Box<dyn Sender>,
    source: Box<dyn Source>,
    jitter: Option<Box<dyn Jitter>>,
}
