//! Switches, their fabrics and the outputs through which cells leave.

use std::collections::BTreeSet;

use models::link::credit::CreditBuffer;
use models::output::Queueing;
use models::switch::credits::Credits;
use models::switch::fabric::Inputs;
use models::switch::outputs::Outputs;
use models::switch::rate::{OutputRateControl, Supply};
use models::switch::{CellOutput, Switch, SwitchSpec};
use models::ties::Chance;
use models::wire::class::Class;
use models::wire::vc::Route;

use super::Builder;
use crate::lower::checks::policers;
use crate::lower::{Hop, PlannedVc};

impl Builder<'_> {
    pub(super) fn switch(&self, node: usize, spec: &SwitchSpec, routes: Vec<Vec<Route>>) -> Switch {
        let hops = self.topology.outputs(node);
        let ports = hops.iter().enumerate().map(|(output, hop)| {
            let transmitter = self.transmitter(output, *hop);
            let classes = self.flows.classes(*hop);
            let layout = self.layout(*hop, spec, classes.len());
            let queueing = Queueing::new(layout, self.scheduling(*hop, spec));
            let control = self.control(*hop, spec, &classes);
            let mut port = CellOutput::new(
                transmitter,
                self.links.cell_time(*hop),
                self.flows.cells,
                queueing,
                &classes,
                control,
            );
            if self.links.sends_credits(*hop) {
                port.meter.send_credits();
            }
            port
        });
        let chance = self.chance(node, spec.ties);
        let fabric = spec.fabric.build(&self.inputs(node, &routes, chance));
        let policers = policers::policers(self.spec, self.topology, self.flows, node);
        let shared = spec.buffer.is_shared();
        let mut outputs = Outputs::new(ports.collect(), policers, shared);
        if self.links.gives_cell_credit(self.topology, node) {
            let buffers = |hop: fn(&Hop) -> Hop| -> Vec<Option<CreditBuffer>> {
                hops.iter()
                    .map(|out| self.links.cell_credit(hop(out)))
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

    /// The inputs of a switch, with the routes of each.
    fn inputs(&self, node: usize, routes: &[Vec<Route>], chance: Option<Chance>) -> Inputs {
        let hops = self.topology.outputs(node);
        let fastest = hops.iter().map(|hop| self.links.cell_time(*hop)).min();
        Inputs {
            inputs: hops.len(),
            outputs: hops.len(),
            classes: hops.iter().map(|hop| self.flows.classes(*hop)).collect(),
            routed: self.routed(node, routes),
            rates: hops.iter().map(|hop| self.links.rate(*hop)).collect(),
            cell_time: fastest.unwrap_or(kernel::Duration::from_us(1)),
            cells: self.flows.cells,
            random: self
                .seed
                .stream(&self.topology.name(self.spec, node), "fabric"),
            chance,
        }
    }

    /// The pairs of an input and an output of a node between which cells may move, by the routes of
    /// each input.
    fn routed(&self, node: usize, routes: &[Vec<Route>]) -> Box<[(usize, usize)]> {
        let hops = self.topology.outputs(node).iter().zip(routes);
        let pairs = hops.enumerate().flat_map(|(input, (hop, routes))| {
            let vcs = self.flows.paths.vcs(hop.back()).zip(routes);
            let used =
                vcs.filter(|(planned, route)| **route != Route::NONE && self.may_carry(*planned));
            used.map(move |(_, route)| (input, route.output as usize))
        });
        let distinct: BTreeSet<(usize, usize)> = pairs.collect();
        distinct.into_iter().collect()
    }

    /// True if a flow may send units on a VC.
    fn may_carry(&self, planned: PlannedVc) -> bool {
        !planned.back || self.flows.sends_back(planned.flow)
    }

    /// The rate allocator of an output with VCs of these classes.
    fn control(&self, hop: Hop, spec: &SwitchSpec, classes: &[Class]) -> Option<OutputRateControl> {
        if !classes.contains(&Class::Abr) {
            return None;
        }
        let buffer =
            spec.buffer
                .of_class(Class::Abr, classes.len(), spec.memory(self.flows.cells))?;
        let link = self.links.rate(hop);
        let allocator = spec
            .rate
            .as_ref()?
            .build(&Supply::new(buffer, link, &spec.scheduler));
        Some(OutputRateControl::new(allocator, classes))
    }
}
