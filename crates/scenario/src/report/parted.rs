//! The part of a flow that passes one of several paths.
//!
//! Our own estimate: nothing counts which path a packet took before it arrived. The octets of a flow are
//! divided among the links at one distance from the sending host as the nodes before them sent them, as
//! if all had the same fates. The shares of these links add up to those of the flow. Where an outage
//! makes packets take longer paths, a link may be passed at several distances; there the octets are a
//! part of all that the flow sent and had not lost.

use std::collections::BTreeMap;

use models::metrics::VcShare;
use models::wire::vc::Vc;

use super::reader::{OutputReading, Readings};
use crate::lower::routes::paths::{FlowHop, Mesh};
use crate::lower::{Hop, Plan, PlannedVc};

/// What the outputs at each distance from the sending host counted of every flow with several paths.
///
/// The links of a flow are read once, since a large fabric has hundreds of them, and each is asked for.
pub struct Distances<'a> {
    plan: &'a Plan,
    readings: &'a Readings,
    /// Sums of each flow, in both directions; none of a flow with one path.
    of_flows: Vec<Option<[Sums; 2]>>,
}

/// The sums of a flow in one direction, by distance.
#[derive(Default)]
struct Sums {
    /// Octets that passed the links at a distance.
    passed: Vec<u64>,
    /// Octets that were dropped or lost at smaller distances; the last is the sum of all.
    undelivered_before: Vec<u64>,
    /// Octets that were sent, if some paths are longer than others. None of a flow in cells, of which a
    /// switch tells only whether it uses the VC.
    sent: Option<u64>,
}

/// The part of a flow, in one direction, that passes a hop.
pub struct FlowAtHop {
    /// Octets that passed this hop.
    octets: u64,
    /// Octets that passed the hops at this distance.
    of: u64,
    /// Octets, of those that passed the hop, that were dropped or lost further on.
    pub undelivered_beyond: u64,
}

impl<'a> Distances<'a> {
    /// The sums of all flows of a plan.
    pub fn new(plan: &'a Plan, readings: &'a Readings) -> Distances<'a> {
        let flows = plan.paths.flows.iter();
        let sums = |mesh: &Mesh| [false, true].map(|back| Sums::of(plan, readings, mesh, back));
        Distances {
            plan,
            readings,
            of_flows: flows.map(|flow| flow.mesh.as_deref().map(sums)).collect(),
        }
    }

    /// True if a flow has several paths.
    pub fn are_of(&self, flow: usize) -> bool {
        self.of_flows[flow].is_some()
    }

    /// The part of a flow that passes `hop` on the VC `planned`, of which `received` octets reached
    /// their host; none if the flow has one path.
    pub fn part(&self, planned: PlannedVc, hop: Hop, received: u64) -> Option<FlowAtHop> {
        let mesh = self.plan.paths.flows[planned.flow].mesh.as_deref()?;
        let sums = &self.of_flows[planned.flow].as_ref()?[usize::from(planned.back)];
        let towards = if planned.back { hop.back() } else { hop };
        let here = mesh.label(towards).expect("a VC has a label");
        let level = here.level as usize;
        let octets = Output::of(self.plan, &here, planned.back).passed(self.readings);
        let [lost, beyond] = sums.undelivered_around(level, planned.back);
        // A host does not count the losses of its links; its flow sent at least what was received.
        let of = sums.sent.map_or(sums.passed[level], |sent| {
            sent.saturating_sub(lost).max(octets).max(received)
        });
        let mut part = FlowAtHop {
            octets,
            of,
            undelivered_beyond: 0,
        };
        part.undelivered_beyond = part.scale(beyond);
        Some(part)
    }
}

impl Sums {
    fn of(plan: &Plan, readings: &Readings, mesh: &Mesh, back: bool) -> Sums {
        let levels = mesh.labels.iter().map(|label| label.level as usize + 1);
        let count = levels.max().unwrap_or(0);
        let mut sums = Sums {
            passed: vec![0; count],
            undelivered_before: vec![0; count + 1],
            sent: None,
        };
        // A host does not tell what was lost on its links.
        let mut told = vec![0; count];
        let mut used = Vec::new();
        for label in &mesh.labels {
            let output = Output::of(plan, label, back);
            let level = label.level as usize;
            let passed = output.passed(readings);
            sums.passed[level] += passed;
            sums.undelivered_before[level + 1] += output.undelivered(readings);
            if output.reading(readings).is_some() {
                told[level] += passed;
            }
            if passed > 0 {
                used.push(label);
            }
        }
        for level in 0..count {
            sums.undelivered_before[level + 1] += sums.undelivered_before[level];
        }
        if mesh.changes() && !mesh.next[1].is_empty() && has_detours(plan, &used) {
            // Some distances only a part of the packets reach.
            let sent = told.iter().enumerate();
            let sent = sent.map(|(level, told)| told + sums.undelivered_around(level, back)[0]);
            sums.sent = sent.max();
        }
        sums
    }

    /// Octets that were dropped or lost on the way to a distance, and beyond it. What goes back passes
    /// the links at the sending host last.
    fn undelivered_around(&self, level: usize, back: bool) -> [u64; 2] {
        let [nearer, including] = [level, level + 1].map(|end| self.undelivered_before[end]);
        let farther = self.undelivered_before[self.passed.len()] - including;
        if back {
            [farther, nearer]
        } else {
            [nearer, farther]
        }
    }
}

/// True if some packets took longer paths, so that they passed a distance that others did not.
fn has_detours(plan: &Plan, used: &[&FlowHop]) -> bool {
    let head = |hop: Hop| plan.topology.head(hop);
    let levels: BTreeMap<usize, u32> = used
        .iter()
        .map(|label| (head(label.hop.back()), label.level))
        .collect();
    let last = levels.values().max();
    used.iter().any(|label| match levels.get(&head(label.hop)) {
        Some(next) => *next != label.level + 1,
        None => Some(&label.level) != last,
    })
}

/// The output that units of one direction of a flow take to pass a label, and their VC there.
struct Output {
    node: usize,
    number: usize,
    vc: Vc,
}

impl Output {
    fn of(plan: &Plan, label: &FlowHop, back: bool) -> Output {
        let hop = if back { label.hop.back() } else { label.hop };
        Output {
            node: plan.topology.head(hop.back()),
            number: plan.topology.output(hop),
            vc: label.vc,
        }
    }

    /// The reading of the output; none at a host, which drops nothing.
    fn reading<'a>(&self, readings: &'a Readings) -> Option<&'a OutputReading> {
        readings.outputs[self.node].get(self.number)
    }

    /// Octets that passed the output. Of what it accepted, as large a part of each flow is taken to have
    /// been carried as of all: a slow link would else have carried what still waits for it.
    fn passed(&self, readings: &Readings) -> u64 {
        let forwarded = readings.forwarded[self.node][self.number][self.vc.index()];
        // A switch tells only whether it uses the VC.
        let counted = self.reading(readings).filter(|one| !one.unit.is_cells());
        let dropped = counted.map_or(0, |one| {
            one.reading.dropped_by_vc[self.vc.index()] * one.unit.octets
        });
        let accepted = forwarded.saturating_sub(dropped);
        let carried = counted.map_or(1.0, |one| one.reading.carried_part(one.unit));
        (accepted as f64 * carried) as u64
    }

    fn undelivered(&self, readings: &Readings) -> u64 {
        let reading = self.reading(readings);
        reading.map_or(0, |one| one.undelivered(self.vc))
    }
}

impl FlowAtHop {
    /// The fate of the octets that passed the hop, where all octets of the flow had these fates.
    pub fn share(&self, all: VcShare) -> VcShare {
        VcShare {
            user: self.scale(all.user),
            useful: self.scale(all.useful),
            other: self.scale(all.other),
            control: self.scale(all.control),
            dead: self.scale(all.dead),
            ..all
        }
    }

    fn scale(&self, octets: u64) -> u64 {
        let scaled = u128::from(octets) * u128::from(self.octets);
        (scaled / u128::from(self.of.max(1))) as u64
    }
}
