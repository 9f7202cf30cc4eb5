//! A scenario whose topology is written out as nodes and links.

use std::collections::BTreeSet;

use parameters::{Path, Problems};

use crate::spec::ScenarioSpec;
use crate::spec::topology::Origin;

/// A scenario in which every host, switch and link has a table of its own.
pub struct Expanded {
    /// The scenario.
    pub spec: ScenarioSpec,
    /// Paths of the nodes and links made from a topology, each with the path of the topology
    /// parameter that it comes from.
    origins: Vec<(Path, Path)>,
}

impl Expanded {
    /// Writes out the topology of `spec`, if it has one.
    pub fn new(spec: &ScenarioSpec) -> Expanded {
        let mut expanded = spec.clone();
        let Some(topology) = &spec.topology else {
            return Expanded {
                spec: expanded,
                origins: Vec::new(),
            };
        };
        let at = Path::root().key("topology").key(topology.kind());
        let parts = topology.build(&Origin(at));
        // Nodes and links written beside a topology come after the nodes and links of the topology.
        expanded.host.0.splice(0..0, parts.hosts);
        expanded.switch.0.splice(0..0, parts.switches);
        expanded.link.0.splice(0..0, parts.links);
        Expanded {
            spec: expanded,
            origins: parts.origins,
        }
    }

    /// Moves each problem of a node or link that a topology has made to the parameter of the topology
    /// that the node or link comes from. A parameter keeps one problem, although all nodes and links
    /// that it makes have the same one.
    pub fn trace_back(&self, found: Problems) -> Problems {
        let mut reported = BTreeSet::new();
        let mut problems = Problems::default();
        for mut problem in found {
            let origin = self.origins.iter().find_map(|(part, origin)| {
                let rest = problem.path.steps().strip_prefix(part.steps())?;
                Some(origin.join(rest))
            });
            let is_part = origin.is_some();
            problem.path = origin.unwrap_or(problem.path);
            if !is_part || reported.insert(problem.path.clone()) {
                problems.add(problem);
            }
        }
        problems
    }
}
