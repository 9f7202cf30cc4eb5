//! Discard policies in Python.

use models::output::discard::{
    Buffer, Decision, Discard, DiscardKind, DiscardSpec, Occupancy, Overflow, Pdus, Promise,
};
use models::wire::cell::Cell;
use models::wire::vc::Vc;
use pyo3::prelude::*;

use super::failure::{Object, guarded};
use super::told::{shown, wrong};
use super::{PythonFamily, attribute, begin, method};

/// The buffer that a policy guards.
#[pyclass(frozen, get_all, name = "Buffer", module = "cellrelay._core")]
pub struct PyBuffer {
    /// Capacity: cells at a switch, octets at a router.
    capacity: u64,
    /// Octets in a unit of the capacity.
    octets_per_unit: u64,
    /// Number of virtual channels.
    vcs: usize,
    /// Rate of the link behind the buffer, in bit/s.
    rate: u64,
    /// A random number of the run, to seed a generator.
    seed: u64,
}

/// A cell or packet that is offered to a buffer.
#[pyclass(frozen, get_all, name = "Offer", module = "cellrelay._core")]
pub struct PyOffer {
    /// Time in seconds.
    now: f64,
    /// Number of the virtual channel or flow at this output.
    vc: u32,
    /// Number of the packet on its VC; none for a cell without data of a packet.
    packet: Option<u32>,
    /// True if the packet ends with this cell; always true for a whole packet.
    ends_packet: bool,
    /// True if the cell has low priority (CLP = 1).
    low_priority: bool,
    /// Size of the cell or packet, in units of the capacity.
    size: u64,
    /// Queue length, in units of the capacity.
    queued: u64,
    /// Capacity of the buffer, in units.
    capacity: u64,
}

#[pymethods]
impl PyOffer {
    /// True if the cell or packet fits into the buffer.
    #[getter]
    fn fits(&self) -> bool {
        self.queued + self.size <= self.capacity
    }
}

/// The class attributes of a discard policy.
#[derive(Debug)]
pub struct DiscardAttributes {
    compares_vcs: bool,
    whole_packets: bool,
}

impl DiscardKind for DiscardAttributes {
    fn needs_shared_queue(&self) -> bool {
        self.compares_vcs
    }

    fn drop_levels(&self, _buffer: &Buffer) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    fn drops_whole_packets(&self) -> bool {
        self.whole_packets
    }
}

impl PythonFamily for DiscardSpec {
    type Traits = DiscardAttributes;

    const KIND: &str = "discard policy";

    fn traits(class: &Bound<'_, PyAny>) -> PyResult<DiscardAttributes> {
        Ok(DiscardAttributes {
            compares_vcs: attribute(class, "compares_vcs", false)?,
            whole_packets: attribute(class, "whole_packets", false)?,
        })
    }

    fn answers(traits: &DiscardAttributes) -> &(dyn DiscardKind + 'static) {
        traits
    }

    fn component(
        object: Bound<'_, PyAny>,
        traits: &DiscardAttributes,
        buffer: &Buffer,
    ) -> PyResult<Box<dyn Discard>> {
        begin(
            &object,
            PyBuffer {
                capacity: buffer.capacity,
                octets_per_unit: buffer.octets_per_unit,
                vcs: buffer.vcs,
                rate: buffer.link.bits_per_second(),
                seed: buffer.random.clone().bits(),
            },
        )?;
        Ok(Box::new(Policy {
            on_join: method(&object, "on_join")?,
            on_leave: method(&object, "on_leave")?,
            packets: traits
                .whole_packets
                .then(|| Pdus::new(buffer.vcs, Overflow::PartialPacket)),
            asked: Asked {
                admit: object.getattr("admit")?.unbind(),
                object: Object {
                    kind: Self::KIND,
                    python: object.unbind(),
                },
            },
        }))
    }

    fn broken(_buffer: &Buffer) -> Box<dyn Discard> {
        Box::new(Broken)
    }
}

struct Policy {
    asked: Asked,
    on_join: Option<Py<PyAny>>,
    on_leave: Option<Py<PyAny>>,
    /// The present packet of each VC, if the policy decides about whole packets.
    packets: Option<Pdus>,
}

/// The object that decides, and its method.
struct Asked {
    object: Object,
    admit: Py<PyAny>,
}

impl Asked {
    /// True if the object accepts a cell or packet.
    fn accepts(&self, cell: &Cell, buffer: &Occupancy) -> bool {
        let data = cell.part();
        let offer = PyOffer {
            now: buffer.at.seconds(),
            vc: cell.vc.0,
            packet: data.map(|data| data.pdu),
            ends_packet: cell.ends_pdu(),
            low_priority: cell.clp(),
            size: buffer.size,
            queued: buffer.queued,
            capacity: buffer.capacity,
        };
        guarded(&self.object, "admit", false, |py| {
            let returned = self.admit.bind(py).call1((offer,))?;
            let accepts = returned.extract::<bool>().map_err(|_| {
                let problem = format!("returned `{}`", shown(&returned));
                wrong(&problem, "return True to accept the offer, or False")
            })?;
            if accepts && !buffer.fits() {
                let problem = "accepted a unit that does not fit";
                return Err(wrong(problem, "return `offer.fits and ...`"));
            }
            Ok(accepts)
        })
    }
}

impl Discard for Policy {
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Decision {
        match &mut self.packets {
            // The object is asked about the first cell alone, so that it cannot split a packet.
            Some(packets) => packets.decision(cell, &buffer, || self.asked.accepts(cell, &buffer)),
            None if self.asked.accepts(cell, &buffer) => Decision::Accept,
            None => Decision::Drop,
        }
    }

    fn promises(&self) -> bool {
        self.packets.is_some() && !self.follows_queue()
    }

    fn promise(&self, vc: Vc) -> Promise {
        let packets = self.packets.as_ref();
        packets.map_or(Promise::Ask, |packets| packets.promise(vc))
    }

    fn follows_queue(&self) -> bool {
        self.on_join.is_some() || self.on_leave.is_some()
    }

    fn on_join(&mut self, vc: Vc, units: u64) {
        if let Some(on_join) = &self.on_join {
            guarded(&self.asked.object, "on_join", (), |py| {
                on_join.call1(py, (vc.0, units)).map(|_| ())
            });
        }
    }

    fn on_leave(&mut self, vc: Vc, units: u64, at: kernel::Time) {
        if let Some(on_leave) = &self.on_leave {
            guarded(&self.asked.object, "on_leave", (), |py| {
                on_leave.call1(py, (vc.0, units, at.seconds())).map(|_| ())
            });
        }
    }
}

/// Replaces a policy that has failed: it drops every cell.
struct Broken;

impl Discard for Broken {
    fn admit(&mut self, _cell: &Cell, _buffer: Occupancy) -> Decision {
        Decision::Drop
    }
}
