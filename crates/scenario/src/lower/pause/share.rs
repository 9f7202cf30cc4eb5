//! The division of the buffers of a router among the inputs whose links it may pause.
//!
//! Each input and priority may hold xoff and its headroom. Each buffer must hold this for all that may
//! wait there, since packets are charged to an input, and wait at outputs. Our own rule for xoff: what
//! the headrooms leave of a buffer is divided equally, and packets that are not paused get a share too.

use std::collections::{BTreeMap, BTreeSet};

use models::output::memory::Memory;
use models::pause::{PauseDemand, PauseThresholds};
use models::router::RouterSpec;
use models::wire::priority::Priority;
use parameters::{BufferSize, Path};

use crate::lower::computed::told;
use crate::lower::{Hop, Plan};

/// The pauses of the links of a router.
pub struct NodePauses {
    /// By input; none of a link that is never paused.
    pub inputs: Vec<Option<PausedInput>>,
    /// Octets that each buffer keeps for packets that are paused instead of dropped.
    pub reserves: Vec<u64>,
}

/// An input whose link may be paused.
#[derive(Clone, Copy)]
pub struct PausedInput {
    pub demand: PauseDemand,
    pub thresholds: PauseThresholds,
}

/// The division of the memory of a router.
pub struct MemoryDivision {
    /// Capacity of each buffer.
    pub capacity: u64,
    pub buffers: Vec<DividedBuffer>,
    inputs: Vec<Option<PausedInput>>,
}

/// A buffer, and what it must hold.
#[derive(Clone, Default)]
pub struct DividedBuffer {
    /// The inputs, by number, and their priorities, of packets that are paused instead of dropped.
    accounts: BTreeSet<(usize, Priority)>,
    /// Space of the largest packet that is dropped when it does not fit; zero if there is none.
    others: u64,
    /// Octets of all accounts.
    pub kept: u64,
}

impl DividedBuffer {
    /// Octets that the buffer must hold at least.
    pub fn needed(&self) -> u64 {
        self.kept + self.others
    }
}

impl Plan {
    /// The pauses of the links of a node; none if it pauses no link.
    pub(super) fn node_pauses(&self, node: usize) -> Option<NodePauses> {
        let division = self.division_of(node)?;
        Some(NodePauses {
            reserves: division.buffers.iter().map(|buffer| buffer.kept).collect(),
            inputs: division.inputs,
        })
    }

    /// The division of the memory of a node; none if it pauses no link.
    pub(super) fn division_of(&self, node: usize) -> Option<MemoryDivision> {
        if !self.pauses(node) {
            return None;
        }
        let spec = self.router_spec(node)?;
        let hops = self.topology.outputs(node);
        let memory = spec.memory(self.cells());
        let demands = hops.iter().map(|hop| self.pause_demand(hop.back()));
        let demands: Vec<Option<PauseDemand>> = demands.collect();
        let mut buffers = self.buffers_of(node, &spec, &demands);
        let capacity = spec.buffer.in_octets(0, memory).capacity;
        let inputs = self.thresholds(hops, &demands, memory, capacity, &buffers);
        for buffer in &mut buffers {
            let accounts = buffer.accounts.iter();
            let each = accounts.filter_map(|(input, _)| Some(inputs[*input].as_ref()?.thresholds));
            buffer.kept = each.map(|one| one.xoff + one.headroom).sum();
        }
        Some(MemoryDivision {
            capacity,
            buffers,
            inputs,
        })
    }

    /// The buffers of a node, with the inputs and priorities whose packets may wait there.
    fn buffers_of(
        &self,
        node: usize,
        spec: &RouterSpec,
        demands: &[Option<PauseDemand>],
    ) -> Vec<DividedBuffer> {
        let hops = self.topology.outputs(node);
        let packets = spec.memory(self.cells()).for_packets();
        let count = if spec.buffer.is_shared() {
            1
        } else {
            hops.len()
        };
        let mut buffers = vec![DividedBuffer::default(); count];
        // The outputs of each flow, in each direction.
        let mut outputs: BTreeMap<(usize, bool), Vec<usize>> = BTreeMap::new();
        for (output, hop) in hops.iter().enumerate() {
            for planned in self.vcs(*hop) {
                outputs
                    .entry((planned.flow, planned.back))
                    .or_default()
                    .push(output);
            }
        }
        for (input, demand) in demands.iter().enumerate() {
            for planned in self.vcs(hops[input].back()) {
                let flow = self.flow_spec(planned.flow);
                let protected = demand.is_some_and(|one| one.priorities.has(flow.priority));
                let (full, _) = flow.wrap(false, flow.transport.full_packet(), self.cells());
                let ways = outputs
                    .get(&(planned.flow, planned.back))
                    .into_iter()
                    .flatten();
                for output in ways.filter(|output| **output != input) {
                    let buffer = &mut buffers[(*output).min(count - 1)];
                    if protected {
                        buffer.accounts.insert((input, flow.priority));
                    } else {
                        buffer.others = buffer.others.max(packets.space(full as u32));
                    }
                }
            }
        }
        buffers
    }

    /// The thresholds of each input.
    fn thresholds(
        &self,
        hops: &[Hop],
        demands: &[Option<PauseDemand>],
        memory: Memory,
        capacity: u64,
        buffers: &[DividedBuffer],
    ) -> Vec<Option<PausedInput>> {
        let inputs = hops.iter().zip(demands);
        let sizes = inputs.map(|(hop, demand)| Some(self.sizes(hop.back(), (*demand)?, memory)));
        let sizes: Vec<Option<Sizes>> = sizes.collect();
        let shares: Vec<u64> = buffers
            .iter()
            .map(|one| share(one, capacity, &sizes))
            .collect();
        let finished = sizes
            .iter()
            .zip(demands)
            .enumerate()
            .map(|(input, (sizes, demand))| {
                let (sizes, demand) = ((*sizes)?, (*demand)?);
                let of_input =
                    |one: &DividedBuffer| one.accounts.iter().any(|(other, _)| *other == input);
                let shares = buffers.iter().zip(&shares).filter(|(one, _)| of_input(one));
                let least = shares.map(|(_, share)| *share).min().unwrap_or(0);
                let xoff = sizes.xoff.unwrap_or(least.max(sizes.largest));
                let thresholds = PauseThresholds {
                    xoff,
                    xon: demand.xon.map_or(xoff / 2, |size| octets(size, memory)),
                    headroom: sizes.headroom,
                };
                Some(PausedInput { demand, thresholds })
            });
        finished.collect()
    }

    fn sizes(&self, hop: Hop, demand: PauseDemand, memory: Memory) -> Sizes {
        let (smallest, largest) = self.packet_sizes(hop).expect("packets pass a paused hop");
        let packets = memory.for_packets();
        let space = |octets: u64| packets.space(octets as u32);
        let sizes = [smallest, largest].map(|octets| octets as u32);
        let in_flight = packets.most_space(demand.in_flight, sizes);
        let computed = in_flight.saturating_add(space(largest));
        Sizes {
            xoff: demand.xoff.map(|size| octets(size, memory)),
            headroom: demand
                .headroom
                .map_or(computed, |size| octets(size, memory)),
            largest: space(largest),
        }
    }

    /// The inputs behind these hops whose links may be paused.
    pub(super) fn paused_inputs(&self, hops: impl Iterator<Item = Hop>) -> Vec<PausedInput> {
        let mut known: BTreeMap<usize, Option<NodePauses>> = BTreeMap::new();
        let inputs = hops.filter_map(|hop| {
            let node = self.topology.head(hop);
            let pauses = known.entry(node).or_insert_with(|| self.node_pauses(node));
            pauses.as_ref()?.inputs[self.topology.output(hop.back())]
        });
        inputs.collect()
    }

    /// The values of the parameters that a table of links leaves out; `at` is the path of its pauses.
    pub(super) fn told_of_pauses(&self, table: usize, at: &Path) -> Vec<(String, String)> {
        let mut found: [BTreeSet<u64>; 3] = Default::default();
        let mut responses = BTreeSet::new();
        let mut given = [true; 4];
        for PausedInput { demand, thresholds } in self.paused_inputs(self.hops_of_table(table)) {
            let PauseThresholds {
                xoff,
                xon,
                headroom,
            } = thresholds;
            for (values, value) in found.iter_mut().zip([xoff, xon, headroom]) {
                values.insert(value);
            }
            responses.insert(demand.frames.response);
            let sizes = [demand.xoff, demand.xon, demand.headroom];
            given[..3].copy_from_slice(&sizes.map(|size| size.is_some()));
        }
        if let Some(models::pause::PauseSpec::Pfc(pfc)) = &self.spec.link.0[table].1.pause {
            given[3] = pfc.response.is_some();
        }
        let of_sizes = found.iter().map(|values| Some(told(values)? + " octets"));
        let values = of_sizes.chain([told(&responses)]);
        let names = ["xoff", "xon", "headroom", "response"];
        let all = names.iter().zip(values).zip(given);
        all.filter(|(_, is_given)| !is_given)
            .filter_map(|((name, value), _)| Some((at.key(name).to_string(), value?)))
            .collect()
    }
}

/// The sizes of an input, in octets of memory.
#[derive(Clone, Copy)]
struct Sizes {
    /// The threshold, if the scenario gives it.
    xoff: Option<u64>,
    headroom: u64,
    /// Space of the largest packet.
    largest: u64,
}

/// Octets of a memory.
pub(super) fn octets(size: BufferSize, memory: Memory) -> u64 {
    match size {
        BufferSize::Cells(cells) => cells * memory.counted(),
        BufferSize::Bytes(octets) => octets,
    }
}

/// The share of a buffer for each account whose threshold is not given, and for other packets.
fn share(buffer: &DividedBuffer, capacity: u64, sizes: &[Option<Sizes>]) -> u64 {
    let (mut taken, mut sharing) = (0, u64::from(buffer.others > 0));
    let accounts = buffer.accounts.iter();
    for sizes in accounts.filter_map(|(input, _)| sizes[*input]) {
        taken += sizes.headroom + sizes.xoff.unwrap_or(0);
        sharing += u64::from(sizes.xoff.is_none());
    }
    capacity.saturating_sub(taken) / sharing.max(1)
}
