//! Deadlocks of pauses and credits: queues that wait for one another in a circle, for ever.
//!
//! Packets of one priority wait at an output whose far end has paused them, until the input there
//! holds no more than xon, or for credits, until packets leave this input. So their queue waits for the
//! packets that this input holds, and some of these may be held back themselves: Hu, Zhu, Cheng, Guo,
//! Tan, Padhye and Chen, "Deadlocks in Datacenter Networks: Why Do They Form, and How to Avoid Them",
//! ACM Workshop on Hot Topics in Networks, 2016, section 2; Dally and Seitz, "Deadlock-Free Message
//! Routing in Multiprocessor Interconnection Networks", IEEE Transactions on Computers C-36(5), 1987,
//! for channels that wait for one another's buffers.
//!
//! Our own exact rule: the stuck queues are the largest set of held back queues of which each remains
//! so although all packets that wait elsewhere leave, their credits come back, and so do those of lost
//! packets; and which no frame resumes that is on its way. Packets that arrive later cannot let them
//! go, since they only add to what an input holds. A link that loses pause frames lets its queues go
//! when a pause is not refreshed.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{Link, Network};
use models::link::gate::PacketGate;
use models::node::AnyNode;
use models::router::Router;
use models::router::account::Charge;
use models::wire::priority::{ByPriority, Priority};

use super::{Place, Scope, Warning};
use crate::lower::{Hop, Plan};

/// The queue of a priority at the output to a hop.
type Queue = (u32, Priority);

/// A warning for each circle of queues that wait for one another.
pub fn of(plan: &Plan, network: &Network<AnyNode>) -> Vec<Warning> {
    let links = PlannedLinks { plan, network };
    let held_back: BTreeMap<Queue, u32> = links.held_back().collect();
    let mut stuck: BTreeSet<Queue> = held_back.keys().copied().collect();
    loop {
        let remain = stuck.iter().copied();
        let remain =
            remain.filter(|queue| links.remains_held_back(*queue, held_back[queue], &stuck));
        let remain: BTreeSet<Queue> = remain.collect();
        if remain.len() == stuck.len() {
            break;
        }
        stuck = remain;
    }
    let circles = links.circles(&stuck).into_iter();
    circles.map(|circle| links.warning(&circle)).collect()
}

/// The links of a network that may be paused, or have credits for packets.
struct PlannedLinks<'a> {
    plan: &'a Plan,
    network: &'a Network<AnyNode>,
}

impl PlannedLinks<'_> {
    fn router(&self, node: usize) -> Option<&Router> {
        match &self.network.nodes[node] {
            AnyNode::Router(router) => Some(router),
            AnyNode::Host(_) | AnyNode::Switch(_) | AnyNode::Edge(_) => None,
        }
    }

    /// The queues with packets that are paused, or wait for credits, each with the octets of its first
    /// packet.
    fn held_back(&self) -> impl Iterator<Item = (Queue, u32)> {
        let nodes = 0..self.network.nodes.len();
        let routers = nodes.filter_map(move |node| Some((node, self.router(node)?)));
        routers.flat_map(move |(node, router)| {
            let hops = self.plan.topology.outputs(node).iter().enumerate();
            hops.flat_map(move |(output, hop)| {
                let held_back = router.held_back(output);
                held_back.map(|(priority, octets)| ((hop.number(), priority), octets))
            })
        })
    }

    /// The queues at the far end of a queue's link where packets of its input and its priority wait,
    /// each with the octets of memory that they take there.
    fn beyond(&self, (hop, priority): Queue) -> Vec<(Queue, u64)> {
        let hop = Hop::of(hop);
        let far = self.plan.topology.head(hop);
        let Some(router) = self.router(far) else {
            return Vec::new();
        };
        let input = self.plan.topology.output(hop.back());
        let outputs = self.plan.topology.outputs(far).iter().enumerate();
        let held = outputs.map(|(output, next)| {
            let waiting = router.waiting(output);
            let of_input = waiting.filter(|one| one.input == input && one.priority == priority);
            let space: u64 = of_input.map(|charge| charge.space).sum();
            ((next.number(), priority), space)
        });
        held.filter(|(_, space)| *space > 0).collect()
    }

    /// True if a queue, whose first packet has as many octets, remains held back although all packets
    /// leave that wait at queues which are not `stuck`.
    fn remains_held_back(&self, queue: Queue, octets: u32, stuck: &BTreeSet<Queue>) -> bool {
        let (hop, priority) = (Hop::of(queue.0), queue.1);
        let Some(router) = self.router(self.plan.topology.head(hop)) else {
            return false;
        };
        let stays = self.staying(hop, router, stuck);
        let input = self.plan.topology.output(hop.back());
        if let Some(sender) = self.gate(hop).and_then(PacketGate::credit) {
            let mut held: ByPriority<Vec<u32>> = ByPriority::default();
            for charge in stays.filter(|charge| charge.input == input) {
                held[charge.priority.index()].push(charge.octets);
            }
            return sender.remains_closed(priority, octets, &held);
        }
        let mut left = vec![ByPriority::default(); router.inputs().len()];
        for charge in stays {
            left[charge.input][charge.priority.index()] += charge.space;
        }
        let link = self.plan.link_spec(hop.link());
        let loses = link.loss.is_some() || link.outages.is_some();
        !loses && !self.is_resumed(hop, priority) && router.remains_paused(input, priority, &left)
    }

    /// The packets at the far end of a hop, a router, that wait at stuck queues.
    fn staying<'a>(
        &'a self,
        hop: Hop,
        router: &'a Router,
        stuck: &'a BTreeSet<Queue>,
    ) -> impl Iterator<Item = Charge> + 'a {
        let far = self.plan.topology.head(hop);
        let outputs = self.plan.topology.outputs(far).iter().enumerate();
        outputs.flat_map(move |(output, next)| {
            let waiting = router.waiting(output);
            waiting.filter(|one| stuck.contains(&(next.number(), one.priority)))
        })
    }

    /// The gate at the near end of a hop; none if nothing holds packets back there.
    fn gate(&self, hop: Hop) -> Option<&PacketGate> {
        let near = self.router(self.plan.topology.head(hop.back()))?;
        let output = self.plan.topology.output(hop);
        near.packet_gates().nth(output)?
    }

    /// True if a frame is on its way that resumes a priority of a hop.
    fn is_resumed(&self, hop: Hop, priority: Priority) -> bool {
        let near = self.plan.topology.head(hop.back());
        let input = self.plan.topology.output(hop);
        let mut links = self.network.links().iter();
        let link = links.find(|link| link.to == near && link.input as usize == input);
        let mut units = link.into_iter().flat_map(Link::units);
        units.any(|unit| unit.resumes(priority))
    }

    /// Circles of stuck queues, each of which waits for the next, and the last for the first. Each
    /// stuck queue leads to a circle, and is in one at most.
    fn circles(&self, stuck: &BTreeSet<Queue>) -> Vec<Vec<Queue>> {
        let mut seen = BTreeSet::new();
        let mut circles = Vec::new();
        for first in stuck {
            let (mut way, mut queue) = (Vec::new(), *first);
            while seen.insert(queue) {
                way.push(queue);
                let mut beyond = self.beyond(queue).into_iter();
                let next = beyond.find(|(next, _)| stuck.contains(next));
                queue = next.expect("a stuck queue waits for another").0;
            }
            // A way may also lead to a queue of an earlier way.
            if let Some(start) = way.iter().position(|one| *one == queue) {
                circles.push(way.split_off(start));
            }
        }
        circles
    }

    fn warning(&self, circle: &[Queue]) -> Warning {
        let places = circle.iter();
        let places = places.map(|(hop, _)| Place::before(self.plan, Hop::of(*hop)));
        let places: Vec<Place> = places.collect();
        let listed = places.iter().map(|place| format!("`{place}`"));
        let listed: Vec<String> = listed.collect();
        let (_, priority) = circle[0];
        let gates = circle
            .iter()
            .filter_map(|(hop, _)| self.gate(Hop::of(*hop)));
        let for_credits = gates.filter(|gate| gate.credit().is_some()).count();
        let awaited = match for_credits {
            0 => "pauses",
            all if all == circle.len() => "credits",
            _ => "pauses and credits",
        };
        Warning {
            code: "deadlock",
            scope: Scope::Port(places[0].clone()),
            says: format!(
                "a deadlock of {awaited}: packets of priority {} wait at {}, each for the next and \
                 the last for the first, and none of them will ever leave",
                priority.index(),
                listed.join(", ")
            ),
        }
    }
}
