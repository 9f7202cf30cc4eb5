//! Lowering: from what users write to a network that can run.
//!
//! Lowering reports every mistake, so a [`Plan`] always runs. [`topology`] numbers nodes and links,
//! [`routes`] finds the path of every flow, [`links`] computes the terms of every link, and [`inputs`]
//! what the inputs of routers may hold. [`checks`] checks that each part supports the flows through it,
//! and [`build`] makes the network. A function of these takes the values that it reads, never a plan.

pub(crate) mod build;
pub(crate) mod checks;
mod computed;
mod credit;
mod flows;
mod hop;
mod inputs;
pub(crate) mod links;
mod packet_credit;
mod paths;
pub(crate) mod pause;
mod points;
pub(crate) mod recorded;
mod retry;
pub(crate) mod routes;
mod topology;
mod trimming;

use kernel::{Division, Network, Seed};
use models::flow::FlowSpec;
use models::link::LinkSpec;
use models::node::AnyNode;
use models::wire::format::CellFormat;
use parameters::Problems;

use crate::spec::ScenarioSpec;
use build::{Builder, division};
pub use checks::warnings::{About, PlanWarning};
pub use flows::Flows;
pub use hop::Hop;
use inputs::PlannedInputs;
pub use links::PlannedLinks;
pub use paths::{PlannedFlow, PlannedPaths, PlannedVc};
pub use points::Points;
pub use topology::expanded::Expanded;
pub use topology::member::TableMember;
pub use topology::{NodeKind, PlannedLink, PlannedNode, Topology};

/// A scenario without mistakes: nodes, links and flows by number, and what follows for each of them.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The scenario, with its topology expanded.
    pub spec: ScenarioSpec,
    /// Nodes and links.
    pub topology: Topology,
    /// Flows and their paths, and the VCs of links.
    pub paths: PlannedPaths,
    /// The terms of links.
    pub links: PlannedLinks,
    /// The inputs of nodes whose packets are never dropped.
    inputs: PlannedInputs,
}

impl Plan {
    /// Lowers a scenario.
    ///
    /// Problems have paths in the scenario, but no line numbers; see [`Problems::locate`].
    pub fn new(spec: &ScenarioSpec, problems: &mut Problems) -> Option<Plan> {
        Plan::of(&Expanded::new(spec), problems)
    }

    /// Lowers a scenario with an expanded topology.
    fn of(expanded: &Expanded, problems: &mut Problems) -> Option<Plan> {
        let mut found = Problems::default();
        let plan = Plan::of_parts(&expanded.spec, &mut found);
        let is_right = found.is_empty();
        problems.extend(expanded.trace_back(found));
        plan.filter(|_| is_right)
    }

    /// Reports names of nodes and flows that do not exist, whatever the other values are.
    fn check_names(expanded: &Expanded, problems: &mut Problems) {
        let mut found = Problems::default();
        let spec = &expanded.spec;
        if let Some(topology) = Topology::new(spec, &mut found) {
            let paths = routes::paths_of(spec, &topology, &mut found);
            let links = PlannedLinks::new(spec, &topology, &paths);
            checks::goals::check(spec, &topology, &paths, &links, &mut found);
        }
        problems.extend(expanded.trace_back(found));
    }

    /// Lowers a scenario in which every node and link is written.
    fn of_parts(spec: &ScenarioSpec, problems: &mut Problems) -> Option<Plan> {
        let plan = Plan::joined(spec, problems)?;
        let Plan {
            spec,
            topology,
            paths,
            links,
            inputs,
        } = &plan;
        let flows = Flows::new(spec, paths);
        checks::plan(spec, topology, flows, links, inputs, problems);
        Some(plan)
    }

    /// The nodes, links and flows of a scenario, before they are checked.
    fn joined(spec: &ScenarioSpec, problems: &mut Problems) -> Option<Plan> {
        let topology = Topology::new(spec, problems)?;
        let paths = routes::paths_of(spec, &topology, problems);
        let links = PlannedLinks::new(spec, &topology, &paths);
        let inputs = PlannedInputs::new(spec, &topology, Flows::new(spec, &paths), &links);
        Some(Plan {
            spec: spec.clone(),
            topology,
            paths,
            links,
            inputs,
        })
    }

    /// Format of the cells of the network.
    pub fn cells(&self) -> CellFormat {
        self.spec.cells()
    }

    /// The flows with their tables.
    pub fn flows(&self) -> Flows<'_> {
        Flows::new(&self.spec, &self.paths)
    }

    /// The table of a flow.
    pub fn flow_spec(&self, flow: usize) -> &FlowSpec {
        self.flows().spec(flow)
    }

    /// Name of a flow.
    pub fn flow_name(&self, flow: usize) -> String {
        self.flows().name(flow)
    }

    /// The hosts at which a flow begins and ends.
    pub fn hosts(&self, flow: usize) -> [usize; 2] {
        self.paths.hosts(&self.topology, flow)
    }

    /// Name of a node.
    pub fn node_name(&self, node: usize) -> String {
        self.topology.name(&self.spec, node)
    }

    /// The table of a link.
    pub fn link_spec(&self, link: usize) -> &LinkSpec {
        self.topology.link_spec(&self.spec, link)
    }

    /// Name of a link.
    pub fn link_name(&self, link: usize) -> String {
        self.topology.link_name(&self.spec, link)
    }

    /// The network at the start of a run.
    pub fn network(&self, seed: Seed) -> Network<AnyNode> {
        let builder = Builder {
            spec: &self.spec,
            topology: &self.topology,
            flows: self.flows(),
            links: &self.links,
            inputs: &self.inputs,
            seed,
        };
        builder.network()
    }

    /// The division of the nodes among at most so many threads; none if they cannot be divided.
    pub fn division(&self, threads: usize) -> Option<Division> {
        division::division(&self.topology, &self.paths, &self.links, threads)
    }

    /// The warnings of a plan, each for the first flow or link of its table.
    pub fn warnings(&self) -> Vec<PlanWarning> {
        checks::warnings::warnings(&self.spec, &self.topology, self.flows(), &self.links)
    }

    /// Values that the scenario leaves out and the network determines.
    pub fn computed(&self) -> Vec<(String, String)> {
        let flows = self.flows();
        computed::computed(&self.spec, &self.topology, flows, &self.links, &self.inputs)
    }
}
