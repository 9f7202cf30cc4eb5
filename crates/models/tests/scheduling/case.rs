//! What arrives at a switch, and what leaves it.

use std::collections::VecDeque;

use models::cell::CELL_OCTETS;
use models::class::Class;
use parameters::{Bytes, CellCount, Fraction};

use models::output::classes::IntraClassOrder;
use models::output::scheduler::SchedulerSpec;
use models::output::scheduler::deficit_round_robin::DeficitRoundRobin;
use models::output::scheduler::fifo::Fifo;
use models::output::scheduler::multiclass::{Elastic, Multiclass, Patient, Prompt};
use models::output::scheduler::round_robin::RoundRobin;
use models::output::scheduler::self_clocked::SelfClocked;
use models::output::scheduler::strict_priority::StrictPriority;

/// Time of a cell on every input.
pub const CELL: u64 = 10;

/// More channels than any case has.
pub const CHANNELS: u32 = 4;

/// Number of classes.
pub const CLASSES: usize = Class::ALL.len();

/// A switch, and what arrives at it.
#[derive(Clone, Debug)]
pub struct Case {
    pub sources: Vec<Source>,
    /// Cell time of each output.
    pub outputs: Vec<u64>,
    pub order: Order,
    /// Class of each channel.
    pub classes: [Class; CHANNELS as usize],
    pub memory: Memory,
}

/// In what order cells leave.
#[derive(Clone, Debug)]
pub enum Order {
    Fifo,
    RoundRobin,
    /// A quantum of so many cells.
    DeficitRoundRobin(u64),
    SelfClocked,
    Strict {
        in_turn: bool,
    },
    Multiclass {
        promises: [Promise; CLASSES],
        in_turn: bool,
    },
}

/// What a class was promised, in numbers that no arithmetic rounds.
#[derive(Clone, Copy, Debug)]
pub struct Promise {
    /// Sixteenths of the link.
    pub share: u64,
    /// In cells.
    pub burst: u64,
    pub greedy: bool,
    /// 1, 2 or 4.
    pub weight: u32,
}

/// Where cells wait.
#[derive(Clone, Debug)]
pub enum Memory {
    /// So many cells for each output.
    PerOutput(u64),
    /// So many for all.
    Shared(u64),
    /// So many for each class of each output.
    PerClass([u64; CLASSES]),
}

/// A source, whose cells all go to one channel of one output.
#[derive(Clone, Debug)]
pub struct Source {
    pub output: usize,
    pub vc: u32,
    /// Idle time before each train, and its cells.
    pub trains: Vec<(u64, u32)>,
}

impl Source {
    /// When each train arrives, and how many cells it has.
    pub fn arrivals(&self) -> VecDeque<(u64, u32)> {
        let mut next = CELL;
        let trains = self.trains.iter().map(|(gap, cells)| {
            let first = next + gap;
            next = first + u64::from(*cells) * CELL;
            (first, *cells)
        });
        trains.collect()
    }
}

/// When cells have left each output, and on which channel, in order.
pub type Departures = Vec<Vec<(u64, u32)>>;

impl Order {
    /// The scheduler that is to serve so.
    pub fn spec(&self) -> SchedulerSpec {
        let within = |in_turn: bool| {
            if in_turn {
                IntraClassOrder::RoundRobin
            } else {
                IntraClassOrder::Fifo
            }
        };
        match self {
            Order::Fifo => SchedulerSpec::Fifo(Fifo {}),
            Order::RoundRobin => SchedulerSpec::RoundRobin(RoundRobin {}),
            Order::DeficitRoundRobin(cells) => {
                let quantum = Bytes(cells * CELL_OCTETS);
                SchedulerSpec::DeficitRoundRobin(DeficitRoundRobin { quantum })
            }
            Order::SelfClocked => SchedulerSpec::SelfClocked(SelfClocked {}),
            Order::Strict { in_turn } => SchedulerSpec::StrictPriority(StrictPriority {
                within: within(*in_turn),
            }),
            Order::Multiclass { promises, in_turn } => {
                SchedulerSpec::Multiclass(multiclass(promises, within(*in_turn)))
            }
        }
    }
}

fn multiclass(promises: &[Promise; CLASSES], within: IntraClassOrder) -> Multiclass {
    macro_rules! promise {
        ($Record:ident, $class:ident) => {{
            let promise = promises[Class::$class.index()];
            $Record {
                share: Fraction(promise.share as f64 / 16.0),
                burst: CellCount(promise.burst),
                greedy: promise.greedy,
                weight: promise.weight,
            }
        }};
    }
    Multiclass {
        cbr: promise!(Prompt, Cbr),
        rt_vbr: promise!(Prompt, RtVbr),
        nrt_vbr: promise!(Patient, NrtVbr),
        abr: promise!(Elastic, Abr),
        ubr: promise!(Elastic, Ubr),
        within,
    }
}
