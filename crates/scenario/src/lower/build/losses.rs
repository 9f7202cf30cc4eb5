//! The transmitters of links, and the losses of links.

use models::link::Outage;
use models::link::loss::{LossAt, LossUnit, LossyEnd, Never, Outages, Way};
use models::link::retry::RetryEnd;
use models::link::transmitter::Transmitter;

use super::Builder;
use crate::lower::{Hop, NodeKind};

impl Builder<'_> {
    /// Place of the losses of a hop: in the queue or at transmission. An edge queues packets and
    /// sends cells one by one, so it loses no cell before the queue.
    fn loss_at(&self, hop: Hop) -> LossAt {
        let tail = &self.topology.nodes[self.topology.head(hop.back())];
        if tail.kind == NodeKind::Edge && self.flows.paths.sends_cells(self.topology, hop) {
            LossAt::Transmission
        } else {
            self.link_spec(hop).loss_at
        }
    }

    /// The transmitter of a hop, by output number `output` of its node.
    pub(super) fn transmitter(&self, output: usize, hop: Hop) -> Transmitter {
        let transmitter = Transmitter::new(output, self.loss(hop));
        if let Some(retry) = self.retry_end(hop) {
            return transmitter.retrying(retry);
        }
        if !self.gathers(hop) {
            return transmitter;
        }
        let gathering = transmitter.gathering(self.flows.paths.vcs(hop).len());
        let limit = |vc| self.flows.bearer(vc).reassembly_timeout();
        if self.flows.paths.vcs(hop).any(|vc| limit(vc).is_some()) {
            gathering.timing_out(self.flows.paths.vcs(hop).map(limit))
        } else {
            gathering
        }
    }

    /// Link-level retry at the beginning of a hop.
    fn retry_end(&self, hop: Hop) -> Option<RetryEnd> {
        Some(RetryEnd::new(self.links.retry(hop)?, self.links.rate(hop)))
    }

    /// True if the cells of a PDU are gathered on a hop, because its far end reassembles them.
    fn gathers(&self, hop: Hop) -> bool {
        let far = self.topology.nodes[self.topology.head(hop)].kind;
        matches!(far, NodeKind::Host | NodeKind::Edge)
    }

    /// The lossy end of a hop; none if the link loses nothing and has no retry, which may give packets
    /// up.
    fn loss(&self, hop: Hop) -> Option<LossyEnd> {
        let link = self.link_spec(hop);
        let retries = self.links.retry(hop).is_some();
        if link.loss.is_none() && link.outages.is_none() && !retries {
            return None;
        }
        let way = Way {
            link: self.topology.link_name(self.spec, hop.link()),
            reverse: hop.reverse(),
            rate: link.rate,
            seed: self.seed,
        };
        let vcs = self.flows.paths.vcs(hop).len();
        let loss = link.loss.as_ref();
        let loss = loss.filter(|spec| spec.applies(link.loss_direction, hop.reverse()));
        let built = loss.and_then(|spec| Some((spec.build(&way)?, spec.unit())));
        let or_never = |built: Option<_>| built.unwrap_or((Box::new(Never) as _, LossUnit::Cell));
        let Some(outages) = &link.outages else {
            let (loss, unit) = if retries { or_never(built) } else { built? };
            return Some(LossyEnd::new(
                loss,
                unit,
                self.loss_at(hop),
                vcs,
                self.flows.cells,
            ));
        };
        let (loss, unit) = or_never(built);
        let outages = Outages {
            spans: outages.iter().map(Outage::span).collect(),
            rate: link.rate,
            delay: link.delay.0,
        };
        let end = LossyEnd::new(loss, unit, self.loss_at(hop), vcs, self.flows.cells);
        Some(end.with_outages(outages))
    }
}
