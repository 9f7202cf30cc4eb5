//! Header fields of each flow that the model does not define: addresses of RFC 1918, section 3, and
//! ports of RFC 6335, section 6. The assignment to flows is our own, and depends on nothing but the
//! scenario, so that equal scenarios give equal captures.

use std::net::Ipv4Addr;

use kernel::Seed;
use models::flow::FlowSpec;
use models::transport::Headers;
use models::transport::tcp::Tcp;
use models::transport::tcp::ecn::Ecn;
use models::transport::tcp::recovery::Reports;
use models::wire::format::CellFormat;

use super::datagram::{Endpoints, IP_HEADER, TransportHeader};
use super::{tcp, udp, xtp};
use crate::lower::{NodeKind, Plan};

/// First port of the receiving ends, chosen because Wireshark has no dissector for it.
const RECEIVER_PORT: u16 = 5001;
/// First port of the sending ends: the first dynamic one, RFC 6335.
const SENDER_PORT: u16 = 49_152;
/// Number of ports of sending ends; flows beyond it reuse them with another receiver port.
const SENDER_PORTS: usize = 4096;

/// Octets of the headers of IPv4 and TCP without options.
const HEADERS: u64 = 40;
/// Octets of the headers of IPv4 and UDP.
const UDP_HEADERS: u64 = 28;

/// The endpoints of all flows.
pub fn endpoints(plan: &Plan, seed: Seed) -> Vec<Endpoints> {
    let hosts = addresses(plan);
    (0..plan.paths.flows.len())
        .map(|number| {
            let [from, to] = plan.hosts(number);
            Endpoints {
                sender: hosts[from],
                receiver: hosts[to],
                protocol: match plan.flow_spec(number).transport.facts().headers {
                    Headers::Tcp(tcp) => {
                        let header = tcp_header(tcp, number, &plan.flow_name(number), seed);
                        let come_and_go = plan.flow_spec(number).source.connections().is_some();
                        TransportHeader::Tcp(tcp::TcpHeader {
                            ports: if come_and_go { tcp::DYNAMIC_PORTS } else { 1 },
                            ..header
                        })
                    }
                    Headers::Xtp => TransportHeader::Xtp(xtp::XtpHeader {
                        key: number as u64 + 1,
                    }),
                    Headers::Udp(_) => {
                        let [sender, receiver] = ports(number);
                        TransportHeader::Udp(udp::UdpHeader { sender, receiver })
                    }
                },
            }
        })
        .collect()
}

fn tcp_header(tcp: &Tcp, number: usize, flow: &str, seed: Seed) -> tcp::TcpHeader {
    let endpoint = |port: u16, purpose: &str| tcp::Endpoint {
        port,
        initial: seed.stream(flow, purpose).bits() as u32,
    };
    let [sender, receiver] = ports(number);
    tcp::TcpHeader {
        sender: endpoint(sender, "initial number of the sender"),
        receiver: endpoint(receiver, "initial number of the receiver"),
        mss: tcp.mss(),
        window: tcp.advertised(),
        shift: tcp.window_shift() as u8,
        scales: tcp.window_scaling,
        selective: tcp.reports().is_some(),
        ecn: tcp.echo() != Ecn::Off,
        ports: 1,
    }
}

/// Ports of the sending end and of the receiving end.
fn ports(number: usize) -> [u16; 2] {
    [
        SENDER_PORT + (number % SENDER_PORTS) as u16,
        RECEIVER_PORT + (number / SENDER_PORTS) as u16,
    ]
}

/// An address for each host, 10.0.0.1 and up in the order of the scenario; other nodes have none.
fn addresses(plan: &Plan) -> Vec<Ipv4Addr> {
    let mut next = u32::from(Ipv4Addr::new(10, 0, 0, 0));
    let nodes = plan.topology.nodes.iter();
    nodes
        .map(|node| {
            next += u32::from(node.kind == NodeKind::Host);
            Ipv4Addr::from(next)
        })
        .collect()
}

/// Differences between the packets of a flow as captured and as modelled.
pub fn remarks(flow: &FlowSpec, format: CellFormat) -> impl Iterator<Item = String> {
    let mut remarks = match flow.transport.facts().headers {
        Headers::Tcp(tcp) => tcp_remarks(tcp),
        Headers::Xtp => vec![format!(
            "packets of XTP are shown in datagrams of IPv4, with {IP_HEADER} B of headers that \
             the model does not have"
        )],
        Headers::Udp(octets) if octets != UDP_HEADERS => vec![format!(
            "headers of {octets} B in the model are shown with the {UDP_HEADERS} B of IPv4 and UDP"
        )],
        Headers::Udp(_) => Vec::new(),
    };
    let (encapsulation, cells) = flow.over.wrap(0, format);
    if cells > 0 && encapsulation > 0 && encapsulation != 8 {
        remarks.push(format!(
            "an encapsulation of {encapsulation} B in the model is shown as {}",
            if encapsulation > 8 {
                "LLC/SNAP"
            } else {
                "none"
            }
        ));
    }
    remarks.into_iter()
}

fn tcp_remarks(tcp: &Tcp) -> Vec<String> {
    let sizes = [
        ("headers", tcp.header.0),
        ("acknowledgments", tcp.acknowledgment.0),
    ];
    let mut remarks = Vec::new();
    for (what, octets) in sizes {
        if octets != HEADERS {
            remarks.push(format!(
                "{what} of {octets} B in the model are shown with the {HEADERS} B of IPv4 and TCP"
            ));
        }
    }
    if tcp.reports() == Some(Reports::Ns) {
        remarks.push(
            "SACK blocks of 8 B in the model are shown as an option of 4 B and 8 B per block"
                .into(),
        );
    }
    if tcp.timestamps.is_on() {
        remarks.push(
            "time stamps are shown in whole milliseconds since the start of the run, and data \
             echo 0"
                .into(),
        );
    }
    if !tcp.handshake && tcp.window_shift() > 0 {
        remarks.push(format!(
            "windows must be multiplied by {}, because no handshake announces the scale",
            1_u64 << tcp.window_shift()
        ));
    }
    remarks
}
