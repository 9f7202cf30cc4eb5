//! Discard policies in Python.

use models::output::discard::{
    Buffer, Decision, Discard, DiscardKind, DiscardSpec, Occupancy, Overflow, Pdus, Promise,
};
use models::wire::cell::Cell;
use models::wire::vc::Vc;
use pyo3::prelude::*;

use super::failure::{Object, guarded};
use super::fields::PyAmount;
use super::told::{shown, wrong};
use super::{PythonFamily, attribute, begin, method};

/// The buffer that a policy guards.
#[pyclass(frozen, name = "Buffer", module = "cellrelay._core")]
pub struct PyBuffer(Buffer);

#[pymethods]
impl PyBuffer {
    /// Capacity: cells at a switch, octets at a router.
    #[getter]
    fn capacity(&self) -> u64 {
        self.0.capacity
    }

    /// Octets in a unit of the capacity.
    #[getter]
    fn octets_per_unit(&self) -> u64 {
        self.0.octets_per_unit
    }

    /// Number of virtual channels.
    #[getter]
    fn vcs(&self) -> usize {
        self.0.vcs
    }

    /// Rate of the link behind the buffer, in bit/s.
    #[getter]
    fn rate(&self) -> u64 {
        self.0.link.bits_per_second()
    }

    /// A random number of the run, to seed a generator.
    #[getter]
    fn seed(&self) -> u64 {
        self.0.random.clone().bits()
    }

    /// An amount in units of the capacity, rounded down; it may exceed the capacity.
    fn units(&self, amount: &PyAmount) -> u64 {
        self.0.units(amount.0)
    }
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
    /// Name of the attribute with the queue length from which the class drops; empty if it names
    /// none.
    threshold_attribute: String,
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
            threshold_attribute: attribute(class, "threshold_attribute", String::new())?,
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
        begin(&object, PyBuffer(buffer.clone()))?;
        Ok(Box::new(Policy {
            on_join: method(&object, "on_join")?,
            on_leave: method(&object, "on_leave")?,
            packets: traits
                .whole_packets
                .then(|| Pdus::new(buffer.vcs, Overflow::PartialPacket)),
            asked: Asked {
                threshold: Threshold::of(&object, &traits.threshold_attribute)?,
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
    threshold: Option<Threshold>,
}

/// The queue length from which an object drops, in units of the buffer.
struct Threshold {
    /// Attribute in which the object keeps it.
    attribute: String,
    units: u64,
    /// The length that the object has: that of `begin`, or the latest that it was given.
    known: u64,
}

impl Threshold {
    /// The length that `begin` left in the attribute; none if the class names no attribute.
    fn of(object: &Bound<'_, PyAny>, attribute: &str) -> PyResult<Option<Threshold>> {
        if attribute.is_empty() {
            return Ok(None);
        }
        let hint = "`threshold_attribute` names it: set it in `begin` to a queue length in units \
                    of the buffer, from 0 on";
        let Some(value) = object.getattr_opt(attribute)? else {
            return Err(wrong(&format!("left no `{attribute}`"), hint));
        };
        match value.extract::<f64>() {
            Ok(units) if units.is_finite() && units >= 0.0 => Ok(Some(Threshold {
                attribute: attribute.to_string(),
                units: units as u64,
                known: units as u64,
            })),
            _ => {
                let problem = format!("left `{attribute}` at `{}`", shown(&value));
                Err(wrong(&problem, hint))
            }
        }
    }
}

impl Asked {
    /// True if the object accepts a cell or packet.
    fn accepts(&mut self, cell: &Cell, buffer: &Occupancy) -> bool {
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
        let threshold = self.threshold.as_mut();
        let changed = threshold.filter(|threshold| threshold.units != threshold.known);
        guarded(&self.object, "admit", false, |py| {
            if let Some(threshold) = changed {
                let object = self.object.python.bind(py);
                object.setattr(threshold.attribute.as_str(), threshold.units)?;
                threshold.known = threshold.units;
            }
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

    fn threshold(&mut self) -> Option<&mut u64> {
        let threshold = self.asked.threshold.as_mut();
        threshold.map(|threshold| &mut threshold.units)
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
