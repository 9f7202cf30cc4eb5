//! The IP packet within a captured frame.
//!
//! The crate `etherparse` reads the headers, also of frames that the capture has cut. Link types are
//! those of <https://www.tcpdump.org/linktypes.html>; that of AAL5 is read here, with LLC/SNAP or
//! without (RFC 2684, sections 5 and 6).

use std::net::IpAddr;

use etherparse::{EtherType, IpNumber, LaxNetSlice, LaxSlicedPacket, TransportSlice};
use models::bearer::LLC_SNAP;
use models::traffic::{PacketFields, Protocol};

use super::ReplayRefusal;
use super::file::Frame;

/// An IP packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpPacket {
    /// The fields of a packet that a filter compares.
    pub fields: PacketFields,
    /// Octets of the packet, headers included.
    pub octets: u64,
    /// Octets of user data within the protocol over IP.
    pub data: u64,
}

/// The packet of a frame; none if it is not IP.
///
/// # Errors
/// The link type is not one that is read here.
pub fn packet(frame: &Frame<'_>) -> Result<Option<IpPacket>, ReplayRefusal> {
    let data = frame.data;
    let ip = |from: usize| Some((LaxSlicedPacket::from_ip(data.get(from..)?).ok()?, from));
    let typed = |place: usize, from: usize| {
        let number = data.get(place..place + 2)?;
        let number = EtherType(u16::from_be_bytes([number[0], number[1]]));
        let sliced = LaxSlicedPacket::from_ether_type(number, data.get(from..)?);
        Some((sliced, from))
    };
    let sliced = match frame.link {
        1 => LaxSlicedPacket::from_ethernet(data).ok().map(|sliced| {
            let within = sliced.ether_payload();
            let link = within.map_or(0, |within| data.len() - within.payload.len());
            (sliced, link)
        }),
        // Raw IP; the number differs between systems.
        12 | 14 | 101 | 228 | 229 => ip(0),
        // The `any` interface of Linux.
        113 => typed(14, 16),
        276 => typed(0, 20),
        // AAL5 after four octets with VPI and VCI, and loopback after the four of its family.
        123 if data.get(4..10) == Some(&LLC_SNAP) => typed(10, 12),
        0 | 108 | 123 => ip(4),
        other => {
            let problem = format!("link type {other} is not one whose packets can be replayed");
            let hint = "capture at an interface of Ethernet (link type 1), raw IP (101), Linux \
                        (113, 276), BSD loopback (0, 108) or AAL5 (123)";
            return Err(ReplayRefusal::new(problem, hint));
        }
    };
    Ok(sliced.and_then(|(sliced, link)| described(&sliced, frame, link)))
}

/// The description of a packet whose headers are known, after `link` octets of other headers.
fn described(sliced: &LaxSlicedPacket<'_>, frame: &Frame<'_>, link: usize) -> Option<IpPacket> {
    let (addresses, stated, headers, protocol) = match sliced.net.as_ref()? {
        LaxNetSlice::Ipv4(ip) => {
            let header = ip.header();
            let addresses = [header.source_addr(), header.destination_addr()];
            let extension = ip.extensions().auth.map_or(0, |auth| auth.slice().len());
            (
                addresses.map(IpAddr::V4),
                u64::from(header.total_len()),
                header.slice().len() + extension,
                ip.payload_ip_number(),
            )
        }
        LaxNetSlice::Ipv6(ip) => {
            let header = ip.header();
            let addresses = [header.source_addr(), header.destination_addr()];
            let own = header.slice().len();
            let stated = match header.payload_length() {
                0 => 0,
                payload => u64::from(payload) + own as u64,
            };
            (
                addresses.map(IpAddr::V6),
                stated,
                own + ip.extensions().slice().len(),
                ip.payload().ip_number,
            )
        }
        LaxNetSlice::Arp(_) => return None,
    };
    // The length is zero if the interface was to cut the packet into segments, or if the packet is
    // longer than the field can tell.
    let octets = match stated {
        0 => frame.octets.saturating_sub(link as u64),
        stated => stated,
    };
    let (ports, own) = match &sliced.transport {
        Some(TransportSlice::Tcp(tcp)) => {
            let ports = [tcp.source_port(), tcp.destination_port()];
            (Some(ports), usize::from(tcp.data_offset()) * 4)
        }
        Some(TransportSlice::Udp(udp)) => (Some([udp.source_port(), udp.destination_port()]), 8),
        _ => (None, 0),
    };
    Some(IpPacket {
        fields: PacketFields {
            addresses,
            ports,
            protocol: match protocol {
                IpNumber::TCP => Some(Protocol::Tcp),
                IpNumber::UDP => Some(Protocol::Udp),
                IpNumber::ICMP | IpNumber::IPV6_ICMP => Some(Protocol::Icmp),
                _ => None,
            },
        },
        octets,
        data: octets.saturating_sub((headers + own) as u64),
    })
}
