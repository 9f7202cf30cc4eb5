//! What can be run, and hardly can be meant: told of scenarios, and stored with their results.

use models::switch::rate::AllocatorSpec;
use models::transport::TransportSpec;
use models::transport::tcp::{Ecn, Tcp};

use super::topology::{Kind, PlannedNode};
use super::{Plan, PlannedFlow};
use crate::report::Warning;

impl Plan {
    /// What to warn of, of the first flow of each that was written.
    pub fn warnings(&self) -> Vec<Warning> {
        let of_flows = self.firsts().flat_map(|(number, flow)| {
            let warnings = match &self.flow_spec(number).transport {
                TransportSpec::Tcp(tcp) => vec![
                    ("narrow_window", narrow(tcp)),
                    ("unmarked", self.unmarked(flow, tcp)),
                ],
                _ => Vec::new(),
            };
            let warnings = warnings.into_iter();
            warnings.filter_map(move |(code, says)| Some((number, code, says?)))
        });
        let overloads = self.overloads();
        overloads
            .map(|(number, says)| (number, "overload", says))
            .chain(of_flows)
            .map(|(flow, code, says)| Warning::of_flow(self, flow, code, says))
            .collect()
    }

    /// What is to be said of a sender that waits for marks where nothing marks.
    fn unmarked(&self, flow: &PlannedFlow, tcp: &Tcp) -> Option<String> {
        if tcp.echo() == Ecn::Off {
            return None;
        }
        let mut passed = flow.path.iter().skip(1).map(|hop| {
            let node = self.topology.head(hop.back());
            self.marks(self.topology.nodes[node])
        });
        if passed.any(|marks| marks) {
            return None;
        }
        Some(format!(
            "`{}` answers marks, and no switch or router on its path marks; set `mark` at one of them",
            tcp.congestion.kind()
        ))
    }

    fn marks(&self, node: PlannedNode) -> bool {
        let written = node.member.spec();
        match node.kind {
            Kind::Host => false,
            Kind::Switch => {
                let spec = &self.spec.switch.0[written].1;
                spec.mark.is_some() || matches!(spec.rate, Some(AllocatorSpec::Efci(_)))
            }
            Kind::Router => self.spec.router.0[written].1.mark.is_some(),
            Kind::Edge => self.spec.edge.0[written].1.mark.is_some(),
        }
    }
}

/// What is to be said of a window that holds no packet.
fn narrow(tcp: &Tcp) -> Option<String> {
    let packet = tcp.counted();
    (tcp.advertised() < packet).then(|| {
        format!(
            "`transport.tcp.window` of `{} B` holds no packet of `{packet} B`, of which one is sent \
             at a time: make it at least `{packet} B`",
            tcp.advertised()
        )
    })
}
