//! The gates in front of the queues of limited inputs: a discard policy decides which of the cells
//! that arrive join them.
//!
//! Only policies are allowed whose decision follows from the cell, its PDU and the occupancy that it
//! finds. A VC comes from one input, so one gate for each output serves the queues of all inputs:
//! it is told the occupancy of the buffer that the cell comes to.

use std::collections::VecDeque;

use kernel::Time;

use super::crossing::Crossing;
use super::fabric::Inputs;
use super::input_buffer::InputSpec;
use crate::metrics::Cause;
use crate::output::admission::{BufferGate, Offer};
use crate::output::admitted::Admission;
use crate::wire::cell::{Cell, Data};

/// The occupancy of the buffers of all inputs, and the gates in front of them.
pub struct LimitedInputs {
    /// Number of buffers of an input.
    buffers: usize,
    /// Cells in each buffer, by input and output, or by input.
    occupied: Box<[u64]>,
    /// The gates of the cells for each output.
    gates: Box<[BufferGate]>,
    /// The PDUs of each VC of each output; empty if the fabric drops whole PDUs.
    pdus: Box<[Box<[DamagedPdus]>]>,
}

/// The PDUs of a VC of which a cell was dropped at the input.
#[derive(Clone, Default)]
struct DamagedPdus {
    /// True if a cell of the PDU was dropped that is now coming to the input.
    present: bool,
    /// The PDUs whose last cell waits, in order.
    waiting: VecDeque<u32>,
}

impl LimitedInputs {
    /// Empty inputs; `has_virtual_queues` is true if each input has a queue for every output.
    pub fn new(spec: &InputSpec, inputs: &Inputs, has_virtual_queues: bool) -> LimitedInputs {
        let is_per_queue = has_virtual_queues && spec.buffer.is_per_queue();
        let buffers = if is_per_queue { inputs.outputs } else { 1 };
        let gate = |vcs: usize| {
            let buffer = spec.buffer_for(vcs, inputs.cells);
            BufferGate::new(&buffer, &spec.discard, None)
        };
        let pdus = |vcs: usize| vec![DamagedPdus::default(); vcs].into();
        LimitedInputs {
            buffers,
            occupied: vec![0; inputs.inputs * buffers].into(),
            gates: inputs.vcs().map(gate).collect(),
            pdus: inputs.vcs().map(pdus).collect(),
        }
    }

    /// Declares that the fabric drops the rest of a PDU by [`LimitedInputs::evict`] when a cell of it is
    /// dropped.
    pub fn drop_whole_pdus(&mut self) {
        self.pdus = Box::default();
    }

    fn occupied(&mut self, input: usize, output: usize) -> &mut u64 {
        let buffer = if self.buffers == 1 { 0 } else { output };
        &mut self.occupied[input * self.buffers + buffer]
    }

    /// Decides about a cell that comes to the queues of an input at `now`. Returns true if it joins
    /// its queue; otherwise it is dropped.
    pub fn admit(
        &mut self,
        now: Time,
        input: usize,
        output: usize,
        cell: &Cell,
        crossing: &mut Crossing<'_, '_>,
    ) -> bool {
        let here = *self.occupied(input, output);
        let offer = Offer {
            at: now,
            queue_at: now,
            size: 1,
            here,
            elsewhere: 0,
        };
        let meter = &mut crossing.outputs.ports[output].meter;
        let is_admitted = self.gates[output].admit(cell, offer, meter) != Admission::Dropped;
        self.note(output, cell, is_admitted);
        if is_admitted {
            *self.occupied(input, output) += 1;
        } else {
            crossing.refuse(now, output, cell, Cause::Input);
        }
        is_admitted
    }

    /// Drops a cell that was admitted, because another cell of its PDU was dropped.
    pub fn evict(
        &mut self,
        now: Time,
        input: usize,
        output: usize,
        cell: &Cell,
        crossing: &mut Crossing<'_, '_>,
    ) {
        *self.occupied(input, output) -= 1;
        crossing.refuse(now, output, cell, Cause::Input);
    }

    fn note(&mut self, output: usize, cell: &Cell, is_admitted: bool) {
        let Some(Data { pdu, eom, .. }) = cell.part().copied() else {
            return;
        };
        let Some(pdus) = self.pdus.get_mut(output) else {
            return;
        };
        let pdus = &mut pdus[cell.vc.index()];
        if !eom {
            pdus.present |= !is_admitted;
        } else if std::mem::take(&mut pdus.present) && is_admitted {
            pdus.waiting.push_back(pdu);
        }
    }

    /// A cell leaves its queue, and crosses next.
    pub fn leave(
        &mut self,
        input: usize,
        output: usize,
        cell: &Cell,
        crossing: &mut Crossing<'_, '_>,
    ) {
        *self.occupied(input, output) -= 1;
        let Some(Data { pdu, eom: true, .. }) = cell.part() else {
            return;
        };
        let Some(pdus) = self.pdus.get_mut(output) else {
            return;
        };
        let waiting = &mut pdus[cell.vc.index()].waiting;
        if waiting.front() == Some(pdu) {
            waiting.pop_front();
            let meter = &mut crossing.outputs.ports[output].meter;
            meter.damage(cell.vc.index(), Cause::Input);
        }
    }
}
