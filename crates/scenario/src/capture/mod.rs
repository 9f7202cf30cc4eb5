//! Captures: a pcapng file for every host and every output, as Wireshark reads them.
//!
//! [`datagram`] makes the headers of IPv4, [`tcp`], [`xtp`] and [`udp`] those within, [`pcapng`] the blocks of a file;
//! [`points`] says where there is something to capture, and [`flows`] what the headers of each flow are.

mod datagram;
pub mod files;
mod flows;
mod pcapng;
mod points;
mod tcp;
mod udp;
mod xtp;

use std::io;

use kernel::{Network, Seed, Time};
use models::node::Node;
use models::tap::{Fate, Passing, Tap};

use crate::lower::Plan;
use datagram::{Connection, Passage};
use pcapng::LinkType;
use points::{Label, Point};

/// How packets are captured.
#[derive(Clone, Debug, Default)]
pub struct CaptureOptions {
    /// Where the run comes from, in lines that stand at the head of every file.
    pub origin: String,
    /// Octets that are kept of each packet; its headers only, if not given.
    pub snaplen: Option<u32>,
}

/// Takes octets that come next in the file of a name.
pub type Append<'a> = Box<dyn FnMut(&str, &[u8]) -> io::Result<()> + 'a>;

/// The captures of a run under way.
pub struct Captures<'a> {
    connections: Vec<Connection>,
    points: Vec<Point>,
    snaplen: Option<usize>,
    append: Append<'a>,
}

/// Octets that wait before they are written, so that few files are opened at a time.
const CHUNK: usize = 1 << 16;

impl<'a> Captures<'a> {
    /// Captures of all hosts and outputs of `network`, none of which has sent anything.
    pub fn begin(
        plan: &Plan,
        seed: Seed,
        options: &CaptureOptions,
        network: &mut Network<Node>,
        append: Append<'a>,
    ) -> Captures<'a> {
        let points = points::points(plan, seed, options);
        for point in &points {
            let vcs = point.labels[0].len();
            network.nodes[point.node].install(point.output, Tap::new(vcs));
        }
        Captures {
            connections: flows::connections(plan, seed),
            points,
            snaplen: options.snaplen.map(|octets| octets as usize),
            append,
        }
    }

    /// Takes over what passed before `now`, up to which the network has run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn take(&mut self, network: &mut Network<Node>, now: Time) -> io::Result<()> {
        for point in &mut self.points {
            for passing in tap(network, point).take_before(now) {
                point.add(&passing, &self.connections, self.snaplen);
            }
            if point.file.len() >= CHUNK {
                (self.append)(&point.name, &point.file)?;
                point.file.clear();
            }
        }
        Ok(())
    }

    /// Ends all files; the run has ended at `end`.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn end(mut self, network: &mut Network<Node>, end: Time) -> io::Result<()> {
        self.take(network, end)?;
        for point in &mut self.points {
            let damaged = tap(network, point).damaged;
            pcapng::statistics(&mut point.file, end, point.passed, damaged);
            (self.append)(&point.name, &point.file)?;
        }
        Ok(())
    }
}

/// The tap of a point.
fn tap<'n>(network: &'n mut Network<Node>, point: &Point) -> &'n mut Tap {
    let tap = network.nodes[point.node].tap(point.output);
    tap.expect("a tap was installed")
}

impl Point {
    /// Adds a packet to the file.
    fn add(&mut self, passing: &Passing, connections: &[Connection], snaplen: Option<usize>) {
        let label = &self.labels[usize::from(passing.inward)][passing.vc.index()];
        let passage = Passage {
            back: label.back,
            // VC-multiplexed PDUs are not told from others by anything but their first octets, and
            // for some identifications, such as 0x03cc, Wireshark takes them for frame relay.
            number: passing.frame.number | 0x8000,
            ttl: label.ttl,
            // A switch sets a bit of the cells, and does not look into them.
            marked: passing.marked && self.link == LinkType::RawIp,
        };
        let mut data = label.encapsulation(self.link);
        let before = data.len();
        let connection = &connections[label.flow];
        let datagram = connection.write(&passing.frame.segment, passage, &mut data);
        let length = before as u64 + datagram;
        let damaged = matches!(passing.fate, Fate::Damaged { .. });
        if damaged {
            // What is left of it is no datagram, and must not be taken for one.
            data.truncate(Label::ATM_HEADER);
        } else if let Some(snaplen) = snaplen {
            data.resize(snaplen.min(length as usize), 0);
        }
        self.passed += 1;
        let comment = comment(passing, self.link);
        pcapng::packet(
            &mut self.file,
            &pcapng::Packet {
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

/// What is said of a packet that is not just passing.
fn comment(passing: &Passing, link: LinkType) -> Option<String> {
    let all = passing.frame.cells;
    match passing.fate {
        Fate::Whole => {
            let marked = passing.marked && link == LinkType::SunAtm;
            marked.then(|| "EFCI is set in some of its cells".to_string())
        }
        Fate::Lost { cells } if cells == all => Some("lost on the link".to_string()),
        Fate::Lost { cells } => Some(format!("{cells} of {all} cells lost on the link")),
        Fate::Damaged { cells } if cells < all => Some(format!("damaged: {cells} of {all} cells")),
        Fate::Damaged { cells } => Some(format!(
            "damaged: {cells} cells of several PDUs, the last of {all}"
        )),
    }
}
