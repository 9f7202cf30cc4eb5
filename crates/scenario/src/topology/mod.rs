//! Topologies with a name: tables that stand for many nodes and links.
//!
//! A topology is expanded into the hosts, switches and links that users could have written, under
//! the names in its documentation; other nodes and links are added to it, and may be joined to it.

pub mod beside;

use std::collections::BTreeSet;

use kernel::{Duration, Rate};
use models::credit::CreditSpec;
use models::host::HostSpec;
use models::link::LinkSpec;
use models::loss::{LossAt, LossSpec};
use models::switch::SwitchSpec;
use parameters::{Path, Problems, parameters};

use crate::spec::ScenarioSpec;

parameters::registry! {
    /// Topology with a name: many nodes and links in one table.
    pub enum TopologySpec builds Parts, for Origin {
        bottleneck => Bottleneck,
        chain => Chain,
        parking_lot => ParkingLot,
        star => Star,
        fat_tree => FatTree,
    }
}

parameters! {
    /// A link of a topology, one in each direction.
    pub struct Line {
        /// Rate of the physical layer that is available to cells or packets.
        #[range("1 bit/s", "10 Tbit/s")]
        pub rate: Rate,
        /// Propagation delay, or a distance at 5 us/km: `m` is a metre, and `min` a minute.
        #[range("0 s", "1 h")]
        pub delay: Duration = "0 s",
        /// Losses on the link, apart from drops at buffers; if not given, none.
        pub loss: Option<LossSpec>,
        /// Credit-based flow control by the switch at the far end, in each direction; if not given,
        /// none.
        pub credit: Option<CreditSpec>,
    }
}

impl Line {
    /// The link between two nodes.
    fn between(&self, ends: [String; 2]) -> LinkSpec {
        LinkSpec {
            between: ends.into(),
            rate: self.rate,
            delay: self.delay,
            loss: self.loss.clone(),
            loss_at: LossAt::Transmission,
            credit: self.credit.clone(),
        }
    }
}

/// Path of a topology in the scenario.
pub struct Origin(Path);

/// The hosts, switches and links of a topology.
pub struct Parts {
    at: Path,
    hosts: Vec<(String, HostSpec)>,
    switches: Vec<(String, SwitchSpec)>,
    links: Vec<(String, LinkSpec)>,
    /// Paths of the parts, and of the parameters that they are made from.
    origins: Vec<(Path, Path)>,
}

impl Parts {
    fn new(origin: &Origin) -> Parts {
        Parts {
            at: origin.0.clone(),
            hosts: Vec::new(),
            switches: Vec::new(),
            links: Vec::new(),
            origins: Vec::new(),
        }
    }

    /// A group of hosts, or a single one without a number.
    fn hosts(&mut self, name: impl Into<String>, count: Option<u32>) {
        let name = name.into();
        let origin = (Path::root().key("host").key(&name), self.at.clone());
        self.origins.push(origin);
        self.hosts.push((name, HostSpec { count }));
    }

    /// A switch, made from the parameter `switch`.
    fn switch(&mut self, name: impl Into<String>, spec: &SwitchSpec) {
        let name = name.into();
        let origin = (Path::root().key("switch").key(&name), self.at.key("switch"));
        self.origins.push(origin);
        self.switches.push((name, spec.clone()));
    }

    /// A link, made from the parameter `key`.
    fn link(&mut self, name: impl Into<String>, ends: [&str; 2], key: &str, line: &Line) {
        let name = name.into();
        let origin = (Path::root().key("link").key(&name), self.at.key(key));
        self.origins.push(origin);
        self.links
            .push((name, line.between(ends.map(str::to_string))));
    }
}

/// A scenario with its topology expanded.
pub struct Expanded {
    /// The scenario.
    pub spec: ScenarioSpec,
    origins: Vec<(Path, Path)>,
}

impl Expanded {
    /// Expands the topology of `spec`, if it has one.
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
        // Nodes and links beside a topology come after its own.
        expanded.host.0.splice(0..0, parts.hosts);
        expanded.switch.0.splice(0..0, parts.switches);
        expanded.link.0.splice(0..0, parts.links);
        Expanded {
            spec: expanded,
            origins: parts.origins,
        }
    }

    /// Reports problems of expanded parts at the parameters that they are made from, each once.
    pub fn trace_back(&self, found: Problems) -> Problems {
        let mut told = BTreeSet::new();
        let mut problems = Problems::default();
        for mut problem in found {
            let origin = self.origins.iter().find_map(|(part, origin)| {
                let rest = problem.path.strip_prefix(&part.to_string())?;
                (rest.is_empty() || rest.starts_with(['.', '['])).then(|| format!("{origin}{rest}"))
            });
            let is_part = origin.is_some();
            problem.path = origin.unwrap_or(problem.path);
            if !is_part || told.insert(problem.path.clone()) {
                problems.add(problem);
            }
        }
        problems
    }
}

#[cfg(test)]
mod tests;
