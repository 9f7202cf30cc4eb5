//! The network interface of a host: one link, first in, first out, back to back at link rate.
//!
//! Nothing can overtake a frame in the interface, so it is committed to the link when it is handed
//! over, with the instant at which its transmission will start. What the link loses is never sent:
//! it takes no time.

use kernel::{Rate, Time};

use crate::aal5::Reassembly;
use crate::cell::{CELL_BITS, CELL_OCTETS, Kind, Train};
use crate::frame::Frame;
use crate::loss::{LossyEnd, LossyEnds};
use crate::tap::{Fate, Passing, Tap};
use crate::unit::{Outlet, Packet, Unit};
use crate::vc::Vc;

/// A network interface.
pub struct Nic {
    rate: Rate,
    /// When the last frame handed over has been sent.
    free_at: Time,
    /// Towards another host, what has left on each VC since the last end of a PDU: its cells arrive
    /// as one, see [`Train`].
    gathered: Option<Vec<Reassembly>>,
    /// PDUs and packets sent on each VC.
    pdus: Vec<u32>,
    /// Octets on the wire, headers of cells included.
    pub octets_sent: u64,
    /// Cells sent.
    pub cells_sent: u64,
    /// Packets and PDUs sent.
    pub frames_sent: u64,
    /// RM cells sent.
    pub rm_sent: u64,
    /// What the link loses.
    pub losses: LossyEnds,
    /// What the host sends and receives, if it is captured.
    pub tap: Option<Box<Tap>>,
}

impl Nic {
    /// An interface to a link with `vcs` outgoing virtual channels.
    pub fn new(rate: Rate, vcs: usize, gathers: bool) -> Nic {
        Nic {
            rate,
            free_at: Time::ZERO,
            gathered: gathers.then(|| vec![Reassembly::default(); vcs]),
            pdus: vec![0; vcs],
            octets_sent: 0,
            cells_sent: 0,
            frames_sent: 0,
            rm_sent: 0,
            losses: LossyEnds::new(),
            tap: None,
        }
    }

    /// Sends a frame on `vc`: in cells if it was cut into any, else whole.
    pub fn send(&mut self, now: Time, vc: Vc, frame: Frame, out: &mut Outlet<'_>) {
        let start = self.free_at.max(now);
        self.frames_sent += 1;
        let pdu = &mut self.pdus[vc.index()];
        *pdu = pdu.wrapping_add(1);
        let frame = Frame {
            number: self.frames_sent as u16,
            pdu: *pdu,
            ..frame
        };
        if frame.cells == 0 {
            self.send_packet(now, start, vc, frame, out);
        } else {
            self.send_cells(now, start, vc, frame, out);
        }
    }

    fn send_packet(&mut self, now: Time, start: Time, vc: Vc, frame: Frame, out: &mut Outlet<'_>) {
        let octets = u32::try_from(frame.octets).expect("lowering bounds packets to 16 MiB");
        self.octets_sent += frame.octets;
        let packet = Packet {
            vc,
            frame: out.cargo.insert(frame),
            octets,
            marked: false,
        };
        let losses = self.losses.first_mut();
        let lost = losses
            .and_then(Option::as_mut)
            .is_some_and(|end| end.loses_packet(now, &packet, out.cargo));
        self.note(start, vc, frame, lost.then_some(0));
        if lost {
            return;
        }
        self.free_at = start + self.rate.transmission(frame.octets * 8);
        out.send(0, self.free_at, Unit::Packet(packet));
    }

    fn send_cells(&mut self, now: Time, start: Time, vc: Vc, frame: Frame, out: &mut Outlet<'_>) {
        let cell_time = self.rate.transmission(CELL_BITS);
        let mut train = Train {
            vc,
            pdu: frame.pdu,
            frame: out.cargo.insert(frame),
            cells: frame.cells,
            spacing: cell_time,
            kind: Kind::Data,
            eom: true,
            marked: false,
            uniform: true,
        };
        self.cells_sent += u64::from(train.cells);
        self.octets_sent += u64::from(train.cells) * CELL_OCTETS;
        if let Some(Some(end)) = self.losses.first_mut() {
            train = survivors(end, now, train);
            if !train.eom {
                out.cargo.take(train.frame);
            }
        }
        let lost = frame.cells - train.cells;
        self.note(start, vc, frame, (lost > 0).then_some(lost));
        if train.cells == 0 {
            return;
        }
        self.free_at = start + cell_time * u64::from(train.cells);
        match &mut self.gathered {
            None => out.send(0, start + cell_time, Unit::Cells(train)),
            Some(vcs) => {
                if let Some(whole) = vcs[vc.index()].take_train(&train) {
                    out.send(0, self.free_at, Unit::Cells(whole));
                }
            }
        }
    }

    /// Notes what is sent, and what of it the link loses, if it is captured.
    fn note(&mut self, at: Time, vc: Vc, frame: Frame, lost: Option<u32>) {
        if let Some(tap) = &mut self.tap {
            tap.note(Passing {
                at,
                inward: false,
                vc,
                frame,
                marked: false,
                fate: lost.map_or(Fate::Whole, |cells| Fate::Lost { cells }),
            });
        }
    }

    /// Whether its link loses anything.
    pub fn is_lossy(&self) -> bool {
        self.losses.iter().any(Option::is_some)
    }

    /// Cells that have left towards another host and whose PDU has not ended.
    pub fn gathering(&self) -> u64 {
        let vcs = self.gathered.iter().flatten();
        vcs.map(|vc| u64::from(vc.pending())).sum()
    }
}

/// What is left of a train; the cells after a lost one follow without a gap.
fn survivors(end: &mut LossyEnd, now: Time, train: Train) -> Train {
    let mut left = Train { cells: 0, ..train };
    for index in 0..train.cells {
        let cell = train.cell(index, train.vc);
        let lost = end.loses_cell(now, &cell);
        left.cells += u32::from(!lost);
        left.eom = cell.eom && !lost;
    }
    left
}
