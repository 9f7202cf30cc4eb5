//! The network interface of a host: one link, first in, first out, back to back at link rate.
//!
//! Nothing can overtake a frame in the interface, so it is committed to the link when it is handed
//! over, with the instant at which its transmission will start.

use kernel::{Rate, Time};

use crate::cell::{CELL_BITS, Train};
use crate::frame::{Frame, FrameId};
use crate::unit::{Outlet, Packet, Unit};
use crate::vc::Vc;

/// A network interface.
#[derive(Clone, Debug)]
pub struct Nic {
    rate: Rate,
    /// When the last frame handed over has been sent.
    free_at: Time,
    /// Towards another host, the cells of a PDU arrive as one: see [`Train`].
    gathers: bool,
    /// PDUs sent on each VC.
    pdus: Vec<u32>,
    /// Octets on the wire, headers of cells included.
    pub octets_sent: u64,
    /// Cells sent.
    pub cells_sent: u64,
    /// Packets and PDUs sent.
    pub frames_sent: u64,
}

impl Nic {
    /// An interface to a link with `vcs` outgoing virtual channels.
    pub fn new(rate: Rate, vcs: usize, gathers: bool) -> Nic {
        Nic {
            rate,
            free_at: Time::ZERO,
            gathers,
            pdus: vec![0; vcs],
            octets_sent: 0,
            cells_sent: 0,
            frames_sent: 0,
        }
    }

    /// Sends a frame on `vc`: in cells if it was cut into any, else whole.
    pub fn send(&mut self, now: Time, vc: Vc, frame: Frame, out: &mut Outlet<'_>) {
        let start = self.free_at.max(now);
        self.frames_sent += 1;
        if frame.cells == 0 {
            let octets = u32::try_from(frame.octets).expect("lowering bounds packets to 16 MiB");
            self.octets_sent += frame.octets;
            self.free_at = start + self.rate.transmission(frame.octets * 8);
            let packet = Packet {
                vc,
                frame: out.cargo.insert(frame),
                octets,
            };
            out.send(0, self.free_at, Unit::Packet(packet));
        } else {
            let cells = frame.cells;
            let frame = out.cargo.insert(frame);
            self.send_cells(start, vc, cells, frame, out);
        }
    }

    fn send_cells(
        &mut self,
        start: Time,
        vc: Vc,
        cells: u32,
        frame: FrameId,
        out: &mut Outlet<'_>,
    ) {
        let cell_time = self.rate.transmission(CELL_BITS);
        let pdu = &mut self.pdus[vc.index()];
        *pdu = pdu.wrapping_add(1);
        let mut train = Train {
            vc,
            pdu: *pdu,
            frame,
            cells,
            spacing: cell_time,
            eom: true,
            uniform: true,
        };
        self.cells_sent += u64::from(cells);
        self.octets_sent += u64::from(cells) * crate::cell::CELL_OCTETS;
        self.free_at = start + cell_time * u64::from(cells);
        let mut sent = start + cell_time;
        if self.gathers {
            train.spacing = kernel::Duration::ZERO;
            sent = self.free_at;
        }
        out.send(0, sent, Unit::Cells(train));
    }
}
