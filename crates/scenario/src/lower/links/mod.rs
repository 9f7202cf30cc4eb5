//! The links of a plan with their terms: rate and delay, the sizes of what they carry, and what pauses,
//! credits and retry require of them. The terms of each link are computed once, and read by hop.

mod terms;

use kernel::{Duration, Rate};
use models::link::control::ORDERED_SET;
use models::link::credit::{CbfcTerms, CreditBuffer};
use models::link::pause::PauseDemand;
use models::link::retry::{RetriedLink, RetryLimits};
use models::wire::format::CellFormat;
use models::wire::priority::PrioritySet;

use super::topology::Topology;
use super::{Hop, PlannedPaths};
use crate::spec::ScenarioSpec;
use terms::{ControlTerms, LinkTerms, TermsReader};

/// The terms of all links.
#[derive(Clone, Debug)]
pub struct PlannedLinks {
    /// In the order of the links; links that stand together and are alike share their terms.
    terms: Box<[LinkTerms]>,
    /// Format of the cells of the network.
    cells: CellFormat,
}

impl PlannedLinks {
    /// The links of a scenario whose flows have these paths.
    pub(in crate::lower) fn new(
        spec: &ScenarioSpec,
        topology: &Topology,
        paths: &PlannedPaths,
    ) -> PlannedLinks {
        let mut reader = TermsReader::new(spec, topology, paths);
        let terms = (0..topology.links.len()).filter_map(|link| reader.link(link));
        PlannedLinks {
            terms: terms.collect(),
            cells: spec.cells(),
        }
    }

    fn of(&self, hop: Hop) -> &LinkTerms {
        let before = |terms: &LinkTerms| terms.first as usize <= hop.link();
        &self.terms[self.terms.partition_point(before) - 1]
    }

    /// Pauses, credits and retry of the link of a hop; none if it has none of them.
    fn control(&self, hop: Hop) -> Option<&ControlTerms> {
        self.of(hop).control.as_deref()
    }

    /// Rate of a hop.
    pub fn rate(&self, hop: Hop) -> Rate {
        self.of(hop).rate
    }

    /// Propagation delay of a hop.
    pub fn delay(&self, hop: Hop) -> Duration {
        self.of(hop).delay
    }

    /// Transmission time of a cell on a hop.
    pub fn cell_time(&self, hop: Hop) -> Duration {
        self.cells.time(self.rate(hop))
    }

    /// Octets of the smallest and of the largest packet that may pass a hop; none if no packet does.
    /// The largest packet of a flow counts in both directions.
    pub(in crate::lower) fn packet_sizes(&self, hop: Hop) -> Option<[u64; 2]> {
        self.of(hop).sizes
    }

    /// True if cells pass a hop.
    pub(in crate::lower) fn carries_cells(&self, hop: Hop) -> bool {
        self.of(hop).carries_cells
    }

    /// Bits of the shortest unit that may pass a hop.
    pub(in crate::lower) fn shortest(&self, hop: Hop) -> u64 {
        let terms = self.of(hop);
        let control = self.control(hop);
        let frames = control.map(|control| control.frames(hop)).into_iter();
        let frames = frames.flatten().map(|octets| octets * 8);
        let smallest = frames.chain(terms.unit).min();
        let smallest = smallest.unwrap_or(self.cells.bits());
        match self.retry(hop) {
            Some(_) => smallest.min(8 * ORDERED_SET),
            None => smallest,
        }
    }

    /// Buffer at the far end of a hop, for cells; none unless the far end is a switch that controls the
    /// link.
    pub(crate) fn cell_credit(&self, hop: Hop) -> Option<CreditBuffer> {
        self.control(hop)?.cell_credit[usize::from(hop.reverse())]
    }

    /// Credits for the packets of a hop; none if they need none.
    pub fn packet_credit(&self, hop: Hop) -> Option<CbfcTerms> {
        self.control(hop)?.packet_credit
    }

    /// The pauses of a hop by the router at its far end; none if nothing is paused there.
    pub fn pause(&self, hop: Hop) -> Option<PauseDemand> {
        self.control(hop)?.pause[usize::from(hop.reverse())]
    }

    /// The limits of retry on a hop; none unless its link has retry and carries flows.
    pub(in crate::lower) fn retry(&self, hop: Hop) -> Option<RetryLimits> {
        self.retried(hop).map(|(_, limits)| limits)
    }

    /// A link as retry sees it, and its limits.
    pub(in crate::lower) fn retried(&self, hop: Hop) -> Option<(RetriedLink, RetryLimits)> {
        self.control(hop)?.retry
    }

    /// True if credits, or check cells, are sent over a hop.
    pub(in crate::lower) fn sends_credits(&self, hop: Hop) -> bool {
        let there = self.cell_credit(hop);
        there.is_some_and(|buffer| buffer.check.is_some()) || self.cell_credit(hop.back()).is_some()
    }

    /// True if any link of a node is controlled by credits for cells.
    pub(in crate::lower) fn gives_cell_credit(&self, topology: &Topology, node: usize) -> bool {
        let hops = topology.outputs(node).iter();
        hops.flat_map(|hop| [*hop, hop.back()])
            .any(|hop| self.cell_credit(hop).is_some())
    }

    /// True if a node counts what its inputs hold, since it pauses a link or a link has credits.
    pub(in crate::lower) fn counts_inputs(&self, topology: &Topology, node: usize) -> bool {
        let mut hops = topology.outputs(node).iter();
        hops.any(|hop| self.pause(hop.back()).is_some() || self.packet_credit(*hop).is_some())
    }

    /// True if a hop distinguishes priorities: it may be paused, or has credits for packets.
    pub(in crate::lower) fn has_priorities(&self, hop: Hop) -> bool {
        self.pause(hop).is_some() || self.packet_credit(hop).is_some()
    }

    /// The priorities, with flows, that a hop may pause or whose packets need credits there.
    pub(crate) fn controlled_priorities(&self, hop: Hop) -> PrioritySet {
        let credits = self.packet_credit(hop).map(|terms| terms.priorities);
        let pauses = || self.pause(hop).map(|demand| demand.priorities);
        let controlled = credits.or_else(pauses).unwrap_or_default();
        let with_flows = self.control(hop).map(|control| control.priorities);
        controlled.and(with_flows.unwrap_or_default())
    }
}
