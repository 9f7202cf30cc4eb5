//! Deadlocks of pauses: queues that wait for one another in a circle, for ever.
//!
//! Packets of one priority wait at an output whose far end has paused them, until the input there
//! holds no more than xon. So their queue waits for the packets that this input holds, and some of
//! these may wait at paused outputs themselves: Hu, Zhu, Cheng, Guo, Tan, Padhye and Chen, "Deadlocks
//! in Datacenter Networks: Why Do They Form, and How to Avoid Them", ACM Workshop on Hot Topics in
//! Networks, 2016, section 2.
//!
//! Our own exact rule: the stuck queues are the largest set of paused queues of which each remains
//! paused although all packets that wait elsewhere leave, and which no frame resumes that is on its
//! way. Packets that arrive later cannot resume them, since they only add to what an input holds.

use std::collections::BTreeSet;

use kernel::{Link, Network};
use models::node::AnyNode;
use models::router::Router;
use models::wire::priority::{ByPriority, Priority};
use models::wire::unit::{ControlFrame, Unit};

use super::{Place, Scope, Warning};
use crate::lower::{Hop, Plan};

/// The queue of a priority at the output to a hop.
type Queue = (u32, Priority);

/// A warning for each circle of queues that wait for one another.
pub fn of(plan: &Plan, network: &Network<AnyNode>) -> Vec<Warning> {
    let links = Links { plan, network };
    let mut stuck: BTreeSet<Queue> = links.paused().collect();
    loop {
        let remain = stuck.iter().copied();
        let remain = remain.filter(|queue| links.remains_paused(*queue, &stuck));
        let remain: BTreeSet<Queue> = remain.collect();
        if remain.len() == stuck.len() {
            break;
        }
        stuck = remain;
    }
    let circles = links.circles(&stuck).into_iter();
    circles.map(|circle| links.warning(&circle)).collect()
}

/// The links of a network that may be paused.
struct Links<'a> {
    plan: &'a Plan,
    network: &'a Network<AnyNode>,
}

impl Links<'_> {
    fn router(&self, node: usize) -> Option<&Router> {
        match &self.network.nodes[node] {
            AnyNode::Router(router) => Some(router),
            AnyNode::Host(_) | AnyNode::Switch(_) | AnyNode::Edge(_) => None,
        }
    }

    /// The queues with packets that are paused.
    fn paused(&self) -> impl Iterator<Item = Queue> {
        let nodes = 0..self.network.nodes.len();
        let routers = nodes.filter_map(move |node| Some((node, self.router(node)?)));
        routers.flat_map(move |(node, router)| {
            let outputs = router.packet_gates().enumerate();
            let gates = outputs.filter_map(|(output, gate)| Some((output, gate?.pause()?)));
            gates.flat_map(move |(output, gate)| {
                let hop = self.plan.topology.outputs(node)[output].number();
                let waiting = router.waiting(output).map(|charge| charge.priority);
                let waiting: BTreeSet<Priority> = waiting.collect();
                let paused = waiting.into_iter().filter(|one| gate.stays_closed(*one));
                paused.map(move |priority| (hop, priority))
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

    /// True if a queue remains paused although all packets leave that wait at queues which are not
    /// `stuck`.
    fn remains_paused(&self, queue: Queue, stuck: &BTreeSet<Queue>) -> bool {
        let hop = Hop::of(queue.0);
        let far = self.plan.topology.head(hop);
        let Some(router) = self.router(far).filter(|_| !self.is_resumed(hop, queue.1)) else {
            return false;
        };
        let outputs = self.plan.topology.outputs(far).iter().enumerate();
        let mut left = vec![ByPriority::default(); router.inputs().len()];
        for (output, next) in outputs {
            let waiting = router.waiting(output);
            let stays = waiting.filter(|one| stuck.contains(&(next.number(), one.priority)));
            for charge in stays {
                left[charge.input][charge.priority.index()] += charge.space;
            }
        }
        let input = self.plan.topology.output(hop.back());
        router.remains_paused(input, queue.1, &left)
    }

    /// True if a frame is on its way that resumes a priority of a hop.
    fn is_resumed(&self, hop: Hop, priority: Priority) -> bool {
        let near = self.plan.topology.head(hop.back());
        let input = self.plan.topology.output(hop);
        let mut links = self.network.links().iter();
        let link = links.find(|link| link.to == near && link.input as usize == input);
        let mut units = link.into_iter().flat_map(Link::units);
        units.any(|unit| match unit {
            Unit::Control(ControlFrame::Pause(frame)) => frame.resumes(priority),
            _ => false,
        })
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
        Warning {
            code: "deadlock",
            scope: Scope::Port(places[0].clone()),
            says: format!(
                "a deadlock of pauses: packets of priority {} wait at {}, each for the next and \
                 the last for the first, and none of them will ever leave",
                priority.index(),
                listed.join(", ")
            ),
        }
    }
}
