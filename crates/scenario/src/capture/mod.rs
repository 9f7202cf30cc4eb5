//! Captures: a pcapng file for every host and every output, for Wireshark; and traces, with a row
//! for every packet, or for every connection.
//!
//! [`taps`] installs the taps for captures and traces, and hands on the packets that they note.
//! [`packets`] has the rows of a trace, which [`trace`] joins with the drops of [`listed_drops`];
//! [`connections`] has those of connections, which their senders list.
//! [`datagram`] makes the headers of IPv4, [`tcp`], [`xtp`] and [`udp`] those within, and
//! [`pcapng`] the blocks of a file; [`points`] has the points of capture, and [`flows`] the header
//! fields of each flow.

pub mod connections;
mod datagram;
pub mod files;
mod flows;
mod listed_drops;
pub mod packets;
mod passages;
mod pcapng;
mod points;
pub mod taps;
mod tcp;
mod trace;
mod transmission_times;
mod udp;
mod xtp;

use std::io;

use kernel::{Seed, Time};
use models::link::tap::{Fate, TappedPacket};

use crate::lower::Plan;
use datagram::{Endpoints, HeaderFields};
use pcapng::LinkType;
use points::{CapturePoint, TappedVc};

/// Options of a capture.
#[derive(Clone, Debug, Default)]
pub struct CaptureOptions {
    /// Provenance of the run, in lines at the head of every file.
    pub origin: String,
    /// Number of octets kept of each packet; if not given, only its headers.
    pub snaplen: Option<u32>,
}

/// Appends octets to the file with a name.
pub type Append<'a> = Box<dyn FnMut(&str, &[u8]) -> io::Result<()> + 'a>;

/// The captures of a run under way.
pub struct RunCaptures<'a> {
    endpoints: Vec<Endpoints>,
    points: Vec<CapturePoint>,
    snaplen: Option<usize>,
    append: Append<'a>,
}

/// Number of octets that are buffered before a write, so that files are opened seldom.
const CHUNK: usize = 1 << 16;

impl<'a> RunCaptures<'a> {
    /// Captures of all hosts and outputs of a network, before the first packet.
    fn new(
        plan: &Plan,
        seed: Seed,
        options: &CaptureOptions,
        append: Append<'a>,
    ) -> RunCaptures<'a> {
        RunCaptures {
            endpoints: flows::endpoints(plan, seed),
            points: points::points(plan, seed, options),
            snaplen: options.snaplen.map(|octets| octets as usize),
            append,
        }
    }

    /// Captures packets at a point, in order of time.
    fn add(&mut self, point: usize, passing: &[TappedPacket]) -> io::Result<()> {
        let point = &mut self.points[point];
        for packet in passing {
            // AAL5 drops a damaged PDU (I.363.5), so a capture at its host has nothing to show.
            if !(packet.inward && matches!(packet.fate, Fate::Damaged { .. })) {
                point.add(packet, &self.endpoints, self.snaplen);
            }
        }
        if point.file.len() >= CHUNK {
            (self.append)(&point.name, &point.file)?;
            point.file.clear();
        }
        Ok(())
    }

    /// Ends the file of a point with its count of damaged PDUs; the run has ended at `end`.
    fn end(&mut self, point: usize, damaged: u64, end: Time) -> io::Result<()> {
        let point = &mut self.points[point];
        pcapng::statistics(&mut point.file, end, point.passed, damaged);
        (self.append)(&point.name, &point.file)
    }
}

impl CapturePoint {
    /// Adds a packet to the file.
    fn add(&mut self, passing: &TappedPacket, endpoints: &[Endpoints], snaplen: Option<usize>) {
        let label = &self.labels[usize::from(passing.inward)][passing.vc.index()];
        let fields = HeaderFields {
            back: label.back,
            // Wireshark identifies VC-multiplexed PDUs by their first octets, and takes some
            // identifications, such as 0x03cc, for frame relay.
            number: passing.contents.number | 0x8000,
            ttl: label.ttl,
            // A switch marks cells; the mark in the datagram, which a switch does not read, stays.
            marked: passing.marked && self.link == LinkType::RawIp,
            sent: passing.contents.sent,
        };
        let mut data = label.encapsulation(self.link);
        let before = data.len();
        let connection = &endpoints[label.flow];
        let datagram = connection.write(&passing.contents.segment, fields, &mut data);
        let mut length = before as u64 + datagram;
        if let Fate::Trimmed { octets } = passing.fate {
            // The headers stay as the sender wrote them, so the packet ends before its stated length.
            length = length.min(u64::from(octets));
            data.truncate(length as usize);
        }
        let damaged = matches!(passing.fate, Fate::Damaged { .. });
        if damaged {
            // The remaining cells of a damaged PDU must not be dissected as a datagram.
            data.truncate(TappedVc::ATM_HEADER);
        } else if let Some(snaplen) = snaplen {
            data.resize(snaplen.min(length as usize), 0);
        }
        self.passed += 1;
        let comment = comment(passing, self.link);
        pcapng::packet(
            &mut self.file,
            &pcapng::CapturedPacket {
                at: passing.at,
                data: &data,
                length,
                inward: passing.inward,
                damaged,
                comment: comment.as_deref(),
            },
        );
    }
}

/// The comment on a packet that is damaged, trimmed, lost or marked; none for others.
fn comment(passing: &TappedPacket, link: LinkType) -> Option<String> {
    let all = passing.contents.cells;
    match passing.fate {
        Fate::Whole => {
            let marked = passing.marked && link == LinkType::SunAtm;
            marked.then(|| "EFCI is set in some of its cells".to_string())
        }
        Fate::Trimmed { octets } => Some(format!("trimmed to {octets} octets")),
        Fate::Lost { cells } if cells == all => Some("lost on the link".to_string()),
        Fate::Lost { cells } => Some(format!("{cells} of {all} cells lost on the link")),
        Fate::Damaged { cells } if cells < all => Some(format!("damaged: {cells} of {all} cells")),
        Fate::Damaged { cells } => Some(format!(
            "damaged: {cells} cells of several PDUs, the last of {all}"
        )),
    }
}
