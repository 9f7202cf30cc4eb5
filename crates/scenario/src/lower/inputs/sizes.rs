//! The sizes of an input of a router that pauses its link or gives credits, before the buffer is
//! divided.

use models::link::credit::CbfcTerms;
use models::link::pause::{DynamicLevel, PauseDemand, ResumeLevel};
use models::output::memory::Memory;
use models::wire::priority::PrioritySet;
use parameters::BufferSize;

use super::credited::CreditShare;

/// The sizes of an input, in octets of memory.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    /// The threshold, if the scenario gives it.
    pub xoff: Option<u64>,
    /// The threshold, if it is dynamic.
    pub dynamic: Option<DynamicLevel>,
    /// The credits that take the place of a threshold, if there are any.
    pub credit: Option<CreditShare>,
    pub headroom: u64,
    /// Space of the largest packet.
    pub largest: u64,
}

impl Sizes {
    /// The sizes of an input whose link may be paused, with packets of these sizes.
    pub fn of_pauses(demand: PauseDemand, packets: [u64; 2], memory: Memory) -> Sizes {
        let computed = computed_headroom(demand, packets, memory);
        let [_, largest] = packets;
        Sizes {
            xoff: demand.xoff.map(|size| octets(size, memory)),
            dynamic: dynamic_level(&demand, memory),
            credit: None,
            headroom: demand
                .headroom
                .map_or(computed, |size| octets(size, memory)),
            largest: memory.for_packets().space(largest as u32),
        }
    }

    /// The sizes of an input with credits, and packets of these sizes.
    pub fn of_credits(terms: CbfcTerms, packets: [u64; 2], memory: Memory) -> Sizes {
        Sizes {
            xoff: None,
            dynamic: None,
            credit: Some(CreditShare::new(terms, packets, memory)),
            headroom: 0,
            largest: 0,
        }
    }

    /// Octets that are kept for some priorities, whatever their share of the rest.
    pub fn kept(self, priorities: PrioritySet) -> u64 {
        if let Some(credit) = self.credit {
            return credit.most_of(priorities);
        }
        let reserved = self.dynamic.map_or(0, |level| level.reserved);
        let level = self.xoff.unwrap_or(reserved);
        let each = self.headroom.saturating_add(level);
        each.saturating_mul(priorities.len())
    }

    /// True if the threshold is a share of what the others leave.
    pub fn takes_share(self) -> bool {
        self.xoff.is_none() && self.credit.is_none()
    }
}

/// Octets of a memory.
pub(super) fn octets(size: BufferSize, memory: Memory) -> u64 {
    match size {
        BufferSize::Cells(cells) => cells * memory.counted(),
        BufferSize::Bytes(octets) => octets,
    }
}

/// The dynamic threshold of pauses, in octets of a memory.
fn dynamic_level(demand: &PauseDemand, memory: Memory) -> Option<DynamicLevel> {
    let dynamic = demand.dynamic?;
    let [xon, offset] =
        [demand.xon, dynamic.xon_offset].map(|size| size.map(|size| octets(size, memory)));
    Some(DynamicLevel {
        multiple: dynamic.multiple,
        reserved: dynamic.reserved.map_or(0, |size| octets(size, memory)),
        resume: match (xon, offset) {
            (None, None) => ResumeLevel::Half,
            _ => ResumeLevel::At {
                xon: xon.unwrap_or(0),
                offset,
            },
        },
    })
}

/// The headroom that suffices for pauses of packets of these sizes, the smallest and the largest, in
/// octets of the memory at the far end: what may arrive after a packet has crossed xoff, and that packet.
pub(super) fn computed_headroom(demand: PauseDemand, sizes: [u64; 2], memory: Memory) -> u64 {
    let packets = memory.for_packets();
    let sizes = sizes.map(|octets| octets as u32);
    let in_flight = packets.most_space(demand.in_flight, sizes);
    in_flight.saturating_add(packets.space(sizes[1]))
}
