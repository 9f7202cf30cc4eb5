//! Taps: the packets that pass a point of the network, for captures and traces.
//!
//! A node records each packet with its instant. The driver of the run collects the records at
//! intervals and writes them to a file, so that they need not fit into memory. Our own choice of
//! packets: those that a capture on the link would show.

use kernel::Time;

use crate::wire::aal5::Reassembly;
use crate::wire::cell::Cell;
use crate::wire::contents::{Cargo, Contents};
use crate::wire::unit::PacketUnit;
use crate::wire::vc::Vc;

/// A packet or PDU at a tap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TappedPacket {
    /// Instant: at a host or router, the start of its transmission or the end of its arrival; at
    /// the output of a switch, the end of transmission of its last cell.
    pub at: Time,
    /// End of the transmission of a packet that leaves whole; the instant of any other.
    pub until: Time,
    /// True if the packet arrives at the node, false if it leaves.
    pub inward: bool,
    /// VC, or flow label, of the packet on the link of the tap.
    pub vc: Vc,
    /// Contents of the packet.
    pub contents: Contents,
    /// True if the network marked the packet: EFCI in any of its cells, or CE.
    pub marked: bool,
    /// Condition of the packet at the tap.
    pub fate: Fate,
}

/// The condition of a packet or PDU at a tap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The packet is whole.
    Whole,
    /// The packet was sent, and the link loses some of its cells; a packet that is not segmented is
    /// lost whole.
    Lost {
        /// Number of cells of the PDU that the link loses.
        cells: u32,
    },
    /// An output has trimmed the packet.
    Trimmed {
        /// Octets that are left of it.
        octets: u32,
    },
    /// The last cell has passed, but too few cells came before it, or cells of several PDUs.
    Damaged {
        /// Number of cells that have passed since the end of the PDU before.
        cells: u32,
    },
}

impl PacketUnit {
    /// The condition of a packet that is not cut into cells, and that no link loses.
    pub fn fate(&self) -> Fate {
        if self.trimmed {
            Fate::Trimmed {
                octets: self.octets,
            }
        } else {
            Fate::Whole
        }
    }
}

/// A point of the network at which packets are recorded.
#[derive(Clone, Debug, Default)]
pub struct Tap {
    noted: Vec<TappedPacket>,
    /// By virtual channel: the PDU whose cells pass one by one.
    pdus: Vec<Reassembly>,
    /// Damaged PDUs so far.
    pub damaged: u64,
    /// The journal of a host, if a trace needs it.
    journal: Option<Box<Journal>>,
}

/// Packets of a host, from the transport to the end of their transmission.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    /// Packets that the transport has handed to the interface, with their VCs.
    pub handed: Vec<(Vc, Contents)>,
    /// PDUs whose last cell the host has committed.
    pub ends: Vec<PduEnd>,
}

/// The last cell of a PDU, which a host has committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PduEnd {
    /// Virtual channel.
    pub vc: Vc,
    /// Number of the PDU on its VC.
    pub pdu: u32,
    /// Start of the transmission of the last cell.
    pub start: Time,
}

impl Tap {
    /// A tap on a link with `vcs` outgoing virtual channels.
    pub fn new(vcs: usize) -> Tap {
        Tap {
            pdus: vec![Reassembly::default(); vcs],
            ..Tap::default()
        }
    }

    /// From now on, the tap of a host keeps a journal.
    pub fn keep_journal(&mut self) {
        self.journal = Some(Box::default());
    }

    /// Records a packet or PDU.
    pub fn note(&mut self, passing: TappedPacket) {
        self.damaged += u64::from(matches!(passing.fate, Fate::Damaged { .. }));
        self.noted.push(passing);
    }

    /// Records a packet that the transport of a host hands over.
    pub fn hand_over(&mut self, vc: Vc, contents: Contents) {
        if let Some(journal) = &mut self.journal {
            journal.handed.push((vc, contents));
        }
    }

    /// Records the last cell of a PDU, which a host has committed.
    pub fn end(&mut self, end: PduEnd) {
        if let Some(journal) = &mut self.journal {
            journal.ends.push(end);
        }
    }

    /// Removes and returns the journal until `end`; no later call changes an entry before `end`.
    pub fn take_journal(&mut self, end: Time) -> Journal {
        let Some(journal) = &mut self.journal else {
            return Journal::default();
        };
        let ended = journal.ends.extract_if(.., |pdu| pdu.start < end).collect();
        Journal {
            handed: std::mem::take(&mut journal.handed),
            ends: ended,
        }
    }

    /// Counts a cell that has been sent at `at`, and records the PDU if the cell ends it.
    pub fn cell(&mut self, at: Time, cell: &Cell, cargo: &Cargo) {
        let Some(data) = cell.part() else {
            return;
        };
        let Some(pdu) = self.pdus[cell.vc.index()].take(1, data) else {
            return;
        };
        let contents = *cargo.get(data.contents);
        let whole = pdu.uniform && pdu.cells == contents.cells;
        let fate = if whole {
            Fate::Whole
        } else {
            Fate::Damaged { cells: pdu.cells }
        };
        self.note(TappedPacket {
            at,
            until: at,
            inward: false,
            vc: cell.vc,
            contents,
            marked: pdu.marked,
            fate,
        });
    }

    /// Removes the packets that would have left after `now`, because their cells were recalled or
    /// respaced.
    pub fn forget_after(&mut self, now: Time) {
        self.noted
            .retain(|passing| passing.inward || passing.at <= now);
        if let Some(journal) = &mut self.journal {
            journal.ends.retain(|pdu| pdu.start <= now);
        }
    }

    /// Removes and returns the packets that passed before `end`, in order of time; no later call
    /// records a packet before `end`.
    pub fn take_before(&mut self, end: Time) -> Vec<TappedPacket> {
        // A stable sort: packets of one instant stay in the order in which they were recorded.
        self.noted.sort_by_key(|passing| passing.at);
        let rest = self.noted.partition_point(|passing| passing.at < end);
        let later = self.noted.split_off(rest);
        std::mem::replace(&mut self.noted, later)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::cell::Data;
    use crate::wire::segment::Segment;

    const fn at(ps: u64) -> Time {
        Time::from_ps(ps)
    }

    fn contents(cells: u32) -> Contents {
        Contents {
            segment: Segment::default(),
            octets: 40,
            cells,
            sent: Time::ZERO,
            number: 0,
            marked: false,
            pdu: 1,
        }
    }

    fn packet(ps: u64, vc: u32) -> TappedPacket {
        TappedPacket {
            at: at(ps),
            until: at(ps),
            inward: false,
            vc: Vc(vc),
            contents: contents(0),
            marked: false,
            fate: Fate::Whole,
        }
    }

    #[test]
    fn hands_over_passed_packets_in_order_of_time_and_keeps_the_rest() {
        let mut tap = Tap::new(1);
        for (ps, vc) in [(30, 0), (10, 1), (20, 2), (10, 3)] {
            tap.note(packet(ps, vc));
        }
        let taken = |tap: &mut Tap, end| -> Vec<u32> {
            let taken = tap.take_before(at(end));
            taken.iter().map(|passing| passing.vc.0).collect()
        };
        assert_eq!(taken(&mut tap, 20), [1, 3]);
        assert_eq!(taken(&mut tap, 100), [2, 0]);
        assert_eq!(taken(&mut tap, 200), [] as [u32; 0]);
    }

    #[test]
    fn a_tap_records_a_pdu_at_its_last_cell_whole_or_damaged() {
        let mut cargo = Cargo::default();
        let [first, second] = [2, 2].map(|cells| cargo.insert(contents(cells)));
        let mut tap = Tap::new(1);
        let sent = [(1, first, false), (1, first, true), (2, second, true)];
        for (ps, (pdu, contents, eom)) in (1..).zip(sent) {
            let cell = Cell::data(Vc(0), Data::new(pdu, contents, eom));
            tap.cell(at(ps), &cell, &cargo);
        }
        let noted: Vec<(u64, Fate)> = tap
            .take_before(Time::NEVER)
            .iter()
            .map(|passing| (passing.at.ps(), passing.fate))
            .collect();
        assert_eq!(noted, [(2, Fate::Whole), (3, Fate::Damaged { cells: 1 })]);
        assert_eq!(tap.damaged, 1);
    }
}
