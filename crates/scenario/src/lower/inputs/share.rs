//! The division of the buffers of a router among the inputs whose links it may pause, or which have
//! credits for packets.
//!
//! Each input and priority may hold xoff and its headroom, or what its credits allow. Each buffer must
//! hold this for all that may wait there, since packets are charged to an input, and wait at outputs.
//! Our own rule for xoff: what the headrooms and credits leave of a buffer is divided equally, and
//! packets that are neither paused nor need credits get a share too. Inputs with dynamic thresholds put
//! their shares together: this is the memory that they share.

use std::collections::{BTreeMap, BTreeSet};

use models::link::credit::CbfcTerms;
use models::link::pause::{PauseDemand, PauseLevel, PauseThresholds};
use models::output::memory::Memory;
use models::router::RouterSpec;
use models::wire::priority::{Priority, PrioritySet};

use super::credited::CreditShare;
use super::sizes::{Sizes, octets};
use crate::lower::{Flows, Hop, PlannedLinks, Topology};

/// What an input may hold.
#[derive(Clone, Copy, Debug)]
pub enum InputShare {
    /// What pauses allow.
    Pause(PausedInput),
    /// What credits allow.
    Credit(CreditShare),
}

/// What keeps the packets of an input from being dropped.
#[derive(Clone, Copy)]
enum Guard {
    Pause(PauseDemand),
    Credit(CbfcTerms),
}

impl Guard {
    fn protects(self, priority: Priority) -> bool {
        match self {
            Guard::Pause(demand) => demand.priorities.has(priority),
            Guard::Credit(terms) => terms.priorities.has(priority),
        }
    }
}

impl InputShare {
    /// Most octets of memory that some priorities hold, without the shared memory.
    fn most(self, priorities: PrioritySet) -> u64 {
        match self {
            InputShare::Pause(PausedInput { thresholds, .. }) => {
                let level = match thresholds.level {
                    PauseLevel::Static { xoff, .. } => xoff,
                    PauseLevel::Dynamic(level) => level.reserved,
                };
                let each = level.saturating_add(thresholds.headroom);
                each.saturating_mul(priorities.len())
            }
            InputShare::Credit(credit) => credit.most_of(priorities),
        }
    }
}

/// An input whose link may be paused.
#[derive(Clone, Copy, Debug)]
pub struct PausedInput {
    pub demand: PauseDemand,
    pub thresholds: PauseThresholds,
    /// Most octets that a priority holds without headroom, if no other input holds anything.
    pub alone: u64,
    /// Octets that the input shares with others; zero if its thresholds are static.
    pub shared: u64,
}

/// The division of the memory of a router among the inputs that hold packets which are never dropped.
#[derive(Clone, Debug)]
pub struct MemoryDivision {
    /// Capacity of each buffer.
    pub capacity: u64,
    pub buffers: Vec<DividedBuffer>,
    /// By input; none of a link that is never paused and has no credits.
    pub inputs: Vec<Option<InputShare>>,
    /// Octets of which inputs take by dynamic thresholds.
    pub shared: u64,
}

/// A buffer, and what it must hold.
#[derive(Clone, Debug, Default)]
pub struct DividedBuffer {
    /// The inputs, by number, and their priorities, of packets that are never dropped.
    accounts: BTreeSet<(usize, Priority)>,
    /// Space of the largest packet that is dropped when it does not fit; zero if there is none.
    others: u64,
    /// Octets of all accounts, and those that they share: those that the buffer keeps for packets that
    /// are paused, or wait for credits, instead of being dropped.
    pub kept: u64,
}

impl DividedBuffer {
    /// Octets that the buffer must hold at least.
    pub fn needed(&self) -> u64 {
        self.kept + self.others
    }

    /// The priorities of each input whose packets are never dropped.
    fn by_input(&self) -> BTreeMap<usize, PrioritySet> {
        let mut inputs: BTreeMap<usize, PrioritySet> = BTreeMap::new();
        for (input, priority) in &self.accounts {
            inputs.entry(*input).or_default().set(*priority, true);
        }
        inputs
    }
}

impl MemoryDivision {
    /// The division of the memory of a node that acts as this router.
    pub(super) fn new(
        router: &RouterSpec,
        topology: &Topology,
        flows: Flows<'_>,
        links: &PlannedLinks,
        node: usize,
    ) -> MemoryDivision {
        let hops = topology.outputs(node);
        let memory = router.memory(flows.cells);
        let guards = hops.iter().map(|hop| guard(links, hop.back()));
        let guards: Vec<Option<Guard>> = guards.collect();
        let mut buffers = buffers_of(router, hops, flows, &guards);
        let capacity = router.buffer.in_octets(0, memory).capacity;
        let sizes = hops.iter().zip(&guards);
        let sizes = sizes.map(|(hop, guard)| {
            let packets = links.packet_sizes(hop.back())?;
            Some(match (*guard)? {
                Guard::Pause(demand) => Sizes::of_pauses(demand, packets, memory),
                Guard::Credit(terms) => Sizes::of_credits(terms, packets, memory),
            })
        });
        let sizes: Vec<Option<Sizes>> = sizes.collect();
        let shared = buffers.iter().map(|one| shared(one, capacity, &sizes));
        let shared = shared.max().unwrap_or(0);
        let inputs = shares_of_inputs(&guards, &sizes, memory, capacity, &buffers, shared);
        for buffer in &mut buffers {
            let accounts = buffer.by_input().into_iter();
            let each = accounts.filter_map(|(input, of)| Some(inputs[input]?.most(of)));
            buffer.kept = each.fold(shared, u64::saturating_add);
        }
        MemoryDivision {
            capacity,
            buffers,
            inputs,
            shared,
        }
    }
}

/// What keeps the packets of a hop from being dropped at its far end, if anything does.
fn guard(links: &PlannedLinks, hop: Hop) -> Option<Guard> {
    let credit = links.packet_credit(hop).map(Guard::Credit);
    credit.or_else(|| links.pause(hop).map(Guard::Pause))
}

/// The buffers of a node with these outputs, with the inputs and priorities whose packets may wait there.
fn buffers_of(
    router: &RouterSpec,
    hops: &[Hop],
    flows: Flows<'_>,
    guards: &[Option<Guard>],
) -> Vec<DividedBuffer> {
    let packets = router.memory(flows.cells).for_packets();
    let count = if router.buffer.is_shared() {
        1
    } else {
        hops.len()
    };
    let mut buffers = vec![DividedBuffer::default(); count];
    // The outputs of each flow, in each direction.
    let mut outputs: BTreeMap<(usize, bool), Vec<usize>> = BTreeMap::new();
    for (output, hop) in hops.iter().enumerate() {
        for planned in flows.paths.vcs(*hop) {
            let outputs = outputs.entry((planned.flow, planned.back));
            outputs.or_default().push(output);
        }
    }
    for (input, guard) in guards.iter().enumerate() {
        for planned in flows.paths.vcs(hops[input].back()) {
            let flow = flows.spec(planned.flow);
            let protected = guard.is_some_and(|one| one.protects(flow.priority));
            let (full, _) = flow.wrap(false, flow.transport.facts().largest_packet, flows.cells);
            let ways = outputs.get(&(planned.flow, planned.back));
            let ways = ways.into_iter().flatten();
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

/// The memory that each input may take.
fn shares_of_inputs(
    guards: &[Option<Guard>],
    sizes: &[Option<Sizes>],
    memory: Memory,
    capacity: u64,
    buffers: &[DividedBuffer],
    pool: u64,
) -> Vec<Option<InputShare>> {
    let least = least_shares(buffers, capacity, sizes);
    let inputs = sizes.iter().zip(guards).enumerate();
    let divided = inputs.map(|(input, (sizes, guard))| {
        let (sizes, guard) = ((*sizes)?, (*guard)?);
        let xoff = sizes.xoff.unwrap_or(least[input].max(sizes.largest));
        Some(match guard {
            Guard::Credit(_) => InputShare::Credit(sizes.credit?),
            Guard::Pause(demand) => {
                let xon = demand.xon.map_or(xoff / 2, |size| octets(size, memory));
                let (level, alone, pool) = match sizes.dynamic {
                    None => (PauseLevel::Static { xoff, xon }, xoff, 0),
                    Some(level) => {
                        let alone = level.reserved.saturating_add(level.multiple.alone(pool));
                        (PauseLevel::Dynamic(level), alone, pool)
                    }
                };
                InputShare::Pause(PausedInput {
                    demand,
                    thresholds: PauseThresholds {
                        level,
                        headroom: sizes.headroom,
                    },
                    alone,
                    shared: pool,
                })
            }
        })
    });
    divided.collect()
}

/// For each input the least share of the buffers where its packets may wait; zero if there is none. One
/// pass over all accounts, since a router may have thousands of inputs.
fn least_shares(buffers: &[DividedBuffer], capacity: u64, sizes: &[Option<Sizes>]) -> Vec<u64> {
    let mut least: Vec<Option<u64>> = vec![None; sizes.len()];
    for buffer in buffers {
        let share = share(buffer, capacity, sizes);
        for (input, _) in &buffer.accounts {
            let known = least[*input].get_or_insert(share);
            *known = share.min(*known);
        }
    }
    let least = least.into_iter();
    least.map(|share| share.unwrap_or(0)).collect()
}

/// The share of a buffer for each account whose threshold is not given, and for other packets.
fn share(buffer: &DividedBuffer, capacity: u64, sizes: &[Option<Sizes>]) -> u64 {
    let (mut taken, mut sharing) = (0_u64, u64::from(buffer.others > 0));
    for (input, priorities) in buffer.by_input() {
        if let Some(sizes) = sizes[input] {
            taken = taken.saturating_add(sizes.kept(priorities));
            sharing += u64::from(sizes.takes_share()) * priorities.len();
        }
    }
    capacity.saturating_sub(taken) / sharing.max(1)
}

/// Octets of a buffer of which its accounts take by dynamic thresholds: their shares together, and at
/// least so many that each of them may hold a packet of the largest size.
fn shared(buffer: &DividedBuffer, capacity: u64, sizes: &[Option<Sizes>]) -> u64 {
    let accounts = buffer.accounts.iter();
    let sizes_of = accounts.filter_map(|(input, _)| sizes[*input]);
    let least = sizes_of.filter_map(|sizes| {
        let level = sizes.dynamic?;
        Some(
            level
                .multiple
                .store_for(sizes.largest.saturating_sub(level.reserved)),
        )
    });
    let least: Vec<u64> = least.collect();
    let together = share(buffer, capacity, sizes).saturating_mul(least.len() as u64);
    least
        .into_iter()
        .max()
        .map_or(0, |least| least.max(together))
}
