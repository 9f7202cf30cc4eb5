//! The transmitting end of a link that loses units.
//!
//! Our own rule: all losses are decided at the transmitting end, where every unit passes in order,
//! so one stream of random numbers gives the same losses however far nodes run ahead of one
//! another.

use kernel::Time;

use super::{LinkLoss, LossAt, LossUnit, Outages, SentUnit};
use crate::metrics::{DroppedUnit, LossMeter};
use crate::wire::cell::{Cell, Payload};
use crate::wire::contents::Cargo;
use crate::wire::format::CellFormat;
use crate::wire::unit::PacketUnit;

/// The transmitting end of a lossy link.
pub struct LossyEnd {
    loss: Box<dyn LinkLoss>,
    unit: LossUnit,
    outages: Option<Outages>,
    /// By virtual channel: the PDU of which some cells have been offered, but not the last.
    pdus: Vec<Option<Pdu>>,
    /// Place of the losses: before the queue, or on the link, where lost units take transmission
    /// time and credit.
    pub at: LossAt,
    /// Format of the cells of the network.
    cells: CellFormat,
    /// Counts of this end.
    pub meter: LossMeter,
}

/// The fate of a frame on a link with retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameFate {
    /// It arrives whole.
    Whole,
    /// It arrives with a wrong check sequence.
    Damaged,
    /// Nothing arrives.
    Lost,
}

/// A PDU whose last cell has not been offered.
#[derive(Clone, Copy)]
struct Pdu {
    number: u32,
    /// True if every cell of the PDU is lost.
    lost: bool,
    /// True if some cells of the PDU were lost.
    damaged: bool,
}

impl LossyEnd {
    /// The end of a link with `vcs` outgoing VCs, where `loss` decides for each `unit`.
    pub fn new(
        loss: Box<dyn LinkLoss>,
        unit: LossUnit,
        at: LossAt,
        vcs: usize,
        cells: CellFormat,
    ) -> LossyEnd {
        LossyEnd {
            loss,
            unit,
            outages: None,
            cells,
            pdus: vec![None; vcs],
            at,
            meter: LossMeter::new(vcs),
        }
    }

    /// This end, of a link that loses what meets one of its outages too.
    pub fn with_outages(self, outages: Outages) -> LossyEnd {
        LossyEnd {
            outages: Some(outages),
            ..self
        }
    }

    /// The loss probability of each unit, if one number states it.
    pub fn probability(&mut self) -> Option<&mut f64> {
        self.loss.probability()
    }

    /// Restarts the counts. A packet is counted when its last cell is offered.
    pub fn begin_counting(&mut self) {
        self.meter.begin();
    }

    /// Decides about a cell that is sent, or offered, at `now`; returns true if the cell is lost.
    /// The caller must then release the cell's contents.
    pub fn loses_cell(&mut self, now: Time, cell: &Cell) -> bool {
        self.meter.cells += 1;
        let sent = SentUnit {
            start: now,
            octets: self.cells.octets(),
        };
        let lost = self.loses(cell, sent);
        if lost {
            self.meter.cells_lost += 1;
        }
        // Credits and check cells travel between neighbours and belong to no flow.
        if lost && matches!(cell.payload, Payload::Data(_) | Payload::Rm { .. }) {
            let dropped = DroppedUnit {
                vc: cell.vc.index(),
                pdu: cell.part().map(|data| data.pdu),
                eom: cell.ends_pdu(),
                is_packet: false,
            };
            self.meter.lost(now, dropped, self.cells.octets());
        }
        lost
    }

    /// True if a whole packet, sent or offered at `now`, is lost; its contents are then
    /// removed.
    pub fn loses_packet(&mut self, now: Time, packet: &PacketUnit, cargo: &mut Cargo) -> bool {
        let whole = Cell::from(packet);
        let octets = u64::from(packet.octets);
        let lost = self.loses(&whole, SentUnit { start: now, octets });
        if let Some(fragments) = self.loss.fragments() {
            self.meter.fragments += fragments.offered;
            self.meter.fragments_lost += fragments.lost;
        }
        if lost {
            self.lose(now, packet, cargo);
        }
        lost
    }

    /// The fate of a frame of `octets` that is sent at `now` on a link with retry, which may send it
    /// again: it is not counted before [`LossyEnd::settle`] or [`LossyEnd::give_up`].
    pub fn fate_of_frame(&mut self, now: Time, octets: u64) -> FrameFate {
        let sent = SentUnit { start: now, octets };
        let is_lost = self.loss.next(sent);
        match (is_lost, self.meets_outage(sent)) {
            (false, false) => FrameFate::Whole,
            (true, false) if self.loss.damages() => FrameFate::Damaged,
            _ => FrameFate::Lost,
        }
    }

    /// Counts a packet on a link with retry: it has arrived, or is given up.
    pub fn settle(&mut self) {
        self.meter.packets += 1;
    }

    /// True if an ordered set of `octets` that is sent at `now` is lost.
    pub fn loses_ordered_set(&mut self, now: Time, octets: u64) -> bool {
        let sent = SentUnit { start: now, octets };
        self.loss.loses_ordered_set(sent) || self.meets_outage(sent)
    }

    /// True if a control frame of `octets` that is sent at `now` in a packet of its own is lost: see
    /// [`LossyEnd::loses_packet`].
    pub fn loses_message(&mut self, now: Time, octets: u64) -> bool {
        let sent = SentUnit { start: now, octets };
        self.loss.next(sent) || self.meets_outage(sent)
    }

    /// Counts a packet that a link with retry gives up; its contents are then removed.
    pub fn give_up(&mut self, now: Time, packet: &PacketUnit, cargo: &mut Cargo) {
        self.settle();
        self.meter.packets_lost += 1;
        self.lose(now, packet, cargo);
    }

    /// A whole packet does not get beyond the link.
    fn lose(&mut self, now: Time, packet: &PacketUnit, cargo: &mut Cargo) {
        let dropped = DroppedUnit {
            vc: packet.vc.index(),
            pdu: Some(cargo.take(packet.contents).pdu),
            eom: true,
            is_packet: true,
        };
        self.meter.lost(now, dropped, u64::from(packet.octets));
    }

    fn meets_outage(&self, sent: SentUnit) -> bool {
        let outages = self.outages.as_ref();
        outages.is_some_and(|outages| outages.meet(sent.start, sent.octets))
    }

    fn loses(&mut self, cell: &Cell, sent: SentUnit) -> bool {
        let meets_outage = self.meets_outage(sent);
        let Some(data) = cell.part() else {
            // An RM cell belongs to no packet, so only a loss of cells applies to it.
            return (self.unit == LossUnit::Cell && self.loss.next(sent)) || meets_outage;
        };
        // A new PDU begins although the last cell of the previous PDU was not offered: that cell
        // was lost on an earlier link.
        let mut pdu = match self.pdus[cell.vc.index()].take() {
            Some(pdu) if pdu.number == data.pdu => pdu,
            before => {
                before.inspect(|pdu| self.count(*pdu));
                Pdu {
                    number: data.pdu,
                    lost: self.unit == LossUnit::Packet && self.loss.next(sent),
                    damaged: false,
                }
            }
        };
        // The losses of a link are drawn in an outage too, so that later ones stay the same.
        let lost =
            (pdu.lost || self.unit == LossUnit::Cell && self.loss.next(sent)) || meets_outage;
        pdu.damaged |= lost;
        if data.eom {
            self.count(pdu);
        } else {
            self.pdus[cell.vc.index()] = Some(pdu);
        }
        lost
    }

    /// Counts a PDU once, at its end, so that the counts of successive spans of time add up.
    fn count(&mut self, pdu: Pdu) {
        self.meter.packets += 1;
        self.meter.packets_lost += u64::from(pdu.damaged);
    }
}

#[cfg(test)]
mod tests {
    use parameters::{Value, understand, value};

    use super::super::LossSpec;
    use super::super::script::way;
    use super::*;
    use crate::wire::cell::Data;
    use crate::wire::contents::ContentsId;
    use crate::wire::vc::Vc;

    /// Offers cells written as PDU and VC, such as `1a` or, for the end of a PDU, `1a.`; `|`
    /// restarts the counts. Returns a `-` for each lost cell and a `+` for each other cell, and the
    /// numbers of packets offered and lost.
    fn offer(loss: &Value, cells: &str) -> (String, [u64; 2]) {
        let spec: LossSpec = understand(loss).expect("a loss");
        let loss = spec.build(&way(false)).expect("a loss");
        let mut end = LossyEnd::new(loss, spec.unit(), LossAt::Queue, 2, CellFormat::ATM);
        let cells = cells.split(' ').map(|cell| {
            if cell == "|" {
                end.begin_counting();
                return '|';
            }
            let octets = cell.as_bytes();
            let vc = Vc(u32::from(octets[1] - b'a'));
            let pdu = u32::from(octets[0] - b'0');
            let cell = Cell::data(vc, Data::new(pdu, ContentsId(0), cell.ends_with('.')));
            if end.loses_cell(Time::ZERO, &cell) {
                '-'
            } else {
                '+'
            }
        });
        let fates = cells.collect();
        (fates, [end.meter.packets, end.meter.packets_lost])
    }

    #[test]
    fn a_lost_packet_loses_all_its_cells_wherever_they_stand() {
        let offered = offer(&value!({ nth = [1] }), "1a 1b 1a. 1b 2a. 1b.");
        assert_eq!(offered, ("+-+-+-".to_string(), [3, 1]));
    }

    #[test]
    fn a_packet_that_lost_its_end_on_an_earlier_link_is_one_packet() {
        let offered = offer(&value!({ nth = [1] }), "1a 1a 2a 2a. 3a.");
        assert_eq!(offered, ("++--+".to_string(), [3, 1]));
    }

    #[test]
    fn cells_are_lost_one_by_one_and_damage_their_packet_once() {
        let offered = offer(&value!({ nth_cell = [1, 2, 5] }), "1a 1a 1a. 2a 2a. 3a.");
        assert_eq!(offered, ("+--++-".to_string(), [3, 2]));
    }

    #[test]
    fn a_packet_is_counted_at_its_end_with_all_its_losses() {
        let offered = offer(&value!({ nth_cell = [1, 3, 4] }), "1a 1a 2b | 1a 1a. 3a.");
        assert_eq!(offered, ("+-+|--+".to_string(), [2, 1]));
        let offered = offer(&value!({ nth_cell = [0] }), "1a 2b | 1a. 2b.");
        assert_eq!(offered, ("-+|++".to_string(), [2, 1]));
    }
}
