//! Discard policies: the cells or packets that a buffer drops. Each policy names its source.

use parameters::Conflict;

pub use super::decision::pdus::{Overflow, Pdus};
pub use super::decision::{
    Buffer, Decision, Discard, Head, HeadDecision, Occupancy, Promise, Trimming,
};

parameters::registry! {
    /// Discard policy of an output buffer: the cells or packets that it drops.
    pub enum DiscardSpec builds Box<dyn Discard>, for Buffer, answers dyn DiscardKind {
        tail_drop => TailDrop,
        partial_packet => PartialPacket,
        early_packet => EarlyPacket,
        partial_buffer_sharing => PartialBufferSharing,
        push_out => PushOut,
        selective_drop => SelectiveDrop,
        fair_buffer_allocation => FairBufferAllocation,
        random_early => RandomEarly,
        codel => Codel,
        pie => Pie,
        fq_codel => FqCodel,
        dual_pi2 => DualPi2,
        trim => Trim,
    } default tail_drop open to Outside
}

/// The properties of a discard policy before the run, which each member states in its own file.
pub trait DiscardKind {
    /// True if the policy compares the VCs of one queue, or follows the length of that queue over
    /// time. Lowering refuses such a policy where each VC has a queue of its own. False if every
    /// decision follows from the offered unit and the occupancy that it finds.
    fn needs_shared_queue(&self) -> bool;

    /// Queue lengths from which the policy drops units, in units of the buffer, each with the name
    /// of its parameter, for the live page; empty if no parameter states one.
    fn drop_levels(&self, buffer: &Buffer) -> Vec<(&'static str, u64)>;

    /// True if the policy decides about a whole packet when the first cell of the packet arrives. A
    /// policy that decides about each cell damages packets, whose other cells then waste the link;
    /// the explanation of a run names such a policy as a cause.
    fn drops_whole_packets(&self) -> bool;

    /// True if the policy drops cells of low priority (CLP = 1) before cells of high priority.
    fn prefers_high_priority(&self) -> bool {
        false
    }

    /// True if the policy acts on the cells of a packet, or on their priority (CLP): of whole packets it
    /// drops what does not fit, as any policy does. Lowering refuses it where packets are whole.
    fn needs_cells(&self) -> bool {
        self.prefers_high_priority()
    }

    /// A parameter that is not at its default and acts only on the cells of packets; none if there is none.
    fn parameter_of_cells(&self) -> Option<&'static str> {
        None
    }

    /// True if a cell of high priority (CLP = 0) that finds the buffer full takes the place of the
    /// last waiting cell of low priority. The output removes that cell before it asks the policy.
    fn pushes_out(&self) -> bool {
        false
    }

    /// The trimming of the packets that the policy drops; none if they are dropped whole.
    fn trimming(&self) -> Option<Trimming> {
        None
    }

    /// True if the policy marks units of ECN-capable flows.
    fn marks(&self) -> bool {
        false
    }

    /// The kinds of schedulers that serve the queues of the policy; none if any will do. The first is
    /// the one that its source describes.
    fn schedulers(&self) -> Option<&'static [&'static str]> {
        None
    }

    /// The doubt about a parameter whose value is valid, but probably not intended, for one of
    /// these buffers.
    fn doubt(&self, _buffers: &[Buffer]) -> Option<Conflict> {
        None
    }
}

/// Scripts for the tests of the policies.
#[cfg(test)]
pub(crate) mod script {
    use kernel::Time;

    use super::{Decision, Discard, Occupancy};
    use crate::wire::cell::{Cell, Data};
    use crate::wire::contents::ContentsId;
    use crate::wire::vc::Vc;

    /// A cell of virtual channel `vc`; `eom` is true if it ends a PDU.
    pub fn cell(vc: u32, eom: bool) -> Cell {
        Cell::data(Vc(vc), Data::new(0, ContentsId(0), eom))
    }

    /// `+` for an accepted cell, `-` for a dropped one.
    pub fn sign(decision: Decision) -> char {
        match decision {
            Decision::Accept => '+',
            Decision::Mark => '*',
            Decision::Drop => '-',
        }
    }

    /// Offers cells of one virtual channel to a buffer of ten, and returns the sign of each. A cell
    /// is written as the queue length that it finds, followed by `.` if it ends a PDU or `~` if it
    /// has low priority.
    pub fn decisions(policy: &mut dyn Discard, offers: &str) -> String {
        offers
            .split(' ')
            .map(|offer| {
                let queued = offer
                    .trim_end_matches(['.', '~'])
                    .parse()
                    .expect("a queue length");
                let mut cell = cell(0, offer.ends_with('.'));
                if offer.ends_with('~') {
                    cell.tag();
                }
                sign(policy.admit(
                    &cell,
                    Occupancy {
                        at: Time::ZERO,
                        queued,
                        capacity: 10,
                        size: 1,
                    },
                ))
            })
            .collect()
    }

    /// Offers cells to a buffer of ten, and returns the sign of each. A cell is written as the
    /// letter of its virtual channel, in upper case if it ends a PDU. The cells `waiting` are in
    /// the buffer; accepted cells do not join them.
    pub fn decisions_beside(policy: &mut dyn Discard, waiting: &str, offers: &str) -> String {
        let vc_of = |letter: char| letter.to_ascii_lowercase() as u32 - 'a' as u32;
        assert!(policy.follows_queue(), "the policy compares VCs");
        for vc in waiting.chars().map(vc_of) {
            policy.on_join(Vc(vc), 1);
        }
        let buffer = Occupancy {
            at: Time::ZERO,
            queued: waiting.len() as u64,
            capacity: 10,
            size: 1,
        };
        offers
            .chars()
            .map(|offer| cell(vc_of(offer), offer.is_ascii_uppercase()))
            .map(|cell| sign(policy.admit(&cell, buffer)))
            .collect()
    }
}
