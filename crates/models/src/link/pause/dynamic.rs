//! Dynamic thresholds of pauses: an input may hold the more, the more memory is free.
//!
//! The buffer profile of SAI, `saibuffer.h` of the Switch Abstraction Interface: an ingress priority
//! group has reserved memory, and shared memory up to 2^n of what is free of the pool
//! (`SHARED_DYNAMIC_TH`). Beyond both its packets take headroom (`XOFF_TH`), and the far end is paused.
//! It is resumed when the headroom is free again and the group holds no more than
//! max(`XON_TH`, limit - `XON_OFFSET_TH`).
//!
//! Our own choices, where SAI is silent: a packet is stored whole in one of them; what leaves frees
//! headroom first, shared memory next and reserved memory last; an arrival is compared with the memory
//! that is free after it; and paused inputs are compared with their thresholds whenever memory becomes
//! free.

use parameters::{BufferSize, parameters};

use super::Holding;
use crate::free_multiple::{FreeMultiple, LARGEST_POWER, LEAST_POWER};
use crate::wire::priority::{ByPriority, Priority, PrioritySet};

parameters! {
    /// A threshold that follows the memory that is free.
    pub struct DynamicThresholdSpec {
        /// The exponent n: beyond its reserved memory, an input and a priority may hold 2^n times the
        /// shared memory that is free.
        #[alias("dynamic_th", "write `power`, which is the n of 2^n")]
        #[alias("alpha", "write `power`, which is the n of alpha = 2^n")]
        #[range(LEAST_POWER, LARGEST_POWER)]
        pub power: i32 = 0,
        /// Memory of each input and priority that no other uses, and that they take before shared
        /// memory; if not given, none.
        pub reserved: Option<BufferSize>,
        /// Distance below the threshold at which the far end is resumed; a larger `xon` takes its place.
        /// If neither is given, it is resumed at half of the threshold.
        pub xon_offset: Option<BufferSize>,
    }
}

/// A dynamic threshold, before it is counted in the memory of the receiving node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DynamicDemand {
    /// Multiple of the free memory.
    pub multiple: FreeMultiple,
    /// Memory of each input and priority alone, if they have any.
    pub reserved: Option<BufferSize>,
    /// Distance of xon below the threshold, if it is given.
    pub xon_offset: Option<BufferSize>,
}

impl DynamicThresholdSpec {
    /// The threshold, in the units of the scenario.
    pub fn build(&self) -> DynamicDemand {
        DynamicDemand {
            multiple: FreeMultiple::of_power(self.power),
            reserved: self.reserved,
            xon_offset: self.xon_offset,
        }
    }
}

/// A dynamic threshold, in octets of the memory of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DynamicLevel {
    /// Multiple of the free memory.
    pub multiple: FreeMultiple,
    /// Octets that an input and a priority hold before they take shared memory.
    pub reserved: u64,
    /// The level at which the far end is resumed.
    pub resume: ResumeLevel,
}

/// The level at or below which the far end is resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResumeLevel {
    /// Half of the threshold.
    Half,
    /// The larger of two levels.
    At {
        /// The one level.
        xon: u64,
        /// Distance of the other below the threshold, if there is another.
        offset: Option<u64>,
    },
}

impl ResumeLevel {
    /// The level for a threshold.
    fn below(self, threshold: u64) -> u64 {
        match self {
            ResumeLevel::Half => threshold / 2,
            ResumeLevel::At { xon, offset } => {
                let offset = offset.map_or(0, |offset| threshold.saturating_sub(offset));
                xon.max(offset)
            }
        }
    }
}

/// The memory that the inputs of a node with dynamic thresholds share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharedMemory {
    /// Octets of the memory.
    pub octets: u64,
    /// Octets that packets take.
    pub used: u64,
}

impl SharedMemory {
    /// Octets that no packet takes.
    pub fn free(self) -> u64 {
        self.octets - self.used
    }
}

/// The dynamic thresholds of an input, and where its packets are stored.
#[derive(Clone, Debug)]
pub struct DynamicInput {
    level: DynamicLevel,
    /// Octets of headroom that packets take, by priority.
    beyond: ByPriority<u64>,
}

impl DynamicInput {
    /// An input that holds nothing.
    pub fn new(level: DynamicLevel) -> DynamicInput {
        DynamicInput {
            level,
            beyond: ByPriority::default(),
        }
    }

    /// Octets of shared memory in use by these priorities; `held` has all that each holds.
    pub fn shared_by(&self, priorities: PrioritySet, held: &ByPriority<u64>) -> u64 {
        let each = priorities.iter().map(Priority::index);
        each.map(|one| self.shared(held[one] - self.beyond[one]))
            .sum()
    }

    /// Octets of shared memory that a priority takes if it holds `held` octets without headroom.
    fn shared(&self, held: u64) -> u64 {
        held.saturating_sub(self.level.reserved)
    }

    /// The shared memory once a packet is stored there, if it may be.
    fn after(&self, now: Holding, memory: SharedMemory) -> Option<SharedMemory> {
        if self.beyond[now.priority.index()] > 0 {
            return None;
        }
        let shared = self.shared(now.held);
        let used = memory.used + shared - self.shared(now.held - now.space);
        let free = memory.octets.checked_sub(used)?;
        let fits = shared == 0 || shared <= self.level.multiple.of(free);
        fits.then_some(SharedMemory { used, ..memory })
    }

    /// True if a packet fits, which makes a priority hold what `would` says.
    pub fn admits(&self, would: Holding, headroom: u64, memory: SharedMemory) -> bool {
        self.after(would, memory).is_some()
            || self.beyond[would.priority.index()] + would.space <= headroom
    }

    /// A packet is stored. Returns the octets of headroom that its priority takes now; more than none
    /// pause it.
    pub fn store(&mut self, now: Holding, memory: &mut SharedMemory) -> u64 {
        match self.after(now, *memory) {
            Some(after) => *memory = after,
            None => self.beyond[now.priority.index()] += now.space,
        }
        self.beyond[now.priority.index()]
    }

    /// Packets leave.
    pub fn release(&mut self, now: Holding, memory: &mut SharedMemory) {
        let beyond = &mut self.beyond[now.priority.index()];
        let before = now.held + now.space - *beyond;
        *beyond -= now.space.min(*beyond);
        let after = now.held - *beyond;
        memory.used -= self.shared(before) - self.shared(after);
    }

    /// True if a paused priority that holds `held` octets is resumed.
    pub fn resumes(&self, priority: Priority, held: u64, memory: SharedMemory) -> bool {
        let (_, xon) = self.thresholds(memory);
        self.beyond(priority) == 0 && held <= xon
    }

    /// Octets of headroom that a priority takes.
    pub fn beyond(&self, priority: Priority) -> u64 {
        self.beyond[priority.index()]
    }

    /// The thresholds above which a priority takes headroom and at which it is resumed, while the shared
    /// memory is as `memory`.
    pub fn thresholds(&self, memory: SharedMemory) -> (u64, u64) {
        let free = self.level.multiple.of(memory.free());
        let threshold = self.level.reserved.saturating_add(free);
        (threshold, self.level.resume.below(threshold))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn priority(number: u8) -> Priority {
        Priority::new(number).expect("a priority")
    }

    fn holding(number: u8, held: u64, space: u64) -> Holding {
        Holding {
            priority: priority(number),
            held,
            space,
        }
    }

    fn input(power: i32, reserved: u64, resume: ResumeLevel) -> DynamicInput {
        DynamicInput::new(DynamicLevel {
            multiple: FreeMultiple::of_power(power),
            reserved,
            resume,
        })
    }

    #[test]
    fn a_priority_takes_reserved_memory_then_its_part_of_what_is_free_then_headroom() {
        let mut memory = SharedMemory {
            octets: 1000,
            used: 0,
        };
        let mut input = input(-1, 200, ResumeLevel::Half);
        let mut held = 0;
        let mut store = |space, memory: &mut SharedMemory| {
            held += space;
            input.store(holding(1, held, space), memory)
        };
        assert_eq!((store(200, &mut memory), memory.used), (0, 0));
        // Half of what is free is 350 after 300 octets, and 325 after 350.
        assert_eq!((store(300, &mut memory), memory.used), (0, 300));
        assert_eq!((store(50, &mut memory), memory.used), (50, 300));
        // Once it has taken headroom, it takes no other memory.
        assert_eq!((store(1, &mut memory), memory.used), (51, 300));
        assert!(input.admits(holding(1, held + 49, 49), 100, memory));
        assert!(!input.admits(holding(1, held + 50, 50), 100, memory));
        // Another priority has its own reserved memory and headroom, and shares the rest.
        assert!(input.admits(holding(2, 433, 433), 0, memory));
        assert!(!input.admits(holding(2, 434, 434), 0, memory));
    }

    #[test]
    fn what_leaves_frees_headroom_first_and_an_empty_headroom_resumes() {
        let mut memory = SharedMemory {
            octets: 1000,
            used: 0,
        };
        let mut input = input(0, 0, ResumeLevel::Half);
        for held in [250, 500, 750] {
            input.store(holding(1, held, 250), &mut memory);
        }
        assert_eq!(memory.used, 500);
        input.release(holding(1, 600, 150), &mut memory);
        assert_eq!(memory.used, 500);
        assert!(!input.resumes(priority(1), 600, memory));
        input.release(holding(1, 400, 200), &mut memory);
        assert_eq!(memory.used, 400);
        // Half of the 600 octets that are free is below what it holds.
        assert!(!input.resumes(priority(1), 400, memory));
        input.release(holding(1, 330, 70), &mut memory);
        assert!(input.resumes(priority(1), 330, memory));
    }

    #[test]
    fn xon_is_the_larger_of_a_level_and_a_distance() {
        let below = |xon, offset| ResumeLevel::At { xon, offset }.below(1000);
        assert_eq!(below(300, Some(200)), 800);
        assert_eq!(below(900, Some(200)), 900);
        assert_eq!([below(0, Some(2000)), below(70, None)], [0, 70]);
        assert_eq!(ResumeLevel::Half.below(1001), 500);
    }

    proptest! {
        /// Whatever arrives and leaves, the shared memory has exactly what the inputs hold beyond their
        /// reserved memory and headroom, and no packet takes more than there is.
        #[test]
        fn the_shared_memory_is_that_of_the_packets(
            powers in prop::collection::vec((-8..8_i32, 0_u64..2000), 3),
            acts in prop::collection::vec((0_usize..3, 1_u8..3, 1_u64..900, any::<bool>()), 0..400),
        ) {
            let mut memory = SharedMemory { octets: 5000, used: 0 };
            let inputs = powers.iter().map(|(power, reserved)| input(*power, *reserved, ResumeLevel::Half));
            let mut inputs: Vec<DynamicInput> = inputs.collect();
            let mut held = [ByPriority::<Vec<u64>>::default(), Default::default(), Default::default()];
            for (number, class, space, leaves) in acts {
                let (input, queue) = (&mut inputs[number], &mut held[number][usize::from(class)]);
                let before: u64 = queue.iter().sum();
                if !leaves {
                    let free = memory.free();
                    queue.push(space);
                    let beyond = input.store(holding(class, before + space, space), &mut memory);
                    let taken = free - memory.free();
                    prop_assert!(taken == 0 || beyond == 0);
                    let shared = (before + space).saturating_sub(input.level.reserved);
                    prop_assert!(taken == 0 || shared <= input.level.multiple.of(memory.free()));
                } else if !queue.is_empty() {
                    let space = queue.remove(0);
                    input.release(holding(class, before - space, space), &mut memory);
                }
                let used = inputs.iter().zip(&held).map(|(input, held)| {
                    let held = held.each_ref().map(|queue| queue.iter().sum());
                    input.shared_by(PrioritySet::ALL, &held)
                });
                prop_assert_eq!(memory.used, used.sum::<u64>());
                prop_assert!(memory.used <= memory.octets);
            }
        }
    }
}
