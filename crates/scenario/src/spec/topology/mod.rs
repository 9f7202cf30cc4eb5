//! Topologies with a name: tables that stand for many nodes and links.
//!
//! A topology is expanded into the hosts, switches and links that users could have written, with
//! the names that its documentation gives. A scenario may add nodes and links to it. The expansion
//! is our own: checks and results then handle only nodes and links.

pub(crate) mod beside;

use kernel::Rate;
use models::host::HostSpec;
use models::link::LinkSpec;
use models::link::credit::CreditSpec;
use models::link::loss::{LinkDirection, LossAt, LossSpec};
use models::link::pause::PauseSpec;
use models::rates::RateChangesSpec;
use models::shaper::ShaperSpec;
use models::switch::SwitchSpec;
use parameters::{Path, Propagation, parameters};

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
        #[as_in(LinkSpec)]
        pub rate: Rate,
        #[as_in(LinkSpec)]
        pub rate_changes: Option<RateChangesSpec>,
        #[as_in(LinkSpec)]
        pub rate_direction: Option<LinkDirection>,
        #[as_in(LinkSpec)]
        pub shaper: Option<ShaperSpec>,
        #[as_in(LinkSpec)]
        pub shaper_direction: Option<LinkDirection>,
        #[as_in(LinkSpec)]
        pub delay: Propagation,
        #[as_in(LinkSpec)]
        pub loss: Option<LossSpec>,
        #[as_in(LinkSpec)]
        pub loss_direction: Option<LinkDirection>,
        #[as_in(LinkSpec)]
        pub credit: Option<CreditSpec>,
        #[as_in(LinkSpec)]
        pub pause: Option<PauseSpec>,
    }
}

parameters! {
    /// Switches in a row.
    pub struct SwitchRow {
        /// Links between neighbours.
        pub trunk: Line,
        /// Parameters of every switch.
        pub switch: SwitchSpec,
    }
}

impl Line {
    /// The link between two nodes.
    fn between(&self, ends: [String; 2]) -> LinkSpec {
        LinkSpec {
            between: ends.into(),
            rate: self.rate,
            rate_changes: self.rate_changes.clone(),
            rate_direction: self.rate_direction,
            shaper: self.shaper.clone(),
            shaper_direction: self.shaper_direction,
            delay: self.delay,
            loss: self.loss.clone(),
            loss_at: LossAt::Transmission,
            loss_direction: self.loss_direction,
            outages: None,
            credit: self.credit.clone(),
            pause: self.pause.clone(),
            retry: None,
        }
    }
}

/// Path of a topology in the scenario.
pub struct Origin(pub Path);

/// The hosts, switches and links of a topology.
pub struct Parts {
    at: Path,
    /// Hosts, by name.
    pub hosts: Vec<(String, HostSpec)>,
    /// Switches, by name.
    pub switches: Vec<(String, SwitchSpec)>,
    /// Links, by name.
    pub links: Vec<(String, LinkSpec)>,
    /// Path of each node and link, and path of the topology parameter from which it is made.
    pub origins: Vec<(Path, Path)>,
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
        let host = HostSpec { count, paths: None };
        self.hosts.push((name, host));
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

#[cfg(test)]
mod tests;
