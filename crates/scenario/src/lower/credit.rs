//! Links controlled by credits: how much room each has, and whether it can be kept.

use models::carriage::CarriageSpec;
use models::cell::CELL_BITS;
use models::credit::{Loop, Room};
use models::switch::scheduler::SchedulerSpec;
use parameters::{Path, Problem, Problems};

use super::{Channel, Hop, Kind, Plan};

impl Plan {
    /// Room at the far end of a hop, if that is a switch and controls what is sent to it.
    pub fn room(&self, hop: Hop) -> Option<Room> {
        let link = self.link_spec(hop.link());
        let credit = link.credit.as_ref()?;
        let node = &self.topology.nodes[self.topology.head(hop)];
        (node.kind == Kind::Switch).then(|| {
            credit.build(&Loop {
                propagation: link.delay,
                cell_time: link.rate.transmission(CELL_BITS),
            })
        })
    }

    /// Whether any link of a node is controlled by credits.
    pub fn is_controlled(&self, node: usize) -> bool {
        let hops = self.topology.outputs(node).iter();
        hops.flat_map(|hop| [*hop, hop.back()])
            .any(|hop| self.room(hop).is_some())
    }

    /// Cells for which an output must have room for each channel that comes by a controlled link.
    fn promised(&self, output: Hop) -> impl Iterator<Item = u64> {
        let channels = self.channels(output);
        let rooms = channels.filter_map(move |channel| self.room(self.before(output, channel)?));
        rooms.map(|room| u64::from(room.cells))
    }

    /// The hop by which a channel comes to the node at which `output` begins.
    fn before(&self, output: Hop, channel: Channel) -> Option<Hop> {
        let path = &self.flows[channel.flow].path;
        let back = |hop: &Hop| hop.back();
        let way: Vec<Hop> = if channel.back {
            path.iter().rev().map(back).collect()
        } else {
            path.to_vec()
        };
        let place = way.iter().position(|hop| *hop == output)?;
        way.get(place.checked_sub(1)?).copied()
    }
}

/// Reports links that cannot be controlled, and switches that cannot keep what credits promise.
pub fn check(plan: &Plan, problems: &mut Problems) {
    for (index, (name, link)) in plan.spec.link.iter().enumerate() {
        if let Some(credit) = &link.credit {
            let at = Path::root().key("link").key(name).key("credit");
            let at = at.key(credit.kind());
            links(plan, index, name, &at, problems);
        }
    }
    for (node, planned) in plan.topology.nodes.iter().enumerate() {
        if planned.kind == Kind::Switch && plan.carries_cells(node) && plan.is_controlled(node) {
            switches(plan, node, planned.member.spec(), problems);
        }
    }
}

fn links(plan: &Plan, spec: usize, name: &str, at: &Path, problems: &mut Problems) {
    let links = plan.topology.links.iter().enumerate();
    let members = links.filter(|(_, link)| link.member.spec() == spec);
    let hops = members.flat_map(|(link, _)| [false, true].map(|reverse| Hop::new(link, reverse)));
    let hops: Vec<Hop> = hops.collect();
    if hops.iter().all(|hop| plan.room(*hop).is_none()) {
        let problem = format!("no end of `{name}` is a switch");
        let hint = "switches give credit; leave `credit` out";
        problems.add(Problem::new(at, None, problem).hint(hint));
        return;
    }
    let mut carried = hops.iter().flat_map(|hop| plan.channels(*hop));
    let unfit = carried.find_map(|channel| {
        let flow = &plan.spec.flow.0[plan.flows[channel.flow].member.spec()];
        match &flow.1.over {
            over if !over.is_cells() => Some((&flow.0, "whole packets", "carry it `over.ubr`")),
            CarriageSpec::Abr(_) => Some((
                &flow.0,
                "cells whose rate the network controls",
                "control a flow by rates or by credits: carry it `over.ubr`",
            )),
            _ => None,
        }
    });
    if let Some((flow, what, hint)) = unfit {
        let problem = format!("flow `{flow}` sends {what} over `{name}`");
        problems.add(Problem::new(at, None, problem).hint(hint));
    }
}

fn switches(plan: &Plan, node: usize, index: usize, problems: &mut Problems) {
    let (name, switch) = &plan.spec.switch.0[index];
    let at = Path::root().key("switch").key(name);
    if !matches!(switch.scheduler, SchedulerSpec::RoundRobin(_)) {
        let problem = format!("credits are for channels, and at `{name}` they share a queue");
        let at = at.key("scheduler").key(switch.scheduler.kind());
        let hint = "write `scheduler.round_robin = {}`";
        problems.add(Problem::new(&at, None, problem).hint(hint));
        return;
    }
    let outputs = plan.topology.outputs(node).iter();
    let needed: u64 = if switch.buffer.is_shared() {
        outputs.flat_map(|hop| plan.promised(*hop)).sum()
    } else if switch.buffer.is_per_channel() {
        let each = outputs.flat_map(|hop| plan.promised(*hop));
        each.max().unwrap_or(0)
    } else {
        let each = outputs.map(|hop| plan.promised(*hop).sum());
        each.max().unwrap_or(0)
    };
    if switch.buffer.in_cells(0).capacity < needed {
        let problem = format!("the buffer is smaller than what credits promise at `{name}`");
        let hint = format!("give it at least `\"{needed} cells\"`, or lower `n2` and `n3`");
        let at = switch.buffer.size_path(&at.key("buffer"));
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
}
