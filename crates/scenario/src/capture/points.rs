//! Points of capture: every link of a host, and every output of a switch or router.

use std::collections::BTreeSet;

use kernel::Seed;
use models::bearer::LLC_SNAP;

use super::CaptureOptions;
use super::flows::remarks;
use super::pcapng::{self, LinkType};
use crate::lower::{Hop, NodeKind, Plan, PlannedFlow};
use crate::scope::Place;

/// A point of the network, and its file.
pub struct CapturePoint {
    /// Name of the file.
    pub name: String,
    /// Link-layer header of its packets.
    pub link: LinkType,
    /// Contents of each outgoing VC, and of each incoming VC.
    pub labels: [Vec<TappedVc>; 2],
    /// Octets that have not been written to the file yet.
    pub file: Vec<u8>,
    /// Number of packets so far.
    pub passed: u64,
}

/// Contents of a virtual channel.
#[derive(Clone, Copy, Debug)]
pub struct TappedVc {
    /// Flow of the VC.
    pub flow: usize,
    /// True if the VC leads from the receiving host to the sending host.
    pub back: bool,
    /// Time to live of the packets of the VC at this point.
    pub ttl: u8,
    /// Number of the VC on the link.
    vc: u32,
    /// True if PDUs begin with an LLC/SNAP header.
    llc: bool,
}

/// Time to live at the sending host: RFC 1700.
const TTL: u8 = 64;

/// First VCI of flows; ITU-T Recommendation I.361 reserves the VCIs below 32.
const FIRST_VCI: u32 = 32;

/// `EtherType` of IPv4, which follows the LLC/SNAP header.
const IPV4: [u8; 2] = [0x08, 0x00];

impl TappedVc {
    /// Octets of the pseudo-header (flags, VPI, VCI) that the link type of ATM in pcapng puts before
    /// an AAL5 PDU.
    pub const ATM_HEADER: usize = 4;

    /// Octets before a datagram: at an output with cells, the VPI and VCI, and LLC/SNAP where the
    /// encapsulation of the flow has space for it.
    pub fn encapsulation(&self, link: LinkType) -> Vec<u8> {
        const SENT: u8 = 0x80;
        const LLC_MULTIPLEXED: u8 = 2;
        if link == LinkType::RawIp {
            return Vec::new();
        }
        let per_path = 0x1_0000 - FIRST_VCI;
        let vpi = (self.vc / per_path) as u8;
        let vci = (self.vc % per_path + FIRST_VCI) as u16;
        let kind = if self.llc { LLC_MULTIPLEXED } else { 0 };
        let mut data = vec![SENT | kind, vpi];
        data.extend(vci.to_be_bytes());
        if self.llc {
            data.extend(LLC_SNAP);
            data.extend(IPV4);
        }
        data
    }
}

/// All points of capture of a network, with the headers of their files.
pub fn points(plan: &Plan, seed: Seed, options: &CaptureOptions) -> Vec<CapturePoint> {
    let mut names = BTreeSet::new();
    outputs(plan)
        .map(|(node, output)| {
            let is_host = plan.topology.nodes[node].kind == NodeKind::Host;
            let has_one_link = plan.topology.outputs(node).len() == 1;
            let (kind, title) = if is_host && has_one_link {
                ("host", plan.node_name(node))
            } else if is_host {
                ("host", Place::of(plan, node, output).to_string())
            } else {
                ("port", Place::of(plan, node, output).to_string())
            };
            let hop = plan.topology.outputs(node)[output];
            let link = if !is_host && plan.paths.sends_cells(&plan.topology, hop) {
                LinkType::SunAtm
            } else {
                LinkType::RawIp
            };
            let mut file = Vec::new();
            let comment = head(plan, seed, options, &title, hop);
            let application = concat!("cellrelay ", env!("CARGO_PKG_VERSION"));
            pcapng::section(&mut file, application, &comment);
            let rate = plan.links.rate(hop).bits_per_second();
            pcapng::interface(&mut file, link, &title, rate);
            CapturePoint {
                name: unique(kind, &title, &mut names),
                link,
                labels: [hop, hop.back()].map(|hop| labels(plan, hop)),
                file,
                passed: 0,
            }
        })
        .collect()
}

/// All points of a network, each as a node and its output.
pub fn outputs(plan: &Plan) -> impl Iterator<Item = (usize, usize)> + '_ {
    let nodes = 0..plan.topology.nodes.len();
    nodes.flat_map(|node| {
        let outputs = 0..plan.topology.outputs(node).len();
        outputs.map(move |output| (node, output))
    })
}

/// Text at the head of a file: the provenance of the run, and remarks on its flows.
fn head(plan: &Plan, seed: Seed, options: &CaptureOptions, title: &str, hop: Hop) -> String {
    let Seed { seed, replication } = seed;
    let mut lines: Vec<String> = options.origin.lines().map(str::to_string).collect();
    lines.push(format!("{title}: seed {seed}, replication {replication}"));
    let there = plan.paths.vcs(hop);
    let specs: BTreeSet<usize> = there
        .map(|planned| plan.paths.flows[planned.flow].member.spec())
        .collect();
    for spec in specs {
        let (name, flow) = &plan.spec.flow.0[spec];
        lines.extend(remarks(flow, plan.cells()).map(|remark| format!("flow {name}: {remark}")));
    }
    lines.join("\n")
}

/// Contents of the virtual channels of a hop.
fn labels(plan: &Plan, hop: Hop) -> Vec<TappedVc> {
    let vcs = (0..).zip(plan.paths.vcs(hop));
    vcs.map(|(vc, planned)| {
        let flow = &plan.paths.flows[planned.flow];
        let routers = routers_before(flow, hop, planned.back);
        let encapsulation = plan.flow_spec(planned.flow).over.wrap(0, plan.cells()).0;
        TappedVc {
            flow: planned.flow,
            back: planned.back,
            ttl: u8::try_from(routers).map_or(1, |routers| TTL.saturating_sub(routers).max(1)),
            vc,
            llc: planned.in_cells && encapsulation >= (LLC_SNAP.len() + IPV4.len()) as u64,
        }
    })
    .collect()
}

/// Number of routers that decrement the time to live of a packet before it passes a hop.
fn routers_before(flow: &PlannedFlow, hop: Hop, back: bool) -> usize {
    if let Some(mesh) = &flow.mesh {
        let towards = if back { hop.back() } else { hop };
        let level = mesh.label(towards).expect("a VC has a label").level as usize;
        return match (flow.in_cells().is_empty(), back) {
            (false, _) => 0,
            (true, false) => level,
            (true, true) => (flow.path.len() - 1).saturating_sub(level),
        };
    }
    let place = flow
        .path
        .iter()
        .position(|other| other.link() == hop.link());
    let place = place.expect("a VC is on the path of its flow");
    let passed = if back {
        place..flow.path.len() - 1
    } else {
        0..place
    };
    // Only routers decrement the time to live; a node between two links with cells is a switch.
    let is_router = |before: &usize| {
        let around = [*before, before + 1];
        !around.iter().all(|place| flow.in_cells().contains(place))
    };
    passed.filter(is_router).count()
}

/// A unique file name without characters that a shell interprets.
fn unique(kind: &str, title: &str, names: &mut BTreeSet<String>) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_.".contains(letter);
    let words = title.split(|letter| !plain(letter));
    let words = words.filter(|word| !word.is_empty());
    let stem = std::iter::once(kind)
        .chain(words)
        .collect::<Vec<&str>>()
        .join("-");
    let numbered = (2..).map(|number| format!("{stem}-{number}.pcapng"));
    let mut candidates = std::iter::once(format!("{stem}.pcapng")).chain(numbered);
    let name = candidates.find(|name| !names.contains(name));
    let name = name.expect("there is always another number");
    names.insert(name.clone());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_plain_and_differ() {
        let mut names = BTreeSet::new();
        let mut name = |kind, title| unique(kind, title, &mut names);
        assert_eq!(name("host", "sender[3]"), "host-sender-3.pcapng");
        assert_eq!(name("port", "s1->sender[3]"), "port-s1-sender-3.pcapng");
        assert_eq!(name("host", "sender-3"), "host-sender-3-2.pcapng");
        assert_eq!(name("host", "é / è"), "host.pcapng");
    }

    #[test]
    fn vcs_are_numbered_from_the_first_that_is_free() {
        let at = |vc, llc| {
            let label = TappedVc {
                flow: 0,
                back: false,
                ttl: TTL,
                vc,
                llc,
            };
            label.encapsulation(LinkType::SunAtm)
        };
        assert_eq!(at(0, false), [0x80, 0, 0, 32]);
        assert_eq!(at(65_503, false), [0x80, 0, 0xFF, 0xFF]);
        assert_eq!(at(65_504, false), [0x80, 1, 0, 32]);
        assert_eq!(at(1, true)[..5], [0x82, 0, 0, 33, 0xAA]);
    }
}
